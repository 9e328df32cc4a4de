//! Inlines functions that a kernel gives its arrays to. Their accesses then stand in the kernel's own text, which edits
//! may change. Nothing is evaluated that was not before, and the order of evaluation only changes where that can't be
//! seen.

mod body;
mod calls;

use self::{
    body::Body,
    calls::{CallSite, call_sites},
};
use crate::{
    ast::{Expr, ExprKind, Function, Space, StmtKind, Type, Unary, Unit, Variable, VariableId},
    localize::{
        Edit, Reason, Rewrite, Subject, apply_edits, exprs, has_word, is_name, places_of,
        refuse_if, subexprs,
    },
};

/// The source with the innermost calls of such functions replaced; calls around these may be replaced next. None where
/// no call can be. Macros must be gone from the kernel and from the functions.
pub fn inline_calls(subject: Subject<'_>) -> Option<String> {
    let kernel = subject.function()?;
    let mut rewrite = Rewrite::default();
    for site in call_sites(subject, &kernel.body) {
        let mut own = Rewrite {
            names: rewrite.names.clone(),
            ..Rewrite::default()
        };
        // A call that can't be stays.
        if replace(subject, &site, &mut own).is_ok() {
            rewrite.edits.append(&mut own.edits);
            rewrite.names = own.names;
        }
    }
    let source = apply_edits(subject.source, &rewrite.edits)?;
    (source != subject.source).then_some(source)
}

/// Replaces a call by the function's body: by an expression, or by statements before the statement that the call is in.
fn replace(subject: Subject<'_>, site: &CallSite<'_>, rewrite: &mut Rewrite) -> Result<(), Reason> {
    let ExprKind::Call(name, given) = &site.call.kind else {
        return Err(Reason::Text);
    };
    let function = subject.unit.function(name).ok_or(Reason::Text)?;
    refuse_if(is_shadowed(subject, function), Reason::Name)?;
    let range = subject.range(&site.call.span)?;
    if let Ok(text) = as_expression(subject, function, given) {
        rewrite.replace(range, text);
        return Ok(());
    }
    let place = site.place.as_ref().ok_or(Reason::Text)?;
    let is_all = place.is_all;
    refuse_if(!is_all && !is_pure(subject.unit, function), Reason::Text)?;
    let body = Body::new(subject, function, given, rewrite)?;
    let (begin, end) = (subject.begin(place.stmt)?, subject.end(place.stmt)?);
    let mut indent = subject.indent(begin).to_owned();
    let mut before = String::new();
    if !place.is_in_block {
        rewrite
            .edits
            .push(Edit::insert(end, format!("\n{indent}}}")));
        indent += "    ";
        before = format!("{{\n{indent}");
    }
    before += &body.lines(&indent);
    match body.result {
        Some(result) => {
            rewrite.replace(range, result);
            before += &format!("\n{indent}");
            rewrite.edits.push(Edit::insert(begin, before));
        }
        None if is_all => rewrite.replace(begin..end, before),
        None => return Err(Reason::Text),
    }
    Ok(())
}

/// The value of a function that is one `return`, with the call's arguments in the place of its parameters.
fn as_expression(
    subject: Subject<'_>,
    function: &Function,
    given: &[Expr],
) -> Result<String, Reason> {
    let StmtKind::Block(stmts) = &function.body.kind else {
        return Err(Reason::Text);
    };
    let [only] = stmts.as_slice() else {
        return Err(Reason::Text);
    };
    let StmtKind::Return(Some(value)) = &only.kind else {
        return Err(Reason::Text);
    };
    let own = |id: VariableId| function.parameters.iter().position(|it| *it == id);
    let range = subject.range(&value.span)?;
    let mut edits = Vec::new();
    let mut uses = vec![0; given.len()];
    for expr in subexprs(value) {
        let ExprKind::Variable(id) = expr.kind else {
            continue;
        };
        let Some(place) = own(id) else { continue };
        uses[place] += 1;
        let text = argument(subject, &given[place], &subject.unit.variables[id])?;
        let at = subject.range(&expr.span)?;
        if at.start < range.start || range.end < at.end {
            return Err(Reason::InMacro);
        }
        let at = at.start - range.start..at.end - range.start;
        edits.push(Edit::replace(at, text));
    }
    edits.sort_by_key(|edit| edit.range.start);
    edits.dedup();
    // What has no place of its own in the tree, `sizeof` has asked for.
    let named = function.parameters.iter();
    let named = named.map(|id| {
        times(
            &code(subject.text(&range)),
            &subject.unit.variables[*id].name,
        )
    });
    refuse_if(named.sum::<usize>() != edits.len(), Reason::Name)?;
    if !subject.is_pure(value) || !given.iter().all(|it| subject.is_pure(it)) {
        return Err(Reason::Text);
    }
    let is_long = |(expr, uses): (&Expr, usize)| uses > 2 && !is_short(expr);
    refuse_if(given.iter().zip(uses).any(is_long), Reason::Text)?;
    let text = apply_edits(subject.text(&range), &edits).ok_or(Reason::Text)?;
    Ok(match (&value.kind, &value.ty) {
        (ExprKind::Convert(_), ty @ (Type::Scalar(_) | Type::Vector(..))) => {
            format!("(({ty})({text}))")
        }
        _ => format!("({text})"),
    })
}

