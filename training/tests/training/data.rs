//! Samples of three devices, and what is asked of them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kerncast_training::{Candidate, Question, Response, Sample, Samples, Timed};
use kerncast_wire::{Scope, Warning};
use uuid::Uuid;

pub(crate) const TARGET: i64 = 1;
pub(crate) const COUNTED_ON: i64 = 2;
pub(crate) const THIRD: i64 = 3;

pub(crate) const COUNTERS: [&str; 4] = [
    "oclgrind:instructions",
    "oclgrind:load_global_bytes",
    "launch:work_items",
    "launch:work_groups",
];

pub(crate) fn at(day: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(day * 86_400, 0).expect("a date")
}

pub(crate) fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A workload of `global`, at twice its number; of `local` one more.
pub(crate) fn workload(kernel: i32, size: i32) -> i32 {
    2 * (kernel * 4 + size)
}

pub(crate) fn sample(device: i64, kernel: i32, size: i32) -> Sample {
    let number = workload(kernel, size);
    let items = f64::from(256 << (2 * size));
    let work = f64::from(1 + (kernel * 7) % 5 * 3);
    let values = [
        items * work * 20.0,
        items * f64::from(4 + kernel % 4 * 8),
        items,
        items / 64.0,
    ];
    Sample {
        id: id(u128::try_from(1000 * device + i64::from(number)).expect("positive")),
        measured_at: at(1),
        device,
        workload: number,
        kernel: format!("k{kernel}"),
        family: None,
        generated: false,
        variant: "global".to_owned(),
        median_s: 1e-6 + 1e-12 * values[0] + 1e-11 * values[1],
        flags: Vec::new(),
        scope: Scope::Full,
        values: HashMap::from_iter((0..).zip(values)),
    }
}

/// Twelve kernels at four sizes, counted on one device and run on all three.
pub(crate) fn samples(counted_on: i64) -> Samples {
    let mut samples = Samples {
        counters: (COUNTERS.into_iter().map(str::to_owned)).zip(0..).collect(),
        ..Samples::default()
    };
    for kernel in 0..12 {
        for size in 0..4 {
            let counted = sample(counted_on, kernel, size);
            for (device, share) in [(TARGET, 0.5), (COUNTED_ON, 1.0), (THIRD, 2.0)] {
                let ran = &mut samples.devices.entry(device).or_default();
                let timed = |sample: u128, median_s| Timed {
                    sample: id(sample),
                    median_s,
                };
                let number = u128::try_from(device).expect("positive") * 10_000
                    + u128::try_from(counted.workload).expect("positive");
                ran.insert(counted.workload, timed(number, share * counted.median_s));
            }
            samples.counted.push(counted);
        }
    }
    samples
}

pub(crate) fn question(counted_on: Option<i64>, response: Response) -> Question {
    Question {
        target: TARGET,
        counted_on,
        provider: "oclgrind".to_owned(),
        variant: None,
        response,
    }
}

pub(crate) fn counters() -> Vec<String> {
    COUNTERS.map(str::to_owned).to_vec()
}

/// The fit of a device's own times by a method.
pub(crate) fn own(samples: &Samples, method: &str) -> Candidate {
    let all = Candidate::all(&question(None, Response::Time), samples);
    let candidate = all.into_iter().find(|it| it.specification.method == method);
    candidate.expect("a candidate")
}

/// Warnings in words, a line each.
pub(crate) fn text(warnings: &[Warning]) -> String {
    let words: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    words.join("\n")
}
