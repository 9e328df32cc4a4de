//! Walks a warp through a block.

use std::collections::HashMap;

use super::instruction::{Class, Instruction, Pipe, Register};

/// Cycles between two instructions of a warp.
const ISSUE_CYCLES: f64 = 1.0;
/// Cycles until a branch is taken.
pub const BRANCH: f64 = 6.0;

/// Latencies of instructions, with one class of them late.
pub(super) struct Latencies {
    late: Option<(Class, f64)>,
}

/// Results and pipes that are not ready yet, each with the remaining cycles.
#[derive(Clone, Default)]
pub(super) struct Pending {
    registers: HashMap<Register, f64>,
    pipes: [f64; Pipe::COUNT],
}

impl Latencies {
    pub(super) fn with(late: Option<(Class, f64)>) -> Self {
        Self { late }
    }

    /// Cycles of a warp for these instructions. `pending` is the state before them, and then the state after them.
    pub(super) fn walk(&self, instructions: &[Instruction], pending: &mut Pending) -> f64 {
        let mut now = 0.0;
        for instruction in instructions {
            let pipe = &mut pending.pipes[instruction.pipe as usize];
            let mut issued = f64::max(now, *pipe);
            for register in instruction.reads.iter().chain(&instruction.writes) {
                let ready = pending.registers.get(register);
                issued = ready.map_or(issued, |ready| ready.max(issued));
            }
            if instruction.is_branch {
                issued += BRANCH;
            }
            *pipe = issued + occupied(instruction.pipe);
            let ready = issued + self.latency(instruction);
            for register in &instruction.writes {
                pending.registers.insert(*register, ready);
            }
            now = issued + ISSUE_CYCLES;
        }
        pending.registers.retain(|_, ready| {
            *ready -= now;
            *ready > 0.0
        });
        for busy in &mut pending.pipes {
            *busy = f64::max(*busy - now, 0.0);
        }
        now
    }

    /// Cycles from an instruction's issue until its result can be read.
    fn latency(&self, instruction: &Instruction) -> f64 {
        if let Some((class, cycles)) = self.late
            && class == instruction.class
        {
            return cycles;
        }
        match instruction.class {
            Class::Fixed => pipe_latency(instruction.pipe),
            Class::Shuffle => 23.0,
            Class::SpecialRegister | Class::Constant => 15.0,
            Class::ToUniform => 10.0,
            Class::GlobalLoad
            | Class::GlobalAtomic
            | Class::LocalLoad
            | Class::LocalAtomic
            | Class::PrivateLoad => 0.0,
        }
    }
}

fn pipe_latency(pipe: Pipe) -> f64 {
    match pipe {
        Pipe::Alu | Pipe::FmaHeavy => 4.5,
        Pipe::Fma => 4.0,
        Pipe::Fp64 => 8.0,
        Pipe::Special => 18.0,
        Pipe::Uniform => 7.0,
        Pipe::Memory | Pipe::Control => 0.0,
    }
}

/// Cycles for which a warp's instruction keeps its pipe from the next one.
fn occupied(pipe: Pipe) -> f64 {
    match pipe {
        Pipe::Fma | Pipe::Control => 1.0,
        Pipe::Alu | Pipe::FmaHeavy | Pipe::Fp64 | Pipe::Uniform => 2.0,
        Pipe::Memory => 4.0,
        Pipe::Special => 8.0,
    }
}
