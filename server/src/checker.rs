//! Checks of uploads, beyond their JSON types.

use std::fmt::Display;

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use kerncast_wire::{
    Agent, Conditions, Device, FieldProblem, Provenance, terminal_text::is_obeyed,
};

use crate::problem::{escaped, field};

const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 10_000;
pub(crate) const MOST_NAMES: usize = 100;
const MOST_PROBLEMS: usize = 10;

/// Collects everything wrong with what was uploaded.
pub(crate) struct Checker<'a> {
    /// Its pointer in the body.
    base: &'a str,
    pub(crate) problems: Vec<FieldProblem>,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(base: &'a str) -> Self {
        Self {
            base,
            problems: Vec::new(),
        }
    }

    /// `at` is written down only here: most uploads are in order. The first few problems are enough to see what
    /// is wrong with all of it.
    pub(crate) fn wrong(
        &mut self,
        at: impl Display,
        value: impl ToString,
        expected: impl Into<String>,
    ) {
        if self.problems.len() == MOST_PROBLEMS {
            return;
        }
        self.problems
            .push(field(format!("{}{at}", self.base), value, expected));
    }

    pub(crate) fn measured_at(&mut self, at: DateTime<Utc>, now: DateTime<Utc>) {
        self.past("/measured_at", at, now);
    }

    /// A time in living memory.
    pub(crate) fn past(&mut self, name: &str, at: DateTime<Utc>, now: DateTime<Utc>) {
        if at > now + TimeDelta::days(1) {
            self.wrong(
                name,
                at.to_rfc3339(),
                format!(
                    "a time that is not in the future; the server's clock says {}",
                    now.to_rfc3339()
                ),
            );
        } else if at.year() < 2000 {
            self.wrong(name, at.to_rfc3339(), "a time after 1999");
        }
    }

    pub(crate) fn name(&mut self, at: impl Display, name: &str) {
        let obeyed = |c: char| c.is_control() || is_obeyed(c);
        let plain = !name.contains(obeyed) && name.trim() == name;
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !plain {
            let expected = format!(
                "a name of 1 to {LONGEST_NAME} characters, without control characters, what turns the direction of writing (U+202E) or blanks around it"
            );
            self.wrong(at, format!("{name:?}"), expected);
        }
    }

    pub(crate) fn text(&mut self, at: impl Display, text: &str) {
        // A file of Windows has a carriage return before each end of a line.
        if text.contains(|c: char| is_obeyed(c) && c != '\r') {
            let expected =
                "text without control characters or what turns the direction of writing (U+202E)";
            self.wrong(&at, format!("{text:?}"), expected);
        }
        self.at_most(at, text.chars().count(), LONGEST_TEXT, "characters");
    }

    pub(crate) fn at_most(&mut self, at: impl Display, found: usize, most: usize, what: &str) {
        if found > most {
            self.wrong(
                at,
                format!("{found} {what}"),
                format!("at most {most} {what}"),
            );
        }
    }

    /// A number within `least` and `most`.
    pub(crate) fn number(&mut self, at: impl Display, value: f64, least: f64, most: f64) {
        if !(least..=most).contains(&value) {
            self.wrong(at, value, format!("a number from {least} to {most:e}"));
        }
    }

    pub(crate) fn agent(&mut self, agent: &Agent) {
        self.name("/agent/name", &agent.name);
        self.name("/agent/version", &agent.version);
    }

    pub(crate) fn device(&mut self, device: &Device) {
        self.name("/device/vendor", &device.vendor);
        self.name("/device/name", &device.name);
        let numbers = [
            ("/device/global_memory_bytes", device.global_memory_bytes),
            ("/device/local_memory_bytes", device.local_memory_bytes),
            ("/device/max_work_group_size", device.max_work_group_size),
            ("/device/max_buffer_bytes", device.max_buffer_bytes),
            ("/device/cache_bytes", device.cache_bytes),
        ];
        for (at, number) in numbers {
            if let Some(number) = number.filter(|&number| i64::try_from(number).is_err()) {
                self.wrong(at, number, format!("at most {}", i64::MAX));
            }
        }
        // A device without memory of a kind says 0, and one without limits says nothing.
        for (at, limit) in &numbers[2..] {
            if *limit == Some(0) {
                self.wrong(at, 0, "a number above 0, or none where it is not known");
            }
        }
    }

    pub(crate) fn conditions(&mut self, conditions: &Conditions) {
        let Conditions {
            compute_clock_mhz,
            memory_clock_mhz,
            temperature_c,
            power_w,
            throttle_reasons,
            other_processes: _,
        } = conditions;
        // Far beyond any device: a number out here is a mistake in units.
        for (name, value, least, most) in [
            ("compute_clock_mhz", compute_clock_mhz, 0.0, 1e6),
            ("memory_clock_mhz", memory_clock_mhz, 0.0, 1e6),
            ("temperature_c", temperature_c, -273.15, 1e4),
            ("power_w", power_w, 0.0, 1e6),
        ] {
            if let &Some(value) = value {
                self.number(format_args!("/conditions/{name}"), value, least, most);
            }
        }
        let at = "/conditions/throttle_reasons";
        let reasons = throttle_reasons.iter().flatten();
        self.at_most(at, reasons.clone().count(), MOST_NAMES, "reasons");
        for reason in reasons {
            self.name(at, reason);
        }
    }

    pub(crate) fn provenance(&mut self, provenance: &Provenance) {
        let texts = [
            ("source_hash", &provenance.source_hash),
            ("build_options", &provenance.build_options),
            ("driver_version", &provenance.driver_version),
            ("platform_version", &provenance.platform_version),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                self.text(format_args!("/provenance/{name}"), text);
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
