//! The contents of a module's text.

use std::collections::HashMap;

use super::{Constant, Instruction, Local, Locations, Terminator, TypeId, Types};

/// A module: the compiled form of one program.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Types that the text names or uses.
    pub types: Types,
    /// Variables outside functions: in OpenCL C the `__constant` tables, and arrays in local memory.
    pub globals: Vec<Global>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// Globals and functions by name.
    pub symbols: HashMap<String, Symbol>,
    /// Debug locations by their numbers.
    pub locations: Locations,
}

/// The meaning of a name; functions without a body are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// The global in this place.
    Global(usize),
    /// The function in this place.
    Function(usize),
}

/// OpenCL's address spaces, as SPIR numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// A work-item's private memory.
    Private,
    /// Global memory that kernels read and write.
    Global,
    /// Global memory that nobody writes.
    Constant,
    /// A work-group's local memory.
    Local,
}

impl Space {
    /// The space of this number.
    pub fn numbered(number: u32) -> Option<Self> {
        match number {
            // AMD's compilers number it 5.
            0 | 5 => Some(Self::Private),
            1 => Some(Self::Global),
            2 => Some(Self::Constant),
            3 => Some(Self::Local),
            _ => None,
        }
    }
}

/// A variable outside functions.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, without `@`.
    pub name: String,
    /// Its address space's number.
    pub space: u32,
    /// The type of its value.
    pub ty: TypeId,
    /// Its initial value, where it has one.
    pub holds: Option<Constant>,
    /// Number of bytes of which its address is a multiple; 0 where the text does not say.
    pub align: u64,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, without `@`.
    pub name: String,
    /// The type that it returns.
    pub returns: TypeId,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// Its blocks, at least one; the first is where it begins.
    pub blocks: Vec<Block>,
    /// The type of each [`Local`].
    pub locals: Vec<TypeId>,
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value inside.
    pub local: Local,
    /// The type of the value inside.
    pub ty: TypeId,
    /// The type that a pointer points to if the argument is given by value.
    pub by_value: Option<TypeId>,
    /// Whether the function only reads what it points to.
    pub read_only: bool,
}

/// Instructions without a branch among them.
#[derive(Clone, Debug)]
pub struct Block {
    /// Instructions in order; phis come first.
    pub instructions: Vec<Instruction>,
    /// The end of the block.
    pub end: Terminator,
}
