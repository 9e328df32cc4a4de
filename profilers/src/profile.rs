//! Content of a file: launches, and notes about what was left out.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_wire::{FileNote, provider::LAUNCH};

use crate::cell::Cell;
use crate::error::shortened;
use crate::{Error, Format, Geometry};

/// Counters by provider and name, as in the crate `wire`.
pub type Counters = BTreeMap<String, BTreeMap<String, f64>>;

/// The content of a profiler's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The format of the file.
    pub format: Format,
    /// Launches in the file's order.
    pub launches: Vec<Launch>,
    /// What was left out, and why.
    pub notes: Vec<Note>,
}

impl Profile {
    /// The GPUs by their numbers in the file, each with the line of its first launch.
    pub fn gpus(&self) -> BTreeMap<String, u64> {
        let mut gpus = BTreeMap::new();
        for launch in &self.launches {
            if let Some(gpu) = &launch.gpu {
                gpus.entry(gpu.clone()).or_insert(launch.line);
            }
        }
        gpus
    }
}

/// One launch of a kernel (or the mean of several: see `invocations`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// The line of its first row in the file, from 1.
    pub line: u64,
    /// The kernel's name in the profiler's form, with its signature but without `.kd` and the like.
    pub kernel: String,
    /// Variant; only the tidy table has it.
    pub variant: Option<String>,
    /// Family; only the tidy table has it.
    pub family: Option<String>,
    /// Whether `kerncast run --generated` has made the kernel; only the tidy table says so.
    pub generated: bool,
    /// The device's vendor; only the tidy table has it.
    pub vendor: Option<String>,
    /// Sizes by name; only the tidy table has them.
    pub parameters: BTreeMap<String, i64>,
    /// The device's name; none where the file has only a number.
    pub device: Option<String>,
    /// The GPU's number in the file.
    pub gpu: Option<String>,
    /// The process that launched it.
    pub process: Option<String>,
    /// Seconds, above 0. Profilers measure while they count or trace, so the time is close to, but not the same as,
    /// that of an undisturbed launch.
    pub time_s: Option<f64>,
    /// Work-items and work-groups.
    pub geometry: Option<Geometry>,
    /// The profiler's number of the launch, by which [`crate::join()`] orders launches.
    pub dispatch: Option<u64>,
    /// Number of launches that this one is the mean of; 0 where the file does not say.
    pub invocations: u64,
    /// Counters, finite and at least 0; an unknown counter is absent.
    pub counters: Counters,
}

impl Launch {
    /// One launch without times and counters yet.
    pub(crate) fn new(line: u64, kernel: String) -> Self {
        Self {
            line,
            kernel,
            invocations: 1,
            ..Self::default()
        }
    }

    /// A title for people: kernel, variant, sizes (those of the tidy table, else the geometry) and line.
    pub fn title(&self) -> String {
        let mut title = shortened(&self.kernel);
        if let Some(variant) = &self.variant {
            title.push_str(&format!(" {variant}"));
        }
        for (name, size) in &self.parameters {
            title.push_str(&format!(" {name}={size}"));
        }
        if let Some(geometry) = self.geometry.filter(|_| self.parameters.is_empty()) {
            title.push_str(&format!(" {} work-items", geometry.work_items));
        }
        title.push_str(&format!(" (line {})", self.line));
        title
    }

    /// Its counters, with those of the provider `launch` that follow from its geometry.
    pub fn counter_set(self) -> Counters {
        let mut set = self.counters;
        if let Some(geometry) = self.geometry {
            let launch = set.entry(LAUNCH.to_owned()).or_default();
            for (name, number) in geometry.counters() {
                launch.entry(name.to_owned()).or_insert(number);
            }
        }
        set
    }

    /// Adds a counter of the format's provider. Returns false where it was there already.
    pub(crate) fn count(&mut self, format: Format, name: &str, number: f64) -> bool {
        let counters = self.counters.entry(format.name().to_owned()).or_default();
        counters.insert(name.to_owned(), number).is_none()
    }
}

/// A note about something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line where it first happened, from 1.
    pub line: u64,
    /// What was left out, and why.
    pub text: String,
}

impl From<Note> for FileNote {
    fn from(Note { line, text }: Note) -> Self {
        Self { line, text }
    }
}

/// A counter above this has wrapped: 64-bit counters never get so far, except below 0.
const LEAST_WRAPPED: f64 = 9.2e18;

/// Notes without repetition, so that there are few even for a file that is all wrong.
#[derive(Default)]
pub(crate) struct Notes {
    texts: BTreeSet<String>,
    missing: BTreeSet<(String, &'static str)>,
    /// Launches that were left out, by reason: the index of the first one's note, and how many more.
    launches: BTreeMap<String, (usize, usize)>,
    notes: Vec<Note>,
}

impl Notes {
    /// Adds a note, unless there is the same one already.
    pub(crate) fn once(&mut self, line: u64, text: String) {
        if self.texts.insert(text.clone()) {
            self.notes.push(Note { line, text });
        }
    }

    /// The value of a counter that was read from a cell. None where it is no valid count; then a note says why, once
    /// for each counter, with the first value.
    pub(crate) fn count(&mut self, cell: Cell, counter: &str, number: Option<f64>) -> Option<f64> {
        let why = match number {
            // Not −0.
            Some(number) if (0.0..LEAST_WRAPPED).contains(&number) => return Some(number.abs()),
            Some(number) if number >= LEAST_WRAPPED => "is a counter that wrapped around",
            Some(_) => "is not a count",
            None if cell.text == "<OVERFLOW>" => "marks a counter that overflowed",
            None => "is not a number",
        };
        let counter = shortened(counter);
        if self.missing.insert((counter.clone(), why)) {
            let text = format!("`{counter}` left out: `{}` {why}", shortened(cell.text));
            let line = cell.line;
            self.notes.push(Note { line, text });
        }
        None
    }

    /// Reads a counter's value as AMD's and Intel's tools write it; none, with a note, where it is not a count.
    pub(crate) fn read_count(&mut self, cell: Cell, counter: &str) -> Result<Option<f64>, Error> {
        if cell.text.is_empty() {
            return Ok(None);
        }
        let number = cell.text.parse().map_err(|_| cell.wrong("a number"))?;
        Ok(self.count(cell, counter, Some(number)))
    }

    /// Notes why a launch is left out, once for each reason, with the first launch's value.
    pub(crate) fn left_out(&mut self, reason: &Error) {
        let (line, why, text) = match reason {
            Error::Value {
                line,
                column,
                value,
                expected,
            } => {
                let text = format!("column `{column}`: `{value}`, expected {expected}");
                (line, format!("{column}: {expected}"), text)
            }
            Error::NothingCounted { line, kernel } => {
                let text = format!("`{kernel}`: every counter is 0, so nothing was counted");
                (line, text.clone(), text)
            }
            Error::TwoNames { line, what } => (line, what.clone(), what.clone()),
            other => (&1, other.to_string(), other.to_string()),
        };
        let (place, more) = self.launches.entry(why).or_insert((self.notes.len(), 0));
        if *place < self.notes.len() {
            *more += 1;
            return;
        }
        let text = format!("launch left out: {text}");
        self.notes.push(Note { line: *line, text });
    }

    pub(crate) fn into_vec(mut self) -> Vec<Note> {
        for (place, more) in self.launches.into_values().filter(|(_, more)| *more > 0) {
            self.notes[place].text += &format!("; so are {more} more");
        }
        self.notes
    }
}