/// The argument of a call for a parameter, as a word or in brackets.
fn argument(subject: Subject<'_>, given: &Expr, parameter: &Variable) -> Result<String, Reason> {
    refuse_if(parameter.is_volatile, Reason::Volatile)?;
    let ty = &parameter.ty;
    let text = subject.text(&subject.range(&given.span)?);
    Ok(match (&given.kind, ty) {
        // A pointer to something else.
        (ExprKind::Reinterpret(_), _) => return Err(Reason::Text),
        (ExprKind::Convert(_), Type::Scalar(_) | Type::Vector(..)) => format!("(({ty})({text}))"),
        (ExprKind::Convert(_), _) => return Err(Reason::Text),
        _ if is_name(text) => text.to_owned(),
        _ => format!("({text})"),
    })
}

/// Whether a word of the function means, or may mean, something else in the kernel.
fn is_shadowed(subject: Subject<'_>, function: &Function) -> bool {
    let Some(kernel) = subject.function() else {
        return true;
    };
    let texts =
        [function, kernel].map(|it| subject.range(&it.span).map(|it| code(subject.text(&it))));
    let [Ok(own), Ok(all)] = texts else {
        return true;
    };
    let declares = |text: &str| ["typedef", "enum"].iter().any(|it| has_word(text, it));
    let names = |function: &Function| -> Vec<&str> {
        let (begin, end) = (&function.span.begin, &function.span.end);
        let variables = subject.unit.variables.iter().filter(|it| {
            let at = &it.span.begin;
            at.file == begin.file && (begin.offset..=end.offset).contains(&at.offset)
        });
        variables.map(|it| &*it.name).collect()
    };
    let mine = names(function);
    let mut others = names(kernel).into_iter().filter(|it| !mine.contains(it));
    declares(&own) || declares(&all) || others.any(|it| times(&own, it) > 0)
}

/// A text without its comments.
fn code(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        code += &rest[..at];
        let (end, length) = if rest[at..].starts_with("//") {
            ("\n", 0)
        } else {
            ("*/", 2)
        };
        let behind = rest[at + 2..]
            .find(end)
            .map_or("", |it| &rest[at + 2 + it + length..]);
        code.push(' ');
        rest = behind;
    }
    code + rest
}

/// Number of times that a text without comments has a word which names no field.
fn times(text: &str, word: &str) -> usize {
    let is_field = |at: &usize| {
        let before = text[..*at].trim_end();
        before.ends_with('.') || before.ends_with("->")
    };
    places_of(text, word).filter(|at| !is_field(at)).count()
}

fn is_short(expr: &Expr) -> bool {
    let mut inmost = expr;
    while let ExprKind::Load(inner) | ExprKind::Convert(inner) | ExprKind::Decay(inner) =
        &inmost.kind
    {
        inmost = inner;
    }
    matches!(
        inmost.kind,
        ExprKind::Variable(_) | ExprKind::Integer(_) | ExprKind::Real(_)
    )
}

/// Whether a function gets a pointer into memory that others see.
fn gets_memory(unit: &Unit, function: &Function) -> bool {
    let mut parameters = function.parameters.iter();
    parameters.any(|id| {
        let ty = &unit.variables[*id].ty;
        matches!(ty, Type::Pointer(Space::Global | Space::Constant, _))
    })
}

/// Whether a built-in function changes memory. A second result at an address, as of `sincos`, does not count.
fn changes_memory(name: &str) -> bool {
    let all = [
        "atomic",
        "atom_",
        "vstore",
        "barrier",
        "fence",
        "async",
        "print",
        "write_image",
    ];
    all.iter().any(|it| name.contains(it))
}

/// Whether a function changes nothing but its own variables.
fn is_pure(unit: &Unit, function: &Function) -> bool {
    let mut all = exprs(unit, &function.body).into_iter();
    all.all(|expr| match &expr.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment { target, .. } => is_own(target),
        ExprKind::Unary(Unary::Address, inner) => is_own(inner),
        ExprKind::Call(name, _) => match unit.function(name) {
            Some(other) => is_pure(unit, other),
            None => !changes_memory(name),
        },
        _ => true,
    })
}

/// A variable, or a part of one, that no pointer leads to.
fn is_own(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Member(inner, _)
        | ExprKind::Components(inner, _)
        | ExprKind::Decay(inner)
        | ExprKind::Index(inner, _) => is_own(inner),
        _ => false,
    }
}
