//! Parts of an array that one work-group owns: what its work-items hand to each other goes to local memory, is read in
//! where it held something, and written back where somebody reads it afterwards.

pub(super) mod apart;
mod enumerated;
pub(super) mod pointers;
mod sized;
mod split;
mod write;

use std::collections::BTreeSet;

use self::apart::{are_apart, bounds};
use self::pointers::{are_set_to_begin, indexed, pointer};
use self::split::indices;
pub(super) use self::split::{splits, with_constant};
pub(super) use self::write::fences;
use super::{
    formula::{Formulas, Split},
    kernel::Kernel,
    placement::{Placement, Search},
    refusal::{Reason, Why},
    spelling::behind_word,
    subject::Subject,
    written::Written,
};
use crate::{
    accesses::{Access, Does, Polynomial},
    ast::Space,
};

/// A part that a work-group owns.
pub(super) struct Owned {
    array: usize,
    /// Arrays that go there only with it: it is one of them.
    together: BTreeSet<usize>,
    /// Where it begins, in elements: what a work-group's work-items share.
    base: Polynomial,
    /// Elements, at the size that takes most.
    extent: i64,
    /// Elements, of numbers that the launch passes, where these decide it.
    sized: Option<Polynomial>,
    /// At the size that takes most.
    bytes: u64,
    /// Whether it holds anything before the launch.
    is_filled: bool,
    /// Whether anybody reads it after the launch.
    is_output: bool,
    /// Accesses by the array's own name: their text, and the place in the part.
    direct: Vec<(std::ops::Range<usize>, Polynomial)>,
    /// Accesses through a pointer to the array's beginning: their text, the pointer, and the place in the part.
    through: Vec<(std::ops::Range<usize>, String, Polynomial)>,
    /// Pointers that are set by the array's name: the text, and the place in the part.
    set: Vec<(std::ops::Range<usize>, Polynomial)>,
    /// Pointers into it: where `__global` stands in their declarations.
    pointers: Vec<std::ops::Range<usize>>,
}

/// Parts that can go to local memory; what can't is said, where the kernel reads what it has written. Arrays that a
/// pointer is into in turns go there together, or stay.
pub(super) fn find(search: &mut Search<'_, '_>, formulas: &mut Formulas) {
    let (subject, kernel) = (search.subject, search.kernel);
    let all = subject.accesses;
    let taken = search.taken();
    let mut owned: Vec<Owned> = Vec::new();
    let mut bytes_left = search.bytes_left;
    for together in together(subject) {
        let touches = |it: &&Access| into(it).any(|array| together.contains(array));
        let own: Vec<&Access> = all.accesses.iter().filter(touches).collect();
        let is_read = own.iter().any(|it| it.does == Does::Load);
        let is_stored = own.iter().any(|it| it.does == Does::Store);
        let is_possible = together.iter().all(|array| {
            let of = &all.arrays[*array];
            let is_argument = of.space == Space::Global && of.parameter.is_some();
            let is_left = !taken.contains(array) && !search.is_refused(&of.name);
            is_argument && is_left && subject.is_asked(&of.name)
        });
        if !is_read || !is_stored || !is_possible {
            continue;
        }
        let (mut parts, mut is_whole) = (Vec::new(), true);
        for array in &together {
            let mut part = |form| {
                let by = By {
                    form,
                    together: &together,
                };
                part(subject, formulas, kernel, *array, by, bytes_left)
            };
            let found = match kernel.varies() {
                true => part(Form::Sized),
                // What no size decides needs no argument.
                false => part(Form::Fixed).or_else(|why| part(Form::Sized).map_err(|_| why)),
            };
            match found {
                Ok(part) => {
                    bytes_left -= part.bytes;
                    parts.push(part);
                }
                Err((reason, place)) => {
                    is_whole = false;
                    let stored = own.iter().find(|it| it.does == Does::Store);
                    let at = stored.map(|it| it.span.begin.clone()).unwrap_or_default();
                    search.refuse(*array, reason, place.unwrap_or(at));
                }
            }
        }
        match is_whole {
            true => owned.extend(parts),
            false => bytes_left += parts.iter().map(|it| it.bytes).sum::<u64>(),
        }
    }
    owned.retain(|one| {
        let (words, mut written) = (kernel.words(subject, formulas), Written::default());
        let done = (one as &dyn Placement)
            .replace(&words, &mut written)
            .and_then(|()| fences(subject, &[one.array], &mut written));
        search.is_done(one.array, done)
    });
    let kept: BTreeSet<usize> = owned.iter().map(|one| one.array).collect();
    owned.retain(|one| one.together.is_subset(&kept));
    search.bytes_left -= owned.iter().map(|one| one.bytes).sum::<u64>();
    let owned = owned.into_iter();
    search
        .found
        .extend(owned.map(|one| Box::new(one) as Box<dyn Placement>));
}

