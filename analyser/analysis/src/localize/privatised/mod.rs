//! Atomics on an array in global memory, made on a copy in local memory instead. The copy begins with a number that
//! changes nothing; at its end the work-group brings each element that it has touched to global memory by one atomic.

mod calls;
mod write;

use std::ops::Range;

use self::calls::{AtomicKind, Call, calls};
use crate::{
    accesses::{Does, Polynomial},
    localize::{
        ArrayUse, Formulas, Reason, ReasonAt, Subject, accesses_of_group,
        hoist::all_reach_end,
        occurrences,
        part::{PartLength, disjointness::reach},
        refuse_if,
    },
};

/// Elements of an array that work-items of a work-group count in, by one kind of operation.
pub(super) struct Privatised {
    array: usize,
    kind: AtomicKind,
    /// The first element: what the work-group shares.
    base: Polynomial,
    elements: Elements,
    /// Bytes of the copy, at the size that takes most.
    bytes: u64,
    /// Bytes of an element.
    element_bytes: u64,
    /// Atomics of a work-group at the smallest size.
    atomics: u64,
    /// Texts that are rewritten: the array's name alone, or a place in the copy.
    served: Vec<Served>,
}

/// Number of elements of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// The same number at every size.
    Fixed(i64),
    /// The value of this argument, which the launch file gives the array as its length.
    Argument(usize),
}

/// A text that is rewritten.
enum Served {
    /// The array's name.
    Name(Range<usize>),
    /// The place that an atomic is given, and the place in the copy.
    Place(Range<usize>, Polynomial),
}

/// The array as copies in local memory, if it is only counted in.
pub(super) fn find(
    array_use: &ArrayUse<'_>,
    formulas: &mut Formulas,
) -> Option<Result<Vec<Privatised>, ReasonAt>> {
    let mut accesses = array_use.accesses.iter();
    if array_use.is_refused || !accesses.any(|it| it.does == Does::Atomic) {
        return None;
    }
    Some(privatise(array_use, formulas).and_then(|copies| {
        all_reach_end(array_use.subject, array_use.kernel).map_err(|it| (it, None))?;
        Ok(copies)
    }))
}

fn privatise(
    array_use: &ArrayUse<'_>,
    formulas: &mut Formulas,
) -> Result<Vec<Privatised>, ReasonAt> {
    let (subject, parameter) = (array_use.subject, array_use.parameter);
    let all = subject.accesses;
    let (array, accesses) = (array_use.array, array_use.accesses.as_slice());
    let whole = |reason| (reason, None);
    if let Some(access) = accesses.iter().find(|it| it.does != Does::Atomic) {
        return Err((Reason::AlsoAccessed, Some(access.span.begin.clone())));
    }
    // Nothing else may see, or change, what the copy holds back.
    if let Some(unknown) = all.accesses.iter().find(|it| it.array.is_none()) {
        return Err((Reason::UnknownIndex, Some(unknown.span.begin.clone())));
    }
    refuse_if(subject.shares_buffer(parameter), whole(Reason::SameBuffer))?;
    refuse_if(
        !subject.is_fixed(array_use.argument.variable),
        whole(Reason::Name),
    )?;
    let has_pointers = all.pointers.iter().any(|it| it.arrays.contains(&array));
    refuse_if(has_pointers, whole(Reason::SeveralArrays))?;
    let calls = calls(subject, array, accesses)?;
    let copies = match in_parts(subject, formulas, array, &calls) {
        Ok(copies) => copies,
        Err(Reason::Operations) => return Err(whole(Reason::Operations)),
        Err(_) => vec![as_a_whole(array_use, formulas, &calls)?],
    };
    let bytes: u64 = copies.iter().map(|it| it.bytes).sum();
    refuse_if(bytes > array_use.bytes_left, whole(Reason::TooLarge))?;
    for copy in &copies {
        let smallest = elements(subject, parameter, copy.elements).min();
        let is_costly = copy.atomics < 2 * smallest.unwrap_or(u64::MAX);
        refuse_if(is_costly, whole(Reason::FillCosts))?;
    }
    Ok(copies)
}

/// Number of elements at each size.
fn elements(
    subject: Subject<'_>,
    parameter: usize,
    count: Elements,
) -> impl Iterator<Item = u64> + use<'_> {
    let launches = subject.launches.iter();
    launches.filter_map(move |launch| match count {
        Elements::Fixed(elements) => Some(elements.unsigned_abs()),
        Elements::Argument(_) => Some(launch.buffer(parameter)?.elements),
    })
}

