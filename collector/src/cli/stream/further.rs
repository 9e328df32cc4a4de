//! The primitives that have arrays or numbers of their own besides.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Args, ValueEnum};
use kerncast_collector::UsageError;
use kerncast_offload::Asked;
use kerncast_primitives::{Options, Streamer, Way, host_has_room};

use super::{
    Explanation, Primitive, device,
    done::{Outcome, with_bar},
    interrupted,
    known::{self, Known},
    shown,
};
use crate::cli::{exit, table};
use files::Files;
use work::Work;

mod edges;
mod files;
mod missing;
mod work;

/// Of one primitive each.
#[derive(Args)]
pub(super) struct Further {
    /// Of histogram: how many bins, as wide as each other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    bins: Option<u32>,
    /// Of histogram: where the first bin begins and the last one ends, as 0,100
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    range: Option<String>,
    /// Of reduce_by_key: the key of each element, equal ones together; of look_up: the keys that there are, of which the
    /// first of equal ones counts
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Of reduce_by_key: the file of one key each to make
    #[arg(long, value_name = "FILE")]
    keys_out: Option<PathBuf>,
    /// Of top_k: how many
    #[arg(long, value_name = "N")]
    k: Option<u64>,
    /// Of merge: the other sorted file
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
    /// Of sorted_search: the sorted file in which the elements of IN are looked for
    #[arg(long, value_name = "FILE")]
    sorted: Option<PathBuf>,
    /// Of sorted_search: before or behind elements that are equal; else lower, which is before
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// Of segmented_sort: where each segment begins, and last the length of IN, a file of u4 or u8
    #[arg(long, value_name = "FILE")]
    offsets: Option<PathBuf>,
    /// Of look_up: the value of each key
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Of look_up: what stands for the value of keys that are not there
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    missing: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Lower,
    Upper,
}

/// Whether it is one of these.
pub(super) fn is_one(primitive: Primitive) -> bool {
    !needs(primitive).is_empty() || primitive == Primitive::Unique
}

/// Options without which a primitive cannot be done.
fn needs(primitive: Primitive) -> &'static [&'static str] {
    match primitive {
        Primitive::Histogram => &["--bins", "--range"],
        Primitive::Gather => &["--index"],
        Primitive::ReduceByKey => &["--keys", "--keys-out"],
        Primitive::TopK => &["--k"],
        Primitive::Merge => &["--with"],
        Primitive::SortedSearch => &["--sorted"],
        Primitive::SegmentedSort => &["--offsets"],
        Primitive::LookUp => &["--keys", "--values", "--missing"],
        _ => &[],
    }
}

/// Refuses options that are another primitive's, and of these primitives what is missing.
pub(super) fn check(all: &super::Arguments) -> Result<(), UsageError> {
    let its = &all.further;
    let given = [
        ("--bins", its.bins.is_some(), &[Primitive::Histogram][..]),
        ("--range", its.range.is_some(), &[Primitive::Histogram]),
        (
            "--keys",
            its.keys.is_some(),
            &[Primitive::ReduceByKey, Primitive::LookUp],
        ),
        (
            "--keys-out",
            its.keys_out.is_some(),
            &[Primitive::ReduceByKey],
        ),
        ("--k", its.k.is_some(), &[Primitive::TopK]),
        ("--with", its.with.is_some(), &[Primitive::Merge]),
        ("--sorted", its.sorted.is_some(), &[Primitive::SortedSearch]),
        ("--side", its.side.is_some(), &[Primitive::SortedSearch]),
        (
            "--offsets",
            its.offsets.is_some(),
            &[Primitive::SegmentedSort],
        ),
        ("--values", its.values.is_some(), &[Primitive::LookUp]),
        ("--missing", its.missing.is_some(), &[Primitive::LookUp]),
        (
            "--index",
            all.index.is_some(),
            &[Primitive::Scatter, Primitive::Gather],
        ),
    ];
    let what = name(all.primitive);
    for &(option, is_given, of) in &given {
        // Primitives that are no further ones say so of --index themselves.
        let is_checked = option != "--index" || is_one(all.primitive);
        if is_given && is_checked && !of.contains(&all.primitive) {
            let of: Vec<String> = of.iter().copied().map(name).collect();
            let of = of.join(" and ");
            return Err(UsageError(format!(
                "{option} is of {of} alone; {what} has no use for it"
            )));
        }
    }
    if !is_one(all.primitive) {
        return Ok(());
    }
    for &(option, is_given, _) in &given {
        // What is only explained makes no file.
        let is_needed =
            needs(all.primitive).contains(&option) && !(all.explain && option == "--keys-out");
        if is_needed && !is_given {
            return Err(UsageError(format!("{option} is missing; {what} needs it")));
        }
    }
    if let Some(op) = all
        .op
        .as_ref()
        .filter(|_| all.primitive != Primitive::ReduceByKey)
    {
        return Err(UsageError(format!(
            "--op {op:?}: {what} has no operation; expected none"
        )));
    }
    if !all.devices.is_empty() {
        return Err(UsageError(format!(
            "--devices: {what} goes through one device; expected --device"
        )));
    }
    if all.output.is_none() && !all.explain {
        return Err(UsageError(format!(
            "OUT is missing; expected the file that {what} is to make"
        )));
    }
    Ok(())
}

