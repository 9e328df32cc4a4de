//! Accesses at a launch's sizes: footprints, reuse, sectors and banks.

mod algebra;
mod beyond;
mod enumerate;
mod progression;
mod reached;
mod request;
mod value;
mod worst;

use std::collections::BTreeSet;

use serde::Serialize;

use self::{
    algebra::Of,
    enumerate::{Enumeration, Stop, Touch},
};
pub use beyond::{Beyond, Rooms};
pub use progression::{Progression, different};
pub use reached::Reached;
pub use value::Geometry;
pub use worst::BankRequest;

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

/// What a work-item, a warp, a work-group or the launch accesses by an access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Times that it happens, of all work-items.
    pub accesses: u64,
    /// Different elements.
    pub elements: u64,
    /// By dimension: the least and the largest subscript; empty where nothing happens.
    pub ranges: Vec<(i64, i64)>,
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
    /// Work-groups that access an element that one does; absent where the launch's footprint is not known.
    pub by_launch: Option<f64>,
}

/// An access at a launch's sizes. The work-group is the one in the middle of the launch, or the first or the last
/// where that one does not come there; work-item and warp are those of it that access the most elements.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// Of a work-item.
    pub item: Option<Level>,
    /// Of a warp of 32 work-items.
    pub warp: Option<Level>,
    /// Of a work-group.
    pub group: Option<Level>,
    /// Of the launch.
    pub launch: Option<Level>,
    /// How often elements are accessed.
    pub reuse: Option<Reuse>,
    /// Requests of warps that the next two are means of.
    pub requests: u64,
    /// Sectors of 32 bytes a request, of global and constant memory.
    pub sectors: Option<f64>,
    /// Passes over 32 banks of 4 bytes a request, of local memory.
    pub bank_passes: Option<f64>,
    /// Bytes from a work-item's access to its neighbour's, where that is always the same.
    pub stride_bytes: Option<i64>,
    /// Whether requests are the first ones only: there are too many.
    pub sampled: bool,
    /// Why something is not known.
    pub gaps: Vec<String>,
}

/// Footprints by two ways that know nothing of each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// Of the work-group in the middle.
    pub group: (Option<Level>, Option<Level>),
    /// Of the launch.
    pub launch: (Option<Level>, Option<Level>),
}

/// What going through a work-group found.
#[derive(Default)]
struct Tally {
    /// Elements of each work-item, with repeats.
    items: Vec<Vec<i64>>,
    requests: u64,
    sectors: u64,
    bank_passes: u64,
    stride: Option<i64>,
    strides_differ: bool,
    at_most: bool,
}

/// Elements that an access touches at once.
fn width(all: &Accesses, access: &Access) -> u64 {
    let element = access
        .array
        .map_or(1, |array| all.arrays[array].element_bytes);
    access
        .within
        .saturating_add(access.bytes)
        .div_ceil(element.max(1))
        .max(1)
}

/// Of what touches many elements at once, fewer points are gone through.
fn points(all: &Accesses, access: &Access) -> u64 {
    (MOST_POINTS / width(all, access)).max(1 << 10)
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
        measured.launch = algebra::level(self, geometry, access, Of::Launch);
        let mut items_elements = None;
        match tally {
            Ok((tally, is_complete)) => {
                requests(self, access, &tally, &mut measured);
                measured.sampled = !is_complete;
                if is_complete {
                    items_elements = Some(tally.footprints(self, access, &mut measured));
                } else {
                    measured
                        .gaps
                        .push("there are too many accesses to go through them all".to_owned());
                }
            }
            Err(Stop::Unknown(what)) => measured.gaps.push(format!("{what} is not known")),
            Err(Stop::TooMany) => measured
                .gaps
                .push("there are too many work-items".to_owned()),
        }
        if measured.item.is_none() {
            let local = geometry.local.map(|size| size / 2);
            measured.item = algebra::level(self, geometry, access, Of::Item(group, local));
        }
        if measured.launch.is_none() {
            measured.launch = whole_launch(self, geometry, access);
        }
        measured.reuse = reuse(&measured, items_elements, geometry);
        measured
    }

    /// The bytes from the array's beginning at which a work-item accesses it, in order; none where that is not known
    /// for sure.
    pub fn offsets(
        &self,
        access: usize,
        geometry: &Geometry,
        group: [i64; 3],
        local: [i64; 3],
    ) -> Option<Vec<i64>> {
        let (offsets, is_sure) = self.offsets_at_most(access, geometry, group, local)?;
        is_sure.then_some(offsets)
    }

    /// The same where a condition on data may leave some out, and whether none may.
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

    /// Footprints by algebra and by enumeration, where both can be had.
    pub fn compared(&self, access: usize, geometry: &Geometry) -> Compared {
        let access = &self.accesses[access];
        let group = geometry.groups().map(|count| count / 2);
        let mut enumerated = Measured::default();
        if let Ok((tally, true)) = tallied(self, geometry, access, group) {
            tally.footprints(self, access, &mut enumerated);
        }
        Compared {
            group: (
                algebra::level(self, geometry, access, Of::Group(group)),
                enumerated.group,
            ),
            launch: (
                algebra::level(self, geometry, access, Of::Launch),
                whole_launch(self, geometry, access),
            ),
        }
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
    let mut enumeration = Enumeration::of(all, geometry, access, points(all, access))?;
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
        for pair in touches.windows(2) {
            if pair[1].lane == pair[0].lane + 1 {
                let stride = pair[1].offset.saturating_sub(pair[0].offset);
                self.strides_differ |= self.stride.is_some_and(|own| own != stride);
                self.stride = Some(stride);
            }
        }
        for touch in touches {
            self.items[first + touch.lane].push(touch.index);
        }
    }

    /// Elements of all work-items, each counted once a work-item.
    fn footprints(&self, all: &Accesses, access: &Access, measured: &mut Measured) -> u64 {
        let quality = if self.at_most {
            Quality::AtMost
        } else {
            Quality::Exact
        };
        let width = i64::try_from(width(all, access)).unwrap_or(1).min(1 << 12);
        let level = |items: &[Vec<i64>]| {
            let mut elements = BTreeSet::new();
            for index in items.iter().flatten() {
                elements.extend((0..width).map(|more| index.saturating_add(more)));
            }
            let ends = elements.first().zip(elements.last());
            let ranges = match (access.subscripts.len(), ends) {
                (1, Some((first, last))) => vec![(*first, last - (width - 1))],
                _ => Vec::new(),
            };
            Level {
                accesses: items.iter().map(|of| of.len() as u64).sum(),
                elements: elements.len() as u64,
                ranges,
                items: items.iter().filter(|of| !of.is_empty()).count() as u64,
                quality,
            }
        };
        let items: Vec<Level> = self
            .items
            .iter()
            .map(|of| level(std::slice::from_ref(of)))
            .collect();
        let items_elements = items.iter().map(|item| item.elements).sum();
        let most = |levels: Vec<Level>| levels.into_iter().max_by_key(|level| level.elements);
        measured.warp = most(self.items.chunks(WARP).map(level).collect());
        measured.item = most(items);
        let whole = level(&self.items);
        if measured.group.is_none() {
            measured.group = Some(whole);
        }
        items_elements
    }
}

