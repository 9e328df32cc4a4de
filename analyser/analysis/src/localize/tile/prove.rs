//! Checks by enumeration what algebra has found: that all accesses lie within the tile, who reads what, and that what
//! fills the tile lies within the buffer.

use std::collections::BTreeSet;

use super::{Served, Side, Tile};
use crate::{
    accesses::{
        Accesses, Atom, AtomId, Polynomial,
        launch::{Bounds, Geometry},
    },
    localize::{Formulas, KernelLaunch, LocalArray, Mechanism, Reason, Scope, Subject, refuse_if},
};

/// The most work-items of a work-group that are visited.
const MOST_ITEMS: i64 = 1 << 12;

/// A tile that is proved and worth its costs.
pub(crate) struct ProvedTile {
    pub(super) tile: Tile,
    pub(super) coverage: Coverage,
    pub(super) bytes: u64,
    /// Whether guards around its barriers are hoisted.
    pub(super) is_guarded: bool,
}

impl ProvedTile {
    pub(crate) fn summary(&self, formulas: &Formulas) -> LocalArray {
        let tile = &self.tile;
        let mechanism = match tile.scope {
            Scope::Kernel => Mechanism::Tile,
            Scope::Strip(_) => Mechanism::Strip,
        };
        LocalArray {
            extents: tile.sides.iter().map(|side| side.extent).collect(),
            reads: Some(self.coverage.reads),
            fills: Some(tile.elements().unsigned_abs()),
            ..LocalArray::new(&formulas.all.arrays[tile.array], mechanism, self.bytes)
        }
    }
}

/// Reads of a tile between two fills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coverage {
    /// Elements read, each as often as it is read.
    pub(super) reads: u64,
    /// Elements that each work-item reads, added up.
    pub(super) by_items: u64,
    /// Elements that at least one work-item reads.
    pub(super) elements: u64,
}

/// Visits a work-group at every size to check that each access lies within the tile.
///
/// # Errors
/// An access does not, or it can't be visited.
pub(super) fn covered(
    subject: Subject<'_>,
    formulas: &Formulas,
    tile: &Tile,
) -> Result<Coverage, Reason> {
    let mut all = formulas.all.clone();
    let mut probes: Vec<Vec<usize>> = Vec::new();
    for served in &tile.served {
        let add = |at: &Polynomial| probe(&mut all, tile.scope, served, at);
        probes.push(served.at.iter().map(add).collect());
    }
    let mut coverage = None;
    let mut visited: Vec<&Geometry> = Vec::new();
    for launch in subject.launches {
        // Places in the tile depend on nothing but numbers and local ids; that is looked at here anew.
        if visited.len() > 2 && visited.iter().any(|it| it.local == launch.geometry.local) {
            continue;
        }
        visited.push(&launch.geometry);
        let own = visit_points(&all, &launch.geometry, &probes, tile)?;
        let differs = coverage.is_some_and(|before| before != own);
        refuse_if(differs, Reason::OutsideTile)?;
        coverage = Some(own);
    }
    coverage.ok_or(Reason::OutsideTile)
}

/// An access whose index is a place in the tile, in only those loops that it needs.
fn probe(all: &mut Accesses, scope: Scope, served: &Served, at: &Polynomial) -> usize {
    let mut access = all.accesses[served.access].clone();
    if let Some(strip) = scope.strip()
        && let Some(place) = access.loops.iter().position(|it| *it == strip.original)
    {
        access
            .loops
            .splice(place..=place, [strip.outer, strip.inner]);
    }
    let mut needed = BTreeSet::new();
    // All places of one access are gone through in the same order.
    for at in &served.at {
        need(all, at, &access.loops, &mut needed);
    }
    access
        .loops
        .retain(|loop_index| needed.contains(loop_index));
    access.guards.clear();
    access.index = at.clone();
    access.offset = at.clone();
    all.accesses.push(access);
    all.accesses.len() - 1
}

/// Adds the loops of this nest that a formula depends on.
fn need(all: &Accesses, formula: &Polynomial, nest: &[usize], needed: &mut BTreeSet<usize>) {
    let mut open: Vec<AtomId> = formula.atoms().into_iter().collect();
    while let Some(atom) = open.pop() {
        for own in all.loops_of(atom) {
            if nest.contains(&own) && needed.insert(own) {
                open.extend(all.loops[own].bound_atoms());
            }
        }
    }
}

