//! A kernel's accesses at a launch's sizes in words and numbers, for people and other programs.

use serde::Serialize;

use super::{
    Access, Accesses, Class, Does, Gap,
    launch::{AccessPattern, Arrival, BufferSizes, Geometry, OutOfBounds},
};
use crate::ast::{Place, Space};

/// A kernel's accesses at a launch's sizes.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name of the kernel's function.
    pub function: String,
    /// Arguments and declared arrays that are accessed.
    pub arrays: Vec<ArrayReport>,
    /// Accesses, in the order in which the text runs.
    pub accesses: Vec<AccessReport>,
    /// Barriers, in the order in which the text runs.
    pub barriers: Vec<BarrierReport>,
    /// Parts of the text that were not followed.
    pub gaps: Vec<Gap>,
    /// A call by which a function comes to call itself.
    pub recursion: Option<Gap>,
}

/// An array.
#[derive(Clone, Debug, Serialize)]
pub struct ArrayReport {
    /// Its name.
    pub name: String,
    /// The memory that it lies in.
    pub memory: Space,
    /// The type of its elements.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Lengths of a declared array, outermost first; empty for an argument.
    pub lengths: Vec<u64>,
}

/// An access.
#[derive(Clone, Debug, Serialize)]
pub struct AccessReport {
    /// Its array's place among all; none where the pointer is not followed.
    pub array: Option<usize>,
    /// Other arrays that the pointer may be into instead: a loop or a choice swaps them.
    pub also: Vec<usize>,
    /// Whether it reads, writes or is atomic.
    pub does: Does,
    /// The place in the source.
    pub place: Place,
    /// Bytes that a work-item reads or writes at once.
    pub bytes: u64,
    /// Formulas of the index by dimension, outermost first.
    pub subscripts: Vec<String>,
    /// `.field` before each subscript, or nothing; empty where the text has no such subscripts.
    pub fields: Vec<String>,
    /// Bytes of an element as the index counts them.
    pub element_bytes: u64,
    /// The class of its index.
    pub class: Class,
    /// Reasons why its index is not affine.
    pub reasons: Vec<String>,
    /// Places among all accesses of the loads that the index depends on.
    pub depends_on: Vec<usize>,
    /// Places among all accesses of the loads that decide whether, and how often, it happens.
    pub happens_by: Vec<usize>,
    /// Footprint, reuse and requests at the launch's sizes, computed.
    pub measured: AccessPattern,
    /// The farthest element outside of its array that it certainly accesses, if any.
    pub beyond: Option<OutOfBounds>,
}

/// A barrier.
#[derive(Clone, Debug, Serialize)]
pub struct BarrierReport {
    /// The place of the call.
    pub place: Place,
    /// The arrival of a work-group's work-items, at the launch's sizes.
    pub reached: Arrival,
}

/// A note about a place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The place.
    pub place: Place,
    /// The note, as a sentence for people.
    pub text: String,
}

impl Report {
    /// An access as text: `c[gid1][gid0] =` for a store.
    pub fn access_text(&self, access: &AccessReport) -> String {
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

    /// Barriers at which some work-items certainly wait for ever, and recursion.
    pub fn unlawful(&self) -> Vec<Note> {
        let barriers = self.barriers.iter();
        let divergent = barriers.filter(|it| it.reached == Arrival::Unlike);
        let barriers = divergent.filter_map(|it| {
            Some(Note {
                place: it.place.clone(),
                text: barrier_problem(it.reached)?.to_owned(),
            })
        });
        let recursion = self.recursion.iter().map(|it| Note {
            place: it.place.clone(),
            text: format!("{}: OpenCL C has no recursion", it.reason),
        });
        barriers.chain(recursion).collect()
    }

    /// Accesses outside of their arrays, with unknown indices or by data, barriers that work-items may not reach alike,
    /// and parts that were not followed.
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
            let class = class_word(access.class);
            if matches!(access.class, Class::DataDependent | Class::Unknown) {
                let reasons = access.reasons.join("; ");
                note(&access.place, format!("{class}: {reasons}"));
            }
            let memory = access.array.map(|array| self.arrays[array].memory);
            let load = access.happens_by.first();
            let load = load.and_then(|load| self.accesses.get(*load));
            if let Some(load) = load.filter(|_| memory != Some(Space::Private)) {
                let text = format!(
                    "whether, or how often, depends on {} ({}:{})",
                    self.access_text(load),
                    load.place.line,
                    load.place.column
                );
                note(&access.place, text);
            }
        }
        for barrier in &self.barriers {
            if let Some(text) = barrier_problem(barrier.reached) {
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

/// The problem, or possible problem, with a barrier at which work-items arrive like this.
pub fn barrier_problem(arrival: Arrival) -> Option<&'static str> {
    match arrival {
        Arrival::Alike => None,
        Arrival::Unlike => Some("a barrier that not all work-items of a work-group reach alike"),
        Arrival::Unknown => Some("a barrier that not all work-items may reach alike"),
    }
}

/// A class as tables have it.
pub fn class_word(class: Class) -> &'static str {
    match class {
        Class::Affine => "affine",
        Class::QuasiAffine => "quasi",
        Class::DataDependent => "data",
        Class::Unknown => "unknown",
    }
}

impl Accesses {
    /// The report at these sizes.
    pub fn report(&self, geometry: &Geometry, sizes: &BufferSizes) -> Report {
        let accesses = (0..self.accesses.len()).map(|it| self.access_report(it, geometry, sizes));
        let barriers = self.barriers.iter().enumerate();
        let barriers = barriers.map(|(number, it)| BarrierReport {
            place: it.place.clone(),
            reached: self.arrival(number, geometry),
        });
        Report {
            function: self.function.clone(),
            arrays: self.arrays.iter().map(array_report).collect(),
            accesses: accesses.collect(),
            barriers: barriers.collect(),
            gaps: self.gaps.clone(),
            recursion: self.recursion.clone(),
        }
    }

    fn access_report(
        &self,
        place: usize,
        geometry: &Geometry,
        sizes: &BufferSizes,
    ) -> AccessReport {
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
            measured: self.pattern(place, geometry),
            beyond: self.out_of_bounds(place, geometry, sizes),
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
