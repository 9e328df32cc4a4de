use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kerncast_wire::{Flag, Scope};
use uuid::Uuid;

/// The variant without local memory.
pub const GLOBAL: &str = "global";
/// The variant with local memory.
pub const LOCAL: &str = "local";

/// The samples that fits are made from, wherever they were read.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Numbers of counters, by `PROVIDER:NAME`.
    pub counters: BTreeMap<String, i32>,
    /// Samples that the question's provider has counted on the device counted on, by id. Only the newest of several
    /// samples of one workload with the same counters is needed.
    pub counted: Vec<Sample>,
    /// The factors by which times of another device's samples among these were converted, by id.
    pub borrowed: BTreeMap<Uuid, f64>,
    /// The name of the device whose samples were borrowed.
    pub lender: Option<String>,
    /// Times of these workloads on each device that ran them, by device and workload: that of the newest sample.
    pub devices: BTreeMap<i64, BTreeMap<i32, Timed>>,
}

/// A sample that was counted.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The sample's id.
    pub id: Uuid,
    /// The time of the measurement.
    pub measured_at: DateTime<Utc>,
    /// The device that ran it.
    pub device: i64,
    /// The number of its workload.
    pub workload: i32,
    /// The workload's kernel.
    pub kernel: String,
    /// The kernel's family, where it has one.
    pub family: Option<String>,
    /// Whether the kernel is a generated one (`kerncast run --generated`).
    pub generated: bool,
    /// The workload's variant.
    pub variant: String,
    /// Median repetition, seconds.
    pub median_s: f64,
    /// Flags that make its times doubtful.
    pub flags: Vec<Flag>,
    /// The part of the launch that the provider counted.
    pub scope: Scope,
    /// Values of all providers' counters, by the counter's number.
    pub values: HashMap<i32, f64>,
}

/// The time of a workload.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The sample that the time is from.
    pub sample: Uuid,
    /// Median repetition, seconds.
    pub median_s: f64,
}

impl Samples {
    /// The counters of a provider, with their numbers.
    pub(crate) fn counters_of(&self, provider: &str) -> impl Iterator<Item = (&String, &i32)> {
        let own = format!("{provider}:");
        let counters = self.counters.iter();
        counters.filter(move |(name, _)| name.starts_with(&own))
    }

    /// The newest revision of the provider's counts; none where it does not say.
    pub(crate) fn newest_revision(&self, provider: &str) -> Option<f64> {
        let counted = self.counted.iter();
        let all = counted.filter_map(|sample| self.revision(sample, provider));
        all.max_by(f64::total_cmp)
    }

    /// The revision of the provider's counts of a sample.
    pub(crate) fn revision(&self, sample: &Sample, provider: &str) -> Option<f64> {
        self.value(sample, &format!("{provider}:revision"))
    }

    /// The sample's value of a counter `PROVIDER:NAME`; none where it lacks the counter.
    pub(crate) fn value(&self, sample: &Sample, counter: &str) -> Option<f64> {
        let number = self.counters.get(counter)?;
        sample.values.get(number).copied()
    }

    /// The times of these counted samples, seconds.
    ///
    /// # Panics
    /// Where there is no such sample.
    #[must_use]
    pub fn times(&self, ids: &[Uuid]) -> Vec<f64> {
        let times = self.counted.iter().map(|it| (it.id, it.median_s));
        let times: HashMap<Uuid, f64> = times.collect();
        ids.iter().map(|id| times[id]).collect()
    }

    /// Whether any sample has the counter.
    pub(crate) fn have(&self, counter: &str) -> bool {
        let mut counted = self.counted.iter();
        counted.any(|sample| self.value(sample, counter).is_some())
    }

    /// Whether nine in ten workloads or more have a sample with the counter. Workloads of generated kernels do not
    /// count: they would outvote the others and push them out of fits.
    pub(crate) fn nearly_everywhere(&self, counter: &str) -> bool {
        let Some(number) = self.counters.get(counter) else {
            return false;
        };
        let all_generated = self.counted.iter().all(|it| it.generated);
        let counted = self.counted.iter();
        let counted = counted.filter(|it| !it.generated || all_generated);
        let workload = |it: &Sample| (it.device, it.workload);
        let all: BTreeSet<_> = counted.clone().map(workload).collect();
        let with_counter = counted.filter(|it| it.values.contains_key(number));
        let with_counter: BTreeSet<_> = with_counter.map(workload).collect();
        10 * with_counter.len() >= 9 * all.len()
    }

    /// Whether any sample is of the variant.
    pub(crate) fn has_variant(&self, variant: &str) -> bool {
        self.counted.iter().any(|sample| sample.variant == variant)
    }

    /// The workload's time on the device, where it was run there.
    pub(crate) fn timed(&self, device: i64, workload: i32) -> Option<Timed> {
        self.devices.get(&device)?.get(&workload).copied()
    }
}
