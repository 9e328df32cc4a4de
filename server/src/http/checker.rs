//! Checks of fields beyond their JSON types.

use std::fmt::Display;

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use kerncast_wire::{FieldProblem, terminal_text::is_obeyed};

use super::field;

const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 10_000;
pub(crate) const MOST_NAMES: usize = 100;
const MOST_PROBLEMS: usize = 10;

/// Collects everything wrong with a body.
pub(crate) struct Checker<'a> {
    /// Pointer of the upload in the body.
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
        if self.problems.len() < MOST_PROBLEMS {
            let problem = field(format!("{}{at}", self.base), value, expected);
            self.problems.push(problem);
        }
    }

    /// A time in living memory.
    pub(crate) fn past(&mut self, name: &str, at: DateTime<Utc>, now: DateTime<Utc>) {
        if at > now + TimeDelta::days(1) {
            let clock = now.to_rfc3339();
            let expected =
                format!("a time that is not in the future; the server's clock says {clock}");
            self.wrong(name, at.to_rfc3339(), expected);
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
            let expected = format!("at most {most} {what}");
            self.wrong(at, format!("{found} {what}"), expected);
        }
    }

    /// A number within `least` and `most`.
    pub(crate) fn number(&mut self, at: impl Display, value: f64, least: f64, most: f64) {
        if !(least..=most).contains(&value) {
            self.wrong(at, value, format!("a number from {least} to {most:e}"));
        }
    }
}
