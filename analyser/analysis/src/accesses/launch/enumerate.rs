//! Requests of a warp, one by one: its work-items go through their loops iteration by iteration.

use super::{
    formula::{Formula, Point, Predicate, Values},
    geometry::Geometry,
};
use crate::accesses::{Access, Accesses, Loop, Step};

/// The reason why an enumeration did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    TooMany,
    /// A loop's bounds or the index are not known.
    Unknown(String),
}

/// A loop with its formulas prepared.
struct PreparedLoop<'a> {
    number: usize,
    around: &'a Loop,
    lower: Formula,
    upper: Formula,
    step: Formula,
}

/// An access with its formulas prepared.
pub(super) struct Enumeration<'a> {
    values: Values<'a>,
    loops: Vec<PreparedLoop<'a>>,
    /// Guards, each with the number of loops around it.
    guards: Vec<(usize, Predicate)>,
    index: Formula,
    offset: Formula,
    /// Number of points that may still be visited.
    budget: u64,
    /// Whether a condition of unknown value was taken to hold.
    pub(super) at_most: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) lane: usize,
    pub(super) index: i64,
    pub(super) offset: i64,
}

/// A work-item in a loop: the variable's value, its bound and its step.
struct Running {
    lane: usize,
    value: i64,
    upper: i64,
    step: i64,
}

impl<'a> Enumeration<'a> {
    pub(super) fn new(
        all: &'a Accesses,
        geometry: &'a Geometry,
        access: &Access,
        points: u64,
    ) -> Result<Self, Stop> {
        let mut loops = Vec::new();
        let mut at_most = false;
        for number in &access.loops {
            let around = &all.loops[*number];
            at_most |= around.ends_early.is_some();
            let (Some(lower), Some(upper)) = (&around.lower, &around.upper) else {
                let place = &around.span.begin;
                return Err(Stop::Unknown(format!("how often the loop at {place} runs")));
            };
            loops.push(PreparedLoop {
                number: *number,
                around,
                lower: Formula::new(all, lower),
                upper: Formula::new(all, upper),
                step: Formula::new(all, around.step.amount()),
            });
        }
        let guards = access.guards.iter();
        let guards = guards.map(|guard| (guard.depth, Predicate::new(all, &guard.condition)));
        Ok(Self {
            values: Values::new(all, geometry),
            loops,
            guards: guards.collect(),
            index: Formula::new(all, &access.index),
            offset: Formula::new(all, &access.offset),
            budget: points,
            at_most,
        })
    }

    /// Hands over each request of these work-items, which go in lockstep: all are in the same iteration of every loop.
    pub(super) fn visit_warp(
        &mut self,
        group: [i64; 3],
        lanes: &[[i64; 3]],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        let numbers = self.loops.iter().map(|it| it.number + 1);
        let loops = numbers.max().unwrap_or_default();
        let mut points: Vec<Point> = lanes
            .iter()
            .map(|local| Point {
                group,
                local: *local,
                loops: vec![0; loops],
                iterations: vec![0; loops],
            })
            .collect();
        let active = (0..lanes.len()).collect();
        self.visit_nest(0, active, &mut points, request)
    }

    fn visit_nest(
        &mut self,
        depth: usize,
        mut active: Vec<usize>,
        points: &mut [Point],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        for guard in 0..self.guards.len() {
            let (at, predicate) = &self.guards[guard];
            if *at != depth {
                continue;
            }
            active.retain(|lane| {
                let holds = self.values.holds(predicate, &points[*lane]);
                self.at_most |= holds.is_none();
                holds.unwrap_or(true)
            });
        }
        if active.is_empty() {
            return Ok(());
        }
        if depth == self.loops.len() {
            return self.make_request(&active, points, request);
        }
        self.run_loop(depth, active, points, request)
    }

    fn make_request(
        &mut self,
        active: &[usize],
        points: &[Point],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        self.spend(active.len())?;
        let mut touches = Vec::with_capacity(active.len());
        for lane in active {
            let point = &points[*lane];
            let (index, offset) = (
                self.values.value(&self.index, point),
                self.values.value(&self.offset, point),
            );
            let (Some(index), Some(offset)) = (index, offset) else {
                return Err(Stop::Unknown("the index".to_owned()));
            };
            touches.push(Touch {
                lane: *lane,
                index,
                offset,
            });
        }
        request(&touches);
        Ok(())
    }

    fn spend(&mut self, points: usize) -> Result<(), Stop> {
        self.budget = (self.budget.checked_sub(points as u64)).ok_or(Stop::TooMany)?;
        Ok(())
    }

    /// Runs the loop at this depth, and all within, until no work-item goes on.
    fn run_loop(
        &mut self,
        depth: usize,
        active: Vec<usize>,
        points: &mut [Point],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        let PreparedLoop { number, around, .. } = self.loops[depth];
        let unknown = || Stop::Unknown("a loop's bounds".to_owned());
        let mut running: Vec<Running> = Vec::new();
        for lane in active {
            let own = &self.loops[depth];
            let mut value = |it| (self.values.value(it, &points[lane])).ok_or_else(unknown);
            running.push(Running {
                lane,
                value: value(&own.lower)?,
                upper: value(&own.upper)?,
                step: value(&own.step)?,
            });
        }
        for iteration in 0_u64.. {
            running.retain(|it| match (around.until_equal, around.rises) {
                _ if around.body_first && iteration == 0 => true,
                (true, _) => it.value != it.upper,
                (false, true) => it.value < it.upper,
                (false, false) => it.value > it.upper,
            });
            if running.is_empty() {
                return Ok(());
            }
            for it in &running {
                points[it.lane].loops[number] = it.value;
                points[it.lane].iterations[number] = iteration;
            }
            self.spend(running.len())?;
            let inside = running.iter().map(|it| it.lane).collect();
            self.visit_nest(depth + 1, inside, points, request)?;
            for it in &mut running {
                let next = match &around.step {
                    Step::Add(_) => it.value.checked_add(it.step),
                    Step::Multiply(_) => it.value.checked_mul(it.step),
                    Step::By(operation, _) => operation.apply(&[it.value, it.step]),
                };
                it.value = next.ok_or_else(unknown)?;
            }
        }
        Ok(())
    }
}
