use std::collections::{BTreeMap, BTreeSet};

use crate::Format;
use crate::error::shortened;

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
    /// Puts a counter of the format's provider in; false where it was there already.
    pub(crate) fn count(&mut self, format: Format, name: &str, number: f64) -> bool {
        let counters = self.counters.entry(format.name().to_owned()).or_default();
        counters.insert(name.to_owned(), number).is_none()
    }
}

/// A launch's size, in OpenCL's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Work-items of the launch, at least 1.
    pub work_items: u64,
    /// Work-items of a work-group, at least 1.
    pub work_group_items: u64,
    /// Work-items by dimension, where the file says.
    pub global: Option<[u64; 3]>,
    /// Work-items of a work-group by dimension, where the file says.
    pub local: Option<[u64; 3]>,
}

impl Geometry {
    /// From totals; none where one is 0.
    pub(crate) fn flat(work_items: u64, work_group_items: u64) -> Option<Self> {
        (work_items > 0 && work_group_items > 0).then_some(Self {
            work_items,
            work_group_items,
            global: None,
            local: None,
        })
    }

    /// From work-items by dimension; none where one is 0 or the product overflows.
    pub(crate) fn shaped(global: [u64; 3], local: [u64; 3]) -> Option<Self> {
        let flat = Self::flat(product(global)?, product(local)?)?;
        Some(Self {
            global: Some(global),
            local: Some(local),
            ..flat
        })
    }

    /// From CUDA's grid, which counts work-groups.
    pub(crate) fn of_groups(groups: [u64; 3], local: [u64; 3]) -> Option<Self> {
        let mut global = [0; 3];
        for axis in 0..3 {
            global[axis] = groups[axis].checked_mul(local[axis])?;
        }
        Self::shaped(global, local)
    }
}

fn product(sizes: [u64; 3]) -> Option<u64> {
    sizes.into_iter().try_fold(1_u64, u64::checked_mul)
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

    /// Says of a counter that it is missing from a launch, and why: once, with the first value.
    pub(crate) fn missing(&mut self, line: u64, counter: &str, value: &str, why: &'static str) {
        let counter = shortened(counter);
        if self.missing.insert((counter.clone(), why)) {
            let text = format!("`{counter}` left out: `{}` {why}", shortened(value));
            self.notes.push(Note { line, text });
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Note> {
        self.notes
    }
}
