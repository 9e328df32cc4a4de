//! What a GPU's counters will say of a launch: whole warps of sampled work-groups, with where each lane's accesses
//! go.
//!
//! The text is best what a compiler for GPUs makes at its highest optimisation: loads that it hoists are not
//! repeated, loops that it unrolls wait less.

mod accesses;
mod addresses;
mod blocks;
mod buffers;
mod caches;
mod chain;
mod counters;
mod functions;
mod joined;
mod known;
mod neighbours;
mod pipes;
mod residence;
mod sectors;
mod seen;
mod sums;
mod turns;

use std::{cmp::Reverse, collections::BTreeMap};

use kerncast_suite::{Input, Step};
use kerncast_wire::Facts;

pub use accesses::AccessCounts;

use self::{
    counters::counters, neighbours::Shares, residence::Residence, seen::Seen, sums::Totals,
};
use crate::{
    counts::{
        Budget, Extent,
        groups::{Stratum, strata},
        launch::{memory, same_buffers},
        order::{DEPENDENCE, Steps, dependence, in_order},
    },
    run::{Machine, Program, Refusal, Shape, Slice, Wanted},
};

/// Lanes of a warp.
pub const LANES: usize = 32;
/// Work-groups that are looked at.
const MOST_GROUPS: u64 = 96;
/// Of them, those that are compared with their neighbours.
const COMPARED: u32 = 3;

/// What of a GPU its counters depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Warps that one holds at once.
    pub warps: u32,
    /// Work-groups that it holds at once.
    pub groups: u32,
    /// Bytes of local memory that it has.
    pub local_bytes: u64,
    /// Bytes that its L1 and local memory share.
    pub l1_bytes: u64,
    /// Bytes of the last cache.
    pub l2_bytes: u64,
    /// Parts of it, each the nearer one of some multiprocessors.
    pub l2_parts: u32,
    /// Slices of it.
    pub l2_slices: u32,
}

impl From<&Facts> for Gpu {
    /// How many parts and slices the last cache has, data sheets do not say: as many as Hopper's.
    fn from(facts: &Facts) -> Self {
        // One L2 for all of Hopper: what was counted before and is counted now are of one kind.
        if facts.architecture == "9.0" {
            return Self::hopper(facts.multiprocessors);
        }
        let kib = |of: u32| u64::from(of) << 10;
        Self {
            warps: facts.holds.warps,
            groups: facts.holds.work_groups,
            local_bytes: kib(facts.holds.local_kib),
            l1_bytes: kib(facts.holds.l1_kib),
            l2_bytes: kib(facts.l2_kib),
            ..Self::hopper(facts.multiprocessors)
        }
    }
}

impl Gpu {
    /// NVIDIA's Hopper, with so many multiprocessors (CUDA programming guide, compute capability 9.0; H100's white
    /// paper).
    pub fn hopper(multiprocessors: u32) -> Self {
        Self {
            multiprocessors,
            warps: 64,
            groups: 32,
            local_bytes: 228 << 10,
            l1_bytes: 256 << 10,
            l2_bytes: 50 << 20,
            l2_parts: 2,
            l2_slices: 96,
        }
    }
}

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpCounts {
    /// By the names of provider `analysis`.
    pub counters: BTreeMap<String, f64>,
    /// Of how much of the launch.
    pub extent: Extent,
    /// Local memory of a work-group, bytes.
    pub local_bytes: u64,
    /// What of that comes from which access of the source, in the order of the program.
    pub accesses: Vec<AccessCounts>,
}

