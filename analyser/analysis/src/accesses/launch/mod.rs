//! Accesses at a launch's sizes: footprints, reuse, sectors and banks.

mod algebra;
mod barriers;
mod bounds;
mod domain;
mod enumerate;
mod formula;
mod geometry;
mod interval;
mod out_of_bounds;
mod progression;
mod request;

use std::collections::BTreeSet;

use serde::Serialize;

use self::{
    domain::Level,
    enumerate::{Enumeration, Stop, Touch},
};
use super::{Access, Accesses};
use crate::ast::Space;
pub use barriers::Arrival;
pub(crate) use domain::{Bounds, product_bounds};
pub use geometry::Geometry;
pub use out_of_bounds::{BufferSizes, OutOfBounds};

/// Work-items of a warp, whose accesses make a request.
const WARP: usize = 32;
/// The most points of an access that are enumerated; more take too long.
const MOST_POINTS: u64 = 1 << 20;
/// The most work-items of a work-group that any device takes.
const MOST_ITEMS: i64 = 1 << 14;

/// The certainty of a footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// The number of elements itself.
    Exact,
    /// An upper bound: a condition on data, or a loop that may end early, may make it less.
    AtMost,
}

/// The elements that work-items touch by an access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// Number of times that the access happens, in all work-items together.
    pub accesses: u64,
    /// Number of distinct elements.
    pub elements: u64,
    /// Number of work-items that make the access.
    pub items: u64,
    /// The footprint's certainty.
    pub quality: Quality,
}

/// The number of accesses to an element, by a work-item and by a work-group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reuse {
    /// Number of times that a work-item accesses an element, if it does.
    pub by_item: f64,
    /// Number of work-items of a work-group that access an element, if one does.
    pub by_group: f64,
}

/// An access at a launch's sizes, in the work-group in the middle of the launch. If the access never happens there, it
/// is the first work-group, or the last.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AccessPattern {
    /// The work-group's footprint.
    pub group: Option<Footprint>,
    /// The reuse of elements.
    pub reuse: Option<Reuse>,
    /// Sectors of 32 bytes per request, for global and constant memory.
    pub sectors: Option<f64>,
    /// Passes over 32 banks of 4 bytes per request, for local memory.
    pub bank_passes: Option<f64>,
    /// Whether only the first requests were looked at, because there are too many.
    pub sampled: bool,
    /// The reason why a number is missing.
    pub gap: Option<String>,
}

/// The counts of the enumeration of a work-group.
#[derive(Default)]
struct Tally {
    /// The indices that each work-item accesses, with repeats.
    items: Vec<Vec<i64>>,
    requests: u64,
    sectors: u64,
    bank_passes: u64,
    at_most: bool,
    /// Whether the enumeration came to its end.
    is_complete: bool,
}

fn elements_at_once(access: &Access) -> u64 {
    let end = access.within.saturating_add(access.bytes);
    end.div_ceil(access.element_bytes.max(1)).max(1)
}

/// The most points that are enumerated: fewer for accesses that touch many elements at once.
fn most_points(access: &Access) -> u64 {
    (MOST_POINTS / elements_at_once(access)).max(1 << 10)
}

impl Accesses {
    /// The pattern of the access with this number at these sizes.
    pub fn pattern(&self, access: usize, geometry: &Geometry) -> AccessPattern {
        let access = &self.accesses[access];
        let (group, tally) = self.tally_a_group(access, geometry);
        let mut pattern = AccessPattern {
            group: algebra::footprint(self, geometry, access, Level::Group(group)),
            ..AccessPattern::default()
        };
        let mut items_elements = None;
        match tally {
            Ok(tally) => {
                self.set_request_means(access, &tally, &mut pattern);
                pattern.sampled = !tally.is_complete;
                if tally.is_complete {
                    items_elements = Some(tally.items_elements(access));
                    pattern.group.get_or_insert_with(|| tally.footprint(access));
                } else {
                    let why = "there are too many accesses to go through them all";
                    pattern.gap = Some(why.to_owned());
                }
            }
            Err(Stop::Unknown(what)) => pattern.gap = Some(format!("{what} is not known")),
            Err(Stop::TooMany) => pattern.gap = Some("there are too many work-items".to_owned()),
        }
        let footprint = pattern.group.as_ref().filter(|it| it.elements > 0);
        pattern.reuse = footprint.and_then(|footprint| {
            let items_elements = items_elements.or_else(|| {
                let local = geometry.local.map(|size| size / 2);
                let level = Level::Item(group, local);
                let item = algebra::footprint(self, geometry, access, level)?;
                item.elements.checked_mul(footprint.items)
            });
            let items_elements = items_elements.filter(|it| *it > 0)?;
            Some(reuse(footprint, elements_at_once(access), items_elements))
        });
        pattern
    }

