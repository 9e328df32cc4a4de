//! The highest rates of a device, each measured in several ways: the fastest way's median counts.
//!
//! Small kernels of our own, timed by OpenCL's events. So that no compiler drops the work, every kernel
//! writes its result, and its constants are arguments that the compiler does not know.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use kerncast_opencl::{OpenClDevice, OpenClError};
use kerncast_wire::Ceilings;
use serde::{Deserialize, Serialize};

use bench::{Bench, Missing};

mod arithmetic;
mod bench;
mod copy;
mod doubtful;
mod host;
mod launch;
mod local;

/// A function that measures a ceiling in several ways.
type Measure = fn(Bench<'_>) -> Result<Vec<Way>, Missing>;

/// The number of ceilings.
const CEILINGS: u32 = 8;
/// Fields of the ceilings and how each is measured. Arithmetic comes first: it raises the device's clocks.
const ALL: [(&str, Measure); CEILINGS as usize] = [
    ("fp32_flop_per_s", arithmetic::fp32),
    ("fp64_flop_per_s", arithmetic::fp64),
    ("int32_op_per_s", arithmetic::int32),
    ("local_bytes_per_s", local::bandwidth),
    ("copy_bytes_per_s", copy::copy),
    ("host_to_device_bytes_per_s", host::to_device),
    ("device_to_host_bytes_per_s", host::from_device),
    ("launch_latency_s", launch::latency),
];

/// A device's ceilings, and how they came about.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CeilingsReport<C = Ceilings> {
    /// The measured ceilings.
    pub ceilings: C,
    /// The ways to measure it, best first, by the ceiling's field.
    pub ways: BTreeMap<String, Vec<Way>>,
    /// Why there is no number, by the ceiling's field.
    pub missing: BTreeMap<String, String>,
}

/// A way to measure a ceiling, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    /// The way in words.
    pub way: String,
    /// The measured value, in the ceiling's unit.
    pub value: f64,
    /// Median ÷ fastest repetition; none where the timer's steps hide the fastest.
    #[serde(rename = "apart")]
    pub spread: Option<f64>,
}

/// Measures all ceilings of a device in about `budget`, each at least in its first way. What can't be
/// measured is missing, with its reason.
///
/// # Errors
/// There is no queue on the device.
pub fn measure(device: &OpenClDevice, budget: Duration) -> Result<CeilingsReport, OpenClError> {
    let queue = device.context()?.queue()?;
    let end = Instant::now() + budget;
    let (mut ways, mut missing) = (BTreeMap::new(), BTreeMap::new());
    for ((name, measure), remaining) in ALL.into_iter().zip((1..=CEILINGS).rev()) {
        let share = end.saturating_duration_since(Instant::now()) / remaining;
        match measure(Bench::new(device, &queue, share)) {
            Ok(all) => {
                ways.insert(name.to_owned(), all);
            }
            Err(reason) => {
                missing.insert(name.to_owned(), reason.to_string());
            }
        }
    }
    doubtful::measure_doubtful_again(&mut ways, &mut missing, |name| {
        let (_, measure) = ALL.into_iter().find(|(known, _)| *known == name)?;
        measure(Bench::new(device, &queue, budget / CEILINGS)).ok()
    });
    let best = |name: &str| Some(ways.get(name)?.first()?.value);
    let ceilings = Ceilings {
        fp32_flop_per_s: best("fp32_flop_per_s"),
        fp64_flop_per_s: best("fp64_flop_per_s"),
        int32_op_per_s: best("int32_op_per_s"),
        local_bytes_per_s: best("local_bytes_per_s"),
        copy_bytes_per_s: best("copy_bytes_per_s"),
        host_to_device_bytes_per_s: best("host_to_device_bytes_per_s"),
        device_to_host_bytes_per_s: best("device_to_host_bytes_per_s"),
        launch_latency_s: best("launch_latency_s"),
    };
    Ok(CeilingsReport {
        ceilings,
        ways,
        missing,
    })
}
