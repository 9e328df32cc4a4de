//! Tiles: boxes around what a work-group reads of an array between two barriers.

mod edge;
mod fill;
pub(super) mod plan;
pub(super) mod prove;
mod reference;
mod strip_head;
mod strip_length;
pub(super) mod write;

use std::{collections::BTreeSet, ops::Range};

use self::{
    edge::{Edge, edge},
    reference::{Clamp, Reference},
};
use crate::{
    accesses::{Atom, Polynomial},
    ast::Type,
    localize::{Formulas, LEAST_FAR_STRIDE, LengthFormula, Reason, Scope, Split, refuse_if},
};

/// The most elements by which an iteration may move a tile.
const MOST_PER_ITERATION: i64 = 256;

/// A box of an array, and the accesses that it serves.
#[derive(Clone, Debug)]
struct Tile {
    array: usize,
    scope: Scope,
    sides: Vec<Side>,
    served: Vec<Served>,
    /// The type that its elements are read as.
    element: Type,
    /// The number of the buffer's elements, if some of the box lies outside and is not filled.
    within: Option<LengthFormula>,
    /// Whether the author computes indices with 64 bits.
    is_wide: bool,
}

/// A dimension of a tile.
#[derive(Clone, Debug, PartialEq)]
struct Side {
    /// The subscript at which the tile begins: what the work-group shares.
    base: Polynomial,
    /// Number of its elements.
    extent: i64,
    clamp: Clamp,
    /// Elements of the array per step.
    stride: Polynomial,
    /// The number of elements by which an iteration of the strip moves the tile: 0, −1, or more. Above 1, no iteration
    /// leaves elements between its own and the next one's.
    per_iteration: i64,
    /// The edge that the author's conditions give it.
    edge: Edge,
}

/// An access that a tile serves.
#[derive(Clone, Debug)]
struct Served {
    access: usize,
    range: Range<usize>,
    /// Elements that it reads at once, side by side.
    lanes: u8,
    /// Its place in the tile, by dimension.
    at: Vec<Polynomial>,
}

impl Served {
    /// Whether neighbours are in different rows of the tile.
    fn is_across(&self, formulas: &Formulas) -> bool {
        let mut outer = self.at.iter().rev().skip(1);
        outer.any(|at| formulas.local_id_factor(at, 0) != 0)
    }
}

impl Tile {
    /// Bytes of an element.
    fn element_bytes(&self) -> u64 {
        self.element.bytes().unwrap_or(1)
    }

    fn elements(&self) -> i64 {
        let extents = self.sides.iter().map(|side| side.extent);
        extents.fold(1, i64::saturating_mul)
    }

    /// Lengths as they are declared: with one more column if neighbours would read the same bank, or if `padding` says
    /// so.
    fn padded(&self, formulas: &Formulas, padding: Option<bool>) -> Vec<i64> {
        let mut extents: Vec<i64> = self.sides.iter().map(|side| side.extent).collect();
        extents.retain(|extent| *extent > 1);
        let across = self.served.iter().any(|it| it.is_across(formulas));
        let is_padded = padding.unwrap_or(across) && extents.len() > 1;
        if let (true, Some(last)) = (is_padded, extents.last_mut())
            && *last % 2 == 0
        {
            *last += 1;
        }
        extents
    }

    /// Whether neighbours read elements far from each other, while the tile is filled side by side.
    fn gathers(&self, formulas: &Formulas) -> bool {
        let Some(last) = self.sides.last() else {
            return false;
        };
        let across = self.served.iter().any(|served| {
            let inner = served.at.last();
            let is_shared = inner.is_some_and(|at| formulas.local_id_factor(at, 0) == 0);
            is_shared && served.is_across(formulas)
        });
        across && last.extent >= LEAST_FAR_STRIDE
    }
}

/// A reference that a tile may serve.
struct Member<'a> {
    reference: &'a Reference,
    /// Its place among the references.
    place: usize,
    /// Its subscripts.
    splits: Vec<Split>,
}

/// The properties that references of a tile have in common.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    element: Type,
    axes: Vec<AxisKey>,
}

#[derive(Clone, Debug, PartialEq)]
struct AxisKey {
    stride: Polynomial,
    clamp: Clamp,
    uniform: Polynomial,
    /// The subscript, if nothing varies in it.
    fixed: Option<i64>,
}

/// References by their places, and the tile that serves them or why there is none.
type Outcome = (Vec<usize>, Result<Tile, Reason>);