pub(super) fn stream(all: &super::Arguments) -> Result<ExitCode> {
    let (files, primitive) = (Files::open(all)?, name(all.primitive));
    let device = device::choose(all.device.as_deref())?;
    let device_memory = device::memory(&device, all.device_memory)?;
    let options = Options {
        slots: all.streams.unwrap_or(all.slots).into(),
        streams: all.streams.is_some(),
        ..Options::new(device_memory)
    };
    let (name, first) = (device.facts.name.clone(), device.clone());
    let known = match all.explain {
        true => Some(known::rates(&device, false)?),
        false => known::kept(&device),
    };
    let mut streamer = Streamer::new(device, options.clone())?;
    let mut work = Work::new(all, &files, &mut streamer)?;
    let rates = known.as_ref().map(Known::checked);
    // What is hardly longer than the trial is not done twice.
    let is_tried = all.explain || files.input.length() > 4 * super::done::TRIED;
    if let Some(rates) = &rates {
        streamer.expect(rates.clone());
        if is_tried {
            work.try_some(&mut streamer)?;
        }
    }
    let mut explained = streamer.explain(|it| work.plan(it))?;
    // A device of its own leads away from the cores: what it takes there and back is not told by the first elements.
    let may_leave = !all.stays_on_device() && streamer.way() == Way::Mapped;
    if may_leave && is_tried && host_has_room(work.bytes_by_cores()) {
        let mut other = Streamer::new(first.clone(), options)?;
        if let Some((took, times)) = work.compared(&mut other)? {
            explained = explained.tried(took, times);
            streamer.leave_to_cores(explained.by_cores);
        }
    }
    if all.explain {
        let answer = Explanation {
            device: name,
            with: Vec::new(),
            device_memory,
            explained,
            offload: None,
        };
        table::print_as(all.json, &answer, || shown::explanation(&answer))?;
        return Ok(exit(true));
    }
    let trips = explained.trips.iter();
    let bytes = match explained.by_cores {
        true => work.bytes(),
        false => trips.map(|it| it.bytes_in + it.bytes_out).sum(),
    };
    streamer.cancel_with(interrupted()?);
    let report = with_bar(&mut streamer, bytes, |streamer| {
        work.to_files(streamer, all)
    })?;
    let input = &files.input;
    let bytes = (input.length() * input.element().bytes() as u64) as f64;
    let outcome = Outcome {
        result: None,
        bytes_per_s: bytes / report.seconds,
        report,
        forecast: rates
            .is_some()
            .then_some(explained)
            .filter(|_| all.streams.is_none()),
    };
    table::print_as(all.json, &outcome, || shown::outcome(&outcome))?;
    if let Some((known, rates)) = known.zip(rates) {
        let asked = Asked {
            primitive: &primitive,
            work: None,
            element: input.element(),
            elements: input.length(),
            by: Way::File.name(),
            device_memory,
            devices: 1,
        };
        if let Some(run) = outcome.run(&asked, known.id, &rates) {
            known.keep(run, &first, &all.keep);
        }
    }
    Ok(exit(true))
}

fn name(primitive: Primitive) -> String {
    let value = primitive.to_possible_value();
    value.map_or_else(String::new, |it| it.get_name().to_owned())
}
