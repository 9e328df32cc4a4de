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

use std::{collections::BTreeMap, iter};

use kerncast_suite::{Input, Step};

use self::{
    buffers::{Buffers, beyond},
    lines::LINE,
    observer::ItemObserver,
    sums::{NAMES, Sum, Totals},
};
use crate::{
    counts::{
        Budget, Extent, REVISION,
        launch::{machine, same_buffers},
        order::{DEPENDENCE, dependence},
        sampler::{GroupObserver, Sampler},
        strata::{Stratum, strata},
    },
    run::{Goal, Program, Refusal, Shape, Slice},
};

/// Number of work-items side by side: numbers of 32 bits in a vector of 32 bytes.
pub const LANES: usize = 8;
/// Bytes of the last cache.
const LARGEST: f64 = 16.0 * 1024.0 * 1024.0;
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

/// Counts what a CPU does with a launch. `input`: as for [`counts`](crate::counts::counts). `cores`: the number of the
/// CPU's cores.
///
/// # Errors
/// The kernel can't be followed: addresses depend on what nobody knows, or a single work-group takes too long.
pub fn cpu<'a>(
    program: &Program,
    step: &Step,
    bytes: &[usize],
    input: &dyn Fn(usize) -> Option<Input<'a>>,
    cores: u32,
    budget: Budget,
) -> Result<CpuCounts, Refusal> {
    program.has_no_unknown_calls()?;
    let slice = Slice::of(program, Goal::Addresses, &same_buffers(step))?;
    let new_machine = || machine(program, &slice, step, bytes, input, budget, LANES);
    let new_sampler = || -> Result<_, Refusal> {
        let machine = new_machine()?;
        let observer = ItemObserver::new(program, machine.all_items().len())?;
        Ok(Sampler::new(machine, observer))
    };
    let (shape, mut totals) = (Shape::of(step), Totals::default());
    if slice.is_ordered {
        if new_sampler()?.all_in_order(|of_group| totals.add(of_group, 1.0, 1.0))? {
            return Ok(CpuCounts {
                counters: counters(&totals, &shape, bytes, cores),
                extent: Extent::Exact,
            });
        }
        totals = Totals::default();
    }
    let all = shape.all_groups();
    let mut sampler = new_sampler()?;
    let mut looked_at = 0;
    for stratum in strata(shape.groups) {
        let count = stratum.count();
        let share = budget.instructions as f64 * count as f64 / all as f64;
        let most = MOST_GROUPS * count / all.max(1) + 1;
        let (of_stratum, groups) = sampler.sample_stratum(&stratum, share, most)?;
        totals.add(&of_stratum, count as f64, groups as f64);
        looked_at += groups;
    }
    let mut counters = counters(&totals, &shape, bytes, cores);
    if slice.is_ordered {
        let dependence = dependence(&sampler.ran, new_machine)?;
        counters.insert(DEPENDENCE.to_owned(), dependence);
    }
    Ok(CpuCounts {
        counters,
        extent: Extent::of(looked_at, all),
    })
}

impl Sampler<'_, ItemObserver<'_>> {
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
            let (items, observer) = (&self.items, &mut self.observer);
            self.machine.run_group(neighbour, items, observer)?;
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

/// Levels of caches: bytes, and the sums of lines of a stream and of others that smaller caches no longer have.
const LEVELS: [(u32, Sum, Sum); 3] = [
    (32 << 10, Sum::Streamed32K, Sum::Strayed32K),
    (512 << 10, Sum::Streamed256K, Sum::Strayed256K),
    (16 << 20, Sum::Streamed2M, Sum::Strayed2M),
];

/// A launch's counters by provider `analysis`'s names; `bytes` are its buffers' lengths.
fn counters(totals: &Totals, shape: &Shape, bytes: &[usize], cores: u32) -> BTreeMap<String, f64> {
    let sums = totals.sums.iter().copied().chain(iter::repeat(0.0));
    let named = NAMES.iter().map(|name| (*name).to_owned()).zip(sums);
    let mut counters: BTreeMap<String, f64> = named.collect();
    let buffers = Buffers::of(totals, bytes);
    let (lines, written_lines) = (buffers.distinct_lines, buffers.written_lines);
    let mut put = |name: &str, value: f64| counters.insert(name.to_owned(), value);
    put(REVISION.0, REVISION.1);
    put(DEPENDENCE, 0.0);
    let groups = shape.all_groups();
    put("cpu_work_items", (groups * shape.items()) as f64);
    let written_back = written_lines * beyond(lines, LARGEST);
    put("cpu_written_back_lines", written_back);
    put("cpu_lines", lines);
    put("cpu_written_lines", written_lines);
    put("cpu_shared_lines", (buffers.group_lines - lines).max(0.0));
    put("cpu_footprint_bytes", lines * LINE as f64);
    let of_load = 1.0 / totals.of(Sum::GlobalLoads).max(1.0);
    let serial = totals.of(Sum::SerialLoads);
    for ((bytes, streamed, strayed), level) in LEVELS.into_iter().zip(1..) {
        let size = f64::from(bytes);
        let [first_streamed, first_strayed] = buffers.first(size);
        // The last cache is larger than the distances that are counted.
        let again = match bytes {
            0..=0x10_0000 => 1.0,
            _ => beyond(lines, size),
        };
        let streamed = first_streamed + again * totals.of(streamed);
        let strayed = first_strayed + again * totals.of(strayed);
        put(&format!("cpu_streamed_l{level}_misses"), streamed);
        put(&format!("cpu_strayed_l{level}_misses"), strayed);
        let waits = serial * (strayed * of_load).min(1.0);
        put(&format!("cpu_l{level}_waits"), waits);
    }
    let busiest = totals.atomics.values().copied().fold(0.0, f64::max);
    put("cpu_busiest_atomics", busiest);
    let on_one = (groups as f64 / f64::from(cores.max(1))).ceil() / groups as f64;
    let busiest = totals.of(Sum::Instructions) * on_one;
    put("cpu_busiest_core", busiest.max(totals.longest));
    counters
}
