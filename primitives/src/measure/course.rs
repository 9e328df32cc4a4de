//! The steps of a measurement: what comes next, how long the rest takes, and what there is so far.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Effort, checks::Part};
use crate::{Check, Move, Start, StreamError, Timed, WORKS, Work};

/// What has been measured: of a measurement that was ended, whoever goes on gives it back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SoFar {
    pub(super) way: Option<Way>,
    pub(super) device: Option<Device>,
    pub(super) starts: Option<Vec<Start>>,
    /// By one core and by all, for each length and work.
    pub(super) host: Vec<Option<[Vec<Timed>; 2]>>,
    pub(super) checks: Vec<Option<Vec<Check>>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Way {
    pub(super) pinning_bytes_per_s: f64,
    pub(super) lanes: usize,
    pub(super) moves: Vec<Move>,
    pub(super) trip_s: f64,
    pub(super) chunk_s: f64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Device {
    pub(super) mapped_chunk_s: Option<f64>,
    pub(super) kernels: Vec<Timed>,
    pub(super) allocating_bytes_per_s: f64,
}

/// What somebody who waits is told.
#[derive(Debug)]
pub enum Told<'a> {
    /// A step begins.
    Next {
        /// Which.
        what: &'a str,
        /// From 1.
        number: usize,
        /// Steps in all.
        of: usize,
        /// What the rest takes, about: by the steps of this run; none before its first one has ended.
        left: Option<Duration>,
    },
    /// A step has ended.
    Done(&'a SoFar),
}

/// Where a measurement is.
pub(super) struct Course<'t> {
    /// Of each step what it takes, in about the same unit.
    weights: Vec<f64>,
    at: usize,
    /// Weight of what this run has done itself.
    done: f64,
    start: Instant,
    tell: &'t mut dyn FnMut(Told<'_>),
}

/// A pass over a MiB is the unit; building a work's programs takes as long as so many.
const BUILDING: f64 = 1000.0;

impl<'t> Course<'t> {
    pub(super) fn new(effort: &Effort, parts: &[Part], tell: &'t mut dyn FnMut(Told<'_>)) -> Self {
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let works = WORKS.len() as f64;
        let device = mib(effort.device_bytes);
        let mut weights = vec![
            60.0 * device,
            4.0 * works * (8.0 * device + BUILDING),
            2.0 * works * BUILDING,
        ];
        for bytes in &effort.host_bytes {
            // Four types, four rounds, one core and all.
            weights.extend(WORKS.map(|work| 32.0 * passes(work) * mib(*bytes)));
        }
        weights.extend(parts.iter().map(|part| {
            match part {
                Part::Streamed { bytes, .. } => 4.0 * works * (4.0 * mib(*bytes) + BUILDING),
                Part::OnHost(bytes) => WORKS
                    .map(|work| 8.0 * passes(work) * mib(*bytes))
                    .iter()
                    .sum(),
            }
        }));
        Self {
            weights,
            at: 0,
            done: 0.0,
            start: Instant::now(),
            tell,
        }
    }

    /// What `measure` finds, or what was found before in `place`.
    pub(super) fn step<T: Clone>(
        &mut self,
        what: &str,
        so_far: &mut SoFar,
        place: impl Fn(&mut SoFar) -> &mut Option<T>,
        measure: impl FnOnce() -> Result<T, StreamError>,
    ) -> Result<T, StreamError> {
        let at = self.at;
        self.at += 1;
        if let Some(known) = place(so_far) {
            return Ok(known.clone());
        }
        let rest: f64 = self.weights[at..].iter().sum();
        let left = (self.done > 0.0).then(|| self.start.elapsed().mul_f64(rest / self.done));
        (self.tell)(Told::Next {
            what,
            number: self.at,
            of: self.weights.len(),
            left,
        });
        let found = measure()?;
        *place(so_far) = Some(found.clone());
        self.done += self.weights[at];
        (self.tell)(Told::Done(so_far));
        Ok(found)
    }
}

impl SoFar {
    /// The place of a step of several alike.
    pub(super) fn place<T>(all: &mut Vec<Option<T>>, place: usize) -> &mut Option<T> {
        if all.len() <= place {
            all.resize_with(place + 1, || None);
        }
        &mut all[place]
    }
}

/// Of a host's array, about.
fn passes(work: Work) -> f64 {
    match work {
        Work::Sort => 10.0,
        Work::Scatter => 4.0,
        Work::Sine => 3.0,
        Work::Transform | Work::Reduce | Work::Scan => 1.0,
    }
}
