//! Accesses at a launch's sizes: footprints, reuse, sectors and banks.

mod algebra;
mod beyond;
mod enumerate;
mod progression;
mod reached;
mod real;
mod request;
mod value;

use std::collections::BTreeSet;

use serde::Serialize;

use self::{
    algebra::Of,
    enumerate::{Enumeration, Stop, Touch},
};
pub use beyond::{Beyond, Rooms};
pub use reached::Reached;
pub use value::Geometry;

use super::{Access, Accesses};
use crate::ast::Space;

/// Work-items that a request is of.
const WARP: usize = 32;
/// Points of an access that are gone through; more take too long.
const MOST_POINTS: u64 = 1 << 20;
/// Work-items of a work-group: more no device takes.
const MOST_ITEMS: i64 = 1 << 14;

/// How sure a footprint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// It is this.
    Exact,
    /// A condition on data, or a loop that may end early, may make it less.
    AtMost,
}

/// What work-items access by an access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Times that it happens, of all work-items.
    pub accesses: u64,
    /// Different elements.
    pub elements: u64,
    /// Work-items that do it.
    pub items: u64,
    /// How sure that is.
    pub quality: Quality,
}

/// How often an element is accessed, by whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reuse {
    /// Times that a work-item accesses an element that it accesses.
    pub by_item: f64,
    /// Work-items of a work-group that access an element that one does.
    pub by_group: f64,
}

/// An access at a launch's sizes, of the work-group in the middle of the launch, or the first or the last where that one
/// does not come there.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// Of the work-group.
    pub group: Option<Level>,
    /// How often elements are accessed.
    pub reuse: Option<Reuse>,
    /// Sectors of 32 bytes a request, of global and constant memory.
    pub sectors: Option<f64>,
    /// Passes over 32 banks of 4 bytes a request, of local memory.
    pub bank_passes: Option<f64>,
    /// Whether requests are the first ones only: there are too many.
    pub sampled: bool,
    /// Why something is not known.
    pub gap: Option<String>,
}

/// What going through a work-group found.
#[derive(Default)]
struct Tally {
    /// Elements of each work-item, with repeats.
    items: Vec<Vec<i64>>,
    requests: u64,
    sectors: u64,
    bank_passes: u64,
    at_most: bool,
}

/// Elements that an access touches at once.
fn width(access: &Access) -> u64 {
    let end = access.within.saturating_add(access.bytes);
    end.div_ceil(access.element_bytes.max(1)).max(1)
}

/// Of what touches many elements at once, fewer points are gone through.
fn points(access: &Access) -> u64 {
    (MOST_POINTS / width(access)).max(1 << 10)
}

impl Accesses {
    /// The access in this place at these sizes.
    pub fn measured(&self, access: usize, geometry: &Geometry) -> Measured {
        let access = &self.accesses[access];
        let mut measured = Measured::default();
        let groups = geometry.groups();
        let last = groups.map(|count| count - 1);
        let mut tally = Err(Stop::Unknown("nothing".to_owned()));
        let mut group = groups.map(|count| count / 2);
        for candidate in [group, [0; 3], last] {
            tally = tallied(self, geometry, access, candidate);
            group = candidate;
            if !matches!(&tally, Ok((tally, _)) if tally.requests == 0) {
                break;
            }
        }
        measured.group = algebra::level(self, geometry, access, Of::Group(group));
        let mut items_elements = None;
        match tally {
            Ok((tally, is_complete)) => {
                requests(self, access, &tally, &mut measured);
                measured.sampled = !is_complete;
                if is_complete {
                    let (own, whole) = tally.footprints(access);
                    items_elements = Some(own);
                    measured.group.get_or_insert(whole);
                } else {
                    let why = "there are too many accesses to go through them all";
                    measured.gap = Some(why.to_owned());
                }
            }
            Err(Stop::Unknown(what)) => measured.gap = Some(format!("{what} is not known")),
            Err(Stop::TooMany) => measured.gap = Some("there are too many work-items".to_owned()),
        }
        let of_group = measured.group.as_ref().filter(|it| it.elements > 0);
        measured.reuse = of_group.and_then(|of_group| {
            let items_elements = items_elements.or_else(|| {
                let local = geometry.local.map(|size| size / 2);
                let item = algebra::level(self, geometry, access, Of::Item(group, local))?;
                item.elements.checked_mul(of_group.items)
            });
            let items_elements = items_elements.filter(|it| *it > 0)?;
            Some(reuse(of_group, width(access), items_elements))
        });
        measured
    }

    /// The bytes from the array's beginning at which a work-item accesses it, in order, and whether it surely does: a
    /// condition on data may leave some out.
    pub fn offsets_at_most(
        &self,
        access: usize,
        geometry: &Geometry,
        group: [i64; 3],
        local: [i64; 3],
    ) -> Option<(Vec<i64>, bool)> {
        let access = &self.accesses[access];
        let mut enumeration = Enumeration::of(self, geometry, access, MOST_POINTS).ok()?;
        let mut offsets = Vec::new();
        let gone = enumeration.warp(group, &[local], &mut |touches| {
            offsets.extend(touches.iter().map(|touch| touch.offset));
        });
        gone.ok().map(|()| (offsets, !enumeration.at_most))
    }

