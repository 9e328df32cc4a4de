//! Plans tiles: each access goes to the tile that is filled most seldom, if that is a gain.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    Tile,
    prove::{ProvedTile, covered, is_within_buffer},
    reference::Reference,
    strip_head,
    strip_length::{StripLength, strip_scope},
    tiles,
};
use crate::{
    accesses::{Access, Does},
    ast::Span,
    localize::{
        Formulas, LengthFormula, Reason, Refusal, Rule, Scope, Subject, Table, hoist, refuse_if,
        table::table,
    },
};

/// Tiles and tables of arrays that are only read. Accesses that none of them serves are refused.
pub(crate) fn read_only(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    placed: &[usize],
    refusals: &mut Vec<Refusal>,
) -> (Vec<ProvedTile>, Vec<Table>) {
    let mut plan = Plan {
        subject,
        bytes_left: subject.most_bytes,
        strips: Strips::new(),
        tiles: Vec::new(),
        tables: Vec::new(),
    };
    for array in candidates(subject, placed, refusals) {
        let mut reasons = plan.place_tiles(formulas, array);
        if subject.rule == Rule::Shared
            && let Ok(table) = table(subject, formulas, array, &reasons, plan.bytes_left)
        {
            plan.bytes_left -= table.bytes;
            reasons.retain(|index, _| !table.served.contains(index));
            plan.tables.push(table);
        }
        for (index, reason) in reasons {
            let place = subject.accesses.accesses[index].span.begin.clone();
            let refusal = subject.refusal(array, (reason, Some(place)));
            if !refusals.contains(&refusal) {
                refusals.push(refusal);
            }
        }
    }
    if subject.rule == Rule::Paper {
        retain_most_accessed(&mut plan.tiles);
    }
    (plan.tiles, plan.tables)
}

/// The tiles and tables so far.
struct Plan<'a> {
    subject: Subject<'a>,
    bytes_left: u64,
    strips: Strips,
    tiles: Vec<ProvedTile>,
    tables: Vec<Table>,
}

impl Plan<'_> {
    /// Adds an array's tiles: the kernel's first, then those of strips, from the outermost loop in. Returns accesses
    /// that no tile serves, and why.
    fn place_tiles(&mut self, formulas: &mut Formulas, array: usize) -> BTreeMap<usize, Reason> {
        let subject = self.subject;
        let accesses = &subject.accesses.accesses;
        let mut unserved: Vec<Reference> = Vec::new();
        let mut reasons: BTreeMap<usize, Reason> = BTreeMap::new();
        for (index, access) in accesses.iter().enumerate() {
            if access.array != Some(array) {
                continue;
            }
            match Reference::new(subject, formulas, index) {
                Ok(reference) => unserved.push(reference),
                Err(reason) => {
                    reasons.insert(index, reason);
                }
            }
        }
        for scope in scopes(subject, formulas, &unserved, &mut self.strips) {
            if !is_in_other_strips(&self.tiles, scope) {
                unserved = self.place_in_scope(formulas, array, scope, unserved, &mut reasons);
            }
        }
        for (index, reason) in &mut reasons {
            let loops = accesses[*index].loops.iter();
            let mut why = loops.filter_map(|loop_index| {
                self.strips.get(&(*loop_index, StripLength::Usual))?.err()
            });
            if let (Reason::SizeDepends | Reason::TooLarge, Some(why)) = (*reason, why.next()) {
                *reason = why;
            }
        }
        reasons.retain(|index, _| {
            let is_served = |it: &ProvedTile| it.tile.served.iter().any(|own| own.access == *index);
            !self.tiles.iter().any(is_served)
        });
        reasons
    }

    /// Adds tiles for one scope, and returns the references that they do not serve.
    fn place_in_scope(
        &mut self,
        formulas: &mut Formulas,
        array: usize,
        scope: Scope,
        references: Vec<Reference>,
        reasons: &mut BTreeMap<usize, Reason>,
    ) -> Vec<Reference> {
        let references = references.into_iter();
        let (here, mut unserved): (Vec<Reference>, Vec<Reference>) =
            references.partition(|it| is_around(self.subject, scope, it));
        for (places, tile) in tiles(formulas, array, &here, scope) {
            match tile.and_then(|tile| prove(self.subject, formulas, tile, self.bytes_left)) {
                Ok(tile) => {
                    self.bytes_left -= tile.bytes;
                    self.tiles.push(tile);
                }
                Err(reason) => {
                    for place in places {
                        let reference = here[place].clone();
                        let own = reasons.entry(reference.access).or_insert(reason);
                        if *own == Reason::SizeDepends || *own == Reason::TooLarge {
                            *own = reason;
                        }
                        unserved.push(reference);
                    }
                }
            }
        }
        unserved
    }
}

