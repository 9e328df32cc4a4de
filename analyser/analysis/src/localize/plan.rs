//! Which tiles: each access goes to the tile that is filled most seldom, where that is a gain.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    formula::{Formulas, Scope},
    hoist,
    passes::{Passes, strip_of},
    prove::{Chosen, covered, is_within_buffer},
    reference::Reference,
    refusal::{Reason, Refusal},
    strip,
    subject::{Counted, Rule, Subject},
    table::{Table, table},
    tile::{Tile, tiles},
    written::Written,
};
use crate::{
    accesses::{Access, Does},
    ast::Space,
};

/// Tiles of arrays that are only read; what is left is said to be.
pub(super) fn read_only(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    taken: &[usize],
    refusals: &mut Vec<Refusal>,
) -> (Vec<Chosen>, Vec<Table>) {
    let (mut chosen, mut whole) = (Vec::new(), Vec::new());
    let mut bytes_left = subject.most_bytes;
    let mut strips = Strips::new();
    for array in candidates(subject, taken, refusals) {
        let mut left: Vec<Reference> = Vec::new();
        let mut reasons: BTreeMap<usize, Reason> = BTreeMap::new();
        for (index, access) in subject.accesses.accesses.iter().enumerate() {
            if access.array != Some(array) {
                continue;
            }
            match Reference::of(subject, formulas, index) {
                Ok(reference) => left.push(reference),
                Err(reason) => {
                    reasons.insert(index, reason);
                }
            }
        }
        for scope in scopes(subject, formulas, &left, &mut strips) {
            if is_in_other_strips(&chosen, scope) {
                continue;
            }
            let (here, mut elsewhere): (Vec<Reference>, Vec<Reference>) = left
                .into_iter()
                .partition(|it| is_around(subject, scope, it));
            for (places, tile) in tiles(formulas, array, &here, scope) {
                let tile = tile.and_then(|tile| worth(subject, formulas, tile, bytes_left));
                match tile {
                    Ok(tile) => {
                        bytes_left -= tile.bytes;
                        chosen.push(tile);
                    }
                    Err(reason) => {
                        for place in places {
                            let reference = here[place].clone();
                            let own = reasons.entry(reference.access).or_insert(reason);
                            if *own == Reason::SizeDepends || *own == Reason::TooLarge {
                                *own = reason;
                            }
                            elsewhere.push(reference);
                        }
                    }
                }
            }
            left = elsewhere;
        }
        for (index, reason) in &mut reasons {
            let loops = subject.accesses.accesses[*index].loops.iter();
            let mut why = loops.filter_map(|of| strips.get(&(*of, Passes::Usual))?.err());
            if let (Reason::SizeDepends | Reason::TooLarge, Some(why)) = (*reason, why.next()) {
                *reason = why;
            }
        }
        reasons.retain(|index, _| {
            let is_served = |it: &Chosen| it.tile.served.iter().any(|own| own.access == *index);
            !chosen.iter().any(is_served)
        });
        if subject.rule == Rule::Shared
            && let Ok(table) = table(subject, formulas, array, &reasons, bytes_left)
        {
            bytes_left -= table.bytes;
            reasons.retain(|index, _| !table.served.contains(index));
            whole.push(table);
        }
        for (index, reason) in reasons {
            let refusal = Refusal {
                array: Some(subject.accesses.arrays[array].name.clone()),
                reason,
                place: subject.accesses.accesses[index].span.begin.clone(),
            };
            if !refusals.contains(&refusal) {
                refusals.push(refusal);
            }
        }
    }
    if subject.rule == Rule::Paper {
        most_accessed(&mut chosen);
    }
    (chosen, whole)
}

/// Leaves the array alone that has the most accesses.
fn most_accessed(chosen: &mut Vec<Chosen>) {
    let mut reads: BTreeMap<usize, u64> = BTreeMap::new();
    for one in chosen.iter() {
        *reads.entry(one.tile.array).or_default() += one.coverage.reads;
    }
    let most = reads
        .into_iter()
        .max_by_key(|(array, reads)| (*reads, Reverse(*array)));
    chosen.retain(|one| most.is_some_and(|(array, _)| array == one.tile.array));
}