/// Arrays that an access may be into.
fn into(access: &Access) -> impl Iterator<Item = &usize> {
    access.array.iter().chain(&access.also)
}

/// All arrays, those together that one pointer is into in turns.
fn together(subject: Subject<'_>) -> Vec<BTreeSet<usize>> {
    let all = subject.accesses;
    let mut found: Vec<BTreeSet<usize>> =
        (0..all.arrays.len()).map(|array| [array].into()).collect();
    let by_access = all.accesses.iter().map(|it| into(it).copied().collect());
    let by_pointer = all.pointers.iter().map(|it| it.arrays.clone());
    for set in by_access.chain(by_pointer) {
        let set: BTreeSet<usize> = set;
        let (joined, apart): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|it| !it.is_disjoint(&set));
        found = apart;
        if !joined.is_empty() {
            found.push(joined.into_iter().flatten().collect());
        }
    }
    found.sort();
    found
}

/// What decides how long a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// No size does.
    Fixed,
    /// Numbers that the launch passes: as far as the next work-group's part begins.
    Sized,
}

impl Form {
    fn splits(
        self,
        formulas: &mut Formulas,
        offset: &Polynomial,
        element: u64,
        nest: &[usize],
    ) -> Result<Vec<Split>, Reason> {
        match self {
            Self::Fixed => splits(formulas, offset, element, nest),
            Self::Sized => sized::splits(formulas, offset, element),
        }
    }
}

/// How a part is looked for.
#[derive(Clone, Copy)]
struct By<'a> {
    form: Form,
    /// Arrays that a pointer is into in turns.
    together: &'a BTreeSet<usize>,
}

