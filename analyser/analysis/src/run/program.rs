//! A kernel in the form that is executed: blocks of instructions over slots.

use std::ops::Range;

use super::{BlockId, Operation, Refusal, Slot};
use crate::llvm::{AtomicOp, Location, Space};

/// A kernel with the functions it calls put in place.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The kernel's name.
    pub kernel: String,
    /// It begins with the first.
    pub blocks: Vec<Block>,
    /// Number of [`Slot`]s.
    pub slots: u32,
    /// What slots hold that nothing writes.
    pub constants: Vec<(Slot, u64)>,
    /// The slots of each argument of the kernel; none where a structure comes by value, see `objects`.
    pub arguments: Vec<Range<u32>>,
    /// Memory accesses, by [`AccessId`].
    pub accesses: Vec<Access>,
    /// What lies in memory, buffers of arguments too.
    pub objects: Vec<Object>,
    /// Bytes of a work-item's private objects.
    pub private_bytes: u64,
    /// Bytes of local objects of the program; those of arguments lie behind.
    pub local_bytes: u64,
    /// Names of instructions as Oclgrind prints them; [`Counted::name`] is a place here.
    pub names: Vec<String>,
    /// Places in the source that [`Instruction::location`] names.
    pub locations: Vec<Location>,
}

impl Program {
    /// A function that it calls and that nobody knows: what it does is in no count.
    ///
    /// # Errors
    /// There is one.
    pub fn has_no_unknown_calls(&self) -> Result<(), Refusal> {
        let mut all = self.blocks.iter().flat_map(|block| &block.instructions);
        let unknown = all.find_map(|it| match &it.operation {
            Operation::Call(name) => Some((name, it.location)),
            _ => None,
        });
        match unknown {
            None => Ok(()),
            Some((name, location)) => Err(Refusal {
                location: location.map(|at| self.locations[at as usize].clone()),
                reason: format!("what the function `{name}` does is not known"),
            }),
        }
    }
}

/// Instructions without a branch among them.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is done, in order.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub end: End,
    /// LLVM's instructions in it, by name: what a counter of them would count each time a lane comes here.
    pub counted: Vec<Counted>,
    /// The block where all lanes that part here reconverge; none at the kernel's end.
    pub meets: Option<BlockId>,
    /// The blocks where lanes that stay in a loop reconverge earlier, by the loops around it, the innermost first.
    pub meets_in_loops: Vec<BlockId>,
}

impl Block {
    /// Does what its edges copy, on what is known of each slot: all of it at once.
    pub(crate) fn copy_over_edges<T: Copy>(&self, of_slots: &mut [T]) {
        let copies = self.end.edges().flat_map(|edge| &edge.copies);
        let copies = copies.map(|(to, from)| (to.0 as usize, of_slots[from.0 as usize]));
        for (to, value) in copies.collect::<Vec<_>>() {
            of_slots[to] = value;
        }
    }
}

/// LLVM instructions of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// A place in [`Program::names`].
    pub name: u32,
    /// Number of them in the block.
    pub count: u32,
    /// Bytes that they load or store, together.
    pub bytes: u64,
}

/// What is done to every active lane.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The operation, without its operands.
    pub operation: Operation,
    /// What it writes.
    pub results: Vec<Slot>,
    /// What it reads.
    pub operands: Vec<Slot>,
    /// A place in [`Program::locations`].
    pub location: Option<u32>,
}

/// An edge to the next block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block that it leads to.
    pub to: BlockId,
    /// Slots that take over others' values along the edge, all at once: `(to, from)`.
    pub copies: Vec<(Slot, Slot)>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// To one block, always.
    Jump(Edge),
    /// To one of two blocks, by the lowest bit of a number.
    Branch {
        /// The number.
        condition: Slot,
        /// If it is 1.
        then: Edge,
        /// If it is 0.
        other: Edge,
    },
    /// To one of several blocks, by the value of a number.
    Switch {
        /// The number.
        value: Slot,
        /// Values and their edges, sorted by value.
        cases: Vec<(u64, Edge)>,
        /// The edge for any other value.
        default: Edge,
    },
    /// The work-item is done.
    Return,
}

impl End {
    /// The edges to the blocks that may follow.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (few, many): ([Option<&Edge>; 2], &[(u64, Edge)]) = match self {
            Self::Jump(edge) => ([Some(edge), None], &[]),
            Self::Branch { then, other, .. } => ([Some(then), Some(other)], &[]),
            Self::Switch { cases, default, .. } => ([Some(default), None], cases),
            Self::Return => ([None, None], &[]),
        };
        few.into_iter()
            .flatten()
            .chain(many.iter().map(|(_, edge)| edge))
    }

    /// The same edges, to change.
    pub(crate) fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Self::Jump(edge) => vec![edge],
            Self::Branch { then, other, .. } => vec![then, other],
            Self::Switch { cases, default, .. } => {
                let cases = cases.iter_mut().map(|(_, edge)| edge);
                std::iter::once(default).chain(cases).collect()
            }
            Self::Return => Vec::new(),
        }
    }

    /// The slot that decides between edges; none where there is one edge or none.
    pub fn decides(&self) -> Option<Slot> {
        match self {
            Self::Branch { condition, .. } => Some(*condition),
            Self::Switch { value, .. } => Some(*value),
            Self::Jump(_) | Self::Return => None,
        }
    }
}

/// A memory access of the source.
#[derive(Clone, Debug)]
pub struct Access {
    /// What it does.
    pub kind: AccessKind,
    /// The memory that it goes to.
    pub space: Space,
    /// Bytes that a lane accesses, one after the other.
    pub bytes: u64,
    /// Bytes of which its address is a multiple, as far as the text says.
    pub align: u64,
    /// The numbers in it: of a vector its elements.
    pub parts: Vec<Part>,
    /// A place in [`Program::locations`].
    pub location: Option<u32>,
}

/// A number within an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Bytes from the access's address.
    pub offset: u64,
    /// Bytes, 1 to 8.
    pub bytes: u8,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Operands: the address. Results: a slot a part.
    Load,
    /// Operands: the address, and a slot a part.
    Store,
    /// Operands: the address and the other number. Result: what was there before.
    Atomic(AtomicOp),
    /// Operands: the address, what is expected, what is put there then. Results: what was there before, and whether
    /// it was as expected.
    CompareExchange,
}

impl AccessKind {
    /// Whether it changes memory.
    pub fn writes(self) -> bool {
        self != Self::Load
    }

    /// Whether it reads and writes at once.
    pub(crate) fn is_atomic(self) -> bool {
        !matches!(self, Self::Load | Self::Store)
    }
}

/// Something in memory that has an address by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// The memory that it lies in.
    pub space: Space,
    /// The slot of its address.
    pub address: Slot,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// The buffer, or the local memory, of the kernel's argument in this place.
    Argument(usize),
    /// A structure that the kernel's argument in this place gives by value: in constant memory, or in private memory
    /// where something writes to it.
    ByValue {
        /// Place among the kernel's arguments.
        argument: usize,
        /// Bytes from the beginning of private memory, where it is there.
        offset: u64,
    },
    /// An array or variable of a work-item.
    Private {
        /// Bytes from the beginning of private memory.
        offset: u64,
        /// Size, bytes.
        bytes: u64,
    },
    /// An array or variable of a work-group.
    Local {
        /// Name in the source.
        name: String,
        /// Bytes from the beginning of local memory.
        offset: u64,
        /// Size, bytes.
        bytes: u64,
    },
    /// A table that the program brings along.
    Table {
        /// Name in the source.
        name: String,
        /// What it holds.
        holds: Vec<u8>,
    },
}
