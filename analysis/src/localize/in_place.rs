//! Functions that a kernel gives its arrays to, put in the place of their calls: what they access then stands in the
//! kernel's own text, which an edit may change. Nothing is evaluated that was not, nor in another order where that could
//! be seen.

mod body;
mod calls;

use self::{
    body::Body,
    calls::{Found, found},
};
use super::{
    edit::{Edit, edited},
    refusal::Reason,
    subject::Subject,
    written::Written,
};
use crate::ast::{
    Expr, ExprKind, Function, Part, Space, StmtKind, Type, Unary, Unit, VariableId, visit_expr,
};

/// The source with the innermost calls of such functions replaced, of which there may be others then; none where no
/// call can be. Macros must be gone from the kernel and from the functions.
pub fn in_place(subject: Subject<'_>) -> Option<String> {
    let kernel = subject.function()?;
    let mut written = Written::default();
    for found in found(subject, &kernel.body) {
        let mut own = Written {
            names: written.names.clone(),
            ..Written::default()
        };
        // A call that can't be stays.
        if replace(subject, &found, &mut own).is_ok() {
            written.edits.append(&mut own.edits);
            written.names = own.names;
        }
    }
    let source = edited(subject.source, &written.edits)?;
    (source != subject.source).then_some(source)
}

/// A call by what the function says: an expression by itself, or statements before the statement that the call is in.
fn replace(subject: Subject<'_>, found: &Found<'_>, written: &mut Written) -> Result<(), Reason> {
    let ExprKind::Call(name, given) = &found.call.kind else {
        return Err(Reason::Text);
    };
    let function = subject.unit.function(name).ok_or(Reason::Text)?;
    if is_shadowed(subject, function) {
        return Err(Reason::Name);
    }
    let range = subject.range(&found.call.span)?;
    if let Ok(text) = as_expression(subject, function, given) {
        written.replace(range, text);
        return Ok(());
    }
    let place = found.place.as_ref().ok_or(Reason::Text)?;
    let is_all = place.is_all;
    if !is_all && !is_pure(subject.unit, function) {
        return Err(Reason::Text);
    }
    let body = Body::of(subject, function, given, written)?;
    let (begin, end) = (subject.begin(place.stmt)?, subject.end(place.stmt)?);
    let mut indent = subject.indent(begin).to_owned();
    let mut before = String::new();
    if !place.is_in_block {
        written.edits.push(Edit::insert(end, format!("\n{indent}}}")));
        indent += "    ";
        before = format!("{{\n{indent}");
    }
    before += &body.lines(&indent);
    match body.result {
        Some(result) => {
            written.replace(range, result);
            before += &format!("\n{indent}");
            written.edits.push(Edit::insert(begin, before));
        }
        None if is_all => written.replace(begin..end, before),
        None => return Err(Reason::Text),
    }
    Ok(())
}

/// Of a function that is one `return`: its value, with what is given in the place of its parameters.
fn as_expression(
    subject: Subject<'_>,
    function: &Function,
    given: &[Expr],
) -> Result<String, Reason> {
    let StmtKind::Block(of) = &function.body.kind else {
        return Err(Reason::Text);
    };
    let [only] = of.as_slice() else {
        return Err(Reason::Text);
    };
    let StmtKind::Return(Some(value)) = &only.kind else {
        return Err(Reason::Text);
    };
    let own = |id: VariableId| function.parameters.iter().position(|it| *it == id);
    let range = subject.range(&value.span)?;
    let mut edits = Vec::new();
    let mut done = Ok(());
    let mut uses = vec![0; given.len()];
    visit_expr(value, &mut |part| {
        let Part::Expr(expr) = part else { return };
        let ExprKind::Variable(id) = expr.kind else {
            return;
        };
        let text = match own(id) {
            Some(place) => {
                uses[place] += 1;
                argument(subject, &given[place], &subject.unit.variables[id].of)
            }
            None => return,
        };
        let replaced = text.and_then(|text| Ok((subject.range(&expr.span)?, text)));
        match replaced {
            Ok((at, text)) if range.start <= at.start && at.end <= range.end => {
                edits.push(Edit::replace(at.start - range.start..at.end - range.start, text));
            }
            Ok(_) => done = Err(Reason::InMacro),
            Err(reason) => done = Err(reason),
        }
    });
    done?;
    if !subject.is_pure(value) || !given.iter().all(|it| subject.is_pure(it)) {
        return Err(Reason::Text);
    }
    let is_long = |(expr, uses): (&Expr, usize)| uses > 2 && !is_short(expr);
    if given.iter().zip(uses).any(is_long) {
        return Err(Reason::Text);
    }
    edits.dedup();
    let text = edited(subject.text(&range), &edits).ok_or(Reason::Text)?;
    Ok(match (&value.kind, &value.of) {
        (ExprKind::Convert(_), of @ (Type::Scalar(_) | Type::Vector(..))) => {
            format!("(({of})({text}))")
        }
        _ => format!("({text})"),
    })
}

