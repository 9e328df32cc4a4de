//! Samples that the server has, as counters to ask by.

use std::collections::BTreeSet;

use anyhow::Result;
use kerncast_collector::{UsageError, client::Client};
use kerncast_suite::{Parameters, sizes};
use kerncast_wire::{NewSample, Sample, Standing, words::did_you_mean};
use uuid::Uuid;

/// Each with its place in the answer, for messages.
pub(super) type Placed = (String, NewSample);

/// The samples with these ids.
pub(super) fn named(server: &Client, ids: &[Uuid]) -> Result<Vec<Placed>> {
    let ask = |id: &Uuid| Ok((format!("sample {id}"), server.sample(*id)?.sample));
    ids.iter().map(ask).collect()
}

/// The newest sample of each variant, size and device of `kernel`: at `size` alone where there is one, and where
/// `devices` names some, of these alone.
///
/// # Errors
/// There is none; which sizes there are.
pub(super) fn of_kernel(
    server: &Client,
    kernel: &str,
    size: Option<&Parameters>,
    devices: &[i64],
) -> Result<Vec<Placed>> {
    let mut all = Vec::new();
    match devices {
        [] => all = server.samples(kernel, None)?,
        devices => {
            for device in devices {
                all.extend(server.samples(kernel, Some(*device))?);
            }
        }
    }
    let there: BTreeSet<String> = all
        .iter()
        .map(|it| sizes(&it.sample.workload.parameters))
        .collect();
    let newest = newest(all, |it| {
        size.is_none_or(|size| it.sample.workload.parameters == *size)
    });
    if newest.is_empty() {
        let there: Vec<String> = there.into_iter().collect();
        let has = match there.is_empty() {
            true => {
                let known = server.kernels()?;
                let names = known.iter().map(|it| it.name.as_str());
                let likely = did_you_mean(kernel, names);
                let there = if devices.is_empty() { "" } else { " there" };
                format!("no sample of it{there}{likely}")
            }
            false => format!("it at {}", there.join("; ")),
        };
        let at = size.map_or_else(String::new, |size| format!(" at {}", sizes(size)));
        return Err(UsageError(format!("--kernel {kernel}{at}: the server has {has}")).into());
    }
    let placed = newest
        .into_iter()
        .map(|it| (format!("sample {}", it.sample.id), it.sample));
    Ok(placed.collect())
}

/// Of all samples that `wanted` takes and that count, the newest of each workload on each device.
pub(super) fn newest(all: Vec<Sample>, wanted: impl Fn(&Sample) -> bool) -> Vec<Sample> {
    let counts = |it: &Sample| !matches!(it.standing, Standing::Quarantined | Standing::Rejected);
    let mut kept: Vec<Sample> = all
        .into_iter()
        .filter(|it| counts(it) && wanted(it))
        .collect();
    kept.sort_by_key(|it| std::cmp::Reverse(it.sample.measured_at));
    let mut seen = BTreeSet::new();
    kept.retain(|it| {
        let device = &it.sample.device;
        seen.insert((
            it.sample.workload.clone(),
            device.vendor.clone(),
            device.name.clone(),
        ))
    });
    kept
}
