//! Whether the work-items of each work-group come to a barrier equally often: where they do not, they wait for each
//! other for ever, or go on with what is not there yet (OpenCL C 1.2, section 6.12.8).

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    MOST_POINTS, Quality,
    algebra::{self, Of},
    enumerate::Enumeration,
    value::Geometry,
    warps,
};
use crate::accesses::{
    Access, Accesses, Atom, Class, Does, Guard, Id, Polynomial,
    class::{control, varies},
};

/// How the work-items of a work-group come to a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// Equally often.
    Alike,
    /// Some oftener than others, for sure.
    Unlike,
    /// It depends on data, or on what is not followed.
    Unknown,
}

impl Accesses {
    /// Of the barrier in this place at these sizes: by what it hangs on, and by algebra of the whole launch; else by going
    /// through the work-groups at the launch's corners and in its middle, and where these are no sign of the others
    /// through all of them, where they are few.
    pub fn reached(&self, barrier: usize, geometry: &Geometry) -> Reached {
        if self.barriers[barrier].is_uniform {
            return Reached::Alike;
        }
        let visit = self.as_access(barrier);
        if self.by_all(&visit, geometry) {
            return Reached::Alike;
        }
        let groups = geometry.groups();
        let mut found = Reached::Alike;
        for group in corners(groups) {
            match self.in_group(&visit, geometry, group) {
                Reached::Unlike => return Reached::Unlike,
                Reached::Unknown => found = Reached::Unknown,
                Reached::Alike => {}
            }
        }
        if found == Reached::Unknown || !self.differs_by_group(&visit) {
            return found;
        }
        let items: u64 = geometry.local.iter().product::<i64>().unsigned_abs();
        let count = groups.iter().product::<i64>().unsigned_abs();
        if count.saturating_mul(items) > MOST_POINTS {
            return Reached::Unknown;
        }
        let [x, y, z] = groups;
        let each = (0..x).flat_map(|x| (0..y).flat_map(move |y| (0..z).map(move |z| [x, y, z])));
        for group in each {
            let reached = self.in_group(&visit, geometry, group);
            if reached != Reached::Alike {
                return reached;
            }
        }
        Reached::Alike
    }

    /// The barrier as an access of nothing: what is gone through are accesses.
    fn as_access(&self, barrier: usize) -> Access {
        let barrier = &self.barriers[barrier];
        let (place, nothing) = (barrier.place.clone(), Polynomial::constant(0));
        Access {
            array: None,
            also: Vec::new(),
            does: Does::Load,
            bytes: 1,
            offset: nothing.clone(),
            index: nothing,
            element_bytes: 1,
            within: 0,
            subscripts: Vec::new(),
            fields: Vec::new(),
            strides: Vec::new(),
            loops: barrier.loops.clone(),
            guards: barrier.guards.clone(),
            span: crate::ast::Span {
                begin: place.clone(),
                end: place,
                spelled: None,
            },
            calls: Vec::new(),
            class: Class::Unknown,
            reasons: Vec::new(),
            depends_on: BTreeSet::new(),
            happens_by: BTreeSet::new(),
        }
    }

    /// How often each work-item of a work-group comes there.
    fn in_group(&self, visit: &Access, geometry: &Geometry, group: [i64; 3]) -> Reached {
        let enumeration = Enumeration::of(self, geometry, visit, MOST_POINTS);
        let (Ok(mut enumeration), Some(warps)) = (enumeration, warps(geometry)) else {
            return Reached::Unknown;
        };
        let mut counts = Vec::new();
        for lanes in &warps {
            let first = counts.len();
            counts.resize(first + lanes.len(), 0_u64);
            let gone = enumeration.warp(group, lanes, &mut |touches| {
                for touch in touches {
                    counts[first + touch.lane] += 1;
                }
            });
            if gone.is_err() || enumeration.at_most {
                return Reached::Unknown;
            }
        }
        match counts.windows(2).all(|pair| pair[0] == pair[1]) {
            true => Reached::Alike,
            false => Reached::Unlike,
        }
    }

    /// Whether work-groups may differ in it, where it hangs on no data.
    fn differs_by_group(&self, visit: &Access) -> bool {
        let behind = self.behind(&control(self, &visit.guards, &visit.loops));
        let differs = |it| matches!(self.atoms.get(it), Atom::Id(Id::Global | Id::Group, _));
        behind.into_iter().any(differs)
    }

    /// Whether all work-items of the launch, or none, come there, and each in as many passes: by conditions that hold
    /// for all of them, and others that do not differ within a work-group; or by how many do.
    fn by_all(&self, visit: &Access, geometry: &Geometry) -> bool {
        let guards = visit.guards.iter();
        let open = guards.filter(|it| algebra::decided(self, geometry, &it.condition).is_none());
        let open: Vec<Guard> = open.cloned().collect();
        if !varies(self, &control(self, &open, &visit.loops)) {
            return true;
        }
        let Some(level) = algebra::level(self, geometry, visit, Of::Launch) else {
            return false;
        };
        let groups = geometry.groups();
        let all: i64 = (0..3).map(|at| groups[at] * geometry.local[at]).product();
        let is_all = level.items == 0 || level.items == all.unsigned_abs();
        level.quality == Quality::Exact && is_all
    }
}

/// The work-groups at the corners of a launch, and the one in its middle.
pub(super) fn corners(groups: [i64; 3]) -> BTreeSet<[i64; 3]> {
    let ends = |at: usize| [0, groups[at] - 1];
    let mut corners = BTreeSet::from([groups.map(|count| count / 2)]);
    for x in ends(0) {
        for y in ends(1) {
            corners.extend(ends(2).map(|z| [x, y, z]));
        }
    }
    corners
}
