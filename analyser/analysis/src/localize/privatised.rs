//! Atomics on an array in global memory, made on a copy in local memory that begins with what changes nothing: at its
//! end the work-group brings each element that it has touched to global memory by one atomic.

mod calls;
mod write;

use std::ops::Range;

use self::calls::{Call, Kind, calls};
pub(super) use self::write::parameters;
use super::{
    formula::Formulas,
    hoist,
    kernel::Kernel,
    named,
    owned::apart::bounds,
    placement::Candidate,
    refusal::{Reason, Why},
    subject::Subject,
    table::times,
    written::Written,
};
use crate::accesses::{Does, Polynomial};

/// Elements of an array that work-items of a work-group count in, by one kind of operation.
pub(super) struct Privatised {
    array: usize,
    kind: Kind,
    /// The first element, of what the work-group shares.
    base: Polynomial,
    elements: Elements,
    /// Bytes at the size that takes most.
    bytes: u64,
    /// Bytes of an element.
    element_bytes: u64,
    /// Atomics of a work-group at the smallest size.
    atomics: u64,
    /// What is written anew: the array's name alone, or a place in the copy.
    served: Vec<Served>,
}

/// How many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elements {
    /// So many at every size.
    Fixed(i64),
    /// As many as this argument says, which the launch file gives the array as its length.
    Counted(usize),
}

enum Served {
    Name(Range<usize>),
    Place(Range<usize>, Polynomial),
}

/// The array as it goes to local memory, where it is only counted in.
pub(super) fn find(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    candidate: &Candidate<'_>,
) -> Option<Result<Vec<Privatised>, Why>> {
    let mut own = candidate.own.iter();
    let first = own.find(|it| it.does == Does::Atomic)?;
    if candidate.is_refused {
        return None;
    }
    let done = privatised(subject, formulas, candidate).and_then(|done| {
        ends(subject, kernel)
            .map(|()| done)
            .map_err(|it| (it, None))
    });
    Some(done.map_err(|(reason, place)| {
        let place = place.unwrap_or_else(|| first.span.begin.clone());
        (reason, Some(place))
    }))
}

/// Whether all work-items come to the kernel's last line, once guards are taken apart.
///
/// # Errors
/// Some may end before.
pub(super) fn ends(subject: Subject<'_>, kernel: &Kernel) -> Result<(), Reason> {
    if !kernel.returns {
        return Ok(());
    }
    let loops = &subject.accesses.loops;
    let done = hoist::hoisted(subject, loops, &[], true, &mut Written::default());
    done.map(|_| ()).map_err(|_| Reason::Returns)
}

fn privatised(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    candidate: &Candidate<'_>,
) -> Result<Vec<Privatised>, Why> {
    let all = subject.accesses;
    let (array, own) = (candidate.array, candidate.own.as_slice());
    let of = &all.arrays[array];
    let whole = |reason| (reason, None);
    let parameter = of.parameter.ok_or(whole(Reason::Written))?;
    if let Some(access) = own.iter().find(|it| it.does != Does::Atomic) {
        return Err((Reason::AlsoAccessed, Some(access.span.begin.clone())));
    }
    // Nothing else may see, or change, what the copy holds back.
    if let Some(unknown) = all.accesses.iter().find(|it| it.array.is_none()) {
        return Err((Reason::UnknownIndex, Some(unknown.span.begin.clone())));
    }
    if (0..all.parameters.len()).any(|other| subject.is_same(parameter, other)) {
        return Err(whole(Reason::SameBuffer));
    }
    if !subject.is_fixed(of.variable) {
        return Err(whole(Reason::Name));
    }
    if all.pointers.iter().any(|it| it.arrays.contains(&array)) {
        return Err(whole(Reason::SeveralArrays));
    }
    let calls = calls(subject, array, own)?;
    let done = match in_parts(subject, formulas, array, &calls) {
        Ok(done) => done,
        Err(Reason::Operations) => return Err(whole(Reason::Operations)),
        Err(_) => vec![as_a_whole(subject, formulas, array, &calls)?],
    };
    let bytes: u64 = done.iter().map(|it| it.bytes).sum();
    if bytes > candidate.bytes_left {
        return Err(whole(Reason::TooLarge));
    }
    for one in &done {
        let smallest = elements(subject, parameter, one.elements).min();
        if one.atomics < 2 * smallest.unwrap_or(u64::MAX) {
            return Err(whole(Reason::FillCosts));
        }
    }
    Ok(done)
}

