//! Facts about counters that the gate needs, looked up once for all samples.

use std::collections::HashMap;

use kerncast_profilers::catalogue::{describe, role};
use kerncast_wire::{
    CounterKind,
    Role::{self, *},
};

use super::ArrivedSample;

/// The factor up to which counts repeat, …
const OWN_FACTOR: f64 = 1.25;
/// … after this many events were added to both.
const ADDED_OWN: f64 = 64.0;
/// The factor up to which counts of caches and DRAM repeat, which hold others' traffic, …
const SHARED_FACTOR: f64 = 2.0;
/// … after this many events were added to both.
const ADDED_SHARED: f64 = 16_384.0;

/// A counter, as the gate knows it.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    /// The counter's role.
    pub(super) role: Option<Role>,
    /// How counts repeat: the factor by which they may differ between runs, and the number of events added to both
    /// before; none where the counter says nothing of the work done.
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

    /// Whether two counts differ by more than from one run to the next.
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
    pub(super) fn new(arrived: &'a [ArrivedSample]) -> Self {
        let mut all = HashMap::new();
        for name in arrived.iter().flat_map(|it| it.counters.keys()) {
            all.entry(&**name).or_insert_with(|| Counter::new(name));
        }
        Self(all)
    }

    /// The counter of this name, which must be one of the samples'.
    pub(super) fn get(&self, name: &str) -> Counter {
        self.0[name]
    }
}

fn repeats(name: &str, role: Option<Role>) -> Option<(f64, f64)> {
    let (provider, counter) = name.split_once(':')?;
    match (describe(provider, counter)?.kind, role) {
        (CounterKind::Rate, _) => None,
        (CounterKind::Cycles, _) => Some((SHARED_FACTOR, ADDED_OWN)),
        (CounterKind::Launch, _) => Some((OWN_FACTOR, 0.0)),
        (CounterKind::Volume, Some(role)) if !is_shared(role) => Some((OWN_FACTOR, ADDED_OWN)),
        (CounterKind::Volume, _) => Some((SHARED_FACTOR, ADDED_SHARED)),
    }
}

/// Whether counts with this role hold others' traffic.
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
