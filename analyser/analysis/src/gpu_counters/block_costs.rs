//! Costs of a block's instructions, also if a compiler makes one iteration of several.

use super::{
    chain::Costs,
    functions::function,
    fusion::{Uses, fuse},
    pipes::{Cost, PIPES, Pipe, cost},
    shared_addresses::share_addresses,
    unrolling::share_iterations,
};
use crate::{
    callee::{argument_type, callee},
    run::{Block, BlockId, Edge, End, Id, Instruction, Operation, Program},
    uniform::Varying,
};

/// Most instructions of a short branch that is predicated: all lanes run through it instead of branching around it.
const MOST_PREDICATED: usize = 12;

/// Facts that the text tells about a program's slots.
struct Facts<'a> {
    program: &'a Program,
    constants: Vec<Option<u64>>,
    uses: Uses,
    varying: Varying,
}

/// Costs of every block of a program.
pub(super) fn costs(program: &Program) -> Vec<Costs> {
    let mut constants = vec![None; program.slots as usize];
    for (slot, bits) in &program.constants {
        constants[slot.0 as usize] = Some(*bits);
    }
    let facts = Facts {
        program,
        constants,
        uses: Uses::new(program),
        varying: Varying::new(program),
    };
    let narrow = narrow(program);
    let blocks = program.blocks.iter();
    let each = blocks.map(|block| block_prices(&facts, block, &narrow));
    let mut each: Vec<Vec<Cost>> = each.collect();
    share_addresses(program, &facts.uses, &facts.constants, &mut each);
    let blocks = (0..).map(BlockId).zip(each);
    let mut costs: Vec<Costs> = blocks
        .map(|(id, each)| block_costs(&facts, id, each))
        .collect();
    if let Some(first) = costs.first_mut() {
        add_prologue(program, &facts.uses, &mut first.instructions);
    }
    costs
}

/// Whether each slot's number has at most 32 bits, as far as the text tells.
fn narrow(program: &Program) -> Vec<bool> {
    let mut narrow = vec![true; program.slots as usize];
    for (slot, bits) in &program.constants {
        narrow[slot.0 as usize] = *bits <= u64::from(u32::MAX);
    }
    for instruction in program.instructions() {
        let is_narrow = match &instruction.operation {
            Operation::Integer(_, bits) | Operation::Mask(bits) => *bits <= 32,
            // A product of numbers of 32 bits takes them with their signs.
            Operation::SignExtend(bits, _) => *bits <= 32,
            Operation::Access(access) => {
                let bytes = program.accesses[access.0 as usize].bytes;
                bytes <= 4 * instruction.results.len() as u64
            }
            Operation::Place(_) | Operation::Select | Operation::Pick | Operation::Copy => true,
            Operation::Whole1(_, bits)
            | Operation::Whole2(_, bits)
            | Operation::Whole3(_, bits) => *bits <= 32,
            _ => false,
        };
        for slot in &instruction.results {
            narrow[slot.0 as usize] = is_narrow;
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for edge in program.blocks.iter().flat_map(|it| it.end.edges()) {
            for (to, from) in &edge.copies {
                if narrow[to.0 as usize] && !narrow[from.0 as usize] {
                    narrow[to.0 as usize] = false;
                    changed = true;
                }
            }
        }
    }
    narrow
}

/// Adds the instructions that every warp begins and ends with: the stack's place, the descriptor of global memory, and
/// the end; a load of each argument that is read; and for each dimension's global id the group's id, the item's, its
/// size and its offset, a sum and a product (machine code of the suite for an H200, 2026-11-28).
fn add_prologue(program: &Program, uses: &Uses, instructions: &mut [f64; PIPES]) {
    let is_read =
        |slots: &std::ops::Range<u32>| slots.clone().any(|slot| uses.0[slot as usize] > 0);
    let arguments = program.arguments.iter().filter(|it| is_read(it)).count() as f64;
    let is_global = |it: &&Instruction| matches!(it.operation, Operation::Place(Id::GlobalId));
    let places = program.instructions().filter(is_global).count() as f64;
    instructions[Pipe::Branch as usize] += 1.0;
    instructions[Pipe::Other as usize] += 2.0 + arguments + 2.0 * places;
    instructions[Pipe::Alu as usize] += 2.0 * places;
    instructions[Pipe::Fma as usize] += places;
}

/// Cost of each instruction of a block by itself.
fn block_prices(facts: &Facts<'_>, block: &Block, narrow: &[bool]) -> Vec<Cost> {
    let program = facts.program;
    let price = |it: &Instruction| {
        if facts.uses.needs(it) {
            cost(program, it, &facts.constants, narrow)
        } else {
            Cost::NOTHING
        }
    };
    let mut each: Vec<_> = block.instructions.iter().map(price).collect();
    // Functions are known by their names: what all those of a block take is shared by its calls.
    let all = block.instructions.iter().enumerate();
    let calls: Vec<usize> = all.filter(|it| it.1.is_function()).map(|it| it.0).collect();
    let (mut named, mut sum) = (0.0, [0.0; PIPES]);
    let mut latency = 0.0;
    for counted in &block.counted {
        let name = &program.names[counted.name as usize];
        let cost = callee(name).and_then(|it| function(it, argument_type(name) == "double"));
        let Some(cost) = cost else {
            continue;
        };
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
    each
}

/// Whether a block's branch is predicated: all lanes go through what is only for some.
fn is_predicated(program: &Program, block: &Block) -> bool {
    let Some(meets) = block.meets_in_loops.first().or(block.meets.as_ref()) else {
        return false;
    };
    let is_short = |edge: &Edge| {
        let way = &program.blocks[edge.to.place()];
        let goes_on = matches!(&way.end, End::Jump(next) if next.to == *meets);
        goes_on
            && way.instructions.len() <= MOST_PREDICATED
            && !way.instructions.iter().any(Instruction::is_barrier)
    };
    block
        .end
        .edges()
        .all(|edge| edge.to == *meets || is_short(edge))
}

/// Costs of a block after fusing instructions and unrolling loops.
fn block_costs(facts: &Facts<'_>, id: BlockId, mut each: Vec<Cost>) -> Costs {
    let block = &facts.program.blocks[id.place()];
    fuse(block, &facts.uses, &facts.constants, &mut each);
    let unrolls = share_iterations(facts.program, id, &facts.constants, &mut each);
    let mut instructions = [0.0; PIPES];
    for cost in &each {
        for (sum, more) in instructions.iter_mut().zip(cost.instructions) {
            *sum += more;
        }
    }
    if let Some(slot) = block.end.decides() {
        instructions[Pipe::Branch as usize] += 1.0 / f64::from(unrolls);
        let parts = facts.varying.slots[slot.0 as usize] && unrolls == 1;
        if parts && !is_predicated(facts.program, block) {
            // Where lanes that part here meet is set beforehand (BSSY), and waited for (BSYNC).
            instructions[Pipe::Branch as usize] += 1.0;
            instructions[Pipe::Other as usize] += 1.0;
        }
    }
    Costs {
        each,
        instructions,
        unrolls,
    }
}
