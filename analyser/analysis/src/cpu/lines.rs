//! Cache lines: how far back each was asked for last.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use super::sets::Sets;
use crate::{reuse::Distances, run::BUFFER_SHIFT};

/// Bytes of a line.
pub(super) const LINE: u64 = 64;
/// Sizes of caches, bytes: of a first level, of a second, and of a larger second one.
pub(super) const LEVELS: [u64; 3] = [32 << 10, 256 << 10, 2 << 20];
/// Requests within which a neighbour must have been asked for, for a line to be foretold.
const STREAM: u64 = 512;

/// What is asked for of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    pub(super) lines: f64,
    /// Those that it asks for the first time, of a stream and others.
    pub(super) first: [f64; 2],
    pub(super) written: f64,
    pub(super) lowest: u64,
    pub(super) highest: u64,
}

/// How often lines were asked for that a cache no longer has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Missed {
    /// Lines of a stream, which a CPU fetches ahead, by level: from beyond it, though asked for before.
    pub(super) streamed: [f64; 3],
    /// All others.
    pub(super) strayed: [f64; 3],
}

pub(super) struct Lines {
    distances: Distances,
    /// The first two levels.
    near: (Sets<8>, Sets<8>),
    /// When each line was asked for last.
    asked: HashMap<u64, u64>,
    now: u64,
    last: [u64; 4],
    /// Lines of the work-group by buffer, and which it has met.
    met: HashMap<u64, bool>,
    touched: BTreeMap<u64, Touched>,
    pub(super) missed: Missed,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            distances: Distances::new(),
            near: (Sets::new(lines(LEVELS[0])), Sets::new(lines(LEVELS[1]))),
            asked: HashMap::new(),
            now: 0,
            last: [u64::MAX; 4],
            met: HashMap::new(),
            touched: BTreeMap::new(),
            missed: Missed::default(),
        }
    }

    /// Forgets everything: what follows is somewhere else in the launch.
    pub(super) fn forget(&mut self) {
        *self = Self::new();
    }

    /// What a work-group has touched; begins the next.
    pub(super) fn end(&mut self) -> (Missed, BTreeMap<u64, Touched>) {
        self.met.clear();
        (
            std::mem::take(&mut self.missed),
            std::mem::take(&mut self.touched),
        )
    }

    pub(super) fn ask(&mut self, line: u64, writes: bool) {
        // The lines asked for last are there, whatever was asked for in between.
        if self.last.contains(&line) {
            if writes {
                self.write(line);
            }
            return;
        }
        let place = usize::try_from(self.now % 4).unwrap_or_default();
        self.last[place] = line;
        self.now += 1;
        let recent = |at: u64| {
            let asked = self.asked.get(&at);
            asked.is_some_and(|time| self.now - time <= STREAM)
        };
        let is_streamed = recent(line.wrapping_sub(1)) || recent(line + 1);
        self.asked.insert(line, self.now);
        let near = [self.near.0.ask(line), self.near.1.ask(line)];
        match self.distances.ask(line) {
            None => self.touched(line).first[usize::from(!is_streamed)] += 1.0,
            Some(distance) => {
                let large = distance.saturating_mul(LINE) < LEVELS[2];
                let sums = if is_streamed {
                    &mut self.missed.streamed
                } else {
                    &mut self.missed.strayed
                };
                for (sum, has) in sums.iter_mut().zip([near[0], near[1], large]) {
                    *sum += f64::from(u8::from(!has));
                }
            }
        }
        if let Entry::Vacant(new) = self.met.entry(line) {
            new.insert(false);
            let touched = self.touched(line);
            touched.lines += 1.0;
            touched.lowest = touched.lowest.min(line);
            touched.highest = touched.highest.max(line);
        }
        if writes {
            self.write(line);
        }
    }

    fn write(&mut self, line: u64) {
        if self.met.insert(line, true) != Some(true) {
            self.touched(line).written += 1.0;
        }
    }

    fn touched(&mut self, line: u64) -> &mut Touched {
        let buffer = line >> (BUFFER_SHIFT - LINE.trailing_zeros());
        self.touched.entry(buffer).or_insert(Touched {
            lines: 0.0,
            first: [0.0; 2],
            written: 0.0,
            lowest: line,
            highest: line,
        })
    }
}

fn lines(bytes: u64) -> usize {
    usize::try_from(bytes / LINE).unwrap_or(1)
}
