use std::collections::{BTreeMap, BTreeSet};

use crate::cell::Cell;
use crate::error::shortened;
use crate::{Format, Geometry};

/// Counters by provider and name, as in `wire`.
pub type Counters = BTreeMap<String, BTreeMap<String, f64>>;

/// What a file said.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// What printed it.
    pub format: Format,
    /// One a launch, in the file's order.
    pub launches: Vec<Launch>,
    /// What was left out, and why.
    pub notes: Vec<Note>,
}

/// One launch of a kernel (or the mean of several: see `invocations`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// Its first row's line in the file, from 1.
    pub line: u64,
    /// The kernel's name as the profiler shows it, signature included, without `.kd` and the like.
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
    /// The device's name, where the file has a name and not just a number.
    pub device: Option<String>,
    /// Seconds, above 0. Profilers take it while they count or trace: close to, but not the same
    /// as, an undisturbed launch.
    pub time_s: Option<f64>,
    /// Work-items and work-groups.
    pub geometry: Option<Geometry>,
    /// The profiler's number for the launch: what [`crate::join`] orders by.
    pub dispatch: Option<u64>,
    /// Launches that this one is the mean of; 0 where the file does not say.
    pub invocations: u64,
    /// Finite, at least 0. An absent counter is absent.
    pub counters: Counters,
}

impl Launch {
    /// What to call it: kernel, variant, sizes (those of the tidy table, else the geometry), line.
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

    /// Its counters, and what its geometry says as counters of the provider `launch`.
    pub fn counter_set(self) -> Counters {
        let mut set = self.counters;
        if let Some(geometry) = self.geometry {
            let launch = set.entry("launch".to_owned()).or_default();
            for (name, number) in geometry.counters() {
                launch.entry(name.to_owned()).or_insert(number);
            }
        }
        set
    }

    /// Puts a counter of the format's provider in; false where it was there already.
    pub(crate) fn count(&mut self, format: Format, name: &str, number: f64) -> bool {
        let counters = self.counters.entry(format.name().to_owned()).or_default();
        counters.insert(name.to_owned(), number).is_none()
    }
}

/// Something left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it first happened, from 1.
    pub line: u64,
    /// What and why.
    pub text: String,
}

/// Notes, each said once, so that there are few even where the file is all wrong.
#[derive(Default)]
pub(crate) struct Notes {
    said: BTreeSet<String>,
    missing: BTreeSet<(String, &'static str)>,
    notes: Vec<Note>,
}

impl Notes {
    /// Says it, unless it was said before.
    pub(crate) fn once(&mut self, line: u64, text: String) {
        if self.said.insert(text.clone()) {
            self.notes.push(Note { line, text });
        }
    }

    /// The count that was read of a cell. None where it is no count: then it is said why, once for a counter,
    /// with the first value.
    pub(crate) fn count(&mut self, cell: Cell, counter: &str, read: Option<f64>) -> Option<f64> {
        let why = match read {
            // Not −0.
            Some(number) if number.is_finite() && number >= 0.0 => return Some(number.abs()),
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

    pub(crate) fn into_vec(self) -> Vec<Note> {
        self.notes
    }
}
