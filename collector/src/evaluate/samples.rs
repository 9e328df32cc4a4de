//! Samples of files in the form that fits take.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_profilers::{catalogue::resolve, gpus};
use kerncast_training::{ENOUGH_KERNELS, Lender, Question, Sample, Samples, Timed, lender};
use kerncast_wire::{Facts, NewSample, Reading, TimeSummary, Workload};
use uuid::Uuid;

use crate::{UsageError, import::Import};

/// The content of files.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Samples of any devices.
    pub samples: Vec<NewSample>,
    /// Samples that are forecast by fits to the other samples; empty: held-out samples are.
    pub tested: BTreeSet<Uuid>,
}

impl Files {
    /// Adds the samples of a file that are forecast by fits to the other files' samples.
    ///
    /// # Errors
    /// See [`add`](Self::add); or another file has the same sample, to be fitted.
    pub fn add_tested(&mut self, import: Import) -> Result<(), UsageError> {
        let ids: BTreeSet<Uuid> = self.samples.iter().map(|sample| sample.id).collect();
        for (_, sample) in &import.samples {
            if ids.contains(&sample.id) && !self.tested.contains(&sample.id) {
                return Err(UsageError(format!(
                    "sample {} of {} is in a file of --train and in one of --test; expected others to be judged than \
                     those that are fitted",
                    sample.id, sample.workload.kernel
                )));
            }
            self.tested.insert(sample.id);
        }
        self.add(import)
    }

    /// Adds the samples of a file, with the counters' canonical names.
    ///
    /// # Errors
    /// A sample has a counter under two names, with different values.
    pub fn add(&mut self, import: Import) -> Result<(), UsageError> {
        for (_, mut sample) in import.samples {
            for (provider, reading) in &mut sample.readings {
                resolve(provider, &mut reading.counters).map_err(|problem| {
                    let device = &sample.device.name;
                    UsageError(format!("{provider} of {device}: {problem}"))
                })?;
            }
            self.samples.push(sample);
        }
        Ok(())
    }
}

/// A GPU whose fits forecast another one.
pub(super) struct SimilarGpu<'a> {
    pub(super) name: &'a str,
    /// The question that its fits answer.
    pub(super) question: Question,
    /// Its samples.
    pub(super) samples: Samples,
    /// The data sheets of this GPU and of the other one.
    pub(super) facts: [&'static Facts; 2],
}

/// Samples with numbers for devices, workloads and counters in place of names.
pub(super) struct NumberedSamples<'a> {
    files: &'a Files,
    /// Names of devices; a device's number is its index here.
    pub(super) devices: Vec<&'a str>,
    workloads: BTreeMap<Key<'a>, i32>,
    counters: BTreeMap<String, i32>,
}

/// The key of a workload: kernel, variant and sizes.
pub(super) type Key<'a> = (&'a str, &'a str, &'a BTreeMap<String, i64>);

pub(super) fn key(workload: &Workload) -> Key<'_> {
    (&workload.kernel, &workload.variant, &workload.parameters)
}

impl<'a> NumberedSamples<'a> {
    pub(super) fn new(files: &'a Files) -> Self {
        let samples = files.samples.iter();
        let devices: BTreeSet<&str> = samples.clone().map(|it| &*it.device.name).collect();
        let workloads: BTreeSet<Key<'_>> = samples.clone().map(|it| key(&it.workload)).collect();
        let mut counters = BTreeSet::new();
        for (provider, reading) in samples.flat_map(|it| &it.readings) {
            let names = reading.counters.keys();
            counters.extend(names.map(|name| format!("{provider}:{name}")));
        }
        Self {
            files,
            devices: devices.into_iter().collect(),
            workloads: workloads.into_iter().zip(0..).collect(),
            counters: counters.into_iter().zip(0..).collect(),
        }
    }

    /// The number of a device.
    pub(super) fn device(&self, name: &str) -> Option<i64> {
        let place = self.devices.iter().position(|it| *it == name)?;
        i64::try_from(place).ok()
    }

