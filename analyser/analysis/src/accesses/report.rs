//! All that is known of a kernel's accesses at a launch's sizes, in words and numbers: what people and other programs
//! are shown.

use serde::Serialize;

use super::{
    Access, Accesses, Class, Does, Gap,
    launch::{Beyond, Geometry, Measured, Reached, Rooms},
};
use crate::ast::{Place, Space};

/// A kernel's accesses at a launch's sizes.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The kernel's function.
    pub function: String,
    /// Arguments and declared arrays that are accessed.
    pub arrays: Vec<ArrayReport>,
    /// In the order in which the text runs.
    pub accesses: Vec<AccessReport>,
    /// Barriers.
    pub barriers: Vec<BarrierReport>,
    /// What was not followed.
    pub gaps: Vec<Gap>,
    /// A call by which a function comes to call itself.
    pub recursion: Option<Gap>,
}

/// An array.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayReport {
    /// Its name.
    pub name: String,
    /// Which memory.
    pub memory: Space,
    /// What it is of.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Lengths of what is declared, outermost first; none of an argument's.
    pub lengths: Vec<u64>,
}

/// An access.
#[derive(Clone, Debug, Serialize)]
pub struct AccessReport {
    /// Its array's place among all; absent where the pointer is not followed.
    pub array: Option<usize>,
    /// Other arrays that the pointer may be into instead: a loop or a choice swaps them.
    pub also: Vec<usize>,
    /// What it does.
    pub does: Does,
    /// Where it is written.
    pub place: Place,
    /// Bytes that a work-item reads or writes at once.
    pub bytes: u64,
    /// The index by dimension, outermost first.
    pub subscripts: Vec<String>,
    /// Of each subscript, where the text has them so: `.field` before it, or nothing.
    pub fields: Vec<String>,
    /// Bytes of an element as the index counts them.
    pub element_bytes: u64,
    /// What kind of index.
    pub class: Class,
    /// Why it is not affine.
    pub reasons: Vec<String>,
    /// Loads, by their place among all accesses, that the index depends on.
    pub depends_on: Vec<usize>,
    /// Loads that it depends on whether, and how often, it happens.
    pub happens_by: Vec<usize>,
    /// At the launch's sizes.
    pub measured: Measured,
    /// Where it surely leaves its array.
    pub beyond: Option<Beyond>,
}

/// A barrier.
#[derive(Clone, Debug, Serialize)]
pub struct BarrierReport {
    /// Where.
    pub place: Place,
    /// How the work-items of a work-group come there, at the launch's sizes.
    pub reached: Reached,
}

/// Something to know about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}

impl Report {
    /// Array, index and what is done: `c[gid1][gid0] =`.
    pub fn named(&self, access: &AccessReport) -> String {
        let name = access.array.map_or("?", |array| &self.arrays[array].name);
        let fields = access.fields.iter().map(String::as_str);
        let fields = fields.chain(std::iter::repeat(""));
        let subscripts = access.subscripts.iter().zip(fields);
        let subscripts: String = subscripts
            .map(|(it, field)| format!("{field}[{it}]"))
            .collect();
        let does = match access.does {
            Does::Load => "",
            Does::Store => " =",
            Does::Atomic => " atomic",
        };
        format!("{name}{subscripts}{does}")
    }

    /// Barriers that some work-items surely wait at for ever, and recursion.
    pub fn unlawful(&self) -> Vec<Note> {
        let barriers = self.barriers.iter();
        let unlike_ones = barriers.filter(|it| it.reached == Reached::Unlike);
        let barriers = unlike_ones.filter_map(|it| {
            Some(Note {
                place: it.place.clone(),
                text: unlike(it.reached)?.to_owned(),
            })
        });
        let recursion = self.recursion.iter().map(|it| Note {
            place: it.place.clone(),
            text: format!("{}: OpenCL C has no recursion", it.reason),
        });
        barriers.chain(recursion).collect()
    }

    /// What leaves its array, what is not known, what depends on data, and what work-items do unlike each other.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let mut note = |place: &Place, text: String| {
            let place = place.clone();
            notes.push(Note { place, text });
        };
        for access in &self.accesses {
            if let Some(beyond) = &access.beyond {
                note(&access.place, beyond.to_string());
            }
        }
        for access in &self.accesses {
            let class = word_of(access.class);
            if matches!(access.class, Class::DataDependent | Class::Unknown) {
                let reasons = access.reasons.join("; ");
                note(&access.place, format!("{class}: {reasons}"));
            }
            let memory = access.array.map(|array| self.arrays[array].memory);
            let load = access.happens_by.first();
            let load = load.and_then(|load| self.accesses.get(*load));
            if let Some(load) = load.filter(|_| memory != Some(Space::Private)) {
                let (of, at) = (self.named(load), &load.place);
                let text = format!(
                    "whether, or how often, depends on {of} ({}:{})",
                    at.line, at.column
                );
                note(&access.place, text);
            }
        }
        for barrier in &self.barriers {
            if let Some(text) = unlike(barrier.reached) {
                note(&barrier.place, text.to_owned());
            }
        }
        for gap in &self.gaps {
            note(&gap.place, gap.reason.clone());
        }
        notes.dedup();
        notes
    }
}

/// What is wrong, or may be, with a barrier that is reached so.
pub fn unlike(reached: Reached) -> Option<&'static str> {
    match reached {
        Reached::Alike => None,
        Reached::Unlike => Some("a barrier that not all work-items of a work-group reach alike"),
        Reached::Unknown => Some("a barrier that not all work-items may reach alike"),
    }
}

/// A class as tables have it.
pub fn word_of(class: Class) -> &'static str {
    match class {
        Class::Affine => "affine",
        Class::QuasiAffine => "quasi",
        Class::DataDependent => "data",
        Class::Unknown => "unknown",
    }
}

impl Accesses {
    /// All of it at these sizes.
    pub fn report(&self, geometry: &Geometry, rooms: &Rooms) -> Report {
        let accesses = (0..self.accesses.len()).map(|it| self.access_report(it, geometry, rooms));
        Report {
            function: self.function.clone(),
            arrays: self.arrays.iter().map(array_report).collect(),
            accesses: accesses.collect(),
            barriers: (0..self.barriers.len())
                .map(|it| self.barrier_report(it, geometry))
                .collect(),
            gaps: self.gaps.clone(),
            recursion: self.recursion.clone(),
        }
    }

    fn access_report(&self, place: usize, geometry: &Geometry, rooms: &Rooms) -> AccessReport {
        let access: &Access = &self.accesses[place];
        AccessReport {
            array: access.array,
            also: access.also.clone(),
            does: access.does,
            place: access.span.begin.clone(),
            bytes: access.bytes,
            subscripts: access.subscripts.iter().map(|it| self.text(it)).collect(),
            fields: access.fields.clone(),
            element_bytes: access.element_bytes,
            class: access.class,
            reasons: access.reasons.clone(),
            depends_on: access.depends_on.iter().copied().collect(),
            happens_by: access.happens_by.iter().copied().collect(),
            measured: self.measured(place, geometry),
            beyond: self.beyond(place, geometry, rooms),
        }
    }

    fn barrier_report(&self, place: usize, geometry: &Geometry) -> BarrierReport {
        let barrier = &self.barriers[place];
        BarrierReport {
            place: barrier.place.clone(),
            reached: self.reached(place, geometry),
        }
    }
}

fn array_report(array: &super::Array) -> ArrayReport {
    ArrayReport {
        name: array.name.clone(),
        memory: array.space,
        element: array.element.to_string(),
        element_bytes: array.element_bytes,
        lengths: array.lengths.clone(),
    }
}
