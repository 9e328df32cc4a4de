//! What a device can do at most, each measured in several ways: the best way's median counts.
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
mod host;
mod launch;
mod local;

/// A device's ceilings, and how they came about.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MeasuredCeilings {
    /// What was measured.
    pub ceilings: Ceilings,
    /// The ways to measure it, best first, by the ceiling's field.
    pub ways: BTreeMap<String, Vec<Way>>,
    /// Why there is no number, by the ceiling's field.
    pub missing: BTreeMap<String, String>,
}

/// A way to measure a ceiling, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    /// In words.
    pub way: String,
    /// In the ceiling's unit.
    pub value: f64,
}

/// One of the ceilings.
struct Ceiling {
    /// Its field of [`Ceilings`].
    name: &'static str,
    place: fn(&mut Ceilings) -> &mut Option<f64>,
    measure: fn(Bench<'_>) -> Result<Vec<Way>, Missing>,
}

/// Arithmetic first: it wakes the device's clocks up.
const CEILINGS: [Ceiling; 8] = [
    Ceiling {
        name: "fp32_flop_per_s",
        place: |it| &mut it.fp32_flop_per_s,
        measure: arithmetic::fp32,
    },
    Ceiling {
        name: "fp64_flop_per_s",
        place: |it| &mut it.fp64_flop_per_s,
        measure: arithmetic::fp64,
    },
    Ceiling {
        name: "int32_op_per_s",
        place: |it| &mut it.int32_op_per_s,
        measure: arithmetic::int32,
    },
    Ceiling {
        name: "local_bytes_per_s",
        place: |it| &mut it.local_bytes_per_s,
        measure: local::read,
    },
    Ceiling {
        name: "copy_bytes_per_s",
        place: |it| &mut it.copy_bytes_per_s,
        measure: copy::copy,
    },
    Ceiling {
        name: "host_to_device_bytes_per_s",
        place: |it| &mut it.host_to_device_bytes_per_s,
        measure: host::to_device,
    },
    Ceiling {
        name: "device_to_host_bytes_per_s",
        place: |it| &mut it.device_to_host_bytes_per_s,
        measure: host::from_device,
    },
    Ceiling {
        name: "launch_latency_s",
        place: |it| &mut it.launch_latency_s,
        measure: launch::latency,
    },
];

/// Measures all ceilings of a device in about `budget`, each at least in its first way. What can't be
/// measured is missing, with its reason.
///
/// # Errors
/// There is no queue on the device.
pub fn measure(device: &OpenClDevice, budget: Duration) -> Result<MeasuredCeilings, OpenClError> {
    let queue = device.context()?.queue()?;
    let end = Instant::now() + budget;
    let mut measured = MeasuredCeilings::default();
    for (done, ceiling) in CEILINGS.iter().enumerate() {
        let left = u32::try_from(CEILINGS.len() - done).unwrap_or(1);
        let share = end.saturating_duration_since(Instant::now()) / left;
        let name = ceiling.name.to_owned();
        match (ceiling.measure)(Bench::new(device, &queue, share)) {
            Ok(ways) => {
                *(ceiling.place)(&mut measured.ceilings) = ways.first().map(|best| best.value);
                measured.ways.insert(name, ways);
            }
            Err(missing) => {
                measured.missing.insert(name, missing.to_string());
            }
        }
    }
    Ok(measured)
}
