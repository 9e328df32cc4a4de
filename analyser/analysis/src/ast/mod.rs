//! OpenCL C as a tree of our own, read from clang's JSON AST: what the analysis of accesses and the rewriting of
//! sources need, with the place of everything. What is not understood is an [`ExprKind::Other`] or a
//! [`StmtKind::Other`] with its reason; what it is made of is still there.

mod expr;
mod function;
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

/// Sources by the name that clang gives their file. clang's JSON does not say which components `v.xy` names: they
/// are read here.
pub type Sources = BTreeMap<String, String>;

/// Why there is no tree at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is no JSON, or is cut off.
    #[error("clang's syntax tree is no JSON: {0}")]
    Json(String),
    /// It is nested deeper than anybody writes.
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
    /// In order.
    pub parameters: Vec<VariableId>,
    /// Its body.
    pub body: Stmt,
    /// From its first word to its last brace.
    pub span: Span,
}

/// A parameter or a variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// What it is.
    pub of: Type,
    /// Where it lies: `__private` unless it says otherwise.
    pub space: Space,
    /// Whether it, or what it points to, is `volatile`.
    pub is_volatile: bool,
    /// What it is set to where it is declared.
    pub initial: Option<Expr>,
    /// Its declaration.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`.
    Block(Vec<Stmt>),
    /// Declarations, in order.
    Declare(Vec<VariableId>),
    /// An expression, for what it does.
    Expr(Expr),
    /// `if`.
    If {
        /// Whether.
        condition: Expr,
        /// Then.
        then: Box<Stmt>,
        /// Else.
        otherwise: Option<Box<Stmt>>,
    },
    /// `for` and `while`.
    Loop {
        /// Before the first pass.
        first: Option<Box<Stmt>>,
        /// Before every pass; of `do` after every pass.
        condition: Option<Expr>,
        /// After every pass.
        step: Option<Expr>,
        /// What is repeated.
        body: Box<Stmt>,
        /// `do … while`: the body runs before the condition is looked at.
        body_first: bool,
    },
    /// `switch`, whose body has [`StmtKind::Case`]s.
    Switch {
        /// What decides.
        on: Expr,
        /// All cases.
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
    /// Not understood, and why.
    Other(String, Vec<Stmt>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// What it is of.
    pub of: Type,
    /// Where.
    pub span: Span,
}

/// What an expression is. Parentheses and casts that change nothing are left out.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A whole number.
    Integer(i64),
    /// A number with a point.
    Real(f64),
    /// A variable, as a place.
    Variable(VariableId),
    /// The value of what lies at a place.
    Load(Box<Expr>),
    /// An array as the pointer to its first element.
    Decay(Box<Expr>),
    /// `-x`, `~x`, `!x`, `*x`, `&x`.
    Unary(Unary, Box<Expr>),
    /// `x++` and its like.
    Increment {
        /// By 1 or −1.
        by: i64,
        /// Whether its value is the one before.
        is_postfix: bool,
        /// What.
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
    /// A field, so many bytes behind the beginning of the structure. `p->f` is `(*p).f`.
    Member(Box<Expr>, u64),
    /// Components of a vector; none where they are not known.
    Components(Box<Expr>, Option<Vec<u8>>),
    /// Converted to the expression's type.
    Convert(Box<Expr>),
    /// The same bits as the expression's type.
    Reinterpret(Box<Expr>),
    /// `{ … }` and `(float4)(…)`.
    List(Vec<Expr>),
    /// Not understood, and why.
    Other(String, Vec<Expr>),
}

/// Of one operand.
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

/// Of two operands.
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
    /// Reads what clang prints by `-ast-dump=json`.
    ///
    /// # Errors
    /// It is no JSON, or nested too deeply.
    pub fn read(json: &str, sources: &Sources) -> Result<Self, Unreadable> {
        let root = node::read(json)?;
        Ok(unit::read(&root, sources))
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions
            .iter()
            .find(|function| &*function.name == name)
    }

    /// Whether no other function has the name of this one: clang's OpenCL C knows overloads.
    pub fn is_only(&self, name: &str) -> bool {
        let alike = self.functions.iter();
        alike.filter(|function| &*function.name == name).count() == 1
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
