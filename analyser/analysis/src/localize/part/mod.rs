//! Parts of an array that one work-group owns. Numbers that its work-items exchange go to local memory. The part is
//! read in if it held something, and written back if somebody reads it afterwards.

pub(super) mod disjointness;
mod enumeration;
mod passed_length;
pub(super) mod pointers;
mod prove;
mod split;
mod write;

use std::{collections::BTreeSet, ops::Range};

pub(super) use self::split::PartLength;
use self::write::{fence, fence_flags};
use crate::{
    accesses::{Access, Does, Polynomial},
    localize::{ArraySearch, Contents, Edit, Formulas, Kernel, Proved, Subject},
};

/// A part that a work-group owns.
pub(super) struct OwnedPart {
    array: usize,
    /// The first element: what a work-group's work-items share.
    base: Polynomial,
    /// Number of elements, at the size that takes most.
    extent: i64,
    /// Number of elements, as a formula of numbers that the launch passes, if these decide it.
    passed_extent: Option<Polynomial>,
    /// Bytes of the part, at the size that takes most.
    bytes: u64,
    contents: Contents,
    indexed: Vec<Indexed>,
    pointer_values: Vec<PointerValue>,
    /// The ranges of `__global` in declarations of pointers into it.
    pointers: Vec<Range<usize>>,
}

/// A pointer's value that has the array's name: the range of the text, and the place in the part.
type PointerValue = (Range<usize>, Polynomial);

/// An access that is rewritten.
struct Indexed {
    /// The range of its text.
    range: Range<usize>,
    /// The pointer to the array's beginning that it goes through; none if it has the array's own name.
    pointer: Option<String>,
    /// Its place in the part.
    at: Polynomial,
}

/// An array that may have parts.
#[derive(Clone, Copy)]
struct PartSearch<'a> {
    subject: Subject<'a>,
    kernel: &'a Kernel,
    array: usize,
    /// Arrays that one pointer leads into by turns: this one and others.
    group: &'a BTreeSet<usize>,
    bytes_left: u64,
}

/// Finds parts that can go to local memory. An array that the kernel reads back, and that can't, is refused. Arrays
/// that one pointer leads into by turns go there together or not at all.
pub(super) fn find(search: &mut ArraySearch<'_, '_>, formulas: &mut Formulas) {
    let (subject, kernel) = (search.subject, search.kernel);
    let placed = search.placed_arrays();
    let mut proved: Vec<(BTreeSet<usize>, OwnedPart)> = Vec::new();
    let mut bytes_left = search.bytes_left;
    for group in pointer_groups(subject) {
        let touches = |it: &&Access| arrays_of(it).any(|array| group.contains(array));
        let own: Vec<&Access> = subject.accesses.accesses.iter().filter(touches).collect();
        let first_store = own.iter().find(|it| it.does == Does::Store);
        let is_read = own.iter().any(|it| it.does == Does::Load);
        let (true, Some(first_store)) = (is_read, first_store) else {
            continue;
        };
        if !group.iter().all(|it| is_candidate(search, &placed, *it)) {
            continue;
        }
        let mut parts = Vec::new();
        for array in &group {
            let part = PartSearch {
                subject,
                kernel,
                array: *array,
                group: &group,
                bytes_left,
            };
            let part = if kernel.varies() {
                part.prove(formulas, PartLength::Passed)
            } else {
                // What no size decides needs no argument.
                part.prove(formulas, PartLength::Fixed).or_else(|reason| {
                    let part = part.prove(formulas, PartLength::Passed);
                    part.map_err(|_| reason)
                })
            };
            match part {
                Ok(part) => {
                    bytes_left -= part.bytes;
                    parts.push(part);
                }
                Err((reason, place)) => {
                    let place = place.unwrap_or_else(|| first_store.span.begin.clone());
                    search.refuse(*array, (reason, Some(place)));
                }
            }
        }
        if parts.len() == group.len() {
            proved.extend(parts.into_iter().map(|it| (group.clone(), it)));
        } else {
            bytes_left += parts.iter().map(|it| it.bytes).sum::<u64>();
        }
    }
    render(search, formulas, proved);
}

/// Renders parts. If a part has no text, its whole group stays.
fn render(
    search: &mut ArraySearch<'_, '_>,
    formulas: &Formulas,
    proved: Vec<(BTreeSet<usize>, OwnedPart)>,
) {
    let subject = search.subject;
    let renderer = search.kernel.renderer(subject, formulas);
    let flags = fence_flags(subject);
    let mut placements = Vec::new();
    for (group, part) in proved {
        let array = part.array;
        match part.render(&renderer).and_then(|text| match &flags {
            Ok(_) => Ok(text),
            Err(reason) => Err(*reason),
        }) {
            Ok(placement) => placements.push((group, placement)),
            Err(reason) => search.refuse(array, (reason, None)),
        }
    }
    let rendered: BTreeSet<usize> = placements.iter().map(|(_, it)| it.array).collect();
    placements.retain(|(group, _)| group.is_subset(&rendered));
    let arrays: Vec<usize> = placements.iter().map(|(_, it)| it.array).collect();
    if !arrays.is_empty() {
        let fence = fence(subject, &arrays);
        let flags = flags.into_iter().flatten();
        search.fences = flags.map(|at| Edit::replace(at, fence)).collect();
    }
    for (_, placement) in placements {
        search.bytes_left -= placement.summary.bytes;
        search.placements.push(placement);
    }
}

/// Whether an array is an argument in global memory that has no place in local memory yet.
fn is_candidate(search: &ArraySearch<'_, '_>, placed: &[usize], array: usize) -> bool {
    let argument = &search.subject.accesses.arrays[array];
    search.subject.may_place(argument)
        && !placed.contains(&array)
        && !search.is_refused(&argument.name)
}

/// Arrays that an access may be into.
fn arrays_of(access: &Access) -> impl Iterator<Item = &usize> {
    access.array.iter().chain(&access.also)
}

/// Groups of arrays: those that one pointer leads into by turns are in one group.
fn pointer_groups(subject: Subject<'_>) -> Vec<BTreeSet<usize>> {
    let all = subject.accesses;
    let arrays = 0..all.arrays.len();
    let mut groups: Vec<BTreeSet<usize>> = arrays.map(|array| [array].into()).collect();
    let by_access = all.accesses.iter();
    let by_access = by_access.map(|it| arrays_of(it).copied().collect::<BTreeSet<usize>>());
    let by_pointer = all.pointers.iter().map(|it| it.arrays.clone());
    for set in by_access.chain(by_pointer) {
        let (joined, others): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|it| !it.is_disjoint(&set));
        groups = others;
        if !joined.is_empty() {
            groups.push(joined.into_iter().flatten().collect());
        }
    }
    groups.sort();
    groups
}