fn part(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    array: usize,
    by: By<'_>,
    bytes_left: u64,
) -> Result<Owned, Why> {
    let all = subject.accesses;
    let By { form, together } = by;
    let own = all
        .accesses
        .iter()
        .filter(|it| into(it).any(|at| *at == array));
    let of = &all.arrays[array];
    let parameter = of.parameter.ok_or((Reason::Written, None))?;
    let whole = |reason| (reason, None);
    // It is written back by its name, behind the last line.
    if !subject.is_fixed(of.variable) {
        return Err(whole(Reason::Name));
    }
    if let Some(unknown) = all.accesses.iter().find(|it| it.array.is_none()) {
        return Err((Reason::UnknownIndex, Some(unknown.span.begin.clone())));
    }
    // Without a barrier no work-item reads what another one wrote.
    if all.barriers.is_empty() || all.barriers.iter().any(|it| !it.is_uniform) {
        return Err(whole(Reason::Written));
    }
    if (0..all.parameters.len()).any(|other| subject.is_same(parameter, other)) {
        return Err(whole(Reason::SameBuffer));
    }
    let (mut hull, mut shared): (Option<(i64, i64)>, Option<Polynomial>) = (None, None);
    let (mut direct, mut through) = (Vec::new(), Vec::new());
    let from_begin = are_set_to_begin(subject, formulas, by);
    for access in own {
        let place = Some(access.span.begin.clone());
        let at = |reason| (reason, place.clone());
        if !access.calls.is_empty() {
            return Err(at(Reason::InFunction));
        }
        if access.does == Does::Atomic {
            return Err(at(Reason::Written));
        }
        // Bounds are of elements: vectors and bytes reach further, or less far.
        if access.bytes != of.element_bytes || access.within != 0 || !access.counts(of) {
            return Err(at(Reason::Shape));
        }
        let index = all.accesses.iter().position(|it| std::ptr::eq(it, access));
        let index = index.ok_or_else(|| at(Reason::Written))?;
        let (base, low, high) = match form {
            Form::Fixed => bounds(subject, formulas, index, of.element_bytes).map_err(at)?,
            Form::Sized => {
                let base = sized::base(formulas, index, of.element_bytes).map_err(at)?;
                (base, 0, 0)
            }
        };
        if shared.get_or_insert_with(|| base.clone()) != &base {
            return Err(at(Reason::PartsOverlap));
        }
        hull = Some(hull.map_or((low, high), |all| (all.0.min(low), all.1.max(high))));
        let range = subject.tokens(&access.span).map_err(at)?;
        let by_name =
            access.also.is_empty() && behind_word(subject.text(&range), &of.name).is_some();
        if !by_name && !from_begin {
            continue;
        }
        let own = form
            .splits(formulas, &access.offset, of.element_bytes, &access.loops)
            .map_err(at)?;
        let [split] = own.as_slice() else {
            return Err(at(Reason::SeveralArrays));
        };
        let found = match by_name {
            true => {
                let end = subject.text(&range).rfind(']');
                end.map(|end| (None, range.start..range.start + end + 1))
            }
            // The part begins elsewhere in the array: the index is written anew.
            false => indexed(subject, &range).map(|(pointer, named)| (Some(pointer), named)),
        };
        let (pointer, named) = found.ok_or_else(|| at(Reason::Text))?;
        let place = subject.pure_place(&named);
        if place.is_none_or(|place| place.of != of.element) {
            return Err(at(Reason::Text));
        }
        match pointer {
            None => direct.push((named, with_constant(split))),
            Some(pointer) => through.push((named, pointer.to_owned(), with_constant(split))),
        }
    }
    if subject.is_volatile(array) {
        return Err(whole(Reason::Volatile));
    }
    let ((low, high), shared) = hull.zip(shared).ok_or(whole(Reason::Written))?;
    let lowest = Polynomial::constant(low);
    let base = shared.plus(&lowest).ok_or(whole(Reason::Shape))?;
    let (sized, extent) = match form {
        Form::Fixed => (None, high - low + 1),
        Form::Sized => {
            let indices = all.accesses.iter().enumerate();
            let indices = indices.filter(|(_, it)| into(it).any(|at| *at == array));
            let indices: Vec<usize> = indices.map(|(index, _)| index).collect();
            let (extent, most) =
                sized::extent(subject, formulas, parameter, &base, &indices).map_err(whole)?;
            (Some(extent), most)
        }
    };
    let bytes = extent.unsigned_abs().saturating_mul(of.element_bytes);
    if bytes > bytes_left {
        return Err(whole(Reason::TooLarge));
    }
    for at in subject.launches.iter().filter(|_| sized.is_none()) {
        are_apart(formulas, at, parameter, &base, extent).map_err(whole)?;
    }
    let buffers = subject
        .launches
        .iter()
        .filter_map(|at| at.buffer(parameter));
    let is_filled = buffers.clone().any(|buffer| buffer.is_filled);
    let is_output = buffers.clone().any(|buffer| buffer.is_output);
    if is_output && kernel.returns {
        return Err(whole(Reason::Returns));
    }
    let relative = |at: &Polynomial| at.minus(&lowest).ok_or(whole(Reason::Shape));
    for (_, at) in &mut direct {
        *at = relative(at)?;
    }
    for (_, _, at) in &mut through {
        *at = relative(at)?;
    }
    let begin = match from_begin {
        true => Polynomial::default(),
        false => shared.clone(),
    };
    let (mut set, mut pointers) = (Vec::new(), BTreeSet::new());
    for pointing in all.pointers.iter().filter(|it| it.arrays.contains(&array)) {
        let (range, at, declared) = pointer(subject, formulas, array, by, pointing, &begin)
            .map_err(|reason| (reason, Some(pointing.span.begin.clone())))?;
        if let Some(at) = at {
            let at = if from_begin { at } else { relative(&at)? };
            set.push((range, at));
        }
        pointers.insert((declared.start, declared.end));
    }
    set.sort_by_key(|(range, _)| range.start);
    set.dedup();
    let edited = direct.iter().chain(&set).map(|(range, _)| range.clone());
    let edited = edited.chain(through.iter().map(|(range, ..)| range.clone()));
    let body = kernel.begin..kernel.end;
    if !subject.is_said_only_at(&body, &of.name, &edited.collect::<Vec<_>>()) {
        return Err(whole(Reason::Text));
    }
    Ok(Owned {
        array,
        together: together.clone(),
        base,
        extent,
        sized,
        bytes,
        is_filled,
        is_output,
        direct,
        through,
        set,
        pointers: pointers
            .into_iter()
            .map(|(begin, end)| begin..end)
            .collect(),
    })
}
