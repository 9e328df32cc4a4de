//! The subject of a rewrite, and its text.

use std::ops::Range;

use super::{exprs, has_word, stmts, subexprs};
use crate::{
    accesses::{Access, Accesses, Array, Atom, launch::Geometry},
    ast::{
        Expr, ExprKind, Function, Kind, Scalar, Space, Span, Stmt, StmtKind, Type, Unary, Unit,
        VariableId,
    },
};

/// Functions that have an effect without being given a place.
const FENCES: [&str; 5] = [
    "barrier",
    "mem_fence",
    "read_mem_fence",
    "write_mem_fence",
    "printf",
];

/// A kernel with all that is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The syntax tree of its source.
    pub unit: &'a Unit,
    /// The accesses of the kernel.
    pub accesses: &'a Accesses,
    /// Its source file, as clang names it.
    pub file: &'a str,
    /// That file's text.
    pub source: &'a str,
    /// The texts of its folder that it includes, one behind the other.
    pub included: &'a str,
    /// The compiler's options.
    pub options: &'a str,
    /// Its launches at every size of the launch file; at least one.
    pub launches: &'a [KernelLaunch],
    /// Whether a run launches it only once: it may then get other arguments.
    pub is_single_launch: bool,
    /// Whether its work-groups have another size than the author's. The kernel then requires that size.
    pub is_resized: bool,
    /// Bytes of local memory that a work-group may have.
    pub most_bytes: u64,
    /// Names of the arguments that may go to local memory; empty: all.
    pub only: &'a [String],
    /// The rule by which tiles are worth it.
    pub rule: Rule,
    /// The form of tiles.
    pub form: TileForm,
}

/// The form of tiles, where several forms are correct. Absent choices follow the rules of docs/localize.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileForm {
    /// Iterations of a loop that a strip has, at most 256.
    pub strip: Option<u16>,
    /// Whether tiles of an even last dimension have one more column, so that a column lies in different banks.
    pub padding: Option<bool>,
}

/// The rule by which tiles are worth it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Elements are read by several work-items, or are read side by side from the tile.
    #[default]
    Shared,
    /// The rule of Kamiya et al. (2013, 5.3): elements are accessed twice on average, by any work-items; of the arrays
    /// that are, the one with the most accesses.
    Paper,
}

/// A launch of the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelLaunch {
    /// Sizes and numbers passed by value.
    pub geometry: Geometry,
    /// The buffer that each parameter is given.
    pub buffers: Vec<Option<Buffer>>,
}

impl KernelLaunch {
    /// The buffer that a parameter is given.
    pub(super) fn buffer(&self, parameter: usize) -> Option<&Buffer> {
        self.buffers.get(parameter)?.as_ref()
    }
}

/// A buffer that a launch gives to a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its number: parameters with the same number have the same buffer.
    pub number: usize,
    /// Elements of the parameter's type.
    pub elements: u64,
    /// Whether it holds anything before the launch.
    pub is_filled: bool,
    /// Whether anybody reads it after the launch, so that other variants have it too.
    pub is_output: bool,
    /// Number of its elements at any size; none where no formula was found.
    pub length_formula: Option<LengthFormula>,
}

/// Number of a buffer's elements by the kernel's own arguments: `factor * argument * argument + plus`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthFormula {
    /// The number that the arguments are multiplied by.
    pub factor: u64,
    /// The arguments in the product.
    pub arguments: Vec<ArgumentFactor>,
    /// The number that is added to the product.
    pub plus: u64,
}

/// An argument in a product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentFactor {
    /// The parameter.
    pub parameter: usize,
    /// Bytes into the parameter, if it is a structure or a vector.
    pub offset: u64,
    /// The number that is added to it before it is multiplied.
    pub plus: i64,
}