/// Keeps the tiles of the array that has the most accesses.
fn retain_most_accessed(tiles: &mut Vec<ProvedTile>) {
    let mut reads: BTreeMap<usize, u64> = BTreeMap::new();
    for one in tiles.iter() {
        *reads.entry(one.tile.array).or_default() += one.coverage.reads;
    }
    let reads = reads.into_iter();
    let most = reads.max_by_key(|(array, reads)| (*reads, Reverse(*array)));
    tiles.retain(|one| most.is_some_and(|(array, _)| array == one.tile.array));
}

/// Arguments in global memory that the kernel only reads.
fn candidates(subject: Subject<'_>, placed: &[usize], refusals: &mut Vec<Refusal>) -> Vec<usize> {
    let all = subject.accesses;
    let mut candidates = Vec::new();
    for (array, argument) in all.arrays.iter().enumerate() {
        let own = all.accesses.iter().filter(|it| it.touches(array));
        let own: Vec<&Access> = own.collect();
        let mut refused = refusals.iter().filter_map(|it| it.array.as_ref());
        let is_refused = refused.any(|array| *array == argument.name);
        let is_free = !placed.contains(&array) && !is_refused;
        if own.is_empty() || !is_free || !subject.may_place(argument) {
            continue;
        }
        match why_not_only_read(subject, array, &own) {
            None => candidates.push(array),
            Some((reason, span)) => {
                let place = Some(span.begin.clone());
                refusals.push(subject.refusal(array, (reason, place)));
            }
        }
    }
    candidates
}

/// The reason why an array with these accesses may change meanwhile, or is not read, and the place.
fn why_not_only_read<'a>(
    subject: Subject<'a>,
    array: usize,
    own: &[&'a Access],
) -> Option<(Reason, &'a Span)> {
    let all = subject.accesses;
    let argument = &all.arrays[array];
    if own.iter().all(|it| it.does == Does::Store) {
        return Some((Reason::OnlyWritten, &own.first()?.span));
    }
    if let Some(write) = own.iter().find(|it| it.does != Does::Load) {
        return Some((Reason::Written, &write.span));
    }
    let is_same = |other: &usize| {
        let pair = all.arrays[*other].parameter.zip(argument.parameter);
        pair.is_some_and(|(one, other)| subject.is_same(one, other))
    };
    let mut writes = all.accesses.iter().filter(|it| it.does != Does::Load);
    if let Some(write) = writes.find(|it| it.array.iter().chain(&it.also).any(is_same)) {
        return Some((Reason::SameBuffer, &write.span));
    }
    if let Some(partly) = own.iter().find(|it| !it.also.is_empty()) {
        return Some((Reason::SeveralArrays, &partly.span));
    }
    let is_volatile = subject.is_volatile(array);
    is_volatile.then_some((Reason::Volatile, &argument.span))
}

/// Strips by loop and length, or why there are none.
type Strips = BTreeMap<(usize, StripLength), Result<Scope, Reason>>;

/// Whether the loop is in strips of another length already.
fn is_in_other_strips(tiles: &[ProvedTile], scope: Scope) -> bool {
    let mut others = tiles.iter().map(|one| one.tile.scope);
    scope.original_loop().is_some()
        && others.any(|other| other != scope && other.original_loop() == scope.original_loop())
}

/// The kernel, and then the strips of all loops, outermost first, each as long as usual and of one iteration.
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
    for loop_index in loops {
        for length in [StripLength::Usual, StripLength::One] {
            let strip = strips.entry((loop_index, length));
            let strip = strip.or_insert_with(|| strip_scope(subject, formulas, loop_index, length));
            scopes.extend(*strip);
        }
    }
    scopes
}

