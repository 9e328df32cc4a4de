//! A shipped file as the server would have it.

use std::{collections::BTreeMap, fs::File, io::BufReader};

use chrono::{DateTime, Utc};
use kerncast_training::{Sample, Samples, Timed, gate::SampleCounters};
use kerncast_wire::{Ceilings, Flag, NewCeilings, NewSample, Scope, TimeSummary};

/// The device's number.
pub(crate) const DEVICE: i64 = 1;

/// A workload of a file, measured once.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) kernel: String,
    pub(crate) family: Option<String>,
    pub(crate) variant: String,
    /// What tells workloads of a kernel and variant apart.
    pub(crate) sizes: String,
    pub(crate) measured_at: DateTime<Utc>,
    pub(crate) median_s: f64,
    pub(crate) flags: usize,
    pub(crate) scope: Scope,
    pub(crate) counters: SampleCounters,
}

/// What a file below `data/` holds of one device: samples that `provider` has counted, and ceilings.
pub(crate) fn read(file: &str, provider: &str) -> (Vec<Measured>, Option<Ceilings>) {
    let path = format!("{}/../data/{file}", env!("CARGO_MANIFEST_DIR"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = zstd::Decoder::new(file).expect("zstd");
    let lines = serde_json::Deserializer::from_reader(BufReader::new(lines));
    let mut samples = Vec::new();
    let mut ceilings = None;
    for line in lines.into_iter::<serde_json::Value>() {
        let line = line.expect("JSON Lines");
        if line.get("ceilings").is_some() {
            let new: NewCeilings = serde_json::from_value(line).expect("ceilings");
            ceilings = Some(new.ceilings);
            continue;
        }
        let new: NewSample = serde_json::from_value(line).expect("a sample");
        if let Some(scope) = new.readings.get(provider).map(|it| it.scope)
            && !new.readings[provider].counters.is_empty()
        {
            samples.push(measured(new, scope));
        }
    }
    (samples, ceilings)
}

fn measured(new: NewSample, scope: Scope) -> Measured {
    let mut counters = SampleCounters::new();
    for (provider, reading) in new.readings {
        let named = reading.counters.into_iter();
        counters.extend(named.map(|(name, value)| (format!("{provider}:{name}").into(), value)));
    }
    Measured {
        kernel: new.workload.kernel,
        family: new.workload.family,
        variant: new.workload.variant,
        sizes: format!("{:?}", new.workload.parameters),
        measured_at: new.measured_at,
        median_s: TimeSummary::of(&new.times.repetitions_s).median_s,
        flags: new.flags.len(),
        scope,
        counters,
    }
}

/// Numbers for names of workloads and counters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    workloads: BTreeMap<(String, String, String), i32>,
    pub(crate) counters: BTreeMap<String, i32>,
}

impl Numbers {
    pub(crate) fn workload(&mut self, it: &Measured) -> i32 {
        let next = i32::try_from(self.workloads.len()).expect("few");
        let key = (it.kernel.clone(), it.variant.clone(), it.sizes.clone());
        *self.workloads.entry(key).or_insert(next)
    }

    fn counter(&mut self, name: &str) -> i32 {
        if let Some(&number) = self.counters.get(name) {
            return number;
        }
        let next = i32::try_from(self.counters.len()).expect("few");
        self.counters.insert(name.to_owned(), next);
        next
    }

    /// A sample as fits see it, with this id.
    pub(crate) fn sample(&mut self, it: &Measured, id: u128) -> Sample {
        Sample {
            id: uuid::Uuid::from_u128(id),
            measured_at: it.measured_at,
            device: DEVICE,
            workload: self.workload(it),
            kernel: it.kernel.clone(),
            family: it.family.clone(),
            generated: false,
            variant: it.variant.clone(),
            median_s: it.median_s,
            flags: vec![Flag::Outliers; it.flags],
            scope: it.scope,
            values: (it.counters.iter())
                .map(|(name, &value)| (self.counter(name), value))
                .collect(),
        }
    }
}

/// What fits are made from.
pub(crate) fn samples(numbers: &Numbers, counted: Vec<Sample>) -> Samples {
    let mut newest: BTreeMap<i32, &Sample> = BTreeMap::new();
    for sample in &counted {
        let of_workload = newest.entry(sample.workload).or_insert(sample);
        if (sample.measured_at, sample.id) > (of_workload.measured_at, of_workload.id) {
            *of_workload = sample;
        }
    }
    let timed = |it: &Sample| Timed {
        sample: it.id,
        median_s: it.median_s,
    };
    let ran = newest
        .into_iter()
        .map(|(workload, it)| (workload, timed(it)))
        .collect();
    Samples {
        borrowed: BTreeMap::new(),
        lender: None,
        counters: numbers.counters.clone(),
        devices: BTreeMap::from([(DEVICE, ran)]),
        counted,
    }
}
