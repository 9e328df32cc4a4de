//! Fusion: compilers for NVIDIA's GPUs make one instruction of several. Since Volta one instruction adds three numbers
//! (IADD3), or a product or a shifted number to another (IMAD, LEA), does any logic of three (LOP3), or rotates (SHF).

use std::collections::HashMap;

use super::pipes::Cost;
use crate::{
    llvm::Binary::{self, Add, And, LShr, Mul, Or, Shl, Sub, Xor},
    run::{Block, Instruction, Operation, Program, Slot},
};

/// Number of reads of each slot by instructions that are themselves needed.
pub(super) struct Uses(pub(super) Vec<u32>);

impl Uses {
    pub(super) fn new(program: &Program) -> Self {
        let mut uses = Self(vec![0; program.slots as usize]);
        let mut makers: HashMap<Slot, &Instruction> = HashMap::new();
        for block in &program.blocks {
            for instruction in &block.instructions {
                makers.extend(instruction.results.iter().map(|slot| (*slot, instruction)));
            }
            let operands = block.instructions.iter().flat_map(|it| &it.operands);
            let copies = block.end.edges().flat_map(|edge| &edge.copies);
            let all = operands.copied().chain(copies.map(|(_, from)| *from));
            let all = all.chain(block.end.decides());
            all.for_each(|slot| uses.0[slot.0 as usize] += 1);
        }
        let is_unused = |slot: &Slot| uses.0[slot.0 as usize] == 0;
        let mut unused: Vec<Slot> = makers.keys().filter(|it| is_unused(it)).copied().collect();
        while let Some(slot) = unused.pop() {
            let maker = makers.get(&slot).filter(|it| !uses.needs(it));
            for operand in maker.iter().flat_map(|it| &it.operands) {
                let uses_left = &mut uses.0[operand.0 as usize];
                *uses_left = uses_left.saturating_sub(1);
                if *uses_left == 0 && makers.contains_key(operand) {
                    unused.push(*operand);
                }
            }
        }
        uses
    }

    /// Whether a compiler keeps an instruction: it has an effect, or something else reads its result.
    pub(super) fn needs(&self, instruction: &Instruction) -> bool {
        let acts = matches!(
            instruction.operation,
            Operation::Access(_) | Operation::Barrier | Operation::Call(_) | Operation::Unknown(_)
        );
        let mut results = instruction.results.iter();
        acts || results.any(|slot| self.0[slot.0 as usize] > 0)
    }
}

/// Sets the cost of instructions to nothing that become part of another instruction of the block.
pub(super) fn fuse(block: &Block, uses: &Uses, constants: &[Option<u64>], each: &mut [Cost]) {
    let mut makers: HashMap<Slot, usize> = HashMap::new();
    for (at, instruction) in block.instructions.iter().enumerate() {
        if let Some((operation, bits)) = whole(instruction) {
            // What only this one reads.
            let mut own: Vec<(usize, Binary)> = Vec::new();
            for slot in &instruction.operands {
                if let Some(&from) = makers.get(slot)
                    && uses.0[slot.0 as usize] == 1
                    && let Some((before, its_bits)) = whole(&block.instructions[from])
                    && its_bits == bits
                {
                    own.push((from, before));
                }
            }
            let all: Vec<Binary> = own.iter().map(|it| it.1).collect();
            let is_shifted = |from: usize| {
                let by = block.instructions[from].operands.get(1);
                by.is_some_and(|slot| constants[slot.0 as usize].is_some())
            };
            match (operation, &all[..]) {
                (Or, [Shl, LShr] | [LShr, Shl]) => {
                    own.iter()
                        .for_each(|(from, _)| each[*from] = Cost::default());
                }
                (Add, [.., Mul] | [Mul, ..]) => each[at] = Cost::default(),
                _ => {
                    let fuses = |(from, before): &&(usize, Binary)| match (operation, before) {
                        (And | Or | Xor, And | Or | Xor) | (Add | Sub, Add | Sub) => true,
                        (Add, Shl) => is_shifted(*from),
                        _ => false,
                    };
                    // One that is itself made of several takes no more.
                    let single = |it: &&(usize, Binary)| each[it.0] != Cost::default();
                    if let Some(&(from, _)) = own.iter().filter(fuses).find(single) {
                        each[from] = Cost::default();
                    }
                }
            }
        }
        for result in &instruction.results {
            makers.insert(*result, at);
        }
    }
}

/// The operation on whole numbers in one register or two that goes word by word, and its number of bits.
fn whole(instruction: &Instruction) -> Option<(Binary, u32)> {
    match instruction.operation {
        Operation::Integer(operation, bits) if bits <= 32 => Some((operation, bits)),
        Operation::Integer(
            operation @ (And | Or | Xor | Shl | LShr | Add | Sub | Mul),
            bits @ ..=64,
        ) => Some((operation, bits)),
        _ => None,
    }
}
