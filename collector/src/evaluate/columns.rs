use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{Dataset, DatasetError};
use kerncast_profilers::catalogue::{grows_with_work, roles};
use kerncast_wire::NewSample;
use ndarray::{Array1, Array2};

use crate::timing;

/// Its counters are beside those of every provider.
pub(super) const LAUNCH: &str = "launch";
/// Those of them that grow with the launch.
const GEOMETRY: [&str; 2] = ["work_items", "work_groups"];

/// Samples that a provider counted, as columns.
pub(super) struct Columns<'a> {
    pub(super) samples: Vec<&'a NewSample>,
    /// `PROVIDER:NAME`, those that every sample here has and a model may use.
    pub(super) counters: Vec<String>,
    /// The provider's others.
    pub(super) left_out: Vec<String>,
    /// How many samples lack one of the counters: they are not here.
    pub(super) lacking: usize,
}

impl<'a> Columns<'a> {
    /// A provider's volume counters (of a provider that Kerncast does not know: all that it does not know
    /// to hold the time), and the launch's geometry.
    pub(super) fn of(samples: &[&'a NewSample], provider: &str) -> Self {
        let counted = |sample: &&&NewSample| {
            let reading = sample.readings.get(provider);
            reading.is_some_and(|it| !it.counters.is_empty())
        };
        let mut samples: Vec<&NewSample> = samples.iter().filter(counted).copied().collect();
        let own = samples
            .iter()
            .filter_map(|it| it.readings.get(provider))
            .flat_map(|it| it.counters.keys())
            .collect::<BTreeSet<_>>();
        let (mut counters, mut left_out) = (Vec::new(), Vec::new());
        for name in own {
            let usable = grows_with_work(provider, name) && is_common(&samples, provider, name);
            let name = format!("{provider}:{name}");
            if usable {
                counters.push(name);
            } else {
                left_out.push(name);
            }
        }
        if provider != LAUNCH {
            let geometry = GEOMETRY.iter().filter(|it| is_common(&samples, LAUNCH, it));
            counters.extend(geometry.map(|it| format!("{LAUNCH}:{it}")));
        }
        let all = samples.len();
        samples.retain(|sample| counters.iter().all(|it| value(sample, it).is_some()));
        Self {
            lacking: all - samples.len(),
            samples,
            counters,
            left_out,
        }
    }

    /// The counters of each sample (n × p).
    pub(super) fn x(&self) -> Array2<f64> {
        Array2::from_shape_fn(
            (self.samples.len(), self.counters.len()),
            |(row, column)| {
                value(self.samples[row], &self.counters[column]).expect("no sample lacks it")
            },
        )
    }

    pub(super) fn dataset(&self) -> Result<Dataset, DatasetError> {
        let workloads = || self.samples.iter().map(|it| &it.workload);
        let kernels = workloads().map(|it| it.kernel.clone()).collect();
        let families: Vec<_> = workloads().map(|it| it.family.clone()).collect();
        let devices: Vec<_> = self
            .samples
            .iter()
            .map(|it| it.device.name.clone())
            .collect();
        let times: Array1<f64> = self.samples.iter().map(|it| median_s(it)).collect();
        Dataset::new(self.counters.clone(), kernels, self.x(), times)?
            .with_roles(roles(&self.counters))?
            .with_families(&families)?
            .with_devices(&devices)
    }
}

/// The median repetition, seconds.
pub(super) fn median_s(sample: &NewSample) -> f64 {
    timing::summary(&sample.times.repetitions_s).median_s
}

fn value(sample: &NewSample, counter: &str) -> Option<f64> {
    let (provider, name) = counter.split_once(':')?;
    sample.readings.get(provider)?.counters.get(name).copied()
}

/// Whether nine in ten samples or more have the counter, as the server asks of its models' counters.
fn is_common(samples: &[&NewSample], provider: &str, name: &str) -> bool {
    let has = |it: &&&NewSample| {
        let reading = it.readings.get(provider);
        reading.is_some_and(|it| it.counters.contains_key(name))
    };
    10 * samples.iter().filter(has).count() >= 9 * samples.len()
}

/// The newest sample of each workload on a device.
pub(super) fn newest<'a>(
    samples: &'a [NewSample],
    device: &str,
) -> BTreeMap<&'a kerncast_wire::Workload, &'a NewSample> {
    let mut newest: BTreeMap<_, &NewSample> = BTreeMap::new();
    for sample in samples.iter().filter(|it| it.device.name == device) {
        newest
            .entry(&sample.workload)
            .and_modify(|it| {
                if it.measured_at < sample.measured_at {
                    *it = sample;
                }
            })
            .or_insert(sample);
    }
    newest
}
