//! Tiles: what a work-group reads of an array between two barriers, as a box.

use std::{collections::BTreeSet, ops::Range};

use super::{
    edge::{Edge, edge},
    formula::{Formulas, Scope, Split},
    reference::{FAR, Reference, by_first_id, mentions},
    refusal::Reason,
    subject::Counted,
};
use crate::{
    accesses::{Atom, Polynomial},
    ast::Type,
};

/// Elements that a pass may move a tile by.
const MOST_BY_PASS: i64 = 256;

/// A box of an array, and the accesses that it serves.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) array: usize,
    pub(super) scope: Scope,
    pub(super) sides: Vec<Side>,
    pub(super) served: Vec<Served>,
    /// What its elements are read as.
    pub(super) of: Type,
    /// The buffer's elements, where some of the box lies outside and is not filled.
    pub(super) within: Option<Counted>,
    /// Whether the author computes indices with 64 bits.
    pub(super) is_wide: bool,
}

/// A dimension of a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    /// The subscript that the tile begins at, of what the work-group shares.
    pub(super) base: Polynomial,
    /// Elements.
    pub(super) extent: i64,
    pub(super) limits: (Option<Polynomial>, Option<Polynomial>),
    pub(super) is_low_last: bool,
    pub(super) stride: Polynomial,
    /// By how much a pass of the strip moves it: 0, −1, or more; of more than 1 no pass leaves elements between its own
    /// and the next one's.
    pub(super) by_pass: i64,
    /// What the author's conditions leave of it.
    pub(super) edge: Edge,
}

/// An access that a tile serves.
#[derive(Clone, Debug)]
pub(super) struct Served {
    pub(super) access: usize,
    pub(super) range: Range<usize>,
    /// Elements that it reads at once, side by side.
    pub(super) lanes: u8,
    /// Its place in the tile, by dimension.
    pub(super) at: Vec<Polynomial>,
}

impl Tile {
    /// Bytes of an element.
    pub(super) fn element_bytes(&self) -> u64 {
        self.of.bytes().unwrap_or(1)
    }

    pub(super) fn elements(&self) -> i64 {
        let extents = self.sides.iter().map(|side| side.extent);
        extents.fold(1, i64::saturating_mul)
    }

    /// With one more column where neighbours would read the same bank, unless it is asked for otherwise.
    pub(super) fn padded(&self, formulas: &Formulas, padding: Option<bool>) -> Vec<i64> {
        let mut extents: Vec<i64> = self.sides.iter().map(|side| side.extent).collect();
        extents.retain(|extent| *extent > 1);
        let across = self.served.iter().any(|served| {
            let outer = served.at.iter().rev().skip(1);
            outer.into_iter().any(|at| by_first_id(formulas, at) != 0)
        });
        let is_padded = padding.unwrap_or(across) && extents.len() > 1;
        if let (true, Some(last)) = (is_padded, extents.last_mut())
            && *last % 2 == 0
        {
            *last += 1;
        }
        extents
    }

    /// Whether neighbours read far from each other what the tile is filled with side by side.
    pub(super) fn gathers(&self, formulas: &Formulas) -> bool {
        let Some(last) = self.sides.last() else {
            return false;
        };
        let across = self.served.iter().any(|served| {
            let outer = served.at.iter().rev().skip(1);
            let is_outer = outer.into_iter().any(|at| by_first_id(formulas, at) != 0);
            is_outer
                && served
                    .at
                    .last()
                    .is_some_and(|at| by_first_id(formulas, at) == 0)
        });
        across && last.extent >= FAR
    }
}

/// A reference by its place, and its subscripts.
type Member = (usize, Vec<Split>);

/// What references of a tile have in common.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    of: Type,
    strides: Vec<Polynomial>,
    limits: Vec<(Option<Polynomial>, Option<Polynomial>)>,
    is_low_last: Vec<bool>,
    uniform: Vec<Polynomial>,
    /// Of dimensions in which nothing varies.
    fixed: Vec<Option<i64>>,
}

/// Tiles of these references of an array, the same references in one tile where they begin at the same place; or why
/// there is none for a reference.
pub(super) fn tiles(
    formulas: &mut Formulas,
    array: usize,
    references: &[Reference],
    scope: Scope,
) -> Vec<(Vec<usize>, Result<Tile, Reason>)> {
    let mut groups: Vec<(Key, Vec<Member>)> = Vec::new();
    let mut found = Vec::new();
    for (place, reference) in references.iter().enumerate() {
        let nest = formulas.all.accesses[reference.access].loops.clone();
        let splits = match reference.split(formulas, &nest, scope) {
            Ok(splits) => splits,
            Err(reason) => {
                found.push((vec![place], Err(reason)));
                continue;
            }
        };
        let fixed = |split: &Split| {
            let is_fixed = split.varying == Polynomial::default();
            is_fixed.then_some(split.constant)
        };
        let key = Key {
            of: reference.text.of.clone(),
            strides: reference
                .axes
                .iter()
                .map(|axis| axis.stride.clone())
                .collect(),
            limits: reference
                .axes
                .iter()
                .map(|axis| axis.limits.clone())
                .collect(),
            is_low_last: reference.axes.iter().map(|axis| axis.is_low_last).collect(),
            uniform: splits.iter().map(|split| split.uniform.clone()).collect(),
            fixed: splits.iter().map(fixed).collect(),
        };
        match groups.iter_mut().find(|(own, _)| *own == key) {
            Some((_, all)) => all.push((place, splits)),
            None => groups.push((key, vec![(place, splits)])),
        }
    }
    for (key, members) in groups {
        let places = members.iter().map(|(place, _)| *place).collect();
        found.push((
            places,
            tile(formulas, array, references, scope, &key, &members),
        ));
    }
    found
}