/// Elements at each size.
fn elements(
    subject: Subject<'_>,
    parameter: usize,
    of: Elements,
) -> impl Iterator<Item = u64> + use<'_> {
    let launches = subject.launches.iter();
    launches.filter_map(move |at| match of {
        Elements::Fixed(elements) => Some(elements.unsigned_abs()),
        Elements::Counted(_) => Some(at.buffer(parameter)?.elements),
    })
}

/// Where no size and no data decide which elements a work-group touches: these, by kind of operation, where no element
/// is touched by two.
fn in_parts(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    array: usize,
    calls: &[Call<'_>],
) -> Result<Vec<Privatised>, Reason> {
    let element = formulas.all.arrays[array].element_bytes;
    let mut shared: Option<Polynomial> = None;
    let mut parts: Vec<(Kind, i64, i64)> = Vec::new();
    let mut places = Vec::new();
    for call in calls {
        let access = &subject.accesses.accesses[call.access];
        let (base, low, high) = bounds(subject, formulas, call.access, element)?;
        if shared.get_or_insert_with(|| base.clone()) != &base {
            return Err(Reason::PartsOverlap);
        }
        match parts.iter_mut().find(|it| it.0 == call.kind) {
            Some((_, least, most)) => (*least, *most) = (low.min(*least), high.max(*most)),
            None => parts.push((call.kind, low, high)),
        }
        let splits = super::owned::splits(formulas, &access.offset, element, &access.loops)?;
        let [split] = splits.as_slice() else {
            return Err(Reason::SeveralArrays);
        };
        places.push((
            call.kind,
            call.pure_text(subject)?,
            super::owned::with_constant(split),
        ));
    }
    let mut sorted: Vec<(i64, i64)> = parts.iter().map(|it| (it.1, it.2)).collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[1].0 <= pair[0].1) {
        return Err(Reason::Operations);
    }
    let shared = shared.ok_or(Reason::Shape)?;
    let mut done = Vec::new();
    for (kind, low, high) in parts {
        let lowest = Polynomial::constant(low);
        let own = places.iter().filter(|it| it.0 == kind);
        let served =
            own.map(|(_, range, at)| Some(Served::Place(range.clone(), at.minus(&lowest)?)));
        let elements = high - low + 1;
        done.push(Privatised {
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
    Ok(done)
}

/// All elements of a small array, touched wherever data say.
fn as_a_whole(
    subject: Subject<'_>,
    formulas: &Formulas,
    array: usize,
    calls: &[Call<'_>],
) -> Result<Privatised, Why> {
    let whole = |reason| (reason, None);
    let of = &subject.accesses.arrays[array];
    let parameter = of.parameter.ok_or(whole(Reason::Written))?;
    let first = calls.first().ok_or(whole(Reason::Written))?;
    if let Some(other) = calls.iter().find(|it| it.kind != first.kind) {
        let place = subject.accesses.accesses[other.access].span.begin.clone();
        return Err((Reason::Operations, Some(place)));
    }
    let buffers = subject.launches.iter().map(|at| {
        let buffer = at.buffer(parameter);
        buffer.ok_or(whole(Reason::BeyondBuffer))
    });
    let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
    let mut lengths: Vec<u64> = buffers.iter().map(|it| it.elements).collect();
    let most = lengths.iter().copied().max().unwrap_or_default();
    lengths.dedup();
    let counted = buffers.first().and_then(|it| it.counted_by.as_ref());
    let counted = counted.filter(|it| subject.has_elements(parameter, it));
    let counted = counted.and_then(|it| match it.by.as_slice() {
        [(by, 0, 0)] if it.number == 1 && it.more == 0 => Some(*by),
        _ => None,
    });
    let elements = match (lengths.as_slice(), counted) {
        ([one], _) => Elements::Fixed(i64::try_from(*one).map_err(|_| whole(Reason::TooLarge))?),
        (_, Some(by)) => Elements::Counted(by),
        _ => return Err(whole(Reason::SizeDepends)),
    };
    let said: Vec<_> = calls.iter().map(|it| it.name).collect();
    let names = named::places(subject, array, &said).map_err(whole)?;
    Ok(Privatised {
        array,
        kind: first.kind,
        base: Polynomial::default(),
        elements,
        bytes: most.saturating_mul(of.element_bytes),
        element_bytes: of.element_bytes,
        atomics: atomics(subject, formulas, calls.iter()),
        served: names.into_iter().map(Served::Name).collect(),
    })
}

/// How often a work-group's work-items make these at the smallest size.
fn atomics<'a>(
    subject: Subject<'_>,
    formulas: &Formulas,
    calls: impl Iterator<Item = &'a Call<'a>>,
) -> u64 {
    let each = calls.map(|it| times(subject, formulas, &subject.accesses.accesses[it.access]));
    each.fold(0, u64::saturating_add)
}
