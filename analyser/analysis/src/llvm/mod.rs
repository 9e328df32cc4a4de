//! LLVM's text form, as Oclgrind dumps it and as clang prints it: typed and opaque pointers alike.
//!
//! [`read`] takes what OpenCL C becomes and refuses the rest with its line. Attributes and metadata are passed over,
//! but for debug locations. Hostile text costs time and memory in proportion to its length, and never a panic.

mod devices;
mod locations;
mod module;
mod read;
mod types;

pub use devices::as_devices_have;
pub use locations::{Location, Locations};
pub use module::{
    Argument, AtomicOp, Binary, Block, BlockId, CallArgument, Callee, Cast, Constant, Expression,
    FloatPredicate, Function, Global, Instruction, IntegerPredicate, Kind, Local, Module, Operand,
    Space, Symbol, Terminator, Value,
};
pub use read::{ReadError, read};
pub use types::{Layout, Type, TypeError, TypeId, Types};