/// Arguments in global memory that the kernel only reads.
fn candidates(subject: Subject<'_>, taken: &[usize], refusals: &mut Vec<Refusal>) -> Vec<usize> {
    let all = subject.accesses;
    let mut found = Vec::new();
    for (array, of) in all.arrays.iter().enumerate() {
        let is_argument = of.parameter.is_some() && of.space == Space::Global;
        let mut own = all
            .accesses
            .iter()
            .filter(|it| it.touches(array))
            .peekable();
        let is_taken = taken.contains(&array);
        let is_said = refusals
            .iter()
            .any(|it| it.array.as_ref() == Some(&of.name));
        let is_asked = subject.is_asked(&of.name);
        if !is_argument || own.peek().is_none() || is_taken || is_said || !is_asked {
            continue;
        }
        if own.clone().all(|it| it.does == Does::Store) {
            let at = own
                .next()
                .map(|it| it.span.begin.clone())
                .unwrap_or_default();
            refusals.push(Refusal {
                array: Some(of.name.clone()),
                reason: Reason::OnlyWritten,
                place: at,
            });
            continue;
        }
        let written = own.find(|it| it.does != Does::Load);
        let mut others = all.accesses.iter().filter(|it| it.does != Does::Load);
        let shared = others.find(|it| {
            let mut into = it.array.iter().chain(&it.also);
            into.any(|other| {
                let pair = all.arrays[*other].parameter.zip(of.parameter);
                pair.is_some_and(|(one, other)| subject.is_same(one, other))
            })
        });
        let mut partly = all.accesses.iter();
        let partly = partly.find(|it| it.touches(array) && !it.also.is_empty());
        let (reason, at) = match (written, shared, partly) {
            (Some(at), ..) => (Reason::Written, &at.span),
            (None, Some(at), _) => (Reason::SameBuffer, &at.span),
            (None, None, Some(at)) => (Reason::SeveralArrays, &at.span),
            (None, None, None) if subject.is_volatile(array) => (Reason::Volatile, &of.span),
            (None, None, None) => {
                found.push(array);
                continue;
            }
        };
        refusals.push(Refusal {
            array: Some(of.name.clone()),
            reason,
            place: at.begin.clone(),
        });
    }
    found
}

/// Loops in strips, or why they are not.
type Strips = BTreeMap<(usize, Passes), Result<Scope, Reason>>;

/// Whether the loop is in strips of another length already.
fn is_in_other_strips(chosen: &[Chosen], scope: Scope) -> bool {
    let of = |scope| match scope {
        Scope::Strip { of, .. } => Some(of),
        Scope::Kernel => None,
    };
    let mut others = chosen.iter().map(|one| one.tile.scope);
    others.any(|other| other != scope && of(other).is_some() && of(other) == of(scope))
}

/// The kernel, and then the strips of all loops, outermost first, each as long as usual and of one pass.
fn scopes(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    references: &[Reference],
    strips: &mut Strips,
) -> Vec<Scope> {
    let mut loops: BTreeSet<usize> = BTreeSet::new();
    for reference in references {
        loops.extend(&subject.accesses.accesses[reference.access].loops);
    }
    let mut scopes = vec![Scope::Kernel];
    for of in loops {
        for passes in [Passes::Usual, Passes::One] {
            let strip = strips.entry((of, passes));
            let strip = strip.or_insert_with(|| strip_of(subject, formulas, of, passes));
            scopes.extend(*strip);
        }
    }
    scopes
}

fn is_around(subject: Subject<'_>, scope: Scope, reference: &Reference) -> bool {
    let loops = &subject.accesses.accesses[reference.access].loops;
    match scope {
        Scope::Kernel => true,
        Scope::Strip { of, .. } => loops.contains(&of),
    }
}

