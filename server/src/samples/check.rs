//! What a sample must be beyond its JSON type.

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use kerncast_wire::{FieldProblem, NewSample, Reading};

use crate::problem::{escaped, field};

const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 10_000;
const MOST_REPETITIONS: usize = 100_000;
const MOST_COUNTERS: usize = 2_000;
const MOST_NAMES: usize = 100;
/// Bytes of JSON. With a variant's name they share an index row of 2,700 bytes.
const LONGEST_PARAMETERS: usize = 1_000;
/// Seconds. A launch of eleven days is a mistake in units.
const LONGEST_TIME: f64 = 1e6;
/// No tool counts that far, and sums of squares of larger numbers overflow.
const LARGEST_COUNTER: f64 = 1e150;

/// Everything wrong with a sample whose pointer in the body is `base`.
pub(super) fn check(sample: &NewSample, base: &str, now: DateTime<Utc>) -> Vec<FieldProblem> {
    let mut checker = Checker {
        base,
        problems: Vec::new(),
    };
    checker.measured_at(sample.measured_at, now);
    checker.names(sample);
    checker.device(sample);
    checker.times(sample);
    for (provider, reading) in &sample.readings {
        checker.reading(provider, reading);
    }
    let counters = sample
        .readings
        .values()
        .map(|reading| reading.counters.len())
        .sum::<usize>();
    checker.at_most("/readings", counters, MOST_COUNTERS, "counters");
    checker.at_most("/readings", sample.readings.len(), MOST_NAMES, "readings");
    checker.provenance(sample);
    checker.problems
}

struct Checker<'a> {
    base: &'a str,
    problems: Vec<FieldProblem>,
}

impl Checker<'_> {
    fn wrong(&mut self, name: &str, value: impl ToString, expected: impl Into<String>) {
        self.problems
            .push(field(format!("{}{name}", self.base), value, expected));
    }

    fn measured_at(&mut self, at: DateTime<Utc>, now: DateTime<Utc>) {
        if at > now + TimeDelta::days(1) {
            self.wrong(
                "/measured_at",
                at.to_rfc3339(),
                format!(
                    "a time that is not in the future; the server's clock says {}",
                    now.to_rfc3339()
                ),
            );
        } else if at.year() < 2000 {
            self.wrong("/measured_at", at.to_rfc3339(), "a time after 1999");
        }
    }

    fn names(&mut self, sample: &NewSample) {
        let workload = &sample.workload;
        self.name("/agent/name", &sample.agent.name);
        self.name("/agent/version", &sample.agent.version);
        self.name("/device/vendor", &sample.device.vendor);
        self.name("/device/name", &sample.device.name);
        self.name("/workload/kernel", &workload.kernel);
        self.name("/workload/variant", &workload.variant);
        if let Some(family) = &workload.family {
            self.name("/workload/family", family);
        }
        self.at_most(
            "/workload/parameters",
            workload.parameters.len(),
            MOST_NAMES,
            "parameters",
        );
        for parameter in workload.parameters.keys() {
            self.name("/workload/parameters", parameter);
        }
        let bytes = serde_json::json!(workload.parameters).to_string().len();
        self.at_most(
            "/workload/parameters",
            bytes,
            LONGEST_PARAMETERS,
            "bytes of JSON",
        );
    }

    fn name(&mut self, at: &str, name: &str) {
        let plain = !name.chars().any(char::is_control) && name.trim() == name;
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !plain {
            let expected = format!(
                "a name of 1 to {LONGEST_NAME} characters, without control characters or blanks around it"
            );
            self.wrong(at, format!("{name:?}"), expected);
        }
    }

    fn text(&mut self, at: &str, text: &str) {
        if text.contains('\0') {
            self.wrong(at, format!("{text:?}"), "text without the character U+0000");
        }
        self.at_most(at, text.chars().count(), LONGEST_TEXT, "characters");
    }

    fn at_most(&mut self, at: &str, found: usize, most: usize, what: &str) {
        if found > most {
            self.wrong(
                at,
                format!("{found} {what}"),
                format!("at most {most} {what}"),
            );
        }
    }

    fn device(&mut self, sample: &NewSample) {
        let memories = [
            (
                "/device/global_memory_bytes",
                sample.device.global_memory_bytes,
            ),
            (
                "/device/local_memory_bytes",
                sample.device.local_memory_bytes,
            ),
        ];
        for (at, bytes) in memories {
            if let Some(bytes) = bytes.filter(|&bytes| i64::try_from(bytes).is_err()) {
                self.wrong(at, bytes, format!("at most {} bytes", i64::MAX));
            }
        }
    }

    fn times(&mut self, sample: &NewSample) {
        let times = &sample.times;
        let n = times.repetitions_s.len();
        if n == 0 || n > MOST_REPETITIONS {
            let expected = format!("1 to {MOST_REPETITIONS} repetitions");
            self.wrong("/times/repetitions_s", format!("{n} repetitions"), expected);
        }
        let impossible = |time: f64| !(time > 0.0 && time < LONGEST_TIME);
        let wrong = times
            .repetitions_s
            .iter()
            .enumerate()
            .find(|&(_, &time)| impossible(time));
        if let Some((index, time)) = wrong {
            let at = format!("/times/repetitions_s/{index}");
            self.wrong(
                &at,
                time,
                format!("seconds above 0 and below {LONGEST_TIME}"),
            );
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
                let expected = "words that say why there are no counters";
                self.wrong(&format!("{at}/refusal"), format!("{refusal:?}"), expected);
            }
            (Some(refusal), true) => self.text(&format!("{at}/refusal"), refusal),
            (None, false) => {}
        }
        for (name, &value) in &reading.counters {
            let at = format!("{at}/counters/{}", escaped(name));
            self.name(&at, name);
            if !(0.0..=LARGEST_COUNTER).contains(&value) {
                self.wrong(
                    &at,
                    value,
                    format!("a number from 0 to {LARGEST_COUNTER:e}"),
                );
            }
        }
    }

    fn provenance(&mut self, sample: &NewSample) {
        let provenance = &sample.provenance;
        let texts = [
            ("source_hash", &provenance.source_hash),
            ("build_options", &provenance.build_options),
            ("driver_version", &provenance.driver_version),
            ("platform_version", &provenance.platform_version),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                self.text(&format!("/provenance/{name}"), text);
            }
        }
        self.at_most(
            "/provenance/tools",
            provenance.tools.len(),
            MOST_NAMES,
            "tools",
        );
        for (tool, version) in &provenance.tools {
            let at = format!("/provenance/tools/{}", escaped(tool));
            self.name(&at, tool);
            self.text(&at, version);
        }
    }
}

/// What [`is_provider`] asks for.
pub(crate) const PROVIDER: &str = "a provider's name of 1 to 40 characters from a-z, 0-9 and _";

/// Whether a provider can have this name.
pub(crate) fn is_provider(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    (1..=40).contains(&name.len()) && name.chars().all(plain)
}
