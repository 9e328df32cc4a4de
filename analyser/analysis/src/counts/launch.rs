//! One launch's counters.

use std::collections::BTreeMap;

use kerncast_profilers::oclgrind_counters;
use kerncast_suite::{Data, Input, LaunchArgument, Step};

use super::{
    Budget,
    strata::{Stratum, strata},
};
use crate::run::{Axes, Goal, Machine, Memory, Program, Refusal, Shape, Slice, places};

/// Number of work-groups that are tried first, to see how long all would take.
const TRIED: u64 = 8;
/// The most lanes side by side, where the order of work-items does not matter.
const WIDEST: usize = 1024;

/// A launch's counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// Counters by Oclgrind's names.
    pub counters: BTreeMap<String, f64>,
    /// The part of the launch that was looked at.
    pub extent: Extent,
    /// Local memory of a work-group, bytes.
    pub local_bytes: u64,
}

/// The part of a launch that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every work-group that may differ from others.
    Exact,
    /// Some work-groups, scaled to all.
    Sampled {
        /// Number of work-groups that were looked at.
        groups: u64,
        /// Number of work-groups of the launch.
        of: u64,
    },
}

impl Extent {
    /// The extent, if `groups` work-groups of `of` were looked at.
    pub(crate) fn of(groups: u64, of: u64) -> Self {
        if groups >= of {
            Self::Exact
        } else {
            Self::Sampled { groups, of }
        }
    }
}

/// Counts what Oclgrind would count of a launch. `input` gives the contents of a buffer before the launch, by the
/// buffer's place. It is called only for buffers that branches depend on, and returns none for those that only the
/// kernel writes.
///
/// # Errors
/// The kernel can't be followed: branches depend on what nobody knows, or a single work-group takes more than the
/// budget.
pub fn counts<'a>(
    program: &Program,
    step: &Step,
    bytes: &[usize],
    input: &dyn Fn(usize) -> Option<Input<'a>>,
    budget: Budget,
) -> Result<Counts, Refusal> {
    let slice = Slice::of(program, Goal::Branches, &same_buffers(step))?;
    let memory = memory(&slice, step, bytes, input, budget)?;
    let count = Count::new(program, &slice, step, memory, budget)?;
    let all = count.all();
    let tried = count.sample(TRIED)?;
    if tried.groups < all {
        let each = tried.spent / tried.groups.max(1);
        if each.saturating_mul(all) > budget.instructions {
            // As many as there is time for, those that were tried among them.
            let affordable = budget.instructions / each.max(1);
            if affordable <= tried.groups {
                return Ok(count.finish(tried));
            }
            let sampled = count.sample(affordable)?;
            return Ok(count.finish(sampled));
        }
    }
    let exact = count.every()?;
    Ok(count.finish(exact))
}

/// Pairs of arguments that are one buffer.
pub(crate) fn same_buffers(step: &Step) -> Vec<(usize, usize)> {
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    let mut same = Vec::new();
    for (place, argument) in step.arguments.iter().enumerate() {
        if let LaunchArgument::Buffer(buffer) = argument {
            let one = *first.entry(*buffer).or_insert(place);
            if one != place {
                same.push((one, place));
            }
        }
    }
    same
}

/// A machine with the launch's buffers, whose work-groups may each take as many instructions as the budget says.
pub(crate) fn machine<'m, 'a: 'm>(
    program: &'m Program,
    slice: &'m Slice,
    step: &Step,
    bytes: &[usize],
    input: &dyn Fn(usize) -> Option<Input<'a>>,
    budget: Budget,
    lanes: usize,
) -> Result<Machine<'m>, Refusal> {
    let memory = memory(slice, step, bytes, input, budget)?;
    let mut machine = Machine::new(program, slice, step, memory, lanes)?;
    machine.limit = budget.most;
    Ok(machine)
}

/// The buffers that branches depend on.
fn memory<'a>(
    slice: &Slice,
    step: &Step,
    bytes: &[usize],
    input: &dyn Fn(usize) -> Option<Input<'a>>,
    budget: Budget,
) -> Result<Memory<'a>, Refusal> {
    let mut buffers: Vec<Option<Data>> = vec![None; bytes.len()];
    let mut parts = Vec::new();
    let mut bytes_read = 0_u64;
    for argument in &slice.reads {
        let Some(LaunchArgument::Buffer(place)) = step.arguments.get(*argument) else {
            continue;
        };
        let Some(length) = bytes.get(*place) else {
            continue;
        };
        if buffers[*place].is_some() {
            continue;
        }
        let input = input(*place);
        if let Some(input) = input.filter(Input::has_parts) {
            parts.push((*place, input));
            continue;
        }
        bytes_read = bytes_read.saturating_add(*length as u64);
        if bytes_read > budget.bytes {
            return Err(Refusal::new(format!(
                "branches depend on more than {} MiB of buffers",
                budget.bytes >> 20
            )));
        }
        let data = input.map(|it| it.whole()).transpose();
        let data = data.map_err(|why| Refusal::new(why.to_string()))?.flatten();
        // What nobody has filled holds ones.
        buffers[*place] = Some(data.unwrap_or_else(|| Data::Uchar(vec![0xff; *length])));
    }
    let mut memory = Memory::new(buffers);
    for (place, input) in parts {
        memory.put_parts(place, input);
    }
    Ok(memory)
}

