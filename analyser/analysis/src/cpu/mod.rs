//! What a CPU does with a launch: work-items of sampled work-groups side by side, which of them a runtime's compiler
//! makes vectors of, and where in the caches their lines are.

mod branches;
mod buffers;
mod chain;
mod costs;
pub(crate) mod functions;
mod lines;
mod seen;
mod sets;
mod sums;
mod turns;
mod vectors;

use std::collections::BTreeMap;

use kerncast_suite::{Input, Step};

use self::{
    buffers::{Buffers, beyond},
    lines::LINE,
    seen::Seen,
    sums::{NAMES, Sum, Totals},
};
use crate::{
    counts::{
        Budget, Extent, REVISION,
        groups::strata,
        launch::{memory, same_buffers},
        order::{DEPENDENCE, Steps, dependence, in_order},
    },
    run::{Machine, Program, Refusal, Shape, Slice, Wanted},
};

/// Work-items side by side: numbers of 32 bits in a vector of 32 bytes.
pub const LANES: usize = 8;
/// Bytes of the last cache.
const LARGEST: f64 = 16.0 * 1024.0 * 1024.0;
/// Work-groups that are looked at.
const MOST_GROUPS: u64 = 64;

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuCounts {
    /// By the names of provider `analysis`.
    pub counters: BTreeMap<String, f64>,
    /// Of how much of the launch.
    pub extent: Extent,
}

/// Counts what a CPU does with a launch; `input` as for [`counts`](crate::counts::counts), `cores` those that it has.
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
    let slice = Slice::of(program, Wanted::Addresses, &same_buffers(step))?;
    let fresh = || -> Result<Machine<'_>, Refusal> {
        let memory = memory(&slice, step, bytes, input, budget)?;
        let mut machine = Machine::new(program, &slice, step, memory, LANES)?;
        machine.limit = budget.most;
        Ok(machine)
    };
    let mut machine = fresh()?;
    let shape = Shape::of(step);
    let items = machine.all_items();
    let mut seen = Seen::new(program, items.len())?;
    let mut totals = Totals::default();
    let all = shape.all_groups();
    if slice.is_ordered {
        let followed = in_order(&mut machine, |machine, group| {
            machine.run_group(group, &items, &mut seen)?;
            totals.add(&seen.end_group(), 1.0, 1.0);
            Ok(())
        })?;
        if followed {
            return Ok(CpuCounts {
                counters: counters(&totals, &shape, bytes, cores),
                extent: Extent::Exact,
            });
        }
        totals = Totals::default();
        seen = Seen::new(program, items.len())?;
        machine = fresh()?;
    }
    let mut ran: Vec<Steps> = Vec::new();
    let strata = strata(shape.groups);
    let mut looked_at = 0;
    for stratum in &strata {
        let (count, before) = (stratum.count(), machine.spent);
        let share = budget.instructions as f64 * count as f64 / all as f64;
        let mut of_stratum = Totals::default();
        let mut found = 0;
        // One more as long as there is time for it: evenly spread, as a guess of how many there will be.
        let mut wanted = 1;
        let mut groups = stratum.sample(1);
        while found < groups.len() {
            let place = groups[found];
            seen.forget();
            // What the work-group before it has left in the caches.
            if place[0] > 0 {
                let neighbour = [place[0] - 1, place[1], place[2]];
                machine.run_group(neighbour, &items, &mut seen)?;
                seen.end_group();
            }
            let so_far = machine.spent;
            machine.run_group(place, &items, &mut seen)?;
            ran.push((place, machine.spent - so_far));
            of_stratum.add(&seen.end_group(), 1.0, 1.0);
            found += 1;
            if wanted == 1 {
                let each = (machine.spent - before).max(1) as f64;
                wanted = 1 + to_whole(share / each)
                    .min(MOST_GROUPS * count / all.max(1) + 1)
                    .min(count - 1);
                if wanted > 1 {
                    groups.extend(stratum.sample(wanted).into_iter().skip(1));
                }
            }
        }
        totals.add(&of_stratum, count as f64, found as f64);
        looked_at += found as u64;
    }
    let mut counters = counters(&totals, &shape, bytes, cores);
    if slice.is_ordered {
        counters.insert(DEPENDENCE.to_owned(), dependence(&ran, fresh)?);
    }
    Ok(CpuCounts {
        counters,
        extent: Extent::of(looked_at, all),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count, rounded down"
)]
fn to_whole(number: f64) -> u64 {
    number.max(0.0) as u64
}

/// By provider `analysis`'s names.
fn counters(totals: &Totals, shape: &Shape, bytes: &[usize], cores: u32) -> BTreeMap<String, f64> {
    let mut counters: BTreeMap<String, f64> = NAMES
        .iter()
        .enumerate()
        .map(|(at, name)| {
            (
                (*name).to_owned(),
                totals.sums.get(at).copied().unwrap_or(0.0),
            )
        })
        .collect();
    let buffers = Buffers::of(totals, bytes);
    let (lines, written) = (buffers.lines, buffers.written);
    let mut put = |name: &str, value: f64| counters.insert(name.to_owned(), value);
    put(REVISION.0, REVISION.1);
    put(DEPENDENCE, 0.0);
    put(
        "cpu_work_items",
        (shape.all_groups() * shape.items()) as f64,
    );
    put("cpu_written_back_lines", written * beyond(lines, LARGEST));
    put("cpu_lines", lines);
    put("cpu_written_lines", written);
    put("cpu_shared_lines", (buffers.asked - lines).max(0.0));
    put("cpu_footprint_bytes", lines * LINE as f64);
    let of_load = 1.0 / totals.of(Sum::GlobalLoads).max(1.0);
    let serial = totals.of(Sum::SerialLoads);
    for (size, sums, names) in [
        (
            32 << 10,
            [Sum::Streamed32K, Sum::Strayed32K],
            [
                "cpu_streamed_l1_misses",
                "cpu_strayed_l1_misses",
                "cpu_l1_waits",
            ],
        ),
        (
            512 << 10,
            [Sum::Streamed256K, Sum::Strayed256K],
            [
                "cpu_streamed_l2_misses",
                "cpu_strayed_l2_misses",
                "cpu_l2_waits",
            ],
        ),
        (
            16 << 20,
            [Sum::Streamed2M, Sum::Strayed2M],
            [
                "cpu_streamed_l3_misses",
                "cpu_strayed_l3_misses",
                "cpu_l3_waits",
            ],
        ),
    ] {
        let [first_streamed, first_strayed] = buffers.first(f64::from(size));
        // The last cache is larger than the distances that are counted.
        let again = if size > 1 << 20 {
            beyond(lines, f64::from(size))
        } else {
            1.0
        };
        let streamed = first_streamed + again * totals.of(sums[0]);
        let strayed = first_strayed + again * totals.of(sums[1]);
        put(names[0], streamed);
        put(names[1], strayed);
        put(names[2], serial * (strayed * of_load).min(1.0));
    }
    let busiest = totals.atomics.values().copied().fold(0.0, f64::max);
    put("cpu_busiest_atomics", busiest);
    let groups = shape.all_groups() as f64;
    let cores = f64::from(cores.max(1));
    let instructions = totals.of(Sum::Instructions);
    let on_one = (groups / cores).ceil() / groups;
    put(
        "cpu_busiest_core",
        (instructions * on_one).max(totals.longest),
    );
    counters
}
