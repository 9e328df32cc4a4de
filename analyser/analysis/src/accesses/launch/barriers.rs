//! Checks whether the work-items of each work-group arrive at a barrier equally often. If they do not, they wait for
//! each other for ever, or go on with data that is not there yet (OpenCL C 1.2, section 6.12.8).

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Enumeration, Level, MOST_POINTS, Quality, algebra, geometry::Geometry, warps};
use crate::accesses::{
    Access, Accesses, Atom, Class, Does, Guard, Id, Polynomial,
    facts::{control_atoms, varies},
};

/// The arrival of a work-group's work-items at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// All equally often.
    Alike,
    /// Some certainly more often than others.
    Unlike,
    /// Unknown: it depends on data, or on what is not followed.
    Unknown,
}

impl Accesses {
    /// How work-items arrive at the barrier with this number at these sizes. Its conditions may tell, or algebra of the
    /// whole launch. Otherwise the work-groups at the launch's corners and in its middle are enumerated. If work-groups
    /// may differ, all of them are, as long as they are few.
    pub fn arrival(&self, barrier: usize, geometry: &Geometry) -> Arrival {
        if self.barriers[barrier].is_uniform {
            return Arrival::Alike;
        }
        let visit = self.barrier_as_access(barrier);
        if self.all_or_none_arrive(&visit, geometry) {
            return Arrival::Alike;
        }
        let groups = geometry.groups();
        let mut arrival = Arrival::Alike;
        for group in corner_groups(groups) {
            match self.arrival_in_group(&visit, geometry, group) {
                Arrival::Unlike => return Arrival::Unlike,
                Arrival::Unknown => arrival = Arrival::Unknown,
                Arrival::Alike => {}
            }
        }
        if arrival == Arrival::Unknown || !self.differs_by_group(&visit) {
            return arrival;
        }
        let items: u64 = geometry.local.iter().product::<i64>().unsigned_abs();
        let count = groups.iter().product::<i64>().unsigned_abs();
        if count.saturating_mul(items) > MOST_POINTS {
            return Arrival::Unknown;
        }
        let [x, y, z] = groups;
        let each = (0..x).flat_map(|x| (0..y).flat_map(move |y| (0..z).map(move |z| [x, y, z])));
        for group in each {
            let arrival = self.arrival_in_group(&visit, geometry, group);
            if arrival != Arrival::Alike {
                return arrival;
            }
        }
        Arrival::Alike
    }

    /// A barrier as an access of nothing, so that it can be enumerated.
    fn barrier_as_access(&self, barrier: usize) -> Access {
        let barrier = &self.barriers[barrier];
        Access {
            array: None,
            also: Vec::new(),
            does: Does::Load,
            bytes: 1,
            offset: Polynomial::default(),
            index: Polynomial::default(),
            element_bytes: 1,
            within: 0,
            subscripts: Vec::new(),
            fields: Vec::new(),
            strides: Vec::new(),
            loops: barrier.loops.clone(),
            guards: barrier.guards.clone(),
            span: crate::ast::Span::default(),
            calls: Vec::new(),
            class: Class::Unknown,
            reasons: Vec::new(),
            depends_on: BTreeSet::new(),
            happens_by: BTreeSet::new(),
        }
    }

    /// Compares how often the work-items of one work-group arrive.
    fn arrival_in_group(&self, visit: &Access, geometry: &Geometry, group: [i64; 3]) -> Arrival {
        let enumeration = Enumeration::new(self, geometry, visit, MOST_POINTS);
        let (Ok(mut enumeration), Some(warps)) = (enumeration, warps(geometry)) else {
            return Arrival::Unknown;
        };
        let mut counts = Vec::new();
        for lanes in &warps {
            let first = counts.len();
            counts.resize(first + lanes.len(), 0_u64);
            let result = enumeration.visit_warp(group, lanes, &mut |touches| {
                for touch in touches {
                    counts[first + touch.lane] += 1;
                }
            });
            if result.is_err() || enumeration.at_most {
                return Arrival::Unknown;
            }
        }
        if counts.windows(2).all(|pair| pair[0] == pair[1]) {
            Arrival::Alike
        } else {
            Arrival::Unlike
        }
    }

    /// Whether work-groups may differ in a visit that depends on no data.
    fn differs_by_group(&self, visit: &Access) -> bool {
        let atoms = self.closure(&control_atoms(self, &visit.guards, &visit.loops));
        let differs = |it| matches!(self.atoms.get(it), Atom::Id(Id::Global | Id::Group, _));
        atoms.into_iter().any(differs)
    }

    /// Whether all work-items of the launch or none of them arrive, each in as many iterations. This holds if each
    /// condition is the same for all work-items of a work-group, or if the footprint has all of them.
    fn all_or_none_arrive(&self, visit: &Access, geometry: &Geometry) -> bool {
        let guards = visit.guards.iter();
        let open = guards.filter(|it| algebra::decide(self, geometry, &it.condition).is_none());
        let open: Vec<Guard> = open.cloned().collect();
        if !varies(self, &control_atoms(self, &open, &visit.loops)) {
            return true;
        }
        let Some(footprint) = algebra::footprint(self, geometry, visit, Level::Launch) else {
            return false;
        };
        let groups = geometry.groups();
        let all: i64 = (0..3).map(|at| groups[at] * geometry.local[at]).product();
        let is_all = footprint.items == 0 || footprint.items == all.unsigned_abs();
        footprint.quality == Quality::Exact && is_all
    }
}

/// The work-groups at the corners of a launch, and the one in its middle.
pub(super) fn corner_groups(groups: [i64; 3]) -> BTreeSet<[i64; 3]> {
    let ends = |at: usize| [0, groups[at] - 1];
    let mut corners = BTreeSet::from([groups.map(|count| count / 2)]);
    for x in ends(0) {
        for y in ends(1) {
            corners.extend(ends(2).map(|z| [x, y, z]));
        }
    }
    corners
}
