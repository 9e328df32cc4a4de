//! Oclgrind's counters without a simulation: how often each block of a kernel runs, times the instructions in it.
//!
//! Only numbers that decide branches are computed, and only for work-items that can differ. Along axes of the launch
//! that no branch depends on, one work-item stands for all.

use std::collections::BTreeMap;

use kerncast_profilers::oclgrind_counters;

use crate::{
    run::{Axes, Goal, Machine, Memory, Refusal, Shape, Slice, places},
    sampling::{CountedLaunch, Extent, strata},
};

/// Number of work-groups that are tried first, to see how long all would take.
const TRIED_GROUPS: u64 = 8;
/// The most lanes side by side, if the order of work-items does not matter.
const MOST_LANES: usize = 1024;

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct OclgrindCounts {
    /// Counters by Oclgrind's names.
    pub counters: BTreeMap<String, f64>,
    /// The part of the launch that was looked at.
    pub extent: Extent,
    /// Local memory of a work-group, bytes.
    pub local_bytes: u64,
}

/// Counts what Oclgrind would count of a launch.
///
/// # Errors
/// The kernel can't be followed: branches depend on what nobody knows, or a single work-group takes more than the
/// budget.
pub fn count(launch: &CountedLaunch<'_, '_>) -> Result<OclgrindCounts, Refusal> {
    let slice = launch.slice(Goal::Branches)?;
    let run = CountingRun::new(launch, &slice)?;
    let tried = run.sample(TRIED_GROUPS)?;
    if tried.groups < run.all_groups() {
        let each = tried.steps / tried.groups.max(1);
        let budget = launch.budget.instructions;
        if each.saturating_mul(run.all_groups()) > budget {
            // As many as there is time for, those that were tried among them.
            let affordable = budget / each.max(1);
            if affordable <= tried.groups {
                return Ok(run.counts(&tried));
            }
            return Ok(run.counts(&run.sample(affordable)?));
        }
    }
    Ok(run.counts(&run.follow_all()?))
}

/// A run of a launch that counts visits of blocks.
struct CountingRun<'a, 'i> {
    launch: &'a CountedLaunch<'a, 'i>,
    slice: &'a Slice,
    memory: Memory<'i>,
    /// Work-items of a work-group that stand for all.
    items: Vec<[u32; 3]>,
    /// Number of work-items that each stands for, in all work-groups.
    stands_for: u64,
    /// Work-groups along the axes that matter.
    groups: [u32; 3],
}

/// Executions of each block.
struct Visits {
    blocks: Vec<f64>,
    /// Work-groups that were followed.
    groups: u64,
    /// Instructions that they took.
    steps: u64,
}

fn product(sizes: [u32; 3]) -> u64 {
    sizes.iter().map(|size| u64::from(*size)).product()
}

impl<'a, 'i> CountingRun<'a, 'i> {
    fn new(launch: &'a CountedLaunch<'a, 'i>, slice: &'a Slice) -> Result<Self, Refusal> {
        let memory = launch.memory(slice)?;
        let shape = Shape::new(launch.step);
        let axes = slice.branches;
        let along = |has: fn(Axes, usize) -> bool, sizes: [u32; 3]| -> [u32; 3] {
            std::array::from_fn(|at| if has(axes, at) { sizes[at] } else { 1 })
        };
        let local = along(Axes::has_local, shape.local);
        let groups = along(Axes::has_group, shape.groups);
        if shape.items() > 1 << 20 {
            return Err(Refusal::new(
                "a work-group of more than a million work-items",
            ));
        }
        Ok(Self {
            launch,
            slice,
            memory,
            items: places(local).collect(),
            stands_for: shape.items() / product(local) * (shape.all_groups() / product(groups)),
            groups,
        })
    }

    fn all_groups(&self) -> u64 {
        product(self.groups)
    }

    fn machine(&self) -> Result<Machine<'_>, Refusal> {
        // If work-items see what others write, Oclgrind's order is one after the other.
        let lanes = if self.slice.is_ordered { 1 } else { MOST_LANES };
        self.launch.machine(self.slice, self.memory.clone(), lanes)
    }

    /// Visits of every work-group, in order.
    fn follow_all(&self) -> Result<Visits, Refusal> {
        let mut machine = self.machine()?;
        for group in places(self.groups) {
            machine.run_group(group, &self.items, &mut ())?;
        }
        Ok(Visits {
            blocks: machine.visits.iter().map(|visits| *visits as f64).collect(),
            groups: self.all_groups(),
            steps: machine.spent,
        })
    }

    /// Visits of about `most` work-groups, with some of each kind.
    fn sample(&self, most: u64) -> Result<Visits, Refusal> {
        let mut machine = self.machine()?;
        let mut sampled = Visits {
            blocks: vec![0.0; machine.visits.len()],
            groups: 0,
            steps: 0,
        };
        for stratum in strata(self.groups) {
            let groups = stratum.sample(stratum.share(most, self.all_groups()));
            let before = machine.visits.clone();
            for group in &groups {
                machine.run_group(*group, &self.items, &mut ())?;
            }
            let weight = stratum.count() as f64 / groups.len() as f64;
            for (at, visits) in sampled.blocks.iter_mut().enumerate() {
                *visits += (machine.visits[at] - before[at]) as f64 * weight;
            }
            sampled.groups += groups.len() as u64;
        }
        sampled.steps = machine.spent;
        Ok(sampled)
    }

    /// The launch's counters by visits of its blocks.
    fn counts(&self, visits: &Visits) -> OclgrindCounts {
        let (program, step) = (self.launch.program, self.launch.step);
        // By name: the count, the bytes moved, and whether it moves any.
        let mut sums: Vec<(f64, f64, bool)> = vec![(0.0, 0.0, false); program.names.len()];
        for (block, visits) in program.blocks.iter().zip(&visits.blocks) {
            for counted in &block.counted {
                let sum = &mut sums[counted.name as usize];
                sum.0 += visits * f64::from(counted.count);
                sum.1 += visits * counted.bytes as f64;
                sum.2 |= counted.bytes > 0;
            }
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count; a sampled one to the nearest whole"
        )]
        let whole = |number: f64| (number * self.stands_for as f64).round() as u64;
        let instructions = program.names.iter().zip(&sums);
        let counters = oclgrind_counters(instructions.filter(|(_, sum)| sum.0 > 0.0).map(
            |(name, (count, bytes, moves))| {
                (name.as_str(), whole(*count), moves.then(|| whole(*bytes)))
            },
        ));
        OclgrindCounts {
            counters,
            extent: Extent::new(visits.groups, self.all_groups()),
            local_bytes: program.local_bytes + step.local_bytes(),
        }
    }
}
