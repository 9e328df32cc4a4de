//! Cache lines, and how far back each was asked for last.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use super::set_associative::SetAssociative;
use crate::{reuse::Distances, run::BUFFER_SHIFT};

/// Bytes of a line.
pub(super) const LINE: u64 = 64;
/// Sizes of the three levels of caches in bytes, for lines that were asked for before by the same work-group or by the
/// one that ran before it. What a work-group asks for first is looked up in `LAUNCH_LEVELS` instead.
pub(super) const GROUP_LEVELS: [u64; 3] = [32 << 10, 256 << 10, 2 << 20];
/// A line belongs to a stream if a neighbour was asked for within this many requests.
const STREAM_DISTANCE: u64 = 512;

/// Lines of a buffer that a work-group asks for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touched {
    pub(super) lines: f64,
    /// Lines that are asked for the first time: of a stream, and others.
    pub(super) first: [f64; 2],
    pub(super) writes: f64,
}

/// Numbers of requests for lines that a cache no longer has.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Misses {
    /// Requests for lines of a stream, which a CPU fetches ahead, that were asked for before and come from beyond each
    /// level.
    pub(super) streamed: [f64; 3],
    /// Requests for all other lines that were asked for before and come from beyond each level.
    pub(super) strayed: [f64; 3],
}

pub(super) struct Lines {
    distances: Distances,
    /// The first two levels.
    near: (SetAssociative<8>, SetAssociative<8>),
    /// The time of each line's last request.
    last_requests: HashMap<u64, u64>,
    now: u64,
    /// The last four lines that were asked for.
    latest: [u64; 4],
    /// Lines of the work-group, and whether it has written them.
    group_lines: HashMap<u64, bool>,
    touched: BTreeMap<u64, Touched>,
    pub(super) misses: Misses,
}

impl Lines {
    pub(super) fn new() -> Self {
        Self {
            distances: Distances::new(),
            near: (
                SetAssociative::new(lines(GROUP_LEVELS[0])),
                SetAssociative::new(lines(GROUP_LEVELS[1])),
            ),
            last_requests: HashMap::new(),
            now: 0,
            latest: [u64::MAX; 4],
            group_lines: HashMap::new(),
            touched: BTreeMap::new(),
            misses: Misses::default(),
        }
    }

    /// Forgets everything, before work-groups from somewhere else in the launch.
    pub(super) fn forget(&mut self) {
        *self = Self::new();
    }

    /// The misses and the touched lines of a work-group; the next begins.
    pub(super) fn end(&mut self) -> (Misses, BTreeMap<u64, Touched>) {
        self.group_lines.clear();
        (
            std::mem::take(&mut self.misses),
            std::mem::take(&mut self.touched),
        )
    }

    pub(super) fn request(&mut self, line: u64, writes: bool) {
        // The lines asked for last are there, whatever was asked for in between.
        if self.latest.contains(&line) {
            if writes {
                self.write(line);
            }
            return;
        }
        let place = usize::try_from(self.now % 4).unwrap_or_default();
        self.latest[place] = line;
        self.now += 1;
        let recent = |at: u64| {
            let last = self.last_requests.get(&at);
            last.is_some_and(|time| self.now - time <= STREAM_DISTANCE)
        };
        let is_streamed = recent(line.wrapping_sub(1)) || recent(line + 1);
        self.last_requests.insert(line, self.now);
        let near = [self.near.0.fetch(line), self.near.1.fetch(line)];
        match self.distances.ask(line) {
            None => self.touched(line).first[usize::from(!is_streamed)] += 1.0,
            Some(distance) => {
                let large = distance.saturating_mul(LINE) < GROUP_LEVELS[2];
                let sums = if is_streamed {
                    &mut self.misses.streamed
                } else {
                    &mut self.misses.strayed
                };
                for (sum, has) in sums.iter_mut().zip([near[0], near[1], large]) {
                    *sum += f64::from(u8::from(!has));
                }
            }
        }
        if let Entry::Vacant(new) = self.group_lines.entry(line) {
            new.insert(false);
            self.touched(line).lines += 1.0;
        }
        if writes {
            self.write(line);
        }
    }

    fn write(&mut self, line: u64) {
        if self.group_lines.insert(line, true) != Some(true) {
            self.touched(line).writes += 1.0;
        }
    }

    fn touched(&mut self, line: u64) -> &mut Touched {
        let buffer = line >> (BUFFER_SHIFT - LINE.trailing_zeros());
        self.touched.entry(buffer).or_default()
    }
}

fn lines(bytes: u64) -> usize {
    usize::try_from(bytes / LINE).unwrap_or(1)
}
