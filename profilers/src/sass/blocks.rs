//! Cuts code into blocks at its branches, with the number of times that each ran.

use std::collections::{BTreeSet, HashMap};

use super::{
    Line,
    instruction::Instruction,
    walk::{Latencies, Pending},
};

/// A block: instructions that run one after the other.
struct Block {
    instructions: Vec<Instruction>,
    executed: u64,
    /// The last block that branches back to this one; this block begins a loop, and that one ends it.
    loops_from: Option<usize>,
}

/// A kernel's code, in the order of its addresses.
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    pub(super) fn cut(code: &[Line]) -> Option<Self> {
        let parsed = code
            .iter()
            .map(|line| Instruction::parse(&line.instruction));
        let parsed: Vec<Instruction> = parsed.collect();
        let places = code
            .iter()
            .enumerate()
            .map(|(place, line)| (line.address, place));
        let places: HashMap<u64, usize> = places.collect();
        let target = |instruction: &Instruction| places.get(&instruction.target?).copied();

        let mut starts = BTreeSet::from([0]);
        for (place, instruction) in parsed.iter().enumerate() {
            starts.extend(target(instruction));
            if instruction.ends_block {
                starts.insert(place + 1);
            }
            // A new count begins a block too: not every branch is recognised.
            if place > 0 && code[place].executed != code[place - 1].executed {
                starts.insert(place);
            }
        }
        let starts: Vec<usize> = starts.into_iter().filter(|it| *it < code.len()).collect();
        let numbers: HashMap<usize, usize> = starts
            .iter()
            .enumerate()
            .map(|(number, place)| (*place, number))
            .collect();

        let mut blocks: Vec<Block> = Vec::with_capacity(starts.len());
        let mut back = Vec::new();
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(code.len());
            let instructions = parsed[start..end].to_vec();
            let goes_to = instructions.last().and_then(target).map(|it| numbers[&it]);
            back.extend(goes_to.filter(|it| *it <= number).map(|it| (it, number)));
            blocks.push(Block {
                instructions,
                executed: code[start].executed,
                loops_from: None,
            });
        }
        for (begins, ends) in back {
            blocks[begins].loops_from = Some(ends);
        }
        (!blocks.is_empty()).then_some(Self(blocks))
    }

    /// Cycles of all warps, added up.
    ///
    /// A block begins with the results that the block before it left pending. A block that begins a loop begins with
    /// those of the loop's end, from which it is mostly reached. They are known only after the end was walked, so all
    /// blocks are walked three times.
    pub(super) fn cycles(&self, latencies: &Latencies) -> f64 {
        let Self(blocks) = self;
        let mut pending_after = vec![Pending::default(); blocks.len()];
        let mut cycles = vec![0.0; blocks.len()];
        for again in [false, true, true] {
            let mut before = Pending::default();
            for (number, block) in blocks.iter().enumerate() {
                let end = block.loops_from.filter(|_| again);
                let mut pending = end.map_or(before, |end| pending_after[end].clone());
                cycles[number] = latencies.walk(&block.instructions, &mut pending);
                pending_after[number] = pending.clone();
                before = pending;
            }
        }
        let all = blocks.iter().zip(cycles);
        all.map(|(block, cycles)| block.executed as f64 * cycles)
            .sum()
    }
}
