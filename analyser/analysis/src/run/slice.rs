//! The backward slice of a program: the instructions that a question needs.

use std::collections::{HashMap, HashSet};

use super::{
    AccessId, Instruction, ObjectKind, Operation, Program, Refusal, Slot,
    alias_classes::AliasClasses,
    axes::{Axes, branch_axes},
};
use crate::llvm::Space;

/// The goal of a program's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Ways that branches go.
    Branches,
    /// Ways that branches go, and addresses of all accesses.
    Addresses,
    /// All of these, and all numbers that are written to memory.
    Values,
}

/// The instructions of a program that must be computed, and what they depend on.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Places of the needed instructions in each block.
    pub(crate) needed: Vec<Vec<u32>>,
    /// Whether each slot is needed: only these are copied along [`End::edges`](super::End::edges).
    pub(crate) slots: Vec<bool>,
    /// The goal of the run.
    pub goal: Goal,
    /// Axes along which branches differ: along the others all work-items go the same ways, as often.
    pub branches: Axes,
    /// Arguments whose buffers must be there to be read.
    pub reads: Vec<usize>,
    /// Whether a work-item's actions may depend on what others have written.
    pub shares: bool,
    /// Whether the order of work-items between two barriers may matter, because one takes over what others have done by
    /// atomic operations, or in global memory without a barrier.
    pub is_ordered: bool,
    /// Whether private memory is needed.
    pub(crate) private: bool,
    /// Whether anything needed reads what each access writes.
    read_writes: Vec<bool>,
}

impl Slice {
    /// Whether somebody reads what this access writes.
    pub(crate) fn reads_write(&self, access: AccessId) -> bool {
        self.read_writes[access.0 as usize]
    }

    /// Finds the instructions that must be computed. `same`: pairs of the kernel's arguments that are one buffer.
    ///
    /// # Errors
    /// The goal depends on something that can't be computed: an unknown function, or numbers of more than 64 bits.
    pub fn new(program: &Program, goal: Goal, same: &[(usize, usize)]) -> Result<Self, Refusal> {
        let mut search = Search::new(program, goal, same);
        search.seed();
        search.follow();
        search.refuse_unknown()?;
        Ok(search.finish())
    }
}

/// An instruction: its block and its place there.
type Place = (u32, u32);

