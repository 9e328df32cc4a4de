//! What a module's text says.

use std::collections::HashMap;

use super::{Locations, TypeId, Types};

/// A module: what a compiler makes of one program.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// All types.
    pub types: Types,
    /// Variables outside functions: of OpenCL C the `__constant` tables, and arrays in local memory.
    pub globals: Vec<Global>,
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// Both by name.
    pub symbols: HashMap<String, Symbol>,
    /// Debug locations.
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
    /// Global memory.
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
    /// Its type.
    pub of: TypeId,
    /// What a pointer points to that is given by value.
    pub by_value: Option<TypeId>,
    /// Whether the function only reads what it points to.
    pub read_only: bool,
}

/// A value of a function, in the order in which the text first names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Local(pub u32);

/// A block of a function: its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

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

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it makes.
    pub result: Option<Local>,
    /// What it does.
    pub kind: Kind,
    /// The number of its debug location.
    pub location: Option<u32>,
    /// Line of the text.
    pub line: u32,
}

/// A typed value.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its type.
    pub of: TypeId,
    /// What it is.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// What an instruction made, or an argument.
    Local(Local),
    /// A constant.
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
    /// Elements or fields.
    Aggregate(Vec<Operand>),
    /// `c"…"`.
    Bytes(Vec<u8>),
    /// `@name`.
    Symbol(String),
    /// An expression of constants.
    Expression(Box<Expression>),
}

/// An expression of constants.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A place in an object.
    GetElementPtr {
        /// What the base points to.
        source: TypeId,
        /// The object.
        base: Operand,
        /// The way to the place.
        indices: Vec<Operand>,
    },
    /// A conversion.
    Cast {
        /// Which.
        cast: Cast,
        /// Of what.
        from: Operand,
    },
    /// Arithmetic.
    Binary {
        /// Which.
        op: Binary,
        /// On the left.
        a: Operand,
        /// On the right.
        b: Operand,
    },
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal $variant_doc:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = $variant_doc] $variant,)*
        }

        impl $name {
            /// That of this name in LLVM's text.
            pub fn of_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its name in LLVM's text.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }
    };
}

words! {
    /// Arithmetic of two.
    Binary {
        Add "add" "Sum.",
        Sub "sub" "Difference.",
        Mul "mul" "Product.",
        UDiv "udiv" "Quotient, unsigned.",
        SDiv "sdiv" "Quotient, signed, towards 0.",
        URem "urem" "Remainder, unsigned.",
        SRem "srem" "Remainder, with the dividend's sign.",
        Shl "shl" "Shift to the left.",
        LShr "lshr" "Shift to the right, zeros from the left.",
        AShr "ashr" "Shift to the right, the sign from the left.",
        And "and" "Bits of both.",
        Or "or" "Bits of either.",
        Xor "xor" "Bits of one alone.",
        FAdd "fadd" "Sum of floating-point numbers.",
        FSub "fsub" "Difference of floating-point numbers.",
        FMul "fmul" "Product of floating-point numbers.",
        FDiv "fdiv" "Quotient of floating-point numbers.",
        FRem "frem" "Remainder of floating-point numbers.",
    }
}

words! {
    /// A conversion.
    Cast {
        Trunc "trunc" "To fewer bits.",
        ZExt "zext" "To more bits: zeros.",
        SExt "sext" "To more bits: the sign.",
        FpTrunc "fptrunc" "To a smaller floating-point type.",
        FpExt "fpext" "To a larger floating-point type.",
        FpToUi "fptoui" "To an unsigned number.",
        FpToSi "fptosi" "To a signed number.",
        UiToFp "uitofp" "From an unsigned number.",
        SiToFp "sitofp" "From a signed number.",
        PtrToInt "ptrtoint" "An address as a number.",
        IntToPtr "inttoptr" "A number as an address.",
        BitCast "bitcast" "The same bits.",
        AddressSpace "addrspacecast" "To another address space.",
    }
}

words! {
    /// How whole numbers are compared.
    IntegerPredicate {
        Equal "eq" "Equal.",
        NotEqual "ne" "Not equal.",
        UnsignedAbove "ugt" "Above, unsigned.",
        UnsignedAtLeast "uge" "At least, unsigned.",
        UnsignedBelow "ult" "Below, unsigned.",
        UnsignedAtMost "ule" "At most, unsigned.",
        Above "sgt" "Above.",
        AtLeast "sge" "At least.",
        Below "slt" "Below.",
        AtMost "sle" "At most.",
    }
}

words! {
    /// How floating-point numbers are compared: ordered ones are false, unordered ones true of NaN.
    FloatPredicate {
        Never "false" "Never.",
        OrderedEqual "oeq" "Equal.",
        OrderedAbove "ogt" "Above.",
        OrderedAtLeast "oge" "At least.",
        OrderedBelow "olt" "Below.",
        OrderedAtMost "ole" "At most.",
        OrderedNotEqual "one" "Not equal.",
        Ordered "ord" "Neither is NaN.",
        UnorderedEqual "ueq" "Equal, or NaN.",
        UnorderedAbove "ugt" "Above, or NaN.",
        UnorderedAtLeast "uge" "At least, or NaN.",
        UnorderedBelow "ult" "Below, or NaN.",
        UnorderedAtMost "ule" "At most, or NaN.",
        UnorderedNotEqual "une" "Not equal, or NaN.",
        Unordered "uno" "Either is NaN.",
        Always "true" "Always.",
    }
}

words! {
    /// What is done to memory at once.
    AtomicOp {
        Exchange "xchg" "The new value.",
        Add "add" "Sum.",
        Sub "sub" "Difference.",
        And "and" "Bits of both.",
        Nand "nand" "Not the bits of both.",
        Or "or" "Bits of either.",
        Xor "xor" "Bits of one alone.",
        Max "max" "The larger.",
        Min "min" "The smaller.",
        UMax "umax" "The larger, unsigned.",
        UMin "umin" "The smaller, unsigned.",
        FAdd "fadd" "Sum of floating-point numbers.",
    }
}

/// Whom a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The function of this name.
    Named(String),
    /// One that is only known when it runs, or assembly.
    Unknown,
}

/// What a call gives.
#[derive(Clone, Debug, PartialEq)]
pub struct CallArgument {
    /// The value; none for metadata.
    pub operand: Option<Operand>,
}

/// What an instruction does.
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
        /// Of what the address is a multiple; 0 where the text does not say.
        align: u64,
    },
    Store {
        value: Operand,
        address: Operand,
        align: u64,
    },
    Alloca {
        of: TypeId,
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
    /// LLVM's name of it.
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

/// How a block ends.
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
    /// LLVM's name of it.
    pub fn opcode(&self) -> &'static str {
        match self {
            Self::Return(_) => "ret",
            Self::Jump(_) | Self::Branch { .. } => "br",
            Self::Switch { .. } => "switch",
            Self::Unreachable => "unreachable",
        }
    }
}