/// The elements that a work-group touches, by kind of operation, if neither sizes nor data decide which these are, and
/// no element is touched by two kinds.
fn in_parts(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    array: usize,
    calls: &[Call<'_>],
) -> Result<Vec<Privatised>, Reason> {
    let element = formulas.all.arrays[array].element_bytes;
    let mut shared: Option<Polynomial> = None;
    let mut ranges: Vec<(AtomicKind, i64, i64)> = Vec::new();
    let mut places = Vec::new();
    for call in calls {
        let access = &subject.accesses.accesses[call.access];
        let splits = PartLength::Fixed.splits(formulas, &access.offset, element, &access.loops)?;
        let (low, high) = reach(subject, formulas, call.access, &splits)?;
        let base = &splits[0].uniform;
        if shared.get_or_insert_with(|| base.clone()) != base {
            return Err(Reason::PartsOverlap);
        }
        match ranges.iter_mut().find(|it| it.0 == call.kind) {
            Some((_, least, most)) => (*least, *most) = (low.min(*least), high.max(*most)),
            None => ranges.push((call.kind, low, high)),
        }
        let [split] = splits.as_slice() else {
            return Err(Reason::SeveralArrays);
        };
        places.push((call.kind, call.pure_text(subject)?, split.within()));
    }
    let mut sorted: Vec<(i64, i64)> = ranges.iter().map(|it| (it.1, it.2)).collect();
    sorted.sort_unstable();
    let overlap = sorted.windows(2).any(|pair| pair[1].0 <= pair[0].1);
    refuse_if(overlap, Reason::Operations)?;
    let shared = shared.ok_or(Reason::Shape)?;
    let mut copies = Vec::new();
    for (kind, low, high) in ranges {
        let lowest = Polynomial::constant(low);
        let own = places.iter().filter(|it| it.0 == kind);
        let served =
            own.map(|(_, range, at)| Some(Served::Place(range.clone(), at.minus(&lowest)?)));
        let elements = high - low + 1;
        copies.push(Privatised {
            array,
            kind,
            base: shared.plus(&lowest).ok_or(Reason::Shape)?,
            elements: Elements::Fixed(elements),
            bytes: elements.unsigned_abs().saturating_mul(element),
            element_bytes: element,
            atomics: atomics(subject, formulas, calls.iter().filter(|it| it.kind == kind)),
            served: served.collect::<Option<_>>().ok_or(Reason::Shape)?,
        });
    }
    Ok(copies)
}

/// All elements of a small array, which may be touched wherever data say.
fn as_a_whole(
    array_use: &ArrayUse<'_>,
    formulas: &Formulas,
    calls: &[Call<'_>],
) -> Result<Privatised, ReasonAt> {
    let whole = |reason| (reason, None);
    let (subject, parameter) = (array_use.subject, array_use.parameter);
    let (array, element_bytes) = (array_use.array, array_use.argument.element_bytes);
    let first = calls.first().ok_or(whole(Reason::Written))?;
    if let Some(other) = calls.iter().find(|it| it.kind != first.kind) {
        let place = subject.accesses.accesses[other.access].span.begin.clone();
        return Err((Reason::Operations, Some(place)));
    }
    let buffers = subject.launches.iter().map(|launch| {
        let buffer = launch.buffer(parameter);
        buffer.ok_or(whole(Reason::BeyondBuffer))
    });
    let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
    let mut lengths: Vec<u64> = buffers.iter().map(|it| it.elements).collect();
    let most = lengths.iter().copied().max().unwrap_or_default();
    lengths.dedup();
    let formula = buffers.first().and_then(|it| it.length_formula.as_ref());
    let formula = formula.filter(|it| subject.has_length(parameter, it));
    let argument = formula.and_then(|it| match it.arguments.as_slice() {
        [argument] if it.factor == 1 && it.plus == 0 => Some(argument),
        _ => None,
    });
    let argument = argument.filter(|it| it.offset == 0 && it.plus == 0);
    let elements = match (lengths.as_slice(), argument) {
        ([one], _) => Elements::Fixed(i64::try_from(*one).map_err(|_| whole(Reason::TooLarge))?),
        (_, Some(argument)) => Elements::Argument(argument.parameter),
        _ => return Err(whole(Reason::SizeDepends)),
    };
    let names: Vec<_> = calls.iter().map(|it| it.name).collect();
    let names = occurrences::places(subject, array, &names).map_err(whole)?;
    Ok(Privatised {
        array,
        kind: first.kind,
        base: Polynomial::default(),
        elements,
        bytes: most.saturating_mul(element_bytes),
        element_bytes,
        atomics: atomics(subject, formulas, calls.iter()),
        served: names.into_iter().map(Served::Name).collect(),
    })
}

/// Number of atomics that the work-items of a work-group make at the smallest size.
fn atomics<'a>(
    subject: Subject<'_>,
    formulas: &Formulas,
    calls: impl Iterator<Item = &'a Call<'a>>,
) -> u64 {
    let each =
        calls.map(|it| accesses_of_group(subject, formulas, &subject.accesses.accesses[it.access]));
    each.fold(0, u64::saturating_add)
}