fn tile(
    formulas: &Formulas,
    array: usize,
    references: &[Reference],
    scope: Scope,
    key: &Key,
    members: &[Member],
) -> Result<Tile, Reason> {
    let mut sides = Vec::new();
    let mut lows = Vec::new();
    for axis in 0..key.uniform.len() {
        let mut hull: Option<(i128, i128)> = None;
        let mut by_passes = BTreeSet::new();
        let mut reads_more = false;
        for (place, splits) in members {
            let split = &splits[axis];
            let more = match axis + 1 == key.uniform.len() {
                true => i128::from(references[*place].text.lanes) - 1,
                false => 0,
            };
            // Neighbours of what is clamped are not clamped.
            if more > 0 && key.limits[axis] != (None, None) {
                return Err(Reason::Shape);
            }
            reads_more |= more > 0;
            let (least, most) = formulas
                .bounds(&split.varying, None)
                .ok_or(Reason::SizeDepends)?;
            let constant = i128::from(split.constant);
            let own = (least + constant, most + constant + more);
            hull = Some(hull.map_or(own, |all| (all.0.min(own.0), all.1.max(own.1))));
            let by = by_pass(formulas, &split.varying, scope).ok_or(Reason::Shape)?;
            by_passes.insert(by);
        }
        let (low, high) = hull.ok_or(Reason::Shape)?;
        let low = i64::try_from(low).map_err(|_| Reason::TooLarge)?;
        let extent = i64::try_from(high - i128::from(low) + 1).map_err(|_| Reason::TooLarge)?;
        let base = key.uniform[axis]
            .plus(&Polynomial::constant(low))
            .ok_or(Reason::Shape)?;
        let by_pass = match by_passes.iter().collect::<Vec<_>>().as_slice() {
            [by @ (0..=1)] => **by,
            [by @ -1] if step(scope) == 1 => **by,
            [by @ 2..=MOST_BY_PASS] if extent >= **by * passes(scope) => **by,
            // Where only some references move with the passes, the whole side is filled in each strip.
            _ => return Err(Reason::Shape),
        };
        let edge = match &key.limits[axis] {
            // What a condition says of the first element it does not say of the others.
            (None, None) if !reads_more => {
                let own = members.iter().map(|(place, splits)| {
                    let access = &formulas.all.accesses[references[*place].access];
                    (access.guards.as_slice(), &splits[axis])
                });
                edge(formulas, &key.uniform[axis], own)
            }
            _ => Edge::default(),
        };
        sides.push(Side {
            edge,
            base,
            extent,
            limits: key.limits[axis].clone(),
            is_low_last: key.is_low_last[axis],
            stride: key.strides[axis].clone(),
            by_pass,
        });
        lows.push(low);
    }
    let mut served = Vec::new();
    for (place, splits) in members {
        let reference = &references[*place];
        let at = splits.iter().zip(&lows).map(|(split, low)| {
            let constant = Polynomial::constant(split.constant - low);
            split.varying.plus(&constant)
        });
        served.push(Served {
            access: reference.access,
            range: reference.range.clone(),
            lanes: reference.text.lanes,
            at: at.collect::<Option<_>>().ok_or(Reason::Shape)?,
        });
    }
    Ok(Tile {
        array,
        scope,
        sides,
        served,
        of: key.of.clone(),
        within: None,
        is_wide: members
            .iter()
            .any(|(place, _)| references[*place].text.is_wide),
    })
}

/// By how much a loop's variable grows in a pass.
fn step(scope: Scope) -> i64 {
    match scope {
        Scope::Strip { step, .. } => step,
        _ => 1,
    }
}

/// By how much it does between two fills.
fn passes(scope: Scope) -> i64 {
    match scope {
        Scope::Strip { passes, .. } => passes,
        _ => 1,
    }
}

/// What the pass of a strip is multiplied by; none where it stands in anything but a sum.
fn by_pass(formulas: &Formulas, of: &Polynomial, scope: Scope) -> Option<i64> {
    let Scope::Strip { inner, .. } = scope else {
        return Some(0);
    };
    let mut by = 0;
    for (factors, number) in of.terms() {
        for atom in factors {
            match formulas.all.atoms.get(*atom) {
                Atom::Loop(own) if *own == inner && factors.len() == 1 => by += number,
                Atom::Loop(own) if *own == inner => return None,
                Atom::Operation(..) if mentions(formulas, *atom, &|own| own == inner) => {
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(by)
}
