//! LLVM's text form, as Oclgrind dumps it and as clang prints it: typed and opaque pointers alike.
//!
//! [`read()`] understands what OpenCL C is compiled to, and refuses the rest with its line. Attributes and metadata are
//! skipped, except debug locations. Hostile text costs time and memory in proportion to its length, and never a panic.

mod annotate;
mod instruction;
mod locations;
mod module;
mod operators;
mod read;
mod types;

pub use annotate::annotate_for_devices;
pub use instruction::{
    BlockId, CallArgument, Callee, Constant, Instruction, Kind, Local, Operand, Terminator, Value,
};
pub use locations::{Location, Locations};
pub use module::{Argument, Block, Function, Global, Module, Space, Symbol};
pub use operators::{AtomicOp, Binary, Cast, FloatPredicate, IntegerPredicate};
pub use read::{ReadError, read};
pub use types::{Layout, Type, TypeError, TypeId, Types};
