//! What of a tile lies beyond the elements that are the work-group's own: those that work-items are one by one, or in a
//! strip the passes.

use serde::Serialize;

use super::{
    formula::{Formulas, Scope},
    tile::Tile,
};
use crate::accesses::{Atom, AtomId, Id, Polynomial};

/// Elements of a tile's side before the work-group's own, and behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Halo {
    /// Before.
    pub before: i64,
    /// Behind.
    pub behind: i64,
}

/// What an access is by work-items, or by passes, along a side.
struct Own {
    /// The least and the largest.
    bounds: (i128, i128),
    /// Where that begins in the tile, where nothing else moves the access.
    at: Option<i128>,
}

impl Tile {
    /// By dimension, outermost first; none where no work-item is told from its neighbour by it.
    pub(super) fn halo(&self, formulas: &Formulas) -> Vec<Halo> {
        let sides = 0..self.sides.len();
        sides
            .map(|side| self.halo_of(formulas, side).unwrap_or_default())
            .collect()
    }

    fn halo_of(&self, formulas: &Formulas, side: usize) -> Option<Halo> {
        let extent = self.sides[side].extent;
        let is_id = |atom: &Atom| matches!(atom, Atom::Id(Id::Local, _));
        let is_pass = |atom: &Atom| match (self.scope, atom) {
            (Scope::Strip { inner, .. }, Atom::Loop(of)) => *of == inner,
            _ => false,
        };
        let mut all = self.own(formulas, side, &is_id);
        if all.is_empty() {
            all = self.own(formulas, side, &is_pass);
        }
        let least = all.iter().map(|own| own.bounds.0).min()?;
        let most = all.iter().map(|own| own.bounds.1).max()?;
        // Where an array begins with a border, a work-item's own element has another number than the work-item: it is
        // the middle one of those that are read at a fixed distance.
        let mut begins: Vec<i128> = all.iter().filter_map(|own| own.at).collect();
        begins.sort_unstable();
        let by_number = least - i128::from(self.sides[side].base.constant_term());
        let middle = begins.get(begins.len().saturating_sub(1) / 2);
        let begin = match begins.contains(&by_number) {
            true => by_number,
            false => middle.copied().unwrap_or(by_number),
        };
        let inside = |elements: i128| {
            let elements = i64::try_from(elements).unwrap_or(extent);
            elements.clamp(0, extent - 1)
        };
        let before = inside(begin);
        let behind = inside(i128::from(extent) - 1 - begin - (most - least));
        Some(Halo {
            before,
            behind: behind.min(extent - 1 - before),
        })
    }

    /// Of the accesses that such atoms move.
    fn own(&self, formulas: &Formulas, side: usize, is: &impl Fn(&Atom) -> bool) -> Vec<Own> {
        let is_such = |factors: &[AtomId]| {
            !factors.is_empty() && factors.iter().all(|atom| is(formulas.all.atoms.get(*atom)))
        };
        let of = |at: &Polynomial| {
            let terms = at.terms().filter(|(factors, _)| is_such(factors));
            let terms: Vec<_> = terms
                .map(|(factors, number)| (factors.to_vec(), number))
                .collect();
            if terms.is_empty() {
                return None;
            }
            let bounds = formulas.bounds(&Polynomial::from_terms(terms)?, None)?;
            let mut others = at.terms().map(|(factors, _)| factors);
            let is_fixed = others.all(|factors| factors.is_empty() || is_such(factors));
            Some(Own {
                bounds,
                at: is_fixed.then(|| bounds.0 + i128::from(at.constant_term())),
            })
        };
        let served = self.served.iter();
        served.filter_map(|served| of(&served.at[side])).collect()
    }
}
