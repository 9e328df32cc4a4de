//! Going through a warp's work-items and their loops, pass by pass: what every request is.

use super::value::{Formula, Geometry, Point, Test, Values};
use crate::accesses::{Access, Accesses, Operation, Step};

/// Why it was not gone through to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// There are too many points.
    TooMany,
    /// A loop's bounds or the index are not known.
    Unknown(String),
}

/// A loop made ready.
struct Ready {
    of: usize,
    lower: Formula,
    upper: Formula,
    by: By,
    rises: bool,
    until_equal: bool,
    body_first: bool,
}

enum By {
    Add(Formula),
    Multiply(Formula),
    Other(Operation, Formula),
}

/// An access made ready to be gone through.
pub(super) struct Enumeration<'a> {
    values: Values<'a>,
    loops: Vec<Ready>,
    /// With the number of loops around each.
    guards: Vec<(usize, Test)>,
    index: Formula,
    offset: Formula,
    /// Points that may still be looked at.
    left: u64,
    /// Whether a condition that is not known was taken to hold.
    pub(super) at_most: bool,
}

/// A work-item's part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) lane: usize,
    pub(super) index: i64,
    pub(super) offset: i64,
}

impl<'a> Enumeration<'a> {
    pub(super) fn of(
        all: &'a Accesses,
        geometry: &'a Geometry,
        access: &Access,
        points: u64,
    ) -> Result<Self, Stop> {
        let mut loops = Vec::new();
        let mut at_most = false;
        for of in &access.loops {
            let described = &all.loops[*of];
            at_most |= described.ends_early.is_some();
            let (Some(lower), Some(upper)) = (&described.lower, &described.upper) else {
                let place = &described.span.begin;
                return Err(Stop::Unknown(format!("how often the loop at {place} runs")));
            };
            loops.push(Ready {
                of: *of,
                lower: Formula::of(all, lower),
                upper: Formula::of(all, upper),
                by: match &described.step {
                    Step::Add(by) => By::Add(Formula::of(all, by)),
                    Step::Multiply(by) => By::Multiply(Formula::of(all, by)),
                    Step::By(operation, by) => By::Other(*operation, Formula::of(all, by)),
                },
                rises: described.rises,
                until_equal: described.until_equal,
                body_first: described.body_first,
            });
        }
        let guards = access
            .guards
            .iter()
            .map(|guard| (guard.depth, Test::of(all, &guard.condition)));
        Ok(Self {
            values: Values::new(all, geometry),
            loops,
            guards: guards.collect(),
            index: Formula::of(all, &access.index),
            offset: Formula::of(all, &access.offset),
            left: points,
            at_most,
        })
    }

    /// Each request of these work-items of a work-group, in lockstep: the same pass of every loop.
    pub(super) fn warp(
        &mut self,
        group: [i64; 3],
        lanes: &[[i64; 3]],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        let loops = self.values_of_loops();
        let mut points: Vec<Point> = lanes
            .iter()
            .map(|local| Point {
                group,
                local: *local,
                loops: vec![0; loops],
                passes: vec![0; loops],
            })
            .collect();
        let active = (0..lanes.len()).collect();
        self.nest(0, active, &mut points, request)
    }

    fn values_of_loops(&self) -> usize {
        self.loops
            .iter()
            .map(|it| it.of + 1)
            .max()
            .unwrap_or_default()
    }

    fn nest(
        &mut self,
        depth: usize,
        mut active: Vec<usize>,
        points: &mut [Point],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        for guard in 0..self.guards.len() {
            let (at, test) = &self.guards[guard];
            if *at != depth {
                continue;
            }
            let mut known = true;
            active.retain(|lane| match self.values.holds(test, &points[*lane]) {
                Some(holds) => holds,
                None => {
                    known = false;
                    true
                }
            });
            self.at_most |= !known;
        }
        if active.is_empty() {
            return Ok(());
        }
        if depth == self.loops.len() {
            return self.touch(&active, points, request);
        }
        self.passes(depth, active, points, request)
    }

    fn touch(
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
                self.values.of(&self.index, point),
                self.values.of(&self.offset, point),
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
        self.left = self.left.checked_sub(points as u64).ok_or(Stop::TooMany)?;
        Ok(())
    }

    fn passes(
        &mut self,
        depth: usize,
        active: Vec<usize>,
        points: &mut [Point],
        request: &mut impl FnMut(&[Touch]),
    ) -> Result<(), Stop> {
        let of = self.loops[depth].of;
        let unknown = || Stop::Unknown("a loop's bounds".to_owned());
        // Of each work-item: its value, its bound and its step.
        let mut running: Vec<(usize, i64, i64, i64)> = Vec::new();
        for lane in active {
            let ready = &self.loops[depth];
            let (By::Add(by) | By::Multiply(by) | By::Other(_, by)) = &ready.by;
            let mut value = |formula| self.values.of(formula, &points[lane]).ok_or_else(unknown);
            running.push((lane, value(&ready.lower)?, value(&ready.upper)?, value(by)?));
        }
        for pass in 0_u64.. {
            let ready = &self.loops[depth];
            let runs = |value: i64, upper: i64| match (ready.until_equal, ready.rises) {
                _ if ready.body_first && pass == 0 => true,
                (true, _) => value != upper,
                (false, true) => value < upper,
                (false, false) => value > upper,
            };
            running.retain(|(_, value, upper, _)| runs(*value, *upper));
            if running.is_empty() {
                return Ok(());
            }
            for (lane, value, ..) in &running {
                points[*lane].loops[of] = *value;
                points[*lane].passes[of] = pass;
            }
            self.spend(running.len())?;
            let inside = running.iter().map(|(lane, ..)| *lane).collect();
            self.nest(depth + 1, inside, points, request)?;
            for (_, value, _, by) in &mut running {
                let next = match &self.loops[depth].by {
                    By::Add(_) => value.checked_add(*by),
                    By::Multiply(_) => value.checked_mul(*by),
                    By::Other(operation, _) => operation.of(&[*value, *by]),
                };
                *value = next.ok_or_else(unknown)?;
            }
        }
        Ok(())
    }
}