struct Count<'a> {
    program: &'a Program,
    slice: &'a Slice,
    step: &'a Step,
    memory: Memory<'a>,
    budget: Budget,
    /// Work-items of a work-group that stand for all.
    items: Vec<[u32; 3]>,
    /// Number of work-items that each stands for, in all work-groups.
    each: u64,
    /// Work-groups along the axes that matter.
    groups: [u32; 3],
}

/// Counts of block executions.
struct Visits {
    blocks: Vec<f64>,
    groups: u64,
    spent: u64,
}

impl<'a> Count<'a> {
    fn new(
        program: &'a Program,
        slice: &'a Slice,
        step: &'a Step,
        memory: Memory<'a>,
        budget: Budget,
    ) -> Result<Self, Refusal> {
        let shape = Shape::of(step);
        let axes = slice.branches;
        let of = |has: fn(Axes, usize) -> bool, sizes: [u32; 3]| -> [u32; 3] {
            std::array::from_fn(|at| if has(axes, at) { sizes[at] } else { 1 })
        };
        let local = of(Axes::has_local, shape.local);
        let groups = of(Axes::has_group, shape.groups);
        let count = |sizes: [u32; 3]| sizes.iter().map(|size| u64::from(*size)).product::<u64>();
        if shape.items() > 1 << 20 {
            return Err(Refusal::new(
                "a work-group of more than a million work-items",
            ));
        }
        let each = shape.items() / count(local) * (shape.all_groups() / count(groups));
        Ok(Self {
            program,
            slice,
            step,
            memory,
            budget,
            items: places(local).collect(),
            each,
            groups,
        })
    }

    fn all(&self) -> u64 {
        strata(self.groups).iter().map(Stratum::count).sum()
    }

    fn machine(&self) -> Result<Machine<'a>, Refusal> {
        // Where work-items see what others write, Oclgrind's order is one after the other.
        let width = if self.slice.is_ordered { 1 } else { WIDEST };
        let memory = self.memory.clone();
        let mut machine = Machine::new(self.program, self.slice, self.step, memory, width)?;
        machine.limit = self.budget.most;
        Ok(machine)
    }

    /// Visits of every work-group, in order.
    fn every(&self) -> Result<Visits, Refusal> {
        let mut machine = self.machine()?;
        for group in places(self.groups) {
            machine.run_group(group, &self.items, &mut ())?;
        }
        Ok(Visits {
            blocks: machine.visits.iter().map(|visits| *visits as f64).collect(),
            groups: self.all(),
            spent: 0,
        })
    }

    /// Visits of about `most` work-groups, with some of each kind.
    fn sample(&self, most: u64) -> Result<Visits, Refusal> {
        let strata = strata(self.groups);
        let all: u64 = strata.iter().map(Stratum::count).sum();
        let mut machine = self.machine()?;
        let mut sampled = Visits {
            blocks: vec![0.0; self.program.blocks.len()],
            groups: 0,
            spent: 0,
        };
        for stratum in strata {
            let share = u128::from(most) * u128::from(stratum.count()) / u128::from(all.max(1));
            let groups = stratum.sample(u64::try_from(share).unwrap_or(u64::MAX));
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
        sampled.spent = machine.spent;
        Ok(sampled)
    }

    fn finish(&self, visits: Visits) -> Counts {
        let mut all: Vec<(f64, f64, bool)> = vec![(0.0, 0.0, false); self.program.names.len()];
        for (block, visits) in self.program.blocks.iter().zip(&visits.blocks) {
            for counted in &block.counted {
                let sum = &mut all[counted.name as usize];
                sum.0 += visits * f64::from(counted.count);
                sum.1 += visits * counted.bytes as f64;
                sum.2 |= counted.bytes > 0;
            }
        }
        let each = self.each as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count; a sampled one to the nearest whole"
        )]
        let whole = |number: f64| (number * each).round() as u64;
        let instructions = self.program.names.iter().zip(&all);
        let counters = oclgrind_counters(instructions.filter(|(_, sum)| sum.0 > 0.0).map(
            |(name, (count, bytes, moves))| {
                (name.as_str(), whole(*count), moves.then(|| whole(*bytes)))
            },
        ));
        Counts {
            counters,
            extent: Extent::of(visits.groups, self.all()),
            local_bytes: self.program.local_bytes + self.step.local_bytes(),
        }
    }
}
