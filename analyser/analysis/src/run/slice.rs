//! What of a program must be computed, and what that depends on.

use std::collections::HashMap;

use super::{
    AccessId, AccessKind, Id, ObjectKind, Operation, Program, Refusal, Slot, classes::Classes,
};
use crate::llvm::Space;

/// Turns through a program until nothing more is found; real programs take a few.
const MOST_TURNS: usize = 1000;

/// What a run is to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Which way branches go.
    Branches,
    /// And where every access goes.
    Addresses,
    /// And all that is written to memory.
    Values,
}

/// Axes of a launch along which something differs: a bit for each dimension of the place in a work-group, and of the
/// work-group's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axes(u8);

impl Axes {
    const ALL: Self = Self(0o77);

    fn local(dimension: u32) -> Self {
        Self(1 << dimension)
    }

    fn group(dimension: u32) -> Self {
        Self(8 << dimension)
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it differs between work-items of a work-group along this dimension.
    pub fn has_local(self, dimension: usize) -> bool {
        self.0 >> dimension & 1 == 1
    }

    /// Whether it differs between work-groups along this dimension.
    pub fn has_group(self, dimension: usize) -> bool {
        self.0 >> (dimension + 3) & 1 == 1
    }
}

/// What of a program must be computed.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Of each block, the places of the instructions in it.
    pub(crate) needed: Vec<Vec<u32>>,
    /// Of each block's ways, the copies: as in [`End::edges`](super::End::edges).
    pub(crate) slots: Vec<bool>,
    /// What was asked.
    pub wanted: Wanted,
    /// Along which axes branches differ: along the others all work-items go the same ways, as often.
    pub branches: Axes,
    /// The arguments whose buffers must be there to be read.
    pub reads: Vec<usize>,
    /// Whether what a work-item does may depend on what others have written.
    pub shares: bool,
    /// Whether the order of work-items between two barriers may matter: one takes over what others have done by
    /// atomic operations, or in global memory without a barrier.
    pub is_ordered: bool,
    /// Whether private memory is needed.
    pub(crate) private: bool,
    /// Of each access, whether somebody reads what it writes.
    written: Vec<bool>,
}

impl Slice {
    /// Whether somebody reads what this access writes.
    pub(crate) fn writes(&self, access: AccessId) -> bool {
        self.written[access.0 as usize]
    }

