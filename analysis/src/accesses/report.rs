//! All that is known of a kernel's accesses at a launch's sizes, in words and numbers: what people and other programs
//! are shown.

use serde::Serialize;

use super::{
    Access, Accesses, Class, Does, Gap, Polynomial, Step,
    class::word,
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
    /// Loops; accesses name them by their place here.
    pub loops: Vec<LoopReport>,
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
    /// Which parameter.
    pub parameter: Option<usize>,
    /// Where it is declared.
    pub place: Place,
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
    /// From and to which byte of the file.
    pub bytes_of_source: (u32, u32),
    /// Whether a macro made it.
    pub in_macro: bool,
    /// Calls that lead to it, outermost first.
    pub calls: Vec<Place>,
    /// Bytes that a work-item reads or writes at once.
    pub bytes: u64,
    /// Bytes into the element.
    pub within: u64,
    /// `row * n + k`, in elements.
    pub index: String,
    /// The index term by term.
    pub terms: Vec<Term>,
    /// The index by dimension, outermost first.
    pub subscripts: Vec<String>,
    /// What a step of each is, in elements.
    pub strides: Vec<String>,
    /// What kind of index.
    pub class: Class,
    /// Why it is not affine.
    pub reasons: Vec<String>,
    /// Loads, by their place among all accesses, that the index depends on.
    pub depends_on: Vec<usize>,
    /// Loads that it depends on whether, and how often, it happens.
    pub happens_by: Vec<usize>,
    /// Loops around it, outermost first, by their place among all.
    pub loops: Vec<usize>,
    /// What must hold.
    pub conditions: Vec<ConditionReport>,
    /// Whether all work-items of a work-group come here alike.
    pub is_uniform: bool,
    /// At the launch's sizes.
    pub measured: Measured,
    /// Where it surely leaves its array.
    pub beyond: Option<Beyond>,
}

/// A number times ids, loop variables and scalars.
#[derive(Clone, Debug, Serialize)]
pub struct Term {
    /// The number.
    pub number: i64,
    /// What it is multiplied by.
    pub factors: Vec<String>,
}

/// What must hold.
#[derive(Clone, Debug, Serialize)]
pub struct ConditionReport {
    /// What; `?` stands for what is not followed.
    pub condition: String,
    /// Where it is written.
    pub place: Place,
}

/// A loop.
#[derive(Clone, Debug, Serialize)]
pub struct LoopReport {
    /// Its variable.
    pub name: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// The first value.
    pub lower: Option<String>,
    /// The first value that it no longer has.
    pub upper: Option<String>,
    /// How it changes: `+ 16`, `* 2`.
    pub step: String,
    /// How often it runs, where nothing ends it early.
    pub trips: Option<String>,
    /// Whether something else than its bound may end it.
    pub ends_early: bool,
    /// Loads that its bounds, or what ends it, depend on.
    pub depends_on: Vec<usize>,
}

/// A barrier.
#[derive(Clone, Debug, Serialize)]
pub struct BarrierReport {
    /// Where.
    pub place: Place,
    /// Whether all work-items of a work-group come here alike, whatever the sizes.
    pub is_uniform: bool,
    /// The same at the launch's sizes.
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
        let subscripts: String = access
            .subscripts
            .iter()
            .map(|it| format!("[{it}]"))
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
        let unlike_ones = self
            .barriers
            .iter()
            .filter(|barrier| barrier.reached == Reached::Unlike);
        let barriers =
            unlike_ones.filter_map(|it| Some((&it.place, unlike(it.reached)?.to_owned())));
        let recursion = self.recursion.iter().map(|it| {
            let text = format!("{}: OpenCL C has no recursion", it.reason);
            (&it.place, text)
        });
        let both = barriers.chain(recursion);
        both.map(|(place, text)| Note {
            place: place.clone(),
            text,
        })
        .collect()
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
            loops: (0..self.loops.len())
                .map(|it| self.loop_report(it))
                .collect(),
            barriers: (0..self.barriers.len())
                .map(|it| self.barrier_report(it, geometry))
                .collect(),
            gaps: self.gaps.clone(),
            recursion: self.recursion.clone(),
        }
    }

    fn access_report(&self, place: usize, geometry: &Geometry, rooms: &Rooms) -> AccessReport {
        let access: &Access = &self.accesses[place];
        let texts = |of: &[Polynomial]| of.iter().map(|it| self.text(it)).collect();
        let (begin, end) = (&access.span.begin, &access.span.end);
        let terms = access.index.terms().map(|(factors, number)| Term {
            number,
            factors: factors
                .iter()
                .map(|atom| self.text(&Polynomial::atom(*atom)))
                .collect(),
        });
        let conditions = access.guards.iter().map(|guard| ConditionReport {
            condition: self.condition_text(&guard.condition),
            place: guard.place.clone(),
        });
        AccessReport {
            array: access.array,
            also: access.also.clone(),
            does: access.does,
            place: begin.clone(),
            bytes_of_source: (begin.offset, end.offset.saturating_add(end.length)),
            in_macro: access.span.spelled.is_some(),
            calls: access.calls.clone(),
            bytes: access.bytes,
            within: access.within,
            index: self.text(&access.index),
            terms: terms.collect(),
            subscripts: texts(&access.subscripts),
            strides: texts(&access.strides),
            class: access.class,
            reasons: access.reasons.clone(),
            depends_on: access.depends_on.iter().copied().collect(),
            happens_by: access.happens_by.iter().copied().collect(),
            loops: access.loops.clone(),
            conditions: conditions.collect(),
            is_uniform: access.is_uniform,
            measured: self.measured(place, geometry),
            beyond: self.beyond(place, geometry, rooms),
        }
    }

    fn barrier_report(&self, place: usize, geometry: &Geometry) -> BarrierReport {
        let barrier = &self.barriers[place];
        BarrierReport {
            place: barrier.place.clone(),
            is_uniform: barrier.is_uniform,
            reached: self.reached(place, geometry),
        }
    }

    fn loop_report(&self, place: usize) -> LoopReport {
        let of = &self.loops[place];
        let (lower, upper) = (&of.lower, &of.upper);
        let mut roots = std::collections::BTreeSet::new();
        for bound in [lower, upper].into_iter().flatten() {
            roots.extend(bound.atoms());
        }
        roots.extend(of.ends_early.iter().flatten());
        let text = |of: &Option<Polynomial>| of.as_ref().map(|it| self.text(it));
        LoopReport {
            name: of.name.clone(),
            place: of.span.begin.clone(),
            lower: text(lower),
            upper: text(upper),
            step: match &of.step {
                Step::Add(by) => format!("+ {}", self.text(by)),
                Step::Multiply(by) => format!("* {}", self.text(by)),
                Step::By(operation, by) => format!("{} {}", word(*operation), self.text(by)),
            },
            trips: text(&of.trips),
            ends_early: of.ends_early.is_some(),
            depends_on: self.facts(&roots).loads.into_iter().collect(),
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
        parameter: array.parameter,
        place: array.span.begin.clone(),
    }
}
