//! Tables: arrays that are read by any index, and small enough to be brought as a whole.

use std::{collections::BTreeMap, ops::Range};

use super::{
    Mechanism, fill, formula::Formulas, named, placement::Placement, refusal::Reason,
    subject::Subject, words::Words, write::element, written::Written,
};
use crate::accesses::{Access, Does, Polynomial, Step};

/// A whole array in local memory.
pub(super) struct Table {
    pub(super) array: usize,
    pub(super) elements: u64,
    pub(super) bytes: u64,
    /// Reads of a work-group at the smallest size.
    pub(super) reads: u64,
    /// Accesses that it serves.
    pub(super) served: Vec<usize>,
    /// The array's name in the text of these.
    names: Vec<Range<usize>>,
}

/// The array as a table, for what no tile serves: these accesses and why.
///
/// # Errors
/// It is none: it has another length at another size, it is too large, or it is not read often enough.
pub(super) fn table(
    subject: Subject<'_>,
    formulas: &Formulas,
    array: usize,
    left: &BTreeMap<usize, Reason>,
    bytes_left: u64,
) -> Result<Table, Reason> {
    let of = &formulas.all.arrays[array];
    let parameter = of.parameter.ok_or(Reason::Written)?;
    let lengths = subject.launches.iter().map(|at| {
        let buffer = at.buffer(parameter);
        buffer.map(|buffer| buffer.elements)
    });
    let mut lengths: Vec<Option<u64>> = lengths.collect();
    lengths.dedup();
    let [Some(elements)] = lengths.as_slice() else {
        return Err(Reason::SizeDepends);
    };
    let bytes = elements.saturating_mul(of.element_bytes);
    if bytes > bytes_left || elements > &(i32::MAX as u64) {
        return Err(Reason::TooLarge);
    }
    let (mut reads, mut served, mut names) = (0_u64, Vec::new(), Vec::new());
    for (index, reason) in left {
        let by_any = [
            Reason::DataDependent,
            Reason::UnknownIndex,
            Reason::Shape,
            Reason::SizeDepends,
        ];
        let access = &subject.accesses.accesses[*index];
        if !subject.is_named(access) {
            continue;
        }
        if !by_any.contains(reason) || !access.also.is_empty() || !access.calls.is_empty() {
            continue;
        }
        let Some(name) = name(subject, access, &of.name) else {
            continue;
        };
        reads = reads.saturating_add(times(subject, formulas, access));
        served.push(*index);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // A macro makes the accesses: the name stands where the macro is given it.
    if names.is_empty() && left.values().all(|reason| *reason == Reason::InMacro) {
        let all = subject.accesses.accesses.iter();
        let own = all.filter(|it| it.touches(array));
        if own.count() == left.len() && left.keys().all(|it| is_load(subject, *it)) {
            names = named::indexed(subject, array)?;
            served = left.keys().copied().collect();
            let own = served.iter().map(|it| &subject.accesses.accesses[*it]);
            reads = own
                .map(|it| times(subject, formulas, it))
                .fold(0, u64::saturating_add);
        }
    }
    if names.is_empty() {
        return Err(Reason::DataDependent);
    }
    if reads < 2 * elements || *elements < 2 {
        return Err(Reason::FillCosts);
    }
    Ok(Table {
        array,
        elements: *elements,
        bytes,
        reads,
        served,
        names,
    })
}

/// Whether it reads the array by its name, in the kernel itself.
fn is_load(subject: Subject<'_>, index: usize) -> bool {
    let access = &subject.accesses.accesses[index];
    access.does == Does::Load
        && access.also.is_empty()
        && access.calls.is_empty()
        && subject.is_named(access)
}

/// Where an access's text says the array's name, where it begins with it.
fn name(subject: Subject<'_>, access: &Access, name: &str) -> Option<Range<usize>> {
    if access.does != Does::Load || access.span.spelled.is_some() {
        return None;
    }
    let range = subject.tokens(&access.span).ok()?;
    let rest = subject.text(&range).strip_prefix(name)?;
    rest.trim_start()
        .starts_with('[')
        .then(|| range.start..range.start + name.len())
}

/// How often a work-group's work-items make an access at the smallest size; a loop that nobody knows runs once.
pub(super) fn times(subject: Subject<'_>, formulas: &Formulas, access: &Access) -> u64 {
    let items: i64 = formulas.local.iter().product();
    let geometry = subject.launches.first().map(|at| &at.geometry);
    let trips = access.loops.iter().map(|of| {
        let described = &formulas.all.loops[*of];
        let bounds = |of: &Polynomial| formulas.bounds(of, geometry);
        let trips = described.trips.as_ref().and_then(bounds);
        let trips = trips.map(|(_, most)| most).or_else(|| {
            // Steps as long as the launch has work-items.
            let Step::Add(step) = &described.step else {
                return None;
            };
            let first = bounds(described.lower.as_ref()?)?.0;
            let end = bounds(described.upper.as_ref()?)?.1;
            let step = bounds(step)?.0;
            (step > 0).then(|| (end - first) / step)
        });
        u64::try_from(trips.unwrap_or(1).max(1)).unwrap_or(u64::MAX)
    });
    trips.fold(items.unsigned_abs(), u64::saturating_mul)
}

impl Placement for Table {
    fn what(&self) -> (usize, Mechanism, u64) {
        (self.array, Mechanism::Table, self.bytes)
    }

    fn extents(&self, _: &Formulas) -> Vec<i64> {
        vec![i64::try_from(self.elements).unwrap_or(i64::MAX)]
    }

    fn reads_and_fills(&self) -> Option<(u64, u64)> {
        Some((self.reads, self.elements))
    }

    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let subject = words.subject;
        let array = &words.formulas.all.arrays[self.array].name;
        let of = element(subject, words.formulas, self.array)?;
        let name = written.name(subject, &format!("{array}_table"));
        let place = written.name(subject, "i");
        written
            .declared
            .push(format!("__local {of} {name}[{}];", self.elements));
        let head = format!(
            "for (int {place} = {}; {place} < {}; {place} += {})",
            fill::flat(words),
            self.elements,
            fill::group(words)
        );
        let copy = format!("{name}[{place}] = {array}[{place}];");
        written.begun.extend(fill::nested(vec![head], vec![copy]));
        for range in &self.names {
            written.replace(range.clone(), name.clone());
        }
        Ok(())
    }
}
