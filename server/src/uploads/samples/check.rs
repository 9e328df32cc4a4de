//! What a sample must be beyond its JSON type.

use chrono::{DateTime, Utc};
use kerncast_wire::{FieldProblem, NewSample, Reading, Times, Workload};

use crate::http::{Checker, MOST_NAMES, escaped};

const MOST_REPETITIONS: usize = 100_000;
/// Most counters of a sample or a counter set: rocprofiler-compute has 2,665 of an MI300X.
pub(crate) const MOST_COUNTERS: usize = 5_000;
/// Bytes of JSON. With a variant's name they share an index row of 2,700 bytes.
const LONGEST_PARAMETERS: usize = 1_000;
/// Seconds. No clock of OpenCL resolves less than its unit, a nanosecond; and of numbers such as 5e-324 no fit
/// comes out.
const SHORTEST_TIME: f64 = 1e-9;
/// Seconds. A launch of eleven days is a mistake in units.
pub(crate) const LONGEST_TIME: f64 = 1e6;
/// No tool counts that far, and sums of squares of larger numbers overflow.
const LARGEST_COUNTER: f64 = 1e150;

/// Everything wrong with a sample whose pointer in the body is `base`.
pub(super) fn check(sample: &NewSample, base: &str, now: DateTime<Utc>) -> Vec<FieldProblem> {
    let NewSample {
        id: _,
        measured_at,
        agent,
        device,
        workload,
        times,
        readings,
        conditions,
        flags: _,
        provenance,
        origin: _,
    } = sample;
    let mut checker = Checker::new(base);
    checker.past("/measured_at", *measured_at, now);
    checker.agent(agent);
    checker.device(device);
    checker.workload(workload);
    checker.times(times);
    for (provider, reading) in readings {
        checker.reading(provider, reading);
    }
    let counters = readings.values().map(|reading| reading.counters.len());
    checker.at_most("/readings", counters.sum(), MOST_COUNTERS, "counters");
    checker.at_most("/readings", readings.len(), MOST_NAMES, "readings");
    if let Some(conditions) = conditions {
        checker.conditions(conditions);
    }
    checker.provenance(provenance);
    checker.problems
}

impl Checker<'_> {
    fn workload(&mut self, workload: &Workload) {
        self.name("/workload/kernel", &workload.kernel);
        self.name("/workload/variant", &workload.variant);
        if let Some(family) = &workload.family {
            self.name("/workload/family", family);
        }
        let (at, parameters) = ("/workload/parameters", &workload.parameters);
        self.at_most(at, parameters.len(), MOST_NAMES, "parameters");
        for parameter in parameters.keys() {
            self.name(at, parameter);
        }
        let bytes = serde_json::json!(parameters).to_string().len();
        self.at_most(at, bytes, LONGEST_PARAMETERS, "bytes of JSON");
    }

    fn times(&mut self, times: &Times) {
        let n = times.repetitions_s.len();
        if n == 0 || n > MOST_REPETITIONS {
            let expected = format!("1 to {MOST_REPETITIONS} repetitions");
            self.wrong("/times/repetitions_s", format!("{n} repetitions"), expected);
        }
        let (at, cold) = ("/times/cold_repetitions_s", times.cold_repetitions_s.len());
        self.at_most(at, cold, MOST_REPETITIONS, "repetitions");
        let impossible = |time: f64| !(SHORTEST_TIME..LONGEST_TIME).contains(&time);
        for (name, all) in [
            ("repetitions_s", &times.repetitions_s),
            ("cold_repetitions_s", &times.cold_repetitions_s),
        ] {
            let wrong = all.iter().enumerate().find(|&(_, &time)| impossible(time));
            if let Some((index, time)) = wrong {
                let at = format!("/times/{name}/{index}");
                let expected = format!(
                    "seconds, at least {SHORTEST_TIME:e}, as an OpenCL clock resolves, and below {LONGEST_TIME}"
                );
                self.wrong(&at, format!("{time:?}"), expected);
            }
        }
        if times.launches_per_repetition == 0 {
            self.wrong("/times/launches_per_repetition", 0, "1 or more");
        }
    }

    fn reading(&mut self, provider: &str, reading: &Reading) {
        let at = format!("/readings/{}", escaped(provider));
        if !is_provider(provider) {
            self.wrong(&at, format!("{provider:?}"), PROVIDER);
        }
        match (&reading.refusal, reading.counters.is_empty()) {
            (Some(_), false) => self.wrong(&at, "both", "counters or a refusal, not both"),
            (None, true) => self.wrong(&at, "neither", "counters, or a refusal that says why not"),
            (Some(refusal), true) if refusal.trim().is_empty() => {
                let (at, sent) = (format!("{at}/refusal"), format!("{refusal:?}"));
                self.wrong(at, sent, "words that say why there are no counters");
            }
            (Some(refusal), true) => self.text(format_args!("{at}/refusal"), refusal),
            (None, false) => {}
        }
        for (name, &value) in &reading.counters {
            let name_in_pointer = escaped(name);
            let at = format_args!("{at}/counters/{name_in_pointer}");
            self.name(at, name);
            self.number(at, value, 0.0, LARGEST_COUNTER);
        }
    }
}

/// What [`is_provider`] demands, in words.
pub(crate) const PROVIDER: &str =
    "a provider's name of 1 to 40 characters from a-z, 0-9 and _, not `param`";

/// Whether a provider can have this name. In a tidy table `param:NAME` is a size.
pub(crate) fn is_provider(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name != "param" && (1..=40).contains(&name.len()) && name.chars().all(plain)
}