    /// A work-group's footprint by algebra and by enumeration, which know nothing of each other, where each can be had.
    pub fn footprints(&self, access: usize, geometry: &Geometry) -> [Option<Level>; 2] {
        let access = &self.accesses[access];
        let group = geometry.groups().map(|count| count / 2);
        let gone = tallied(self, geometry, access, group).ok();
        let enumerated = gone
            .filter(|(_, is_complete)| *is_complete)
            .map(|(tally, _)| tally.footprints(access).1);
        [
            algebra::level(self, geometry, access, Of::Group(group)),
            enumerated,
        ]
    }
}

/// Warps of a work-group: local ids, the first dimension fastest.
fn warps(geometry: &Geometry) -> Option<Vec<Vec<[i64; 3]>>> {
    let [x, y, z] = geometry.local;
    let items = x.checked_mul(y)?.checked_mul(z)?;
    if items > MOST_ITEMS {
        return None;
    }
    let all: Vec<[i64; 3]> = (0..items)
        .map(|item| [item % x, item / x % y, item / x / y])
        .collect();
    Some(all.chunks(WARP).map(<[_]>::to_vec).collect())
}

/// Goes through a work-group; whether to its end.
fn tallied(
    all: &Accesses,
    geometry: &Geometry,
    access: &Access,
    group: [i64; 3],
) -> Result<(Tally, bool), Stop> {
    let mut enumeration = Enumeration::of(all, geometry, access, points(access))?;
    let warps = warps(geometry).ok_or(Stop::TooMany)?;
    let bytes = i64::try_from(access.bytes).unwrap_or(1).min(1 << 12);
    let is_local = access
        .array
        .is_some_and(|array| all.arrays[array].space == Space::Local);
    let mut tally = Tally::default();
    for (number, lanes) in warps.iter().enumerate() {
        let first = number * WARP;
        tally.items.resize(first + lanes.len(), Vec::new());
        let gone = enumeration.warp(group, lanes, &mut |touches| {
            tally.request(touches, first, bytes, is_local);
        });
        tally.at_most = enumeration.at_most;
        match gone {
            Ok(()) => {}
            Err(Stop::TooMany) if tally.requests > 0 => return Ok((tally, false)),
            Err(stop) => return Err(stop),
        }
    }
    Ok((tally, true))
}

impl Tally {
    fn request(&mut self, touches: &[Touch], first: usize, bytes: i64, is_local: bool) {
        self.requests += 1;
        if is_local {
            self.bank_passes += request::bank_passes(touches, bytes);
        } else {
            self.sectors += request::sectors(touches, bytes);
        }
        for touch in touches {
            self.items[first + touch.lane].push(touch.index);
        }
    }

    /// Elements of all work-items, each counted once a work-item, and the work-group's footprint.
    fn footprints(&self, access: &Access) -> (u64, Level) {
        let width = i64::try_from(width(access)).unwrap_or(1).min(1 << 12);
        let different = |items: &[Vec<i64>]| {
            let mut elements = BTreeSet::new();
            for index in items.iter().flatten() {
                elements.extend((0..width).map(|more| index.saturating_add(more)));
            }
            elements.len() as u64
        };
        let items = self.items.iter();
        let each = items
            .clone()
            .map(|of| different(std::slice::from_ref(of)))
            .sum();
        let whole = Level {
            accesses: items.clone().map(|of| of.len() as u64).sum(),
            elements: different(&self.items),
            items: items.filter(|of| !of.is_empty()).count() as u64,
            quality: match self.at_most {
                true => Quality::AtMost,
                false => Quality::Exact,
            },
        };
        (each, whole)
    }
}

#[expect(clippy::cast_precision_loss, reason = "means, for people")]
fn requests(all: &Accesses, access: &Access, tally: &Tally, measured: &mut Measured) {
    if tally.requests == 0 {
        return;
    }
    let mean = |sum: u64| Some(sum as f64 / tally.requests as f64);
    match access.array.map(|array| all.arrays[array].space) {
        Some(Space::Global | Space::Constant) => measured.sectors = mean(tally.sectors),
        Some(Space::Local) => measured.bank_passes = mean(tally.bank_passes),
        _ => {}
    }
}

#[expect(clippy::cast_precision_loss, reason = "means, for people")]
fn reuse(group: &Level, width: u64, items_elements: u64) -> Reuse {
    Reuse {
        by_item: group.accesses as f64 * width as f64 / items_elements as f64,
        by_group: items_elements as f64 / group.elements as f64,
    }
}

#[cfg(test)]
mod tests;