/// Counts what a GPU would count of a launch; `input` as for [`counts`](crate::counts::counts).
///
/// # Errors
/// The kernel can't be followed: addresses depend on what nobody knows, or a single work-group takes too long.
pub fn warps<'a>(
    program: &Program,
    step: &Step,
    bytes: &[usize],
    input: &dyn Fn(usize) -> Option<Input<'a>>,
    gpu: Gpu,
    budget: Budget,
) -> Result<WarpCounts, Refusal> {
    program.has_no_unknown_calls()?;
    let slice = Slice::of(program, Wanted::Addresses, &same_buffers(step))?;
    let fresh = || -> Result<Machine<'_>, Refusal> {
        let memory = memory(&slice, step, bytes, input, budget)?;
        let mut machine = Machine::new(program, &slice, step, memory, LANES)?;
        machine.limit = budget.most;
        Ok(machine)
    };
    let residence = Residence::of(program, step, gpu);
    let mut totals = Totals::default();
    let mut seen = Seen::new(program, &residence);
    if slice.is_ordered {
        let mut machine = fresh()?;
        let items = machine.all_items();
        let all = in_order(&mut machine, |machine, group| {
            machine.run_group(group, &items, &mut seen)?;
            totals.add(&seen.end_group(), 1.0, 1.0);
            Ok(())
        })?;
        if all {
            // Warps went one after the other, so which one finds work, and which finds it done, is not a device's.
            totals.longest_warp = 0.0;
            let compared = Compared::default();
            return Ok(WarpCounts {
                counters: counters(&totals, &residence, bytes, &compared),
                accesses: seen.shares(&totals),
                extent: Extent::Exact,
                local_bytes: residence.local_bytes,
            });
        }
        totals = Totals::default();
        seen = Seen::new(program, &residence);
    }
    let mut machine = fresh()?;
    let items = machine.all_items();
    let groups = Shape::of(step).groups;
    let mut ran: Vec<Steps> = Vec::new();
    let mut run = |groups: &[[u32; 3]]| -> Result<(Vec<Totals>, u64), Refusal> {
        let mut found = Vec::new();
        for group in groups {
            let before = machine.spent;
            machine.limit = before.saturating_add(budget.most);
            machine.run_group(*group, &items, &mut seen)?;
            ran.push((*group, machine.spent - before));
            found.push(seen.end_group());
        }
        Ok((found, machine.spent))
    };
    // Each kind once tells what one takes; what is left is shared. The commonest come first: where they take all that
    // there is, they stand for the others.
    let mut kinds = strata(groups);
    kinds.sort_by_key(|kind| Reverse(kind.count()));
    let mut first = Vec::new();
    let mut spent = 0;
    for kind in &kinds {
        let (found, so_far) = run(&kind.sample(1))?;
        first.push(found);
        spent = so_far;
        if spent > budget.most / 2 {
            break;
        }
    }
    kinds.truncate(first.len());
    let common: u64 = kinds.iter().map(Stratum::count).sum();
    let others = residence.groups as f64 / common.max(1) as f64;
    let each = spent / (kinds.len() as u64).max(1);
    let more = budget.instructions.saturating_sub(spent) / each.max(1);
    let mut looked_at = 0;
    for (kind, mut found) in kinds.iter().zip(first) {
        let share = u128::from(more.min(MOST_GROUPS)) * u128::from(kind.count())
            / u128::from(residence.groups.max(1));
        let wanted = u64::try_from(share).unwrap_or(u64::MAX).min(kind.count());
        if wanted > 1 {
            (found, _) = run(&kind.sample(wanted))?;
        }
        let mut together = Totals::default();
        for one in &found {
            together.add(one, 1.0, 1.0);
        }
        totals.add(&together, others * kind.count() as f64, found.len() as f64);
        looked_at += found.len() as u64;
    }
    let compared = compare(&mut machine, &mut seen, &residence, each, budget)?;
    let mut counters = counters(&totals, &residence, bytes, &compared);
    if slice.is_ordered {
        counters.insert(DEPENDENCE.to_owned(), dependence(&ran, fresh)?);
    }
    Ok(WarpCounts {
        counters,
        accesses: seen.shares(&totals),
        extent: Extent::of(looked_at, residence.groups),
        local_bytes: residence.local_bytes,
    })
}

/// What work-groups share with others.
#[derive(Default)]
struct Compared {
    /// With those before them in each dimension, by buffer.
    shares: BTreeMap<u64, Shares>,
    /// The share of sectors that those at once on a multiprocessor ask for, too.
    on_one: f64,
}

/// Compares some work-groups with others; nothing where one, which takes so many instructions, takes too long.
fn compare(
    machine: &mut Machine<'_>,
    seen: &mut Seen<'_>,
    residence: &Residence,
    each: u64,
    budget: Budget,
) -> Result<Compared, Refusal> {
    let items = machine.all_items();
    let groups = machine.groups();
    machine.limit = machine.spent.saturating_add(budget.most);
    let mut all = Compared::default();
    let mut compared = 0.0;
    for at in 1..=COMPARED {
        if machine.spent.saturating_add(each.saturating_mul(5)) > machine.limit {
            break;
        }
        let mut footprint = |group: [u32; 3]| -> Result<_, Refusal> {
            machine.run_group(group, &items, seen)?;
            let footprint = seen.footprint();
            seen.end_group();
            Ok(footprint)
        };
        // Spread over the launch, and none where dimensions are alike, as on a diagonal.
        let spread = [38, 62, 24].map(|by| (10 + by * at) % 100);
        let group: [u32; 3] = std::array::from_fn(|dimension| {
            let count = groups[dimension];
            let place = u64::from(count) * u64::from(spread[dimension]) / 100;
            u32::try_from(place).unwrap_or(0).max(1).min(count - 1)
        });
        let (mut neighbours, mut step, mut place) = (Vec::new(), 1, 0);
        for dimension in 0..3 {
            let count = u64::from(groups[dimension]);
            if count > 1 {
                let mut neighbour = group;
                neighbour[dimension] -= 1;
                neighbours.push((footprint(neighbour)?, step, count));
            }
            place += u64::from(group[dimension]) * step;
            step *= count;
        }
        // Work-groups go to multiprocessors in turn.
        let before = place.checked_sub(residence.active());
        let beside = before
            .map(|place| footprint(nth(place, groups)))
            .transpose()?;
        let own = footprint(group)?;
        for (buffer, shares) in neighbours::shares(&own, &neighbours) {
            let sum = all.shares.entry(buffer).or_default();
            sum.distinct += shares.distinct;
            for (distance, share) in shares.before {
                *sum.before.entry(distance).or_default() += share;
            }
        }
        all.on_one += beside.map_or(0.0, |beside| neighbours::overlap(&own, &beside));
        compared += 1.0;
    }
    for shares in all.shares.values_mut() {
        shares.distinct /= compared;
        shares.before.values_mut().for_each(|it| *it /= compared);
    }
    all.on_one /= f64::max(compared, 1.0);
    Ok(all)
}

/// The work-group in this place, the first dimension first.
#[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bits")]
fn nth(place: u64, groups: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = groups.map(u64::from);
    [place % x, place / x % y, place / x / y].map(|at| at as u32)
}