/// Visits every point of every access in the first work-group.
fn visit_points(
    all: &Accesses,
    geometry: &Geometry,
    probes: &[Vec<usize>],
    tile: &Tile,
) -> Result<Coverage, Reason> {
    let [x, y, z] = geometry.local;
    let items = x * y * z;
    refuse_if(items > MOST_ITEMS, Reason::TooLarge)?;
    let mut coverage = Coverage::default();
    let mut elements = BTreeSet::new();
    for item in 0..items {
        let local = [item % x, item / x % y, item / x / y];
        let mut own = BTreeSet::new();
        for (sides, served) in probes.iter().zip(&tile.served) {
            let mut places: Vec<i64> = Vec::new();
            let lanes = i64::from(served.lanes);
            for (number, (probe, side)) in sides.iter().zip(&tile.sides).enumerate() {
                let offsets = all.offsets_at_most(*probe, geometry, [0; 3], local);
                let (at, _) = offsets.ok_or(Reason::OutsideTile)?;
                let is_last = number + 1 == tile.sides.len();
                let more = if is_last { lanes - 1 } else { 0 };
                let most = side.extent - more;
                if at.iter().any(|at| !(0..most).contains(at)) {
                    return Err(Reason::OutsideTile);
                }
                places.resize(at.len(), 0);
                for (place, at) in places.iter_mut().zip(at) {
                    *place = *place * side.extent + at;
                }
            }
            coverage.reads += places.len() as u64 * u64::from(served.lanes);
            own.extend(places.iter().flat_map(|at| *at..at + lanes));
        }
        coverage.by_items += own.len() as u64;
        elements.extend(own);
    }
    coverage.elements = elements.len() as u64;
    Ok(coverage)
}

/// Whether all that fills the tile is within the buffer, at every size.
pub(super) fn is_within_buffer(subject: Subject<'_>, formulas: &Formulas, tile: &Tile) -> bool {
    let parameter = formulas.all.arrays[tile.array].parameter;
    subject.launches.iter().all(|at| {
        let buffer = parameter.and_then(|it| at.buffer(it));
        let range = range(formulas, tile, at);
        let own = formulas.all.arrays[tile.array].element_bytes;
        buffer.zip(range).is_some_and(|(buffer, (least, most))| {
            let elements = buffer.elements.saturating_mul(own) / tile.element_bytes();
            least >= 0 && most < i128::from(elements)
        })
    })
}

/// The least and the largest element that any work-group fills the tile with.
fn range(formulas: &Formulas, tile: &Tile, at: &KernelLaunch) -> Option<Bounds> {
    let geometry = Some(&at.geometry);
    let (mut least, mut most) = (0_i128, 0_i128);
    for side in &tile.sides {
        let (mut low, mut high) = subscripts(formulas, tile.scope, side, geometry)?;
        // Which of two limits holds where they cross: the last.
        let clamp = &side.clamp;
        for is_low in [!clamp.is_low_last, clamp.is_low_last] {
            if is_low && let Some(limit) = &clamp.low {
                let limit = formulas.bounds(limit, geometry)?;
                (low, high) = (low.max(limit.0), high.max(limit.1));
            }
            if !is_low && let Some(limit) = &clamp.high {
                let limit = formulas.bounds(limit, geometry)?;
                (low, high) = (low.min(limit.0), high.min(limit.1));
            }
        }
        if let Some(edge) = side.edge.low {
            low = low.max(i128::from(edge));
        }
        if let Some(edge) = &side.edge.high {
            high = high.min(formulas.bounds(edge, geometry)?.1);
        }
        let stride = formulas.bounds(&side.stride, geometry)?;
        if stride.0 != stride.1 {
            return None;
        }
        let ends = [low.checked_mul(stride.0)?, high.checked_mul(stride.0)?];
        least += ends.iter().min()?;
        most += ends.iter().max()?;
    }
    Some((least, most))
}

/// The least and the largest subscript of a side before clamps and edges. The strip that holds the last iteration is
/// filled no further than that.
fn subscripts(
    formulas: &Formulas,
    scope: Scope,
    side: &Side,
    geometry: Option<&Geometry>,
) -> Option<Bounds> {
    let base = formulas.bounds(&side.base, geometry)?;
    let extent = i128::from(side.extent);
    let strip = scope.strip().filter(|_| side.per_iteration != 0);
    let Some(strip) = strip else {
        return Some((base.0, base.1 + extent - 1));
    };
    let (length, step) = (i128::from(strip.length), i128::from(strip.step));
    let own = &formulas.all.loops[strip.original];
    let shared = side
        .base
        .minus(&shifted(formulas, strip.outer, side.per_iteration)?)?;
    let shared = formulas.bounds(&shared, geometry)?;
    let first = formulas.bounds(own.lower.as_ref()?, geometry)?;
    let end = formulas.bounds(own.upper.as_ref()?, geometry)?;
    Some(match i128::from(side.per_iteration) {
        by @ 1.. => {
            let own = extent - by * (length - step);
            let last = if first.0 == first.1 {
                (end.1 - 1 - first.0).max(0) % step
            } else {
                0
            };
            let most = shared.1 + by * (end.1 - 1 - last) + own - 1;
            (shared.0 + by * first.0, most)
        }
        // It begins so many iterations below the strip's first one.
        _ => (shared.0 + length - end.1, shared.1 - first.0 + extent - 1),
    })
}

/// The strip's first iteration, multiplied by a number.
fn shifted(formulas: &Formulas, outer: usize, by: i64) -> Option<Polynomial> {
    let mut atoms = 0..formulas.all.atoms.len();
    let atom = atoms.find(|atom| formulas.all.atoms.get(*atom) == &Atom::Loop(outer))?;
    Polynomial::atom(atom).scaled(by)
}
