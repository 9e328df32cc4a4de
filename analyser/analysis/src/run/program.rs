//! A kernel in the form that is executed: blocks of instructions over slots.

use std::ops::Range;

use super::{AccessId, BlockId, Operation, Refusal, Slot};
use crate::llvm::{AtomicOp, Location, Space};

/// A kernel with the functions that it calls inlined.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks; the program begins with the first.
    pub blocks: Vec<Block>,
    /// Number of [`Slot`]s.
    pub slots: u32,
    /// Values of slots that nothing writes.
    pub constants: Vec<(Slot, u64)>,
    /// The slots of each argument of the kernel; none where a structure comes by value, see `objects`.
    pub arguments: Vec<Range<u32>>,
    /// Memory accesses, by [`AccessId`].
    pub accesses: Vec<Access>,
    /// Objects in memory, buffers of arguments too.
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
    /// The instructions of all blocks.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.blocks.iter().flat_map(|block| &block.instructions)
    }

    /// The instructions that access memory.
    pub(crate) fn access_instructions(&self) -> impl Iterator<Item = (AccessId, &Instruction)> {
        self.instructions().filter_map(|it| match it.operation {
            Operation::Access(access) => Some((access, it)),
            _ => None,
        })
    }

    /// The access that an instruction is; none if it is something else.
    pub(crate) fn access(&self, instruction: &Instruction) -> Option<&Access> {
        match instruction.operation {
            Operation::Access(access) => self.accesses.get(access.0 as usize),
            _ => None,
        }
    }

    /// Checks that the program calls no unknown function, whose work is in no count.
    ///
    /// # Errors
    /// There is such a call.
    pub fn has_no_unknown_calls(&self) -> Result<(), Refusal> {
        let unknown = self.instructions().find_map(|it| match &it.operation {
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
    /// Instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The end of the block.
    pub end: End,
    /// LLVM's instructions in the block, by name: what a counter of them would count each time a lane comes here.
    pub counted: Vec<Counted>,
    /// The block where all lanes that part here reconverge; none at the kernel's end.
    pub meets: Option<BlockId>,
    /// The blocks where lanes that stay in a loop reconverge earlier, by the loops around it, the innermost first.
    pub meets_in_loops: Vec<BlockId>,
}

impl Block {
    /// Copies values along the block's edges, in what is known of each slot: all of them at once.
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

/// An instruction that is executed for every active lane.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The operation, without its operands.
    pub operation: Operation,
    /// The slots that it writes.
    pub results: Vec<Slot>,
    /// The slots that it reads.
    pub operands: Vec<Slot>,
    /// A place in [`Program::locations`].
    pub location: Option<u32>,
}

impl Instruction {
    pub(crate) fn is_barrier(&self) -> bool {
        matches!(self.operation, Operation::Barrier)
    }

    /// Whether it is a mathematical function of one or two numbers.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.operation, Operation::Math1(..) | Operation::Math2(..))
    }
}

/// An edge to the next block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block that it leads to.
    pub to: BlockId,
    /// Slots that take over others' values along the edge, all at once: `(to, from)`.
    pub copies: Vec<(Slot, Slot)>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A jump to one block.
    Jump(Edge),
    /// A branch to one of two blocks, by the lowest bit of a number.
    Branch {
        /// The number.
        condition: Slot,
        /// The edge that is taken if the bit is 1.
        then: Edge,
        /// The edge that is taken if the bit is 0.
        other: Edge,
    },
    /// A switch to one of several blocks, by the value of a number.
    Switch {
        /// The number.
        value: Slot,
        /// Values and their edges, sorted by value.
        cases: Vec<(u64, Edge)>,
        /// The edge for any other value.
        default: Edge,
    },
    /// The end of the work-item.
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

    /// The edges to the blocks that may follow, mutable.
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
    /// The kind of access.
    pub kind: AccessKind,
    /// The memory that it goes to.
    pub space: Space,
    /// Bytes that a lane accesses, one after the other.
    pub bytes: u64,
    /// Number of bytes of which its address is a multiple, as far as the text says.
    pub align: u64,
    /// The numbers in it: for a vector its elements.
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

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A load. Operands: the address. Results: a slot for each part.
    Load,
    /// A store. Operands: the address, and a slot for each part.
    Store,
    /// An atomic operation. Operands: the address and the other number. Result: the number that was there before.
    Atomic(AtomicOp),
    /// A compare-exchange. Operands: the address, the expected number, and the new number. Results: the number that was
    /// there before, and whether it was the expected one.
    CompareExchange,
}

impl AccessKind {
    /// Whether the access changes memory.
    pub fn writes(self) -> bool {
        self != Self::Load
    }

    /// Whether the access reads and writes at once.
    pub(crate) fn is_atomic(self) -> bool {
        !matches!(self, Self::Load | Self::Store)
    }
}

/// An object in memory that has an address by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The kind of object.
    pub kind: ObjectKind,
    /// The memory that it lies in.
    pub space: Space,
    /// The slot of its address.
    pub address: Slot,
}

/// The kind of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// The buffer, or the local memory, of the kernel's argument in this place.
    Argument(usize),
    /// A structure that the kernel's argument in this place gives by value: in constant memory, or in private memory if
    /// something writes to it.
    ByValue {
        /// Place among the kernel's arguments.
        argument: usize,
        /// Bytes from the beginning of private memory, if the object is there.
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
        /// Its contents.
        holds: Vec<u8>,
    },
}
