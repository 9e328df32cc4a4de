//! Executes kernels whole warps at a time, as much of them as a question needs.
//!
//! [`Program`] is a kernel with its functions inlined: blocks of instructions over registers ([`Slot`]), each a number
//! of 64 bits a lane. A [`Slice`] says which of them must be computed: those that decide branches, and addresses if
//! asked. A [`Machine`] executes a work-group of it, and tells an [`Observer`] of each block and each access of each
//! warp, with the lanes that take part.
//!
//! Lanes of a warp that part at a branch in a loop meet again at its immediate post-dominator within an iteration of
//! the loop, without those that leave it; all meet at its immediate post-dominator in the kernel. Between barriers a
//! work-group's warps run one after the other, from the first. With a width of 1, work-items therefore run as Oclgrind
//! runs them.

mod alias_classes;
mod axes;
pub(crate) mod bits;
pub(crate) mod dominators;
mod ids;
mod lazy_buffer;
pub(crate) mod loops;
mod lower;
mod machine;
mod memory;
mod observer;
mod operation;
mod program;
mod reconvergence;
mod refusal;
mod slice;

pub use axes::Axes;
pub use ids::{AccessId, BlockId, Slot};
pub(crate) use lower::Mangled;
pub use lower::lower;
pub use machine::{Machine, Shape, places};
pub use memory::{BUFFER_SHIFT, Memory};
pub use observer::{Observer, Warp};
pub use operation::{Id, Operation, Real};
pub use program::{
    Access, AccessKind, Block, Counted, Edge, End, Instruction, Object, ObjectKind, Part, Program,
};
pub use refusal::Refusal;
pub use slice::{Goal, Slice};
