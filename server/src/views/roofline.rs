//! Operations and bytes, from what providers count.

use kerncast_profilers::catalogue::{Counter, of_provider};
use kerncast_training::rates::{DOUBLE, IR, Parts, SINGLE};
use kerncast_wire::{
    Role::{self, *},
    RooflinePoint,
    provider::{NCU, OCLGRIND},
};

use crate::db::views::workload_counters::CountedWorkload;

/// Providers whose counters tell operations and bytes, the better one first.
pub(crate) const PROVIDERS: [&str; 2] = [NCU, OCLGRIND];

/// What ncu counts of memory: both have to be there.
const SECTORS: [(Role, f64); 2] = [(DramReadSectors, 32.0), (DramWriteSectors, 32.0)];
/// What Oclgrind's loads and stores move.
const IR_BYTES: [(Role, f64); 2] = [(IrGlobalLoadBytes, 1.0), (IrGlobalStoreBytes, 1.0)];

/// The counters of a provider that a point is made of, and what they count.
fn columns(provider: &str) -> impl Iterator<Item = (&'static Counter, Role)> {
    let parts = [&SINGLE[..], &DOUBLE, &SECTORS, &IR, &IR_BYTES].concat();
    of_provider(provider)
        .filter_map(|counter| Some((counter, counter.role?)))
        .filter(move |(_, role)| parts.iter().any(|(part, _)| part == role))
}

/// The names of the counters that a point is made of.
pub(crate) fn counters(provider: &str) -> Vec<String> {
    let names = columns(provider).map(|(counter, _)| counter.name.to_string());
    names.collect()
}

/// The point of a sample whose values are those of [`counters`].
pub(crate) fn point(provider: &str, counted: CountedWorkload) -> RooflinePoint {
    let roles = columns(provider).map(|(_, role)| role);
    let counts = roles.zip(counted.values);
    let counts: Vec<(Role, f64)> = counts.filter_map(|(role, it)| Some((role, it?))).collect();
    let (fp32_flop, fp64_flop, bytes) = if provider == NCU {
        let sum = |parts: &Parts| sum(&counts, parts, None);
        (sum(&SINGLE), sum(&DOUBLE), sum(&SECTORS))
    } else {
        // Oclgrind counts everything that runs: an instruction that it does not mention did not run.
        let sum = |parts: &Parts| sum(&counts, parts, Some(0.0));
        (sum(&IR), None, sum(&IR_BYTES))
    };
    RooflinePoint {
        sample: counted.sample,
        kernel: counted.kernel,
        variant: counted.variant,
        parameters: counted.parameters.0,
        time_s: counted.time_s,
        provider: provider.to_owned(),
        fp32_flop,
        fp64_flop,
        bytes,
    }
}

/// The weighted sum of what was counted, by role; none where a part was not counted and `absent` gives no value for it.
fn sum(counts: &[(Role, f64)], parts: &Parts, absent: Option<f64>) -> Option<f64> {
    let part = |(role, units): &(Role, f64)| {
        let own = counts.iter().filter(|(of, _)| of == role);
        let own: Vec<f64> = own.map(|(_, count)| *count).collect();
        let count = if own.is_empty() {
            absent?
        } else {
            own.iter().sum()
        };
        Some(units * count)
    };
    parts.iter().map(part).sum()
}