struct Search<'p> {
    program: &'p Program,
    goal: Goal,
    classes: AliasClasses,
    /// Instructions that make each slot.
    makers: Vec<Option<Place>>,
    /// The slots that each slot takes over along edges.
    incoming: HashMap<u32, Vec<Slot>>,
    /// Instructions that write to a class.
    writers: HashMap<u32, Vec<Place>>,
    slots: Vec<bool>,
    instructions: Vec<Vec<bool>>,
    /// Classes of memory that something needed reads.
    needs_class: HashSet<u32>,
    next: Vec<Slot>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, goal: Goal, same: &[(usize, usize)]) -> Self {
        let classes = AliasClasses::new(program, same);
        let mut makers = vec![None; program.slots as usize];
        let mut incoming: HashMap<u32, Vec<Slot>> = HashMap::new();
        let mut writers: HashMap<u32, Vec<Place>> = HashMap::new();
        for (block, place, instruction) in instructions(program) {
            for result in &instruction.results {
                makers[result.0 as usize] = Some((block, place));
            }
            if let Operation::Access(access) = instruction.operation
                && program.accesses[access.0 as usize].kind.writes()
            {
                let class = classes.of_access(access);
                writers.entry(class).or_default().push((block, place));
            }
        }
        for block in &program.blocks {
            for edge in block.end.edges() {
                for (to, from) in &edge.copies {
                    incoming.entry(to.0).or_default().push(*from);
                }
            }
        }
        Self {
            program,
            goal,
            classes,
            makers,
            incoming,
            writers,
            slots: vec![false; program.slots as usize],
            instructions: program
                .blocks
                .iter()
                .map(|block| vec![false; block.instructions.len()])
                .collect(),
            needs_class: HashSet::new(),
            next: Vec::new(),
        }
    }

    fn need(&mut self, slot: Slot) {
        if !std::mem::replace(&mut self.slots[slot.0 as usize], true) {
            self.next.push(slot);
        }
    }

    fn seed(&mut self) {
        for block in &self.program.blocks {
            if let Some(slot) = block.end.decides() {
                self.need(slot);
            }
        }
        if self.goal == Goal::Branches {
            return;
        }
        for (block, place, instruction) in instructions(self.program) {
            let Operation::Access(access) = instruction.operation else {
                continue;
            };
            // Observers hear of it, even if nobody needs what it reads.
            self.instructions[block as usize][place as usize] = true;
            let access = &self.program.accesses[access.0 as usize];
            if self.goal == Goal::Values && access.kind.writes() {
                self.need_all(&instruction.operands);
            } else if let Some(address) = instruction.operands.first() {
                self.need(*address);
            }
        }
    }

    fn need_all(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.need(*slot);
        }
    }

    fn follow(&mut self) {
        while let Some(slot) = self.next.pop() {
            if let Some(from) = self.incoming.get(&slot.0) {
                let from = from.clone();
                self.need_all(&from);
            }
            if let Some(place) = self.makers[slot.0 as usize] {
                self.need_instruction(place);
            }
        }
    }

    fn need_instruction(&mut self, (block, place): Place) {
        self.instructions[block as usize][place as usize] = true;
        let program = self.program;
        let instruction = &program.blocks[block as usize].instructions[place as usize];
        self.need_all(&instruction.operands);
        let Operation::Access(access) = instruction.operation else {
            return;
        };
        let class = self.classes.of_access(access);
        if !self.needs_class.insert(class) {
            return;
        }
        for (block, place) in self.writers.get(&class).cloned().unwrap_or_default() {
            self.instructions[block as usize][place as usize] = true;
            let instruction = &program.blocks[block as usize].instructions[place as usize];
            self.need_all(&instruction.operands);
        }
    }

    fn refuse_unknown(&mut self) -> Result<(), Refusal> {
        let program = self.program;
        for (block, place, instruction) in instructions(program) {
            let reason = match &instruction.operation {
                Operation::Unknown(reason) => reason.clone(),
                Operation::Call(name) => format!("what the function `{name}` does is not known"),
                _ => continue,
            };
            let mut needed = self.instructions[block as usize][place as usize];
            for operand in &instruction.operands {
                let class = self.classes.find(*operand);
                needed |= self.needs_class.contains(&class);
            }
            if needed {
                let location = instruction.location;
                return Err(Refusal {
                    location: location.map(|at| program.locations[at as usize].clone()),
                    reason: format!("{reason}, and branches or addresses depend on it"),
                });
            }
        }
        Ok(())
    }

    fn is_needed(&self, access: AccessId) -> bool {
        self.needs_class.contains(&self.classes.of_access(access))
    }

    fn finish(mut self) -> Slice {
        let program = self.program;
        let (mut shares, mut shares_global, mut private) = (false, false, false);
        let mut read_writes = vec![self.goal == Goal::Values; program.accesses.len()];
        for (id, access) in (0..).map(AccessId).zip(&program.accesses) {
            if !self.is_needed(id) {
                continue;
            }
            private |= access.space == Space::Private;
            if access.kind.writes() {
                read_writes[id.0 as usize] = true;
                shares |= access.space != Space::Private;
                shares_global |= access.space == Space::Global;
            }
        }
        let branches = branch_axes(program, &self.classes, &self.instructions);
        Slice {
            needed: self.places(shares || self.goal != Goal::Branches),
            goal: self.goal,
            branches,
            reads: self.arguments_read(),
            shares,
            is_ordered: self.is_ordered(shares_global),
            private,
            read_writes,
            slots: self.slots,
        }
    }

    /// Places of needed instructions in each block, and of barriers if these matter.
    fn places(&self, needs_barriers: bool) -> Vec<Vec<u32>> {
        let mut needed = vec![Vec::new(); self.program.blocks.len()];
        for (block, place, instruction) in instructions(self.program) {
            if self.instructions[block as usize][place as usize]
                || needs_barriers && instruction.is_barrier()
            {
                needed[block as usize].push(place);
            }
        }
        needed
    }

    fn arguments_read(&mut self) -> Vec<usize> {
        let mut reads = Vec::new();
        for object in &self.program.objects {
            let class = self.classes.find(object.address);
            if let ObjectKind::Argument(argument) = &object.kind
                && self.needs_class.contains(&class)
                && object.space != Space::Local
            {
                reads.push(*argument);
            }
        }
        reads
    }

    fn is_ordered(&self, shares_global: bool) -> bool {
        let mut has_barrier = false;
        for (_, _, instruction) in instructions(self.program) {
            has_barrier |= instruction.is_barrier();
            if let Operation::Access(access) = instruction.operation
                && self.program.accesses[access.0 as usize].kind.writes()
                && instruction
                    .results
                    .iter()
                    .any(|slot| self.slots[slot.0 as usize])
            {
                return true;
            }
        }
        shares_global && !has_barrier
    }
}

fn instructions(program: &Program) -> impl Iterator<Item = (u32, u32, &Instruction)> {
    let numbered = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    program
        .blocks
        .iter()
        .enumerate()
        .flat_map(move |(at, block)| {
            let inside = block.instructions.iter().enumerate();
            inside.map(move |(place, instruction)| (numbered(at), numbered(place), instruction))
        })
}