/// Tiles of these references of an array. References that begin at the same place share a tile.
fn tiles(
    formulas: &mut Formulas,
    array: usize,
    references: &[Reference],
    scope: Scope,
) -> Vec<Outcome> {
    let mut groups: Vec<(Key, Vec<Member<'_>>)> = Vec::new();
    let mut outcomes = Vec::new();
    for (place, reference) in references.iter().enumerate() {
        let nest = formulas.all.accesses[reference.access].loops.clone();
        let splits = match reference.split(formulas, &nest, scope) {
            Ok(splits) => splits,
            Err(reason) => {
                outcomes.push((vec![place], Err(reason)));
                continue;
            }
        };
        let axes = reference.axes.iter().zip(&splits);
        let axes = axes.map(|(axis, split)| AxisKey {
            stride: axis.stride.clone(),
            clamp: axis.clamp.clone(),
            uniform: split.uniform.clone(),
            fixed: (split.varying == Polynomial::default()).then_some(split.constant),
        });
        let key = Key {
            element: reference.text.element.clone(),
            axes: axes.collect(),
        };
        let member = Member {
            reference,
            place,
            splits,
        };
        match groups.iter_mut().find(|(own, _)| *own == key) {
            Some((_, members)) => members.push(member),
            None => groups.push((key, vec![member])),
        }
    }
    for (key, members) in groups {
        let places = members.iter().map(|it| it.place).collect();
        outcomes.push((places, tile(formulas, array, scope, &key, &members)));
    }
    outcomes
}

/// The box that holds all members' places.
fn tile(
    formulas: &Formulas,
    array: usize,
    scope: Scope,
    key: &Key,
    members: &[Member<'_>],
) -> Result<Tile, Reason> {
    let (mut sides, mut lows) = (Vec::new(), Vec::new());
    for axis in 0..key.axes.len() {
        let (side, low) = side(formulas, scope, key, members, axis)?;
        sides.push(side);
        lows.push(low);
    }
    let mut served = Vec::new();
    for member in members {
        let at = member.splits.iter().zip(&lows).map(|(split, low)| {
            let constant = Polynomial::constant(split.constant - low);
            split.varying.plus(&constant)
        });
        served.push(Served {
            access: member.reference.access,
            range: member.reference.range.clone(),
            lanes: member.reference.text.lanes,
            at: at.collect::<Option<_>>().ok_or(Reason::Shape)?,
        });
    }
    Ok(Tile {
        array,
        scope,
        sides,
        served,
        element: key.element.clone(),
        within: None,
        is_wide: members.iter().any(|it| it.reference.text.is_wide),
    })
}

/// The hull of all members in one dimension, and the number that it begins at.
fn side(
    formulas: &Formulas,
    scope: Scope,
    key: &Key,
    members: &[Member<'_>],
    axis: usize,
) -> Result<(Side, i64), Reason> {
    let is_last = axis + 1 == key.axes.len();
    let common = &key.axes[axis];
    let mut hull: Option<(i128, i128)> = None;
    let mut per_iterations = BTreeSet::new();
    let mut reads_more = false;
    for member in members {
        let split = &member.splits[axis];
        let lanes = i128::from(member.reference.text.lanes);
        let more = if is_last { lanes - 1 } else { 0 };
        // Neighbours of what is clamped are not clamped.
        refuse_if(more > 0 && !common.clamp.is_none(), Reason::Shape)?;
        reads_more |= more > 0;
        let bounds = formulas.bounds(&split.varying, None);
        let (least, most) = bounds.ok_or(Reason::SizeDepends)?;
        let constant = i128::from(split.constant);
        let own = (least + constant, most + constant + more);
        hull = Some(hull.map_or(own, |all| (all.0.min(own.0), all.1.max(own.1))));
        let by = per_iteration(formulas, &split.varying, scope).ok_or(Reason::Shape)?;
        per_iterations.insert(by);
    }
    let (low, high) = hull.ok_or(Reason::Shape)?;
    let low = i64::try_from(low).map_err(|_| Reason::TooLarge)?;
    let extent = i64::try_from(high - i128::from(low) + 1).map_err(|_| Reason::TooLarge)?;
    let base = common.uniform.plus(&Polynomial::constant(low));
    let base = base.ok_or(Reason::Shape)?;
    let (step, length) = match scope {
        Scope::Strip(strip) => (strip.step, strip.length),
        Scope::Kernel => (1, 1),
    };
    let per_iteration = match per_iterations.iter().collect::<Vec<_>>().as_slice() {
        [by @ (0..=1)] => **by,
        [by @ -1] if step == 1 => **by,
        [by @ 2..=MOST_PER_ITERATION] if extent >= **by * length => **by,
        // Where only some references move with the iterations, the whole side is filled in each strip.
        _ => return Err(Reason::Shape),
    };
    // What a condition says of the first element it does not say of the others.
    let edge = if common.clamp.is_none() && !reads_more {
        let own = members.iter().map(|member| {
            let access = &formulas.all.accesses[member.reference.access];
            (access.guards.as_slice(), &member.splits[axis])
        });
        edge(formulas, &common.uniform, own)
    } else {
        Edge::default()
    };
    let side = Side {
        base,
        extent,
        clamp: common.clamp.clone(),
        stride: common.stride.clone(),
        per_iteration,
        edge,
    };
    Ok((side, low))
}

/// The factor of the strip's iteration; none where it stands in anything but a sum.
fn per_iteration(formulas: &Formulas, formula: &Polynomial, scope: Scope) -> Option<i64> {
    let Some(inner) = scope.strip().map(|it| it.inner) else {
        return Some(0);
    };
    let mut by = 0;
    for (factors, number) in formula.terms() {
        for atom in factors {
            match formulas.all.atoms.get(*atom) {
                Atom::Loop(own) if *own == inner && factors.len() == 1 => by += number,
                Atom::Loop(own) if *own == inner => return None,
                Atom::Operation(..) if formulas.depends_on_loop(*atom, &|own| own == inner) => {
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(by)
}
