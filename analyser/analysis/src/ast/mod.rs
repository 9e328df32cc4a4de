//! OpenCL C as a tree of our own, read from clang's JSON: all that the analysis of accesses and the rewriting of
//! sources need, with the place of everything. Parts that are not understood are an [`ExprKind::Other`] or a
//! [`StmtKind::Other`] with its reason and its parts.

mod expr;
mod node;
mod place;
mod stmt;
mod types;
mod unit;
mod visit;

use std::{collections::BTreeMap, sync::Arc};

pub use place::{Place, Span};
pub use types::{Field, Kind, Record, Scalar, Space, Type};
pub use visit::{Part, unconverted, visit_expr};

/// A variable's place in [`Unit::variables`].
pub type VariableId = usize;

/// Texts of source files by clang's names for them. They tell which components `v.xy` names; clang's JSON does not.
pub type Sources = BTreeMap<String, String>;

/// The reason why there is no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The input is no JSON, or is cut off.
    #[error("clang's syntax tree is no JSON: {0}")]
    Json(String),
    /// The input is nested deeper than anybody writes.
    #[error("clang's syntax tree is nested more than {0} levels deep")]
    Deep(usize),
}

/// A source file with all that it includes.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Functions with a body, in the order of the source.
    pub functions: Vec<Function>,
    /// Parameters, local variables and file-scope variables of all functions.
    pub variables: Vec<Variable>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// Its parameters, in order.
    pub parameters: Vec<VariableId>,
    /// Its body.
    pub body: Stmt,
    /// Its text from the first word to the last brace.
    pub span: Span,
}

/// A parameter or a variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// The memory that it lies in: private unless the source says otherwise.
    pub space: Space,
    /// Whether it or what it points to is `volatile`.
    pub is_volatile: bool,
    /// The value that its declaration gives it.
    pub initial: Option<Expr>,
    /// Its declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind of statement, with its parts.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// Kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// Declarations, in order.
    Declare(Vec<VariableId>),
    /// An expression whose value is not used.
    Expr(Expr),
    /// `if`.
    If {
        /// The condition.
        condition: Expr,
        /// The statement that runs if the condition is not 0.
        then: Box<Stmt>,
        /// The statement after `else`, which runs if the condition is 0.
        otherwise: Option<Box<Stmt>>,
    },
    /// `for`, `while` and `do … while`.
    Loop {
        /// The statement before the first iteration.
        first: Option<Box<Stmt>>,
        /// The condition, tested before every iteration; with `do` after every iteration.
        condition: Option<Expr>,
        /// The expression evaluated after every iteration.
        step: Option<Expr>,
        /// The statement that is repeated.
        body: Box<Stmt>,
        /// Whether the body runs before the condition is tested: `do … while`.
        body_first: bool,
    },
    /// `switch`, whose body has [`StmtKind::Case`]s.
    Switch {
        /// The value that decides.
        on: Expr,
        /// All cases, usually a block.
        body: Box<Stmt>,
    },
    /// `case` (with its constant) or `default`, and the statement behind it.
    Case(Option<Expr>, Box<Stmt>),
    /// `return`.
    Return(Option<Expr>),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// A statement that is not understood: the reason, and its parts.
    Other(String, Vec<Stmt>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of expression, with its parts.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its text.
    pub span: Span,
}

/// Kinds of expressions. Parentheses and casts that change nothing are left out.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A variable, as a place.
    Variable(VariableId),
    /// The value that lies at a place.
    Load(Box<Expr>),
    /// An array as the pointer to its first element.
    Decay(Box<Expr>),
    /// `-x`, `~x`, `!x`, `*x`, `&x`.
    Unary(Unary, Box<Expr>),
    /// `x++` and its like.
    Increment {
        /// The number that is added: 1 or −1.
        by: i64,
        /// Whether the expression's value is the one before.
        is_postfix: bool,
        /// The place that is changed.
        target: Box<Expr>,
    },
    /// Arithmetic, comparisons, `&&`, `||` and `,`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `x = y`, or `x += y` and its like.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `c ? x : y`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A call by name.
    Call(Arc<str>, Vec<Expr>),
    /// `p[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// A field: the structure, and the bytes from its beginning to the field. `p->f` is `(*p).f`.
    Member(Box<Expr>, u64),
    /// Components of a vector; none where they are unknown.
    Components(Box<Expr>, Option<Vec<u8>>),
    /// A conversion to the expression's type.
    Convert(Box<Expr>),
    /// The bits of an expression as the expression's type.
    Reinterpret(Box<Expr>),
    /// `{ … }` and `(float4)(…)`.
    List(Vec<Expr>),
    /// An expression that is not understood: the reason, and its parts.
    Other(String, Vec<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-x`.
    Minus,
    /// `~x`.
    Complement,
    /// `!x`.
    Not,
    /// `*x`.
    Dereference,
    /// `&x`.
    Address,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are C's")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    Comma,
}

impl Unit {
    /// Reads the output of clang's `-ast-dump=json`.
    ///
    /// # Errors
    /// The input is no JSON, or nested too deeply.
    pub fn read(json: &str, sources: &Sources) -> Result<Self, Unreadable> {
        let root = node::read(json)?;
        Ok(unit::read(&root, sources))
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|it| &*it.name == name)
    }

    /// Whether exactly one function has this name: clang's OpenCL C has overloads.
    pub fn is_only(&self, name: &str) -> bool {
        let functions = self.functions.iter();
        functions.filter(|it| &*it.name == name).count() == 1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::accesses::Accesses;

    /// `kernel void k(global float *a) { for (int i = 0; i < 4; ++i) a[i] = 1; }`, as clang prints it in short.
    const TREE: &str = include_str!("../../tests/loop.json");

    fn all(json: &str) {
        if let Ok(unit) = Unit::read(json, &Sources::new()) {
            for function in &unit.functions {
                let _ = Accesses::of(&unit, &function.name);
            }
        }
    }

    #[test]
    fn a_tree_is_read_with_its_places() {
        let unit = Unit::read(TREE, &Sources::new()).expect("a tree");
        let accesses = Accesses::of(&unit, "k").expect("a kernel");
        let [access] = accesses.accesses.as_slice() else {
            panic!("{accesses:?}");
        };
        assert_eq!(access.span.begin.to_string(), "loop.cl:4:9");
        assert_eq!(accesses.text(&access.index), "i");
    }

    #[test]
    fn what_is_no_tree_is_said_to_be_none() {
        assert!(matches!(
            Unit::read("{\"inner\": [", &Sources::new()),
            Err(Unreadable::Json(_))
        ));
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(
            Unit::read(&deep, &Sources::new()),
            Err(Unreadable::Deep(_))
        ));
        assert!(
            Unit::read("[1, null, {\"kind\": 3}]", &Sources::new())
                .expect("no tree")
                .functions
                .is_empty()
        );
    }

    proptest! {
        #[test]
        fn nothing_makes_it_panic(at in 0..TREE.len(), by in "\\PC{0,12}", drop in 0_usize..400) {
            let bytes = TREE.as_bytes();
            let end = (at + drop).min(bytes.len());
            let changed = [&bytes[..at], by.as_bytes(), &bytes[end..]].concat();
            all(&String::from_utf8_lossy(&changed));
        }

        #[test]
        fn nor_do_swapped_words(one in 0_usize..2000, other in 0_usize..2000) {
            // Words in quotes, of which two change places: the JSON stays one.
            let mut words: Vec<&str> = TREE.split('"').collect();
            let count = words.len() / 2;
            words.swap(one % count * 2 + 1, other % count * 2 + 1);
            all(&words.join("\""));
        }
    }
}
