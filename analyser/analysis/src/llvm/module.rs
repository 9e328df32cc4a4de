//! What a module's text says.

use std::collections::HashMap;

use super::{Constant, Instruction, Local, Locations, Terminator, TypeId, Types};

/// A module: what a compiler makes of one program.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Types that the text names or uses.
    pub types: Types,
    /// Variables outside functions: of OpenCL C the `__constant` tables, and arrays in local memory.
    pub globals: Vec<Global>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// Both by name.
    pub symbols: HashMap<String, Symbol>,
    /// Debug locations by their numbers.
    pub locations: Locations,
}

/// What a name stands for; functions without a body are not listed.
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
    /// A work-item's own.
    Private,
    /// Global memory, that kernels read and write.
    Global,
    /// Global memory that nobody writes.
    Constant,
    /// A work-group's own.
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
    /// What it holds.
    pub of: TypeId,
    /// What it holds first, where anything says so.
    pub holds: Option<Constant>,
    /// Bytes; 0 where nothing says it.
    pub align: u64,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, without `@`.
    pub name: String,
    /// Whether it is a kernel by its calling convention.
    pub is_kernel: bool,
    /// What it returns.
    pub returns: TypeId,
    /// What it is given.
    pub arguments: Vec<Argument>,
    /// At least one; the first is where it begins.
    pub blocks: Vec<Block>,
    /// The type of each [`Local`].
    pub locals: Vec<TypeId>,
    /// Line of the text.
    pub line: u32,
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// The value inside.
    pub local: Local,
    /// The type of the value inside.
    pub of: TypeId,
    /// What a pointer points to that is given by value.
    pub by_value: Option<TypeId>,
    /// Whether the function only reads what it points to.
    pub read_only: bool,
}

/// Instructions without a branch among them.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order; phis first.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub end: Terminator,
    /// Line of the text of its end.
    pub end_line: u32,
}
