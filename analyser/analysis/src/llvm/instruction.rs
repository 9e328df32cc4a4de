//! Instructions and the values that they take.

use super::{AtomicOp, Binary, Cast, FloatPredicate, IntegerPredicate, TypeId};

/// A value of a function, in the order in which the text first names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

/// A block of a function: its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// An instruction: what it does, and where it stands.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The value that it makes.
    pub result: Option<Local>,
    /// The kind of instruction, with its operands.
    pub kind: Kind,
    /// The number of its debug location.
    pub location: Option<u32>,
}

/// A typed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The type that the value has.
    pub ty: TypeId,
    /// The value itself.
    pub value: Value,
}

/// The value of an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The result of an instruction, or an argument.
    Local(Local),
    /// A number, an address or an aggregate of the text.
    Constant(Constant),
}

/// A constant; its type stands beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A whole number, two's complement.
    Integer(i128),
    /// The bits of a floating-point number of its type.
    Real(u64),
    /// `null`, `zeroinitializer`.
    Zero,
    /// `undef`, `poison`.
    Undefined,
    /// The elements or fields of an aggregate.
    Aggregate(Vec<Operand>),
    /// `c"…"`.
    Bytes(Vec<u8>),
    /// `@name`.
    Symbol(String),
    /// An operation on constants: an address, a conversion or arithmetic.
    Expression(Box<Kind>),
}

/// The function that a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The function of this name.
    Named(String),
    /// A function that is only known when the program runs, or assembly.
    Unknown,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallArgument {
    /// The value; none for metadata.
    pub operand: Option<Operand>,
}

/// The kinds of instructions.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "LLVM's language reference names them alike")]
pub enum Kind {
    Binary {
        op: Binary,
        a: Operand,
        b: Value,
    },
    FNeg {
        a: Operand,
    },
    Compare {
        predicate: IntegerPredicate,
        a: Operand,
        b: Value,
    },
    FCompare {
        predicate: FloatPredicate,
        a: Operand,
        b: Value,
    },
    Cast {
        cast: Cast,
        from: Operand,
    },
    Select {
        condition: Operand,
        then: Operand,
        other: Operand,
    },
    GetElementPtr {
        source: TypeId,
        base: Operand,
        indices: Vec<Operand>,
    },
    Load {
        address: Operand,
        /// Number of bytes of which the address is a multiple; 0 where the text does not say.
        align: u64,
    },
    Store {
        value: Operand,
        address: Operand,
        align: u64,
    },
    Alloca {
        ty: TypeId,
        count: Option<Operand>,
    },
    Phi {
        incoming: Vec<(Value, BlockId)>,
    },
    Call {
        callee: Callee,
        arguments: Vec<CallArgument>,
    },
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    ShuffleVector {
        a: Operand,
        b: Operand,
        mask: Vec<Option<u32>>,
    },
    ExtractValue {
        aggregate: Operand,
        path: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        element: Operand,
        path: Vec<u32>,
    },
    AtomicRmw {
        op: AtomicOp,
        address: Operand,
        value: Operand,
    },
    CompareExchange {
        address: Operand,
        expected: Operand,
        new: Operand,
    },
    Fence,
    Freeze {
        a: Operand,
    },
}

impl Kind {
    /// LLVM's name of the instruction.
    pub fn opcode(&self) -> &'static str {
        match self {
            Self::Binary { op, .. } => op.word(),
            Self::FNeg { .. } => "fneg",
            Self::Compare { .. } => "icmp",
            Self::FCompare { .. } => "fcmp",
            Self::Cast { cast, .. } => cast.word(),
            Self::Select { .. } => "select",
            Self::GetElementPtr { .. } => "getelementptr",
            Self::Load { .. } => "load",
            Self::Store { .. } => "store",
            Self::Alloca { .. } => "alloca",
            Self::Phi { .. } => "phi",
            Self::Call { .. } => "call",
            Self::ExtractElement { .. } => "extractelement",
            Self::InsertElement { .. } => "insertelement",
            Self::ShuffleVector { .. } => "shufflevector",
            Self::ExtractValue { .. } => "extractvalue",
            Self::InsertValue { .. } => "insertvalue",
            Self::AtomicRmw { .. } => "atomicrmw",
            Self::CompareExchange { .. } => "cmpxchg",
            Self::Fence => "fence",
            Self::Freeze { .. } => "freeze",
        }
    }
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "LLVM's language reference names them alike")]
pub enum Terminator {
    Return(Option<Operand>),
    Jump(BlockId),
    Branch {
        condition: Value,
        then: BlockId,
        other: BlockId,
    },
    Switch {
        value: Operand,
        cases: Vec<(i128, BlockId)>,
        default: BlockId,
    },
    Unreachable,
}

impl Terminator {
    /// LLVM's name of the end.
    pub fn opcode(&self) -> &'static str {
        match self {
            Self::Return(_) => "ret",
            Self::Jump(_) | Self::Branch { .. } => "br",
            Self::Switch { .. } => "switch",
            Self::Unreachable => "unreachable",
        }
    }
}
