//! What a GPU's counters will say of a launch: whole warps of sampled work-groups, with where each lane's accesses
//! go.
//!
//! The text is best what a compiler for GPUs makes at its highest optimisation: loads that it hoists are not
//! repeated, loops that it unrolls wait less.

mod accesses;
mod blocks;
mod buffers;
mod caches;
mod chain;
mod counters;
mod functions;
mod joined;
mod known;
mod pipes;
mod residence;
mod sectors;
mod seen;
mod sums;

use std::collections::BTreeMap;

use kerncast_suite::{Data, Step};

pub use accesses::AccessCounts;

use self::{counters::counters, residence::Residence, seen::Seen, sums::Totals};
use crate::{
    counts::{
        Budget, Extent,
        groups::strata,
        launch::{memory, same_buffers},
    },
    run::{Machine, Program, Refusal, Shape, Slice, Wanted, places},
};

/// Lanes of a warp.
pub const LANES: usize = 32;
/// Work-groups that are looked at.
const MOST_GROUPS: u64 = 96;

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
pub fn warps(
    program: &Program,
    step: &Step,
    bytes: &[usize],
    input: &mut dyn FnMut(usize) -> Result<Option<Data>, String>,
    gpu: Gpu,
    budget: Budget,
) -> Result<WarpCounts, Refusal> {
    let slice = Slice::of(program, Wanted::Addresses, &same_buffers(step))?;
    let memory = memory(&slice, step, bytes, input, budget)?;
    let mut machine = Machine::new(program, &slice, step, memory, LANES)?;
    machine.limit = budget.most;
    let groups = Shape::of(step).groups;
    let items = machine.all_items();
    let residence = Residence::of(program, step, gpu);
    let mut seen = Seen::new(program, &residence);
    let mut totals = Totals::default();
    let mut looked_at = residence.groups;
    if slice.is_ordered {
        // What one does depends on what others have written: all of them, in order, or none.
        for group in places(groups) {
            machine.run_group(group, &items, &mut seen).map_err(|why| {
                Refusal::new(format!(
                    "what a work-group does depends on what others have written, and all of them take too long: {why}"
                ))
            })?;
            totals.add(&seen.end_group(), 1.0, 1.0);
        }
        // Warps went one after the other, so which one finds work, and which finds it done, is not a device's.
        totals.longest_warp = 0.0;
    } else {
        looked_at = 0;
        let mut run = |groups: &[[u32; 3]]| -> Result<(Vec<Totals>, u64), Refusal> {
            let mut found = Vec::new();
            for group in groups {
                machine.run_group(*group, &items, &mut seen)?;
                found.push(seen.end_group());
            }
            Ok((found, machine.spent))
        };
        // Each kind once tells what one takes; what is left is shared.
        let kinds = strata(groups);
        let mut first = Vec::new();
        let mut spent = 0;
        for kind in &kinds {
            let (found, so_far) = run(&kind.sample(1))?;
            first.push(found);
            spent = so_far;
        }
        let each = spent / (kinds.len() as u64).max(1);
        let more = budget.instructions.saturating_sub(spent) / each.max(1);
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
            totals.add(&together, kind.count() as f64, found.len() as f64);
            looked_at += found.len() as u64;
        }
    }
    Ok(WarpCounts {
        counters: counters(&totals, &residence, bytes),
        accesses: seen.shares(&totals),
        extent: Extent::of(looked_at, residence.groups),
        local_bytes: residence.local_bytes,
    })
}