    /// The tally of the first of the middle, the first and the last work-group in which an access happens, or cannot be
    /// enumerated.
    fn tally_a_group(
        &self,
        access: &Access,
        geometry: &Geometry,
    ) -> ([i64; 3], Result<Tally, Stop>) {
        let groups = geometry.groups();
        let last = groups.map(|count| count - 1);
        for group in [groups.map(|count| count / 2), [0; 3]] {
            let tally = self.tally(access, geometry, group);
            if !matches!(&tally, Ok(tally) if tally.requests == 0) {
                return (group, tally);
            }
        }
        (last, self.tally(access, geometry, last))
    }

    /// Enumerates an access in a work-group, as far as its points go.
    fn tally(&self, access: &Access, geometry: &Geometry, group: [i64; 3]) -> Result<Tally, Stop> {
        let mut enumeration = Enumeration::new(self, geometry, access, most_points(access))?;
        let warps = warps(geometry).ok_or(Stop::TooMany)?;
        let bytes = i64::try_from(access.bytes).unwrap_or(1).min(1 << 12);
        let is_local = access
            .array
            .is_some_and(|array| self.arrays[array].space == Space::Local);
        let mut tally = Tally::default();
        for (number, lanes) in warps.iter().enumerate() {
            let first = number * WARP;
            tally.items.resize(first + lanes.len(), Vec::new());
            let result = enumeration.visit_warp(group, lanes, &mut |touches| {
                tally.request(touches, first, bytes, is_local);
            });
            tally.at_most = enumeration.at_most;
            match result {
                Ok(()) => {}
                Err(Stop::TooMany) if tally.requests > 0 => return Ok(tally),
                Err(stop) => return Err(stop),
            }
        }
        tally.is_complete = true;
        Ok(tally)
    }

    #[expect(clippy::cast_precision_loss, reason = "means, for people")]
    fn set_request_means(&self, access: &Access, tally: &Tally, pattern: &mut AccessPattern) {
        if tally.requests == 0 {
            return;
        }
        let mean = |sum: u64| Some(sum as f64 / tally.requests as f64);
        match access.array.map(|array| self.arrays[array].space) {
            Some(Space::Global | Space::Constant) => pattern.sectors = mean(tally.sectors),
            Some(Space::Local) => pattern.bank_passes = mean(tally.bank_passes),
            _ => {}
        }
    }

    /// The bytes from the array's beginning at which a work-item accesses it, in order, and whether it certainly does:
    /// a condition on data may leave some out.
    pub fn offsets_at_most(
        &self,
        access: usize,
        geometry: &Geometry,
        group: [i64; 3],
        local: [i64; 3],
    ) -> Option<(Vec<i64>, bool)> {
        let access = &self.accesses[access];
        let mut enumeration = Enumeration::new(self, geometry, access, MOST_POINTS).ok()?;
        let mut offsets = Vec::new();
        let result = enumeration.visit_warp(group, &[local], &mut |touches| {
            offsets.extend(touches.iter().map(|touch| touch.offset));
        });
        result.ok().map(|()| (offsets, !enumeration.at_most))
    }

    /// A work-group's footprints by algebra and by enumeration, which know nothing of each other; each where it can be
    /// found.
    pub fn footprints(&self, access: usize, geometry: &Geometry) -> [Option<Footprint>; 2] {
        let access = &self.accesses[access];
        let group = geometry.groups().map(|count| count / 2);
        let tally = self.tally(access, geometry, group).ok();
        let tally = tally.filter(|it| it.is_complete);
        [
            algebra::footprint(self, geometry, access, Level::Group(group)),
            tally.map(|it| it.footprint(access)),
        ]
    }
}

/// The local ids of each warp of a work-group, the first dimension fastest. None if the work-group is too large.
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

    /// The sum over work-items of the distinct elements that each touches.
    fn items_elements(&self, access: &Access) -> u64 {
        let each = self.items.iter();
        each.map(|it| distinct(std::slice::from_ref(it), access))
            .sum()
    }

    fn footprint(&self, access: &Access) -> Footprint {
        let items = self.items.iter();
        Footprint {
            accesses: items.clone().map(|it| it.len() as u64).sum(),
            elements: distinct(&self.items, access),
            items: items.filter(|it| !it.is_empty()).count() as u64,
            quality: if self.at_most {
                Quality::AtMost
            } else {
                Quality::Exact
            },
        }
    }
}

/// Distinct elements at these indices of work-items.
fn distinct(items: &[Vec<i64>], access: &Access) -> u64 {
    let width = i64::try_from(elements_at_once(access)).unwrap_or(1);
    let width = width.min(1 << 12);
    let mut elements = BTreeSet::new();
    for index in items.iter().flatten() {
        elements.extend((0..width).map(|more| index.saturating_add(more)));
    }
    elements.len() as u64
}

#[expect(clippy::cast_precision_loss, reason = "means, for people")]
fn reuse(group: &Footprint, width: u64, items_elements: u64) -> Reuse {
    Reuse {
        by_item: group.accesses as f64 * width as f64 / items_elements as f64,
        by_group: items_elements as f64 / group.elements as f64,
    }
}

#[cfg(test)]
mod tests;