impl<'a> Subject<'a> {
    pub(super) fn function(&self) -> Option<&'a Function> {
        self.unit.function(&self.accesses.function)
    }

    /// The kernel's own text; none where it is in another file, or a macro makes its beginning or its end.
    #[must_use]
    pub fn kernel_range(&self) -> Option<Range<usize>> {
        self.range(&self.function()?.span).ok()
    }

    /// Whether the source, what it includes or an option defines a word as a macro.
    #[must_use]
    pub fn is_macro(&self, word: &str) -> bool {
        let options = self.options.replace("-D", " ");
        let mut defined = options.split_whitespace();
        !self.definitions(word).is_empty() || defined.any(|it| it.split('=').next() == Some(word))
    }

    /// The text and the type of what lies `at` bytes into an argument.
    pub(super) fn part_of(&self, parameter: usize, at: u64) -> Option<(String, Scalar)> {
        let id = *self.function()?.parameters.get(parameter)?;
        let variable = &self.unit.variables[id];
        let mut text = variable.name.to_string();
        let (mut ty, mut at) = (&variable.ty, at);
        while let Type::Record(record) = ty {
            let field = record.fields.iter().rev().find(|it| it.offset <= at)?;
            text += &format!(".{}", field.name);
            at -= field.offset;
            ty = &field.ty;
        }
        match ty {
            Type::Vector(scalar, _) => {
                text += &format!(".s{:x}", at / u64::from(scalar.bytes));
                Some((text, *scalar))
            }
            Type::Scalar(scalar) if at == 0 && ty.is_whole() => Some((text, *scalar)),
            _ => None,
        }
    }

    /// Whether a parameter's buffer has this length at every launch.
    pub(super) fn has_length(&self, parameter: usize, length: &LengthFormula) -> bool {
        self.launches.iter().all(|launch| {
            let buffer = launch.buffer(parameter);
            buffer.is_some_and(|it| self.length_at(length, launch) == Some(it.elements))
        })
    }

    /// A length at a launch; none where a factor is not above 0.
    fn length_at(&self, length: &LengthFormula, launch: &KernelLaunch) -> Option<u64> {
        let mut product = length.factor;
        for argument in &length.arguments {
            let (parameter, offset) = (argument.parameter, argument.offset);
            let (_, scalar) = self.part_of(parameter, offset)?;
            let is_signed = scalar.kind == Kind::Signed;
            let atom = Atom::Scalar(parameter, offset, scalar.bytes, is_signed);
            let factor = launch
                .geometry
                .launch_constant(&atom)?
                .checked_add(argument.plus)?;
            let factor = u64::try_from(factor).ok().filter(|it| *it > 0)?;
            product = product.checked_mul(factor)?;
        }
        product.checked_add(length.plus)
    }

    /// Whether an array is an argument in global memory that may go to local memory.
    pub(super) fn may_place(&self, array: &Array) -> bool {
        let is_selected = self.only.is_empty() || self.only.contains(&array.name);
        array.parameter.is_some() && array.space == Space::Global && is_selected
    }

    /// Whether a launch gives two parameters the same buffer.
    pub(super) fn is_same(&self, one: usize, other: usize) -> bool {
        one != other
            && self.launches.iter().any(|at| {
                let number = |parameter: usize| Some(at.buffer(parameter)?.number);
                number(one).is_some() && number(one) == number(other)
            })
    }

    /// Whether a launch gives another parameter the same buffer.
    pub(super) fn shares_buffer(&self, parameter: usize) -> bool {
        (0..self.accesses.parameters.len()).any(|other| self.is_same(parameter, other))
    }

    /// Whether the array, a pointer into it, or an access is `volatile`.
    pub(super) fn is_volatile(&self, array: usize) -> bool {
        let all = self.accesses;
        let own = &self.unit.variables[all.arrays[array].variable];
        let pointers = all.pointers.iter();
        let mut pointers = pointers.filter(|it| it.arrays.contains(&array));
        let mut accesses = all.accesses.iter().filter(|it| it.touches(array));
        let says = |text: &str| has_word(text, "volatile");
        // A structure's fields may be.
        let has_fields =
            matches!(own.ty, Type::Pointer(_, ref pointee) if matches!(**pointee, Type::Record(_)));
        own.is_volatile
            || pointers.any(|it| self.unit.variables[it.variable].is_volatile)
            || accesses.any(|it| {
                let range = self.tokens(&it.span);
                range.is_ok_and(|range| says(self.text(&range)))
            })
            || (has_fields && says(self.source))
    }

    /// Whether a name can only mean this variable in the kernel, and the variable is never changed there.
    pub(super) fn is_fixed(&self, variable: VariableId) -> bool {
        let Some(function) = self.function() else {
            return false;
        };
        !self.has_namesake(variable, &function.span) && !self.is_changed(&function.body, variable)
    }

    /// Whether another variable of the same name is declared in a span.
    pub(super) fn has_namesake(&self, variable: VariableId, span: &Span) -> bool {
        let name = &self.unit.variables[variable].name;
        let (begin, end) = (span.begin.offset, span.end.offset);
        let mut variables = self.unit.variables.iter().enumerate();
        variables.any(|(id, other)| {
            let at = other.span.begin.offset;
            id != variable && other.name == *name && (begin..=end).contains(&at)
        })
    }

    /// Whether the name of an access's array means its beginning all over the kernel.
    pub(super) fn is_named(&self, access: &Access) -> bool {
        let array = access.array.map(|array| &self.accesses.arrays[array]);
        array.is_some_and(|array| self.is_fixed(array.variable))
    }

    /// Whether a statement sets a variable, or takes its address.
    pub(super) fn is_changed(&self, stmt: &Stmt, variable: VariableId) -> bool {
        let mut all = exprs(self.unit, stmt).into_iter();
        all.any(|expr| match &expr.kind {
            ExprKind::Assign(_, target, _)
            | ExprKind::Increment { target, .. }
            | ExprKind::Unary(Unary::Address, target) => target.variable() == Some(variable),
            _ => false,
        })
    }

    /// Whether nothing in an expression changes anything.
    pub(super) fn is_pure(&self, expr: &Expr) -> bool {
        subexprs(expr).iter().all(|part| match &part.kind {
            ExprKind::Assign(..) | ExprKind::Increment { .. } | ExprKind::Other(..) => false,
            // What is given a place may change it; the others have nothing but their numbers.
            ExprKind::Call(name, given) => {
                !FENCES.contains(&&**name)
                    && (name.starts_with("vload")
                        || !given.iter().any(|it| matches!(it.ty, Type::Pointer(..))))
            }
            _ => true,
        })
    }

    /// The statement of a loop.
    pub(super) fn loop_at(&self, span: &Span) -> Option<&'a Stmt> {
        let mut all = stmts(self.unit, &self.function()?.body).into_iter();
        all.rfind(|stmt| matches!(stmt.kind, StmtKind::Loop { .. }) && stmt.span == *span)
    }
}
