//! A CPU's counters of a launch. Work-items of sampled work-groups are executed side by side. Rules say which of them a
//! runtime's compiler makes vectors of; simulated caches say where their lines are.

mod branches;
mod buffers;
mod chain;
mod costs;
pub(crate) mod functions;
mod lines;
mod observer;
mod set_associative;
mod sums;
mod vectorizable_loops;
mod vectors;

use std::collections::BTreeMap;

use self::{
    buffers::{Buffers, beyond},
    lines::LINE,
    observer::ItemObserver,
    sums::{SUM_COUNTERS, Sum, Totals},
};
use crate::{
    run::{Refusal, Shape},
    sampling::{
        Budget, CountedLaunch, DEPENDENCE, Extent, GroupObserver, GroupTotals, REVISION, Sampler,
        Stratum, follow_groups, strata,
    },
};

/// Number of work-items side by side: numbers of 32 bits in a vector of 32 bytes.
pub const LANES: usize = 8;
const KIB: f64 = 1024.0;
/// Bytes of the last cache.
const LARGEST_CACHE: f64 = 16.0 * 1024.0 * KIB;
/// The most work-groups that are looked at.
const MOST_GROUPS: u64 = 64;

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuCounts {
    /// Counters by the names of provider `analysis`.
    pub counters: BTreeMap<String, f64>,
    /// The part of the launch that was looked at.
    pub extent: Extent,
}

/// Counts what a CPU with this many cores does with a launch.
///
/// # Errors
/// The kernel can't be followed: addresses depend on what nobody knows, or a single work-group takes too long.
pub fn count(launch: &CountedLaunch<'_, '_>, cores: u32) -> Result<CpuCounts, Refusal> {
    let items = launch.step.work_group_size();
    let new_observer = || ItemObserver::new(launch.program, items);
    let sample = |sampler: &mut Sampler<'_, _>| sampler.sample_launch(launch.budget);
    let followed = follow_groups(launch, LANES, new_observer, sample)?;
    Ok(CpuCounts {
        counters: counters(&followed.totals, launch, cores, followed.dependence),
        extent: followed.extent,
    })
}

impl Sampler<'_, ItemObserver<'_>> {
    /// Totals of some work-groups of each kind, scaled to all of a launch, and the number of those work-groups.
    fn sample_launch(&mut self, budget: Budget) -> Result<(Totals, u64), Refusal> {
        let strata = strata(self.machine.groups());
        let all: u64 = strata.iter().map(Stratum::count).sum();
        let (mut totals, mut looked_at) = (Totals::default(), 0);
        for stratum in strata {
            let count = stratum.count();
            let share = budget.instructions as f64 * count as f64 / all as f64;
            let most = MOST_GROUPS * count / all + 1;
            let (sum, groups) = self.sample_stratum(&stratum, share, most)?;
            totals.add(&sum, count as f64, groups as f64);
            looked_at += groups;
        }
        Ok((totals, looked_at))
    }

    /// Totals of some work-groups of a stratum, evenly spread, and their number: one, and as many more as `share` steps
    /// allow by the steps of the first one.
    fn sample_stratum(
        &mut self,
        stratum: &Stratum,
        share: f64,
        most: u64,
    ) -> Result<(Totals, u64), Refusal> {
        let before = self.machine.spent;
        let mut totals = Totals::default();
        for group in stratum.sample(1) {
            totals.add(&self.sample_warm(group)?, 1.0, 1.0);
        }
        let each = (self.machine.spent - before).max(1) as f64;
        let more = to_whole(share / each).min(most).min(stratum.count() - 1);
        if more > 0 {
            for group in stratum.sample(1 + more).into_iter().skip(1) {
                totals.add(&self.sample_warm(group)?, 1.0, 1.0);
            }
        }
        Ok((totals, 1 + more))
    }