fn is_around(subject: Subject<'_>, scope: Scope, reference: &Reference) -> bool {
    let loops = &subject.accesses.accesses[reference.access].loops;
    scope
        .original_loop()
        .is_none_or(|loop_index| loops.contains(&loop_index))
}

/// Proves a tile, if it fits and pays.
fn prove(
    subject: Subject<'_>,
    formulas: &Formulas,
    mut tile: Tile,
    bytes_left: u64,
) -> Result<ProvedTile, Reason> {
    let mut lengths = tile.padded(formulas, subject.form.padding).into_iter();
    let elements = lengths.try_fold(1, i64::checked_mul);
    let bytes = elements.and_then(|it| it.unsigned_abs().checked_mul(tile.element_bytes()));
    let bytes = bytes.ok_or(Reason::TooLarge)?;
    refuse_if(bytes > subject.most_bytes, Reason::TooLarge)?;
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
        return Err(if coverage.by_items > coverage.elements {
            Reason::FillCosts
        } else {
            Reason::NoReuse
        });
    }
    let mut is_guarded = false;
    for served in &tile.served {
        let access = &subject.accesses.accesses[served.access];
        is_guarded |= !all_reach_barriers(subject, formulas, tile.scope, access)?;
    }
    if !is_within_buffer(subject, formulas, &tile) {
        tile.within = Some(length(subject, formulas, &tile).ok_or(Reason::BeyondBuffer)?);
    }
    refuse_if(bytes > bytes_left, Reason::TooLarge)?;
    Ok(ProvedTile {
        tile,
        coverage,
        bytes,
        is_guarded,
    })
}

/// The number of elements of the buffer at any size, counted as the tile reads them.
fn length(subject: Subject<'_>, formulas: &Formulas, tile: &Tile) -> Option<LengthFormula> {
    let array = &formulas.all.arrays[tile.array];
    let parameter = array.parameter?;
    let launches = subject.launches.iter();
    let each = launches.map(|launch| launch.buffer(parameter)?.length_formula.clone());
    let mut all = each.collect::<Option<Vec<LengthFormula>>>()?;
    all.dedup();
    let [formula] = all.as_slice() else {
        return None;
    };
    if !subject.has_length(parameter, formula) {
        return None;
    }
    let own = |elements: u64| {
        let bytes = elements * array.element_bytes;
        let is_whole = bytes.is_multiple_of(tile.element_bytes());
        is_whole.then(|| bytes / tile.element_bytes())
    };
    Some(LengthFormula {
        factor: own(formula.factor)?,
        arguments: formula.arguments.clone(),
        plus: own(formula.plus)?,
    })
}

/// Whether all work-items of a work-group come to where the tile is filled and left. If not, they do once the guards
/// around it are hoisted.
///
/// # Errors
/// A guard can't be hoisted, or the loop gets no barrier.
fn all_reach_barriers(
    subject: Subject<'_>,
    formulas: &Formulas,
    scope: Scope,
    access: &Access,
) -> Result<bool, Reason> {
    let Some(original) = scope.original_loop() else {
        return Ok(true);
    };
    let mut loops = access.loops.iter();
    let depth = loops
        .position(|own| *own == original)
        .ok_or(Reason::LoopForm)?;
    for around in &access.loops[..=depth] {
        formulas.is_uniform_loop(*around)?;
    }
    let mut outside = access.guards.iter().filter(|guard| guard.depth <= depth);
    let is_unguarded = outside.all(|guard| formulas.is_uniform_condition(&guard.condition));
    if !is_unguarded {
        hoist::check(subject, &formulas.all.loops, &[scope], false)?;
    }
    let span = &subject.accesses.loops[original].span;
    // What a head reads is read once more than the body runs, and behind the barrier that lets the tile be filled anew.
    let is_in_body = strip_head::is_in_body(subject, span, &subject.tokens(&access.span)?);
    refuse_if(!is_in_body, Reason::LoopForm)?;
    Ok(is_unguarded)
}
