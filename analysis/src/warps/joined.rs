//! What compilers for NVIDIA's GPUs make one instruction of several: since Volta one instruction adds three numbers
//! (IADD3), or a product or a shifted number to another (IMAD, LEA), does any logic of three (LOP3), or rotates (SHF).

use std::collections::HashMap;

use super::pipes::Cost;
use crate::{
    llvm::Binary::{self, Add, And, LShr, Mul, Or, Shl, Sub, Xor},
    run::{Block, Instruction, Operation, Program, Slot},
};

/// How often each slot is read.
pub(super) struct Uses(Vec<u32>);

impl Uses {
    pub(super) fn of(program: &Program) -> Self {
        let mut uses = vec![0; program.slots as usize];
        for block in &program.blocks {
            let operands = block.instructions.iter().flat_map(|it| &it.operands);
            let copies = block.end.edges().flat_map(|edge| &edge.copies);
            let all = operands
                .copied()
                .chain(copies.map(|(_, from)| *from))
                .chain(block.end.decides());
            all.for_each(|slot| uses[slot.0 as usize] += 1);
        }
        Self(uses)
    }
}

/// Takes away what is part of another instruction of the block.
pub(super) fn join(block: &Block, uses: &Uses, constants: &[bool], each: &mut [Cost]) {
    let mut made: HashMap<Slot, usize> = HashMap::new();
    for (at, instruction) in block.instructions.iter().enumerate() {
        if let Some((operation, bits)) = whole(instruction) {
            // What only this one reads.
            let mut own: Vec<(usize, Binary)> = Vec::new();
            for slot in &instruction.operands {
                if let Some(&from) = made.get(slot)
                    && uses.0[slot.0 as usize] == 1
                    && let Some((before, of)) = whole(&block.instructions[from])
                    && of == bits
                {
                    own.push((from, before));
                }
            }
            let all: Vec<Binary> = own.iter().map(|it| it.1).collect();
            let is_shifted = |from: usize| {
                let by = block.instructions[from].operands.get(1);
                by.is_some_and(|slot| constants[slot.0 as usize])
            };
            match (operation, &all[..]) {
                (Or, [Shl, LShr] | [LShr, Shl]) => {
                    own.iter()
                        .for_each(|(from, _)| each[*from] = Cost::default());
                }
                (Add, [.., Mul] | [Mul, ..]) => each[at] = Cost::default(),
                _ => {
                    let joins = |(from, before): &&(usize, Binary)| match (operation, before) {
                        (And | Or | Xor, And | Or | Xor) | (Add | Sub, Add | Sub) => true,
                        (Add, Shl) => is_shifted(*from),
                        _ => false,
                    };
                    // One that is itself made of several takes no more.
                    let single = |it: &&(usize, Binary)| each[it.0] != Cost::default();
                    if let Some(&(from, _)) = own.iter().filter(joins).find(single) {
                        each[from] = Cost::default();
                    }
                }
            }
        }
        for result in &instruction.results {
            made.insert(*result, at);
        }
    }
}

/// Whole numbers in one register.
fn whole(instruction: &Instruction) -> Option<(Binary, u32)> {
    match instruction.operation {
        Operation::Integer(operation, bits) if bits <= 32 => Some((operation, bits)),
        _ => None,
    }
}

/// Whether turns of a loop that go as one need it once: its end, the next turn's number, and addresses a turn apart.
pub(super) fn is_overhead(block: &Block, instruction: &Instruction, constants: &[bool]) -> bool {
    let results = || instruction.results.iter();
    let is_constant = |slot: &Slot| constants[slot.0 as usize];
    match &instruction.operation {
        Operation::Index(..) => true,
        Operation::Compare(..) => results().any(|it| block.end.decides() == Some(*it)),
        Operation::Integer(Add | Sub, _) => {
            let next = |slot: &Slot| {
                let mut copies = block.end.edges().flat_map(|edge| &edge.copies);
                copies.any(|(_, from)| from == slot)
            };
            instruction.operands.iter().any(is_constant) && results().any(next)
        }
        _ => false,
    }
}
