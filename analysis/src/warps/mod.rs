//! What a GPU's counters will say of a launch: whole warps of sampled work-groups, with where each lane's accesses
//! go.
//!
//! The text is best what a compiler for GPUs makes at its highest optimisation: loads that it hoists are not
//! repeated, loops that it unrolls wait less.

mod chain;
mod pipes;
mod sectors;
mod seen;

use std::collections::BTreeMap;

use kerncast_suite::{Data, Step};

use self::seen::{Seen, Totals};
use crate::{
    counts::{
        Budget, Extent,
        groups::strata,
        launch::{memory, same_buffers},
    },
    run::{Machine, Program, Refusal, Shape, Slice, Wanted},
};

/// Lanes of a warp.
pub const LANES: usize = 32;
/// A group may take so many times what all together should.
const LONGEST: u64 = 16;

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
    machine.limit = budget.instructions.saturating_mul(LONGEST);
    let shape = Shape::of(step);
    let items = machine.all_items();
    let strata = strata(shape.groups);
    let mut totals = Totals::default();
    let mut seen = Seen::new(program, step, gpu, &shape);
    let (mut looked_at, all) = (0_u64, shape.all_groups());
    if slice.is_ordered {
        // What one does depends on what others have written: all of them, in order, or none.
        for group in in_order(shape.groups) {
            machine.run_group(group, &items, &mut seen).map_err(|why| {
                Refusal::new(format!(
                    "what a work-group does depends on what others have written, and all of them take too long: {why}"
                ))
            })?;
            totals.add(&seen.end_group(), 1.0, 1.0);
        }
        return Ok(WarpCounts {
            counters: seen.counters(&totals, bytes),
            extent: Extent::Exact,
        });
    }
    // Each kind once tells what one takes; what is left is shared.
    let mut sampled: Vec<(Vec<[u32; 3]>, u64)> =
        strata.iter().map(|it| (it.sample(1), it.count())).collect();
    let mut of_kind: Vec<Vec<Totals>> = Vec::new();
    for (groups, _) in &sampled {
        let mut found = Vec::new();
        for group in groups {
            machine.run_group(*group, &items, &mut seen)?;
            found.push(seen.end_group());
        }
        of_kind.push(found);
    }
    let each = machine.spent / (sampled.len() as u64).max(1);
    let left = budget.instructions.saturating_sub(machine.spent);
    let more = left / each.max(1);
    for ((stratum, (groups, count)), found) in strata.iter().zip(&mut sampled).zip(&mut of_kind) {
        let share = u128::from(more.min(MOST_GROUPS)) * u128::from(*count) / u128::from(all.max(1));
        let wanted = u64::try_from(share).unwrap_or(u64::MAX).min(*count);
        if wanted > 1 {
            *groups = stratum.sample(wanted);
            found.clear();
            for group in groups.iter() {
                machine.run_group(*group, &items, &mut seen)?;
                found.push(seen.end_group());
            }
        }
        let mut together = Totals::default();
        for one in found.iter() {
            together.add(one, 1.0, 1.0);
        }
        totals.add(&together, *count as f64, found.len() as f64);
        looked_at += found.len() as u64;
    }
    let extent = match looked_at >= all {
        true => Extent::Exact,
        false => Extent::Sampled {
            groups: looked_at,
            of: all,
        },
    };
    Ok(WarpCounts {
        counters: seen.counters(&totals, bytes),
        extent,
    })
}

fn in_order([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
}

/// Work-groups that are looked at.
const MOST_GROUPS: u64 = 96;
