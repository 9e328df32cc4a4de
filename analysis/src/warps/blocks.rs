//! What a block's instructions become, and whether a compiler makes one of several turns of it.

use super::{
    chain::Costs,
    pipes::{PIPES, Pipe, cost, function},
};
use crate::{
    called::called,
    run::{AccessKind, Block, Operation, Program, Real},
};

/// A warp's instructions of a loop's body that is unrolled.
const SHORT: f64 = 40.0;
/// Its loads.
const FEW_LOADS: usize = 4;

/// Costs of every block of a program.
pub(super) fn costs(program: &Program) -> Vec<Costs> {
    let mut constants = vec![false; program.slots as usize];
    for (slot, _) in &program.constants {
        constants[slot.0 as usize] = true;
    }
    let blocks = program.blocks.iter();
    blocks
        .map(|block| block_costs(program, block, &constants))
        .collect()
}

fn block_costs(program: &Program, block: &Block, constants: &[bool]) -> Costs {
    let mut each: Vec<_> = block
        .instructions
        .iter()
        .map(|it| cost(program, it, constants))
        .collect();
    // Functions are known by their names: what all those of a block take is shared by its calls.
    let calls: Vec<(usize, bool)> = block
        .instructions
        .iter()
        .enumerate()
        .filter_map(|(at, it)| match it.operation {
            Operation::Math1(_, real) | Operation::Math2(_, real) => {
                Some((at, real == Real::Double))
            }
            _ => None,
        })
        .collect();
    let is_double = calls.iter().any(|(_, double)| *double);
    let (mut named, mut sum) = (0.0, [0.0; PIPES]);
    let mut latency = 0.0;
    for counted in &block.counted {
        let name = &program.names[counted.name as usize];
        let Some(plain) = called(name) else {
            continue;
        };
        let cost = function(plain, is_double);
        let count = f64::from(counted.count);
        named += count;
        latency += count * cost.latency;
        for (sum, more) in sum.iter_mut().zip(cost.instructions) {
            *sum += count * more;
        }
    }
    if named > 0.0 && !calls.is_empty() {
        // Of vectors each element is a call.
        let elements = (calls.len() as f64 / named).max(1.0);
        for (at, _) in &calls {
            each[*at].latency = latency / named;
            for (one, all) in each[*at].instructions.iter_mut().zip(sum) {
                *one = all * elements / calls.len() as f64;
            }
        }
    }
    let mut instructions = [0.0; PIPES];
    for cost in &each {
        for (sum, more) in instructions.iter_mut().zip(cost.instructions) {
            *sum += more;
        }
    }
    if block.end.decides().is_some() {
        instructions[Pipe::Branch as usize] += 1.0;
    }
    // Short, without anything that what it loads may have to wait for.
    let alone = block.instructions.iter().all(|it| match it.operation {
        Operation::Access(access) => program.accesses[access.0 as usize].kind == AccessKind::Load,
        Operation::Barrier | Operation::Math1(..) | Operation::Math2(..) => false,
        _ => true,
    });
    let loads = block
        .instructions
        .iter()
        .filter(|it| matches!(it.operation, Operation::Access(_)));
    let short = instructions.iter().sum::<f64>() <= SHORT && loads.count() <= FEW_LOADS;
    Costs {
        each,
        instructions,
        unrolls: alone && short,
    }
}