    /// The providers with counters on a device.
    pub(super) fn providers(&self, device: &str) -> BTreeSet<&'a str> {
        let samples = self.files.samples.iter();
        let of_device = samples.filter(|it| it.device.name == device);
        let readings = of_device.flat_map(|it| &it.readings);
        let counted = readings.filter(|(_, reading)| !reading.counters.is_empty());
        counted.map(|(provider, _)| &**provider).collect()
    }

    /// The counts of `provider` on a device.
    pub(super) fn samples(&self, counted_on: &str, provider: &str) -> Samples {
        let mut counted = Vec::new();
        let mut devices: BTreeMap<i64, BTreeMap<i32, Timed>> = BTreeMap::new();
        let mut newest = BTreeMap::new();
        for sample in &self.files.samples {
            let Some(device) = self.device(&sample.device.name) else {
                continue;
            };
            let numbered = self.sample(sample, device, provider);
            let age = (numbered.measured_at, numbered.id);
            let of_workload = newest.entry((device, numbered.workload)).or_insert(age);
            if age >= *of_workload {
                *of_workload = age;
                let timed = Timed {
                    sample: numbered.id,
                    median_s: numbered.median_s,
                };
                let ran = &mut devices.entry(device).or_default();
                ran.insert(numbered.workload, timed);
            }
            let has_counters = |it: &Reading| !it.counters.is_empty();
            let is_counted = sample.readings.get(provider).is_some_and(has_counters);
            if is_counted && sample.device.name == counted_on {
                counted.push(numbered);
            }
        }
        counted.sort_by_key(|it| it.id);
        Samples {
            counters: self.counters.clone(),
            counted,
            borrowed: BTreeMap::new(),
            lender: None,
            devices,
        }
    }

    /// The samples of a device with few kernels of its own, together with samples that it borrows, as on the server;
    /// none where it borrows nothing.
    pub(super) fn borrowing(&self, own: &Samples, name: &str, provider: &str) -> Option<Samples> {
        if self.kernels(name, provider) >= ENOUGH_KERNELS {
            return None;
        }
        let others = self.devices.iter().filter(|it| **it != name);
        let others =
            others.filter_map(|it| Some((self.device(it)?, *it, self.kernels(it, provider))));
        let (device, facts) = lender(name, others)?;
        let lender_name = self.devices[usize::try_from(device).ok()?];
        let mut samples = self.samples(lender_name, provider);
        let is_tested = |it: &Sample| self.files.tested.contains(&it.id);
        samples.counted.retain(|it| !is_tested(it));
        let lender = Lender {
            device,
            samples,
            facts,
        };
        let mut borrowing = own.clone();
        borrowing.borrow(&lender, provider);
        Some(borrowing)
    }

    /// The GPU that forecasts a held-out one: among others with data sheets and kernels that people wrote, the most
    /// similar one, or the one that is counted on.
    pub(super) fn like(
        &self,
        name: &str,
        provider: &str,
        counted_on: Option<&str>,
    ) -> Option<SimilarGpu<'a>> {
        let to = gpus::find(name)?;
        let others = self.devices.iter().copied().filter(|it| *it != name);
        let others = others.filter(|it| counted_on.is_none_or(|counted_on| counted_on == *it));
        let others = others.filter(|it| self.kernels(it, provider) > 0);
        let with_facts = others.filter_map(|it| Some((it, gpus::find(it)?)));
        // The same GPU may have another name.
        let with_facts = with_facts.filter(|(_, facts)| facts.name != to.name);
        let (name, from) = gpus::nearest(to, with_facts)?;
        Some(SimilarGpu {
            name,
            question: Question::own_time(self.device(name)?, provider),
            samples: self.samples(name, provider),
            facts: [from, to],
        })
    }

    /// The number of kernels, written by people, that a provider has counted on a device.
    fn kernels(&self, device: &str, provider: &str) -> usize {
        let samples = self.files.samples.iter();
        let counted = samples.filter(|it| {
            let is_own = it.device.name == device && !it.workload.generated;
            let is_own = is_own && !self.files.tested.contains(&it.id);
            is_own && (it.readings.get(provider)).is_some_and(|it| !it.counters.is_empty())
        });
        let kernels: BTreeSet<&str> = counted.map(|it| &*it.workload.kernel).collect();
        kernels.len()
    }

    fn sample(&self, sample: &NewSample, device: i64, provider: &str) -> Sample {
        let counters = sample.readings.iter().flat_map(|(provider, reading)| {
            let counters = reading.counters.iter();
            counters.map(move |(name, &value)| (format!("{provider}:{name}"), value))
        });
        let values = counters.map(|(name, value)| (self.counters[&name], value));
        let scope = sample.readings.get(provider).map(|it| it.scope);
        Sample {
            id: sample.id,
            measured_at: sample.measured_at,
            device,
            workload: self.workloads[&key(&sample.workload)],
            kernel: sample.workload.kernel.clone(),
            family: sample.workload.family.clone(),
            generated: sample.workload.generated,
            variant: sample.workload.variant.clone(),
            median_s: TimeSummary::of(&sample.times.repetitions_s).median_s,
            flags: sample.flags.iter().copied().collect(),
            scope: scope.unwrap_or_default(),
            values: values.collect(),
        }
    }
}