    /// Finds it. `same` says which of the kernel's arguments are one buffer, in pairs.
    ///
    /// # Errors
    /// It depends on what nobody knows to compute: a function, numbers of more than 64 bits.
    pub fn of(program: &Program, wanted: Wanted, same: &[(usize, usize)]) -> Result<Self, Refusal> {
        let mut search = Search::new(program, wanted, same);
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
    wanted: Wanted,
    classes: Classes,
    /// What makes each slot.
    makers: Vec<Option<Place>>,
    /// Of slots that ways write: from which.
    taken_over: HashMap<u32, Vec<Slot>>,
    /// Instructions that write to a class.
    writers: HashMap<u32, Vec<Place>>,
    slots: Vec<bool>,
    instructions: Vec<Vec<bool>>,
    needs_class: HashMap<u32, ()>,
    next: Vec<Slot>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, wanted: Wanted, same: &[(usize, usize)]) -> Self {
        let classes = Classes::of(program, same);
        let mut makers = vec![None; program.slots as usize];
        let mut taken_over: HashMap<u32, Vec<Slot>> = HashMap::new();
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
                    taken_over.entry(to.0).or_default().push(*from);
                }
            }
        }
        Self {
            program,
            wanted,
            classes,
            makers,
            taken_over,
            writers,
            slots: vec![false; program.slots as usize],
            instructions: program
                .blocks
                .iter()
                .map(|block| vec![false; block.instructions.len()])
                .collect(),
            needs_class: HashMap::new(),
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
        if self.wanted == Wanted::Branches {
            return;
        }
        for (block, place, instruction) in instructions(self.program) {
            let Operation::Access(access) = instruction.operation else {
                continue;
            };
            // Told of, even if nobody needs what it reads.
            self.instructions[block as usize][place as usize] = true;
            let access = &self.program.accesses[access.0 as usize];
            if self.wanted == Wanted::Values && access.kind.writes() {
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
            if let Some(from) = self.taken_over.get(&slot.0) {
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
        if self.needs_class.insert(class, ()).is_some() {
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
                needed |= self.needs_class.contains_key(&class);
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
        self.needs_class
            .contains_key(&self.classes.of_access(access))
    }

    fn finish(mut self) -> Slice {
        let program = self.program;
        let (mut shares, mut shares_global, mut private) = (false, false, false);
        let mut is_ordered = false;
        let mut written = vec![self.wanted == Wanted::Values; program.accesses.len()];
        for access in 0..program.accesses.len() {
            let id = AccessId(u32::try_from(access).unwrap_or(u32::MAX));
            let access = &program.accesses[access];
            if !self.is_needed(id) {
                continue;
            }
            written[id.0 as usize] |= access.kind.writes();
            private |= access.space == Space::Private;
            if access.kind.writes() {
                shares |= access.space != Space::Private;
                shares_global |= access.space == Space::Global;
            }
        }
        let mut reads = Vec::new();
        for object in &program.objects {
            let class = self.classes.find(object.address);
            let read = self.needs_class.contains_key(&class);
            if let (ObjectKind::Argument(argument), true) = (&object.kind, read)
                && object.space != Space::Local
            {
                reads.push(*argument);
            }
        }
        let mut has_barrier = false;
        for (_, _, instruction) in instructions(program) {
            has_barrier |= matches!(instruction.operation, Operation::Barrier);
            if let Operation::Access(access) = instruction.operation {
                let kind = program.accesses[access.0 as usize].kind;
                let mut results = instruction.results.iter();
                is_ordered |= kind.writes() && results.any(|slot| self.slots[slot.0 as usize]);
            }
        }
        is_ordered |= shares_global && !has_barrier;
        let branches = self.axes_of_branches();
        let needed = self.instructions.iter().map(|block| {
            let places = block.iter().enumerate().filter(|(_, needed)| **needed);
            places
                .filter_map(|(place, _)| u32::try_from(place).ok())
                .collect()
        });
        let mut needed: Vec<Vec<u32>> = needed.collect();
        if shares || self.wanted != Wanted::Branches {
            for (block, place, instruction) in instructions(program) {
                if matches!(instruction.operation, Operation::Barrier) {
                    needed[block as usize].push(place);
                    needed[block as usize].sort_unstable();
                }
            }
        }
        Slice {
            needed,
            slots: self.slots,
            wanted: self.wanted,
            branches,
            reads,
            shares,
            is_ordered,
            private,
            written,
        }
    }

    /// Where branches differ. Which of two values a slot takes over depends on the branch before it, but that is
    /// among the branches anyway.
    fn axes_of_branches(&mut self) -> Axes {
        let program = self.program;
        let mut slots = vec![Axes::default(); program.slots as usize];
        let mut memory: HashMap<u32, Axes> = HashMap::new();
        let constants: HashMap<Slot, u64> = program.constants.iter().copied().collect();
        for _ in 0..MOST_TURNS {
            let (mut changed, mut changed_memory) = (false, false);
            let mut raise = |slots: &mut Vec<Axes>, slot: Slot, to: Axes| {
                let now = &mut slots[slot.0 as usize];
                changed |= now.with(to) != *now;
                *now = now.with(to);
            };
            for (at, block) in program.blocks.iter().enumerate() {
                for place in 0..block.instructions.len() {
                    if !self.instructions[at][place] {
                        continue;
                    }
                    let instruction = &block.instructions[place];
                    let given = instruction.operands.iter();
                    let mut axes = given.fold(Axes::default(), |all, slot| {
                        all.with(slots[slot.0 as usize])
                    });
                    match &instruction.operation {
                        Operation::Place(id) => {
                            let dimension = instruction.operands.first();
                            let dimension = dimension.and_then(|slot| constants.get(slot));
                            axes = axes.with(axes_of(*id, dimension.copied()));
                        }
                        Operation::Access(access) => {
                            let (class, kind) = (self.classes.of_access(*access), *access);
                            let kind = &program.accesses[kind.0 as usize];
                            if kind.kind.writes() {
                                let written = memory.entry(class).or_default();
                                let more = match kind.space {
                                    Space::Private => axes,
                                    Space::Local => axes.with(Axes(0o7)),
                                    Space::Global | Space::Constant => Axes::ALL,
                                };
                                // Loads before it see it in the next turn.
                                changed_memory |= written.with(more) != *written;
                                *written = written.with(more);
                            }
                            let read = memory.get(&class).copied().unwrap_or_default();
                            axes = match kind.kind {
                                AccessKind::Store => axes,
                                _ => axes.with(read),
                            };
                        }
                        _ => {}
                    }
                    for result in &instruction.results {
                        raise(&mut slots, *result, axes);
                    }
                }
                for edge in block.end.edges() {
                    for (to, from) in &edge.copies {
                        let axes = slots[from.0 as usize];
                        raise(&mut slots, *to, axes);
                    }
                }
            }
            if !changed && !changed_memory {
                let decide = program
                    .blocks
                    .iter()
                    .filter_map(|block| block.end.decides());
                let axes = decide.map(|slot| slots[slot.0 as usize]);
                return axes.fold(Axes::default(), Axes::with);
            }
        }
        Axes::ALL
    }
}

fn axes_of(id: Id, dimension: Option<u64>) -> Axes {
    let one = |axes: fn(u32) -> Axes| match dimension {
        Some(dimension @ 0..=2) => axes(u32::try_from(dimension).unwrap_or(0)),
        Some(_) => Axes::default(),
        None => (0..3).fold(Axes::default(), |all, at| all.with(axes(at))),
    };
    match id {
        Id::GlobalId => one(Axes::local).with(one(Axes::group)),
        Id::LocalId => one(Axes::local),
        Id::GroupId => one(Axes::group),
        Id::GlobalLinearId => Axes::ALL,
        Id::LocalLinearId => Axes(0o7),
        Id::GlobalSize | Id::LocalSize | Id::NumGroups | Id::GlobalOffset | Id::WorkDim => {
            Axes::default()
        }
    }
}

fn instructions(program: &Program) -> impl Iterator<Item = (u32, u32, &super::Instruction)> {
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
