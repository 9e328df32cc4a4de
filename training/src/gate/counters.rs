//! What the gate has to know of counters, looked up once for all samples.

use std::collections::HashMap;

use kerncast_profilers::catalogue::{describe, role};
use kerncast_wire::{
    CounterKind,
    Role::{self, *},
};

use super::ArrivedSample;

/// Counts that repeat up to this factor, …
const REPEATED: f64 = 1.25;
/// … but for so many events.
const FEW: f64 = 64.0;
/// Counts of caches and DRAM, which others' traffic is part of: up to this, …
const SHARED: f64 = 2.0;
/// … but for so many.
const BACKGROUND: f64 = 16_384.0;

/// A counter, to the gate.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    /// What it counts.
    pub(super) role: Option<Role>,
    /// By what factor, and how many beside it, it may differ between runs; none where it says nothing of the work
    /// done.
    repeats: Option<(f64, f64)>,
}

impl Counter {
    fn new(name: &str) -> Self {
        let role = role(name);
        Self {
            role,
            repeats: repeats(name, role),
        }
    }

    /// Whether it differs by more than from one run to the next.
    pub(super) fn differs(self, now: f64, before: f64) -> bool {
        let Some((factor, few)) = self.repeats else {
            return false;
        };
        let ratio = (now.abs() + few) / (before.abs() + few);
        ratio.ln().abs() > factor.ln() || now * before < 0.0
    }
}

/// All counters of the samples, by `PROVIDER:NAME`.
pub(super) struct Counters<'a>(HashMap<&'a str, Counter>);

impl<'a> Counters<'a> {
    pub(super) fn of(arrived: &'a [ArrivedSample]) -> Self {
        let mut all = HashMap::new();
        for name in arrived.iter().flat_map(|it| it.counters.keys()) {
            all.entry(&**name).or_insert_with(|| Counter::new(name));
        }
        Self(all)
    }

    /// One of them.
    pub(super) fn get(&self, name: &str) -> Counter {
        self.0[name]
    }
}

fn repeats(name: &str, role: Option<Role>) -> Option<(f64, f64)> {
    let (provider, counter) = name.split_once(':')?;
    match (describe(provider, counter)?.kind, role) {
        (CounterKind::Rate, _) => None,
        (CounterKind::Cycles, _) => Some((SHARED, FEW)),
        (CounterKind::Launch, _) => Some((REPEATED, 0.0)),
        (CounterKind::Volume, Some(role)) if !is_shared(role) => Some((REPEATED, FEW)),
        (CounterKind::Volume, _) => Some((SHARED, BACKGROUND)),
    }
}

/// Whether others' traffic is part of it.
fn is_shared(role: Role) -> bool {
    matches!(
        role,
        L2Requests
            | L2Reads
            | L2Writes
            | L2ReadSectors
            | L2WriteSectors
            | L2AtomicSectors
            | L2ReductionSectors
            | BusiestL2AtomicSectors
            | BusiestL2ReductionSectors
            | L2Bytes
            | DramReadSectors
            | DramWriteSectors
            | DramReadBytes
            | DramWriteBytes
            | DramBytes
    )
}