    /// Runs a work-group with caches as the one before it has left them.
    fn sample_warm(&mut self, group: [u32; 3]) -> Result<Totals, Refusal> {
        self.observer.forget();
        if group[0] > 0 {
            let neighbour = [group[0] - 1, group[1], group[2]];
            self.run(neighbour)?;
            self.observer.end_group();
        }
        self.sample(group)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count, rounded down"
)]
fn to_whole(number: f64) -> u64 {
    number.max(0.0) as u64
}

/// Levels of caches, each with:
///
/// - its bytes for lines that a work-group asks for first: whether it has them depends on the whole launch
///   ([`Buffers::first`]);
/// - sums of repeated requests that it misses, for lines of a stream and for others. These are counted with the sizes of
///   [`lines::GROUP_LEVELS`], of which the second is half and the third an eighth of the size here. No reason is on
///   record for that. Whoever makes them alike changes counters, and raises [`REVISION`];
/// - names of counters: of misses for lines of a stream and for others, and of waits.
const LAUNCH_LEVELS: [(f64, [Sum; 2], [&str; 3]); 3] = [
    (
        32.0 * KIB,
        [Sum::Streamed32K, Sum::Strayed32K],
        [
            "cpu_streamed_l1_misses",
            "cpu_strayed_l1_misses",
            "cpu_l1_waits",
        ],
    ),
    (
        512.0 * KIB,
        [Sum::Streamed256K, Sum::Strayed256K],
        [
            "cpu_streamed_l2_misses",
            "cpu_strayed_l2_misses",
            "cpu_l2_waits",
        ],
    ),
    (
        LARGEST_CACHE,
        [Sum::Streamed2M, Sum::Strayed2M],
        [
            "cpu_streamed_l3_misses",
            "cpu_strayed_l3_misses",
            "cpu_l3_waits",
        ],
    ),
];

/// A launch's counters by provider `analysis`'s names.
fn counters(
    totals: &Totals,
    launch: &CountedLaunch<'_, '_>,
    cores: u32,
    dependence: f64,
) -> BTreeMap<String, f64> {
    let named = SUM_COUNTERS.iter();
    let mut counters: Vec<(&str, f64)> =
        named.map(|(sum, name)| (*name, totals.sum(*sum))).collect();
    let shape = Shape::new(launch.step);
    let groups = shape.all_groups();
    let buffers = Buffers::new(totals, launch);
    let (lines, written_lines) = (buffers.distinct_lines, buffers.written_lines);
    let busiest_line = totals.atomics.values().copied().fold(0.0, f64::max);
    let on_one = (groups as f64 / f64::from(cores.max(1))).ceil() / groups as f64;
    let busiest_core = totals.sum(Sum::Instructions) * on_one;
    let written_back = written_lines * beyond(lines, LARGEST_CACHE);
    let shared = (buffers.group_lines - lines).max(0.0);
    counters.extend([
        REVISION,
        (DEPENDENCE, dependence),
        ("cpu_work_items", (groups * shape.items()) as f64),
        ("cpu_written_back_lines", written_back),
        ("cpu_lines", lines),
        ("cpu_written_lines", written_lines),
        ("cpu_shared_lines", shared),
        ("cpu_footprint_bytes", lines * LINE as f64),
        ("cpu_busiest_atomics", busiest_line),
        ("cpu_busiest_core", busiest_core.max(totals.longest)),
    ]);
    let by_load = 1.0 / totals.sum(Sum::GlobalLoads).max(1.0);
    for (size, sums, names) in LAUNCH_LEVELS {
        // The last cache is larger than the distances that are counted: of the requests from farther back it misses as
        // many as if each came after all of the launch's lines.
        let again = if size < LARGEST_CACHE {
            1.0
        } else {
            beyond(lines, size)
        };
        let first = buffers.first(size);
        let misses = |kind: usize| first[kind] + again * totals.sum(sums[kind]);
        let (streamed, strayed) = (misses(0), misses(1));
        let waits = totals.sum(Sum::SerialLoads) * (strayed * by_load).min(1.0);
        counters.extend(names.into_iter().zip([streamed, strayed, waits]));
    }
    let named = counters.into_iter();
    named
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