#[expect(clippy::cast_precision_loss, reason = "means, for people")]
fn requests(all: &Accesses, access: &Access, tally: &Tally, measured: &mut Measured) {
    measured.requests = tally.requests;
    measured.stride_bytes = tally.stride.filter(|_| !tally.strides_differ);
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

/// The launch's footprint by going through it, where that is no work.
fn whole_launch(all: &Accesses, geometry: &Geometry, access: &Access) -> Option<Level> {
    let mut enumeration = Enumeration::of(all, geometry, access, points(all, access)).ok()?;
    let warps = warps(geometry)?;
    let [x, y, z] = geometry.groups();
    let groups = x.checked_mul(y)?.checked_mul(z)?;
    let items = groups
        .checked_mul(geometry.local.iter().product())?
        .unsigned_abs();
    if items > MOST_POINTS {
        return None;
    }
    let width = i64::try_from(width(all, access)).ok()?.min(1 << 12);
    let mut elements = BTreeSet::new();
    let (mut accesses, mut active) = (0, 0);
    for group in 0..groups {
        let group = [group % x, group / x % y, group / x / y];
        for lanes in &warps {
            let mut seen = vec![false; lanes.len()];
            let gone = enumeration.warp(group, lanes, &mut |touches| {
                accesses += touches.len() as u64;
                for touch in touches {
                    seen[touch.lane] = true;
                    elements.extend((0..width).map(|more| touch.index.saturating_add(more)));
                }
            });
            gone.ok()?;
            active += seen.iter().filter(|seen| **seen).count() as u64;
        }
    }
    let ends = elements.first().zip(elements.last());
    let ranges = match (access.subscripts.len(), ends) {
        (1, Some((first, last))) => vec![(*first, last - (width - 1))],
        _ => Vec::new(),
    };
    Some(Level {
        accesses,
        elements: elements.len() as u64,
        ranges,
        items: active,
        quality: if enumeration.at_most {
            Quality::AtMost
        } else {
            Quality::Exact
        },
    })
}

#[expect(clippy::cast_precision_loss, reason = "means, for people")]
fn reuse(measured: &Measured, items_elements: Option<u64>, geometry: &Geometry) -> Option<Reuse> {
    let group = measured.group.as_ref().filter(|group| group.elements > 0)?;
    let items_elements = match items_elements {
        Some(elements) => elements as f64,
        None => measured.item.as_ref()?.elements as f64 * group.items as f64,
    };
    if items_elements <= 0.0 {
        return None;
    }
    let groups: f64 = geometry
        .groups()
        .iter()
        .map(|count| *count as f64)
        .product();
    let by_launch = measured
        .launch
        .as_ref()
        .filter(|launch| launch.elements > 0);
    Some(Reuse {
        by_item: group.accesses as f64 / items_elements,
        by_group: items_elements / group.elements as f64,
        by_launch: by_launch.map(|launch| groups * group.elements as f64 / launch.elements as f64),
    })
}

#[cfg(test)]
mod tests;