/// A tile that is proved, fits and pays.
fn worth(
    subject: Subject<'_>,
    formulas: &Formulas,
    mut tile: Tile,
    bytes_left: u64,
) -> Result<Chosen, Reason> {
    let element = tile.element_bytes();
    let elements: i64 = tile
        .padded(formulas, subject.form.padding)
        .iter()
        .try_fold(1_i64, |all, it| all.checked_mul(*it))
        .ok_or(Reason::TooLarge)?;
    let bytes = elements
        .unsigned_abs()
        .checked_mul(element)
        .ok_or(Reason::TooLarge)?;
    if bytes > subject.most_bytes {
        return Err(Reason::TooLarge);
    }
    let coverage = covered(subject, formulas, &tile)?;
    let box_elements = tile.elements().unsigned_abs();
    // What a work-item reads again it may keep: only what others read too is a gain.
    let is_shared = coverage.by_items >= 2 * box_elements && box_elements > 1;
    let is_gathered = tile.gathers(formulas) && coverage.by_items >= box_elements;
    let is_worth_it = match subject.rule {
        Rule::Shared => is_shared || is_gathered,
        Rule::Paper => coverage.reads >= 2 * box_elements && box_elements > 1,
    };
    if !is_worth_it {
        return Err(match coverage.by_items > coverage.elements {
            true => Reason::FillCosts,
            false => Reason::NoReuse,
        });
    }
    let mut is_guarded = false;
    for served in &tile.served {
        is_guarded |= !barriers_allowed(
            subject,
            formulas,
            tile.scope,
            &subject.accesses.accesses[served.access],
        )?;
    }
    if !is_within_buffer(subject, formulas, &tile) {
        tile.within = Some(length(subject, formulas, &tile).ok_or(Reason::BeyondBuffer)?);
    }
    if bytes > bytes_left {
        return Err(Reason::TooLarge);
    }
    Ok(Chosen {
        tile,
        coverage,
        bytes,
        is_guarded,
    })
}

/// Elements of a tile's array that the buffer has at any size.
fn length(subject: Subject<'_>, formulas: &Formulas, tile: &Tile) -> Option<Counted> {
    let array = &formulas.all.arrays[tile.array];
    let buffers = subject.launches.iter();
    let buffers = buffers.map(|at| at.buffer(array.parameter?)?.counted_by.clone());
    let mut all = buffers.collect::<Option<Vec<Counted>>>()?;
    all.dedup();
    let [counted @ Counted { number, by, more }] = all.as_slice() else {
        return None;
    };
    if !subject.has_elements(array.parameter?, counted) {
        return None;
    }
    let own = |elements: u64| {
        let bytes = elements * array.element_bytes;
        let is_whole = bytes.is_multiple_of(tile.element_bytes());
        is_whole.then(|| bytes / tile.element_bytes())
    };
    Some(Counted {
        number: own(*number)?,
        by: by.clone(),
        more: own(*more)?,
    })
}

/// Whether all work-items of a work-group come alike to where the tile is filled and left, as it stands; else they do
/// once the guards around it are taken apart.
fn barriers_allowed(
    subject: Subject<'_>,
    formulas: &Formulas,
    scope: Scope,
    access: &Access,
) -> Result<bool, Reason> {
    let Scope::Strip { of, .. } = scope else {
        return Ok(true);
    };
    let depth = access
        .loops
        .iter()
        .position(|own| *own == of)
        .ok_or(Reason::LoopForm)?;
    for around in &access.loops[..=depth] {
        formulas.is_uniform_loop(*around)?;
    }
    let mut outside = access.guards.iter().filter(|guard| guard.depth <= depth);
    let comes_alike = outside.all(|guard| formulas.is_uniform_condition(&guard.condition));
    if !comes_alike {
        let mut written = Written::default();
        hoist::hoisted(subject, &formulas.all.loops, &[scope], false, &mut written)?;
    }
    let span = &subject.accesses.loops[of].span;
    // What a head reads is read once more than the body runs, and behind the barrier that lets the tile be filled anew.
    match strip::is_in_body(subject, span, &subject.tokens(&access.span)?) {
        true => Ok(comes_alike),
        false => Err(Reason::LoopForm),
    }
}