/// What is given as a parameter of this type, as a word or in brackets.
fn argument(subject: Subject<'_>, given: &Expr, of: &Type) -> Result<String, Reason> {
    let text = subject.text(&subject.range(&given.span)?);
    Ok(match (&given.kind, of) {
        // A pointer to something else.
        (ExprKind::Reinterpret(_), _) => return Err(Reason::Text),
        (ExprKind::Convert(_), Type::Scalar(_) | Type::Vector(..)) => format!("(({of})({text}))"),
        (ExprKind::Convert(_), _) => return Err(Reason::Text),
        _ if is_word(text) => text.to_owned(),
        _ => format!("({text})"),
    })
}

/// Whether the kernel has another variable by the name of one that the function has from outside.
fn is_shadowed(subject: Subject<'_>, function: &Function) -> bool {
    let Some(kernel) = subject.function() else {
        return true;
    };
    let is_in = |of: &Function, id: VariableId| {
        let at = &subject.unit.variables[id].span.begin;
        let (begin, end) = (&of.span.begin, &of.span.end);
        at.file == begin.file && (begin.offset..=end.offset).contains(&at.offset)
    };
    let all = 0..subject.unit.variables.len();
    let own: Vec<VariableId> = all.filter(|id| is_in(kernel, *id)).collect();
    let mut found = false;
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Variable(id) = expr.kind
            && !is_in(function, id)
        {
            let name = &subject.unit.variables[id].name;
            let mut own = own.iter().map(|it| &subject.unit.variables[*it].name);
            found |= own.any(|it| it == name);
        }
    });
    found
}

/// A name or a number.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn is_short(expr: &Expr) -> bool {
    let mut of = expr;
    while let ExprKind::Load(inner) | ExprKind::Convert(inner) | ExprKind::Decay(inner) = &of.kind {
        of = inner;
    }
    matches!(
        of.kind,
        ExprKind::Variable(_) | ExprKind::Integer(_) | ExprKind::Real(_)
    )
}

/// Whether a function gets a pointer into memory that others see.
fn gets_memory(unit: &Unit, function: &Function) -> bool {
    let mut parameters = function.parameters.iter();
    parameters.any(|id| {
        let of = &unit.variables[*id].of;
        matches!(of, Type::Pointer(Space::Global | Space::Constant, _))
    })
}

/// Whether a function changes nothing but its own variables, and what it is given to change of its caller's.
fn is_pure(unit: &Unit, function: &Function) -> bool {
    let mut is_pure = true;
    unit.visit(&function.body, &mut |part| {
        let Part::Expr(expr) = part else { return };
        is_pure &= match &expr.kind {
            ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => {
                is_own(target)
            }
            ExprKind::Unary(Unary::Address, of) => is_own(of),
            ExprKind::Call(name, _) => match unit.function(name) {
                Some(other) => is_pure_within(unit, other),
                None => !["atomic", "atom_", "vstore", "barrier", "fence", "async", "print"]
                    .iter()
                    .any(|it| name.contains(it)),
            },
            _ => true,
        };
    });
    is_pure
}

/// The same of a function that another one calls: OpenCL C has no recursion.
fn is_pure_within(unit: &Unit, function: &Function) -> bool {
    let gets_pointer = function
        .parameters
        .iter()
        .any(|id| matches!(unit.variables[*id].of, Type::Pointer(..)));
    !gets_pointer || is_pure(unit, function)
}

/// A variable, or a part of one, that no pointer leads to.
fn is_own(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Member(of, _)
        | ExprKind::Components(of, _)
        | ExprKind::Decay(of)
        | ExprKind::Index(of, _) => is_own(of),
        _ => false,
    }
}
