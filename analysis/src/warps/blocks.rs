//! What a block's instructions become, and whether a compiler makes one of several turns of it.

use super::{
    chain::{Costs, UNROLLED},
    functions::function,
    joined::{Uses, is_overhead, join},
    pipes::{Cost, PIPES, Pipe, cost},
};
use crate::{
    called::{called, taken},
    llvm::Space,
    run::{Access, AccessKind, Block, Instruction, Operation, Program},
};

/// A warp's instructions of a loop's body that is unrolled.
const SHORT: f64 = 40.0;
/// Its loads.
const FEW_LOADS: usize = 4;

fn accesses<'a>(program: &'a Program, block: &'a Block) -> impl Iterator<Item = &'a Access> {
    let of_block = block.instructions.iter();
    of_block.filter_map(|it| match it.operation {
        Operation::Access(access) => Some(&program.accesses[access.0 as usize]),
        _ => None,
    })
}

/// Costs of every block of a program.
pub(super) fn costs(program: &Program) -> Vec<Costs> {
    let mut constants = vec![false; program.slots as usize];
    for (slot, _) in &program.constants {
        constants[slot.0 as usize] = true;
    }
    let uses = Uses::of(program);
    let blocks = program.blocks.iter();
    blocks
        .map(|block| block_costs(program, block, &constants, &uses))
        .collect()
}

fn block_costs(program: &Program, block: &Block, constants: &[bool], uses: &Uses) -> Costs {
    let mut each: Vec<_> = block
        .instructions
        .iter()
        .map(|it| cost(program, it, constants))
        .collect();
    // Functions are known by their names: what all those of a block take is shared by its calls.
    let is_call =
        |it: &Instruction| matches!(it.operation, Operation::Math1(..) | Operation::Math2(..));
    let all = block.instructions.iter().enumerate();
    let calls = all.filter_map(|(at, it)| is_call(it).then_some(at));
    let calls: Vec<usize> = calls.collect();
    let (mut named, mut sum) = (0.0, [0.0; PIPES]);
    let mut latency = 0.0;
    for counted in &block.counted {
        let name = &program.names[counted.name as usize];
        let Some(plain) = called(name) else {
            continue;
        };
        let cost = function(plain, taken(name) == "double");
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
        for at in &calls {
            each[*at].latency = latency / named;
            for (one, all) in each[*at].instructions.iter_mut().zip(sum) {
                *one = all * elements / calls.len() as f64;
            }
        }
    }
    join(block, uses, constants, &mut each);
    let unrolls = unrolls(program, block, &each);
    if unrolls {
        let shared = block.instructions.iter().zip(&mut each);
        for (_, cost) in shared.filter(|(it, _)| is_overhead(block, it, constants)) {
            for count in &mut cost.instructions {
                *count /= f64::from(UNROLLED);
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
        instructions[Pipe::Branch as usize] += match unrolls {
            true => 1.0 / f64::from(UNROLLED),
            false => 1.0,
        };
    }
    Costs {
        each,
        instructions,
        unrolls,
    }
}

/// Whether a compiler makes one of several turns of it.
fn unrolls(program: &Program, block: &Block, each: &[Cost]) -> bool {
    // Short, without anything that what it loads may have to wait for: stores are to other memory.
    let loaded: Vec<Space> = accesses(program, block)
        .filter(|it| it.kind == AccessKind::Load)
        .map(|it| it.space)
        .collect();
    let alone = block.instructions.iter().all(|it| match it.operation {
        Operation::Access(access) => {
            let access = &program.accesses[access.0 as usize];
            match access.kind {
                AccessKind::Load => true,
                AccessKind::Store => !loaded.contains(&access.space),
                AccessKind::Atomic(_) | AccessKind::CompareExchange => false,
            }
        }
        Operation::Barrier | Operation::Math1(..) | Operation::Math2(..) => false,
        _ => true,
    });
    let few = accesses(program, block).count() <= FEW_LOADS;
    let instructions = each.iter().flat_map(|cost| &cost.instructions);
    let again = block
        .end
        .edges()
        .any(|edge| std::ptr::eq(&program.blocks[edge.to.place()], block));
    alone && few && again && instructions.sum::<f64>() <= SHORT
}
