//! A launch to count, and machines that execute it.

use std::collections::BTreeMap;

use kerncast_suite::{Data, Input, LaunchArgument, Step};

use super::Budget;
use crate::run::{Goal, Machine, Memory, Program, Refusal, Slice};

/// A launch to count.
#[derive(Clone, Copy)]
pub struct CountedLaunch<'a, 'i> {
    /// The kernel.
    pub program: &'a Program,
    /// Its sizes and arguments.
    pub step: &'a Step,
    /// Bytes of each buffer.
    pub bytes: &'a [usize],
    /// The contents of a buffer before the launch, by the buffer's place: called only for buffers that branches or
    /// addresses depend on; none for those that only the kernel writes.
    pub input: &'a dyn Fn(usize) -> Option<Input<'i>>,
    /// The work that the count may take.
    pub budget: Budget,
}

/// The part of a launch that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every work-group that may differ from others.
    Exact,
    /// Some work-groups, scaled to all.
    Sampled,
}

impl Extent {
    /// The extent, if `groups` work-groups of `all` were looked at.
    pub(crate) fn new(groups: u64, all: u64) -> Self {
        if groups >= all {
            Self::Exact
        } else {
            Self::Sampled
        }
    }
}

impl<'i> CountedLaunch<'_, 'i> {
    /// The part of the program that a goal needs.
    pub(crate) fn slice(&self, goal: Goal) -> Result<Slice, Refusal> {
        Slice::new(self.program, goal, &same_buffers(self.step))
    }

    /// A machine for this slice, whose work-groups may each take as many instructions as the budget says.
    pub(crate) fn machine<'m>(
        &'m self,
        slice: &'m Slice,
        memory: Memory<'m>,
        lanes: usize,
    ) -> Result<Machine<'m>, Refusal> {
        let mut machine = Machine::new(self.program, slice, self.step, memory, lanes)?;
        machine.limit = self.budget.group_instructions;
        Ok(machine)
    }

    /// The buffers that the slice reads.
    pub(crate) fn memory(&self, slice: &Slice) -> Result<Memory<'i>, Refusal> {
        let mut buffers: Vec<Option<Data>> = vec![None; self.bytes.len()];
        let mut parts = Vec::new();
        let mut bytes_read = 0_u64;
        for argument in &slice.reads {
            let Some(LaunchArgument::Buffer(place)) = self.step.arguments.get(*argument) else {
                continue;
            };
            let Some(length) = self.bytes.get(*place) else {
                continue;
            };
            if buffers[*place].is_some() {
                continue;
            }
            let input = (self.input)(*place);
            if let Some(input) = input.filter(Input::has_parts) {
                parts.push((*place, input));
                continue;
            }
            bytes_read = bytes_read.saturating_add(*length as u64);
            if bytes_read > self.budget.bytes {
                return Err(Refusal::new(format!(
                    "branches depend on more than {} MiB of buffers",
                    self.budget.bytes >> 20
                )));
            }
            let data = input.map(|it| it.whole()).transpose();
            let data = data.map_err(|why| Refusal::new(why.to_string()))?.flatten();
            // What nobody has filled holds bytes 0xFF, as on a device.
            buffers[*place] = Some(data.unwrap_or_else(|| Data::Uchar(vec![0xff; *length])));
        }
        let mut memory = Memory::new(buffers);
        for (place, input) in parts {
            memory.put_parts(place, input);
        }
        Ok(memory)
    }

    /// The number of units of `unit` bytes in the buffer that addresses have this number of; infinite if it is none of
    /// the launch's.
    pub(crate) fn units(&self, buffer: u64, unit: u64) -> f64 {
        let place = usize::try_from(buffer).unwrap_or(0).checked_sub(1);
        let bytes = place.and_then(|place| self.bytes.get(place));
        bytes.map_or(f64::INFINITY, |bytes| (*bytes as u64).div_ceil(unit) as f64)
    }
}

/// Pairs of arguments that are one buffer.
fn same_buffers(step: &Step) -> Vec<(usize, usize)> {
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
