//! Rates of workloads, beside what their device was measured to do at most.

use std::collections::{BTreeMap, HashMap};

use kerncast_profilers::catalogue::role;
use kerncast_wire::{
    Role::{self, *},
    Scope,
};
use uuid::Uuid;

use crate::Samples;

/// Roles of counters, each with how much one of its events adds to a sum.
pub type Parts = [(Role, f64)];

/// Operations in single precision.
pub const SINGLE: [(Role, f64); 3] = [
    (Fp32Adds, 1.0),
    (Fp32Multiplies, 1.0),
    (Fp32MultiplyAdds, 2.0),
];

/// Operations in double precision.
pub const DOUBLE: [(Role, f64); 3] = [
    (Fp64Adds, 1.0),
    (Fp64Multiplies, 1.0),
    (Fp64MultiplyAdds, 2.0),
];

/// Operations in any precision, before a compiler has seen them: a device does at most those of single precision.
pub const IR: [(Role, f64); 2] = [(IrOperations, 1.0), (IrMultiplyAdds, 2.0)];

/// Bytes that move to and from DRAM.
pub const DRAM: [(Role, f64); 5] = [
    (DramReadSectors, 32.0),
    (DramWriteSectors, 32.0),
    (DramReadBytes, 1.0),
    (DramWriteBytes, 1.0),
    (DramBytes, 1.0),
];

/// Names of ceilings, and the counts that each bounds.
const CEILINGS: [(&str, &Parts); 4] = [
    ("fp32_flop_per_s", &SINGLE),
    ("fp32_flop_per_s", &IR),
    ("fp64_flop_per_s", &DOUBLE),
    ("copy_bytes_per_s", &DRAM),
];

/// The highest rate of any workload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Highest {
    /// The name of the ceiling that the rate may not exceed.
    pub ceiling: &'static str,
    /// The rate: events a second.
    pub per_second: f64,
    /// The sample with this rate.
    pub sample: Uuid,
}

/// The highest rates of any sample for each ceiling, by counters of `provider`. Only launches that were counted whole
/// are considered.
#[must_use]
pub fn highest(samples: &Samples, provider: &str) -> Vec<Highest> {
    let counters = samples.counters_of(provider);
    let roles: HashMap<i32, Role> = counters
        .filter_map(|(name, number)| Some((*number, role(name)?)))
        .collect();
    let mut rates: BTreeMap<&str, Highest> = BTreeMap::new();
    for sample in samples.counted.iter().filter(|it| it.scope == Scope::Full) {
        for (ceiling, parts) in CEILINGS {
            let counts = sample.values.iter().filter_map(|(number, value)| {
                let role = roles.get(number)?;
                let (_, events) = parts.iter().find(|it| it.0 == *role)?;
                Some(events * value)
            });
            let per_second = counts.sum::<f64>() / sample.median_s;
            let beats = |it: &Highest| per_second > it.per_second;
            if per_second > 0.0 && per_second.is_finite() && rates.get(ceiling).is_none_or(beats) {
                let highest = Highest {
                    ceiling,
                    per_second,
                    sample: sample.id,
                };
                rates.insert(ceiling, highest);
            }
        }
    }
    rates.into_values().collect()
}
