//! Local arrays as parts of buffers: a pointer of the array's name to the work-group's part, so that all that the kernel
//! does with the array stays as the author wrote it.

use super::{
    super::{
        Localized, Mechanism,
        edit::Edit,
        refusal::{Reason, Refusal},
        subject::{Subject, has_word},
        written::Written,
    },
    Held, Scratch,
    copies::Copied,
    declared::{declaration, declarations, in_global},
    fences::spaces,
    placed,
    removed::gone,
    shape,
};
use crate::ast::{Expr, ExprKind, Function, Part, Type, Unary, VariableId};

/// Writes the edits, and what the kernel takes instead.
///
/// # Errors
/// What can't be rewritten, and where.
pub(super) fn written(
    subject: Subject<'_>,
    function: &Function,
    held: &[Held],
    copied: &[Copied],
    localized: &mut Localized,
) -> Result<(), Refusal> {
    let whole = |reason| Refusal {
        array: None,
        reason,
        place: function.span.begin.clone(),
    };
    let mut all = Written::default();
    let group = all.name(subject, "own_group");
    let mut parameters = Vec::new();
    let is_copied = |place: usize| copied.iter().any(|it| it.held == place);
    for (place, one) in held.iter().enumerate() {
        if is_copied(place) {
            let mechanism = Mechanism::Source;
            localized.placed.push(placed(subject.unit, one, mechanism));
            if let Some(parameter) = one.parameter {
                let edit = subject.drop_parameter(parameter).map_err(whole)?;
                all.edits.push(edit);
                localized.dropped.push(parameter);
            }
        }
    }
    gone(subject, function, held, copied, &mut all).map_err(whole)?;
    for (place, one) in held.iter().enumerate() {
        if is_copied(place) {
            continue;
        }
        let variable = &subject.unit.variables[one.variable];
        let refused = |reason| Refusal {
            array: Some(variable.name.to_string()),
            reason,
            place: variable.span.begin.clone(),
        };
        let name = all.name(subject, &format!("{}_scratch", variable.name));
        let (of, lengths) = shape(subject.unit, one.variable);
        let element_bytes = of.bytes().ok_or_else(|| refused(Reason::Text))?;
        let mut scratch = Scratch {
            name,
            replaces: one.parameter,
            element: of.scalar().map(|_| of.to_string()),
            element_bytes,
            elements: match one.parameter {
                Some(_) => None,
                None => Some(lengths.iter().product()),
            },
            length: None,
        };
        if one.parameter.is_some() {
            let length = all.name(subject, &format!("{}_length", variable.name));
            let edit = parameter(subject, one, &scratch.name, &length).map_err(refused)?;
            all.edits.push(edit);
            let (name, of) = (&variable.name, of_parameter(subject, one).map_err(refused)?);
            let from = &scratch.name;
            all.begun
                .push(format!("{of} *{name} = {from} + {group} * {length};"));
            scratch.length = Some(length);
        }
        only_elements(subject, function, one).map_err(refused)?;
        let mechanism = Mechanism::Scratch;
        localized.placed.push(placed(subject.unit, one, mechanism));
        localized.scratch.push(scratch);
    }
    for stmt in declarations(subject, function) {
        let own = declaration(subject, stmt, &group, localized, &mut all);
        parameters.extend(own.map_err(|(name, reason)| Refusal {
            array: name,
            reason,
            place: stmt.span.begin.clone(),
        })?);
    }
    scalars(subject, function, held, &mut all).map_err(whole)?;
    spaces(subject, function, &mut all).map_err(whole)?;
    if !localized.scratch.is_empty() {
        head(subject, function, &group, &parameters, &mut all).map_err(whole)?;
    }
    localized.edits = all.edits;
    Ok(())
}

/// `__global int *rows_scratch, const uint rows_length`.
fn parameter(subject: Subject<'_>, held: &Held, name: &str, length: &str) -> Result<Edit, Reason> {
    let of = of_parameter(subject, held)?;
    let range = subject.range(&subject.unit.variables[held.variable].span)?;
    Ok(Edit::replace(
        range,
        format!("{of} *{name}, const uint {length}"),
    ))
}

/// What the author calls what a parameter points to, in global memory.
fn of_parameter(subject: Subject<'_>, held: &Held) -> Result<String, Reason> {
    let range = subject.range(&subject.unit.variables[held.variable].span)?;
    let (of, name) = subject.text(&range).rsplit_once('*').ok_or(Reason::Text)?;
    let name = name.replace("restrict", "").replace("const", "");
    let own = subject.unit.variables[held.variable].name.trim_matches('_');
    let is_plain = name.trim_matches([' ', '_']) == own;
    match is_plain && !of.contains(['*', '(', '/']) {
        true => in_global(of),
        false => Err(Reason::Text),
    }
}

/// An array is used by its elements, or as a pointer to them: its address and its size are those of something else then.
fn only_elements(subject: Subject<'_>, function: &Function, held: &Held) -> Result<(), Reason> {
    let is_array = matches!(subject.unit.variables[held.variable].of, Type::Array(..));
    let name = &subject.unit.variables[held.variable].name;
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Variable(id) if id == held.variable);
    let mut done = Ok(());
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Unary(Unary::Address, of) = &expr.kind
            && is_array
            && is_it(of)
        {
            done = Err(Reason::Text);
        }
    });
    done?;
    let body = subject.tokens(&function.body.span)?;
    let sizes = subject.text(&body).split("sizeof").skip(1);
    for behind in sizes {
        let end = behind.find([')', ';', ',']).unwrap_or(behind.len());
        if has_word(&behind[..end], name) {
            return Err(Reason::Text);
        }
    }
    Ok(())
}

/// A number in local memory is the first of its part.
fn scalars(
    subject: Subject<'_>,
    function: &Function,
    held: &[Held],
    all: &mut Written,
) -> Result<(), Reason> {
    let is_number = |id: VariableId| {
        let of = &subject.unit.variables[id].of;
        held.iter()
            .any(|it| it.variable == id && it.parameter.is_none())
            && !matches!(of, Type::Array(..))
    };
    let mut done = Ok(());
    subject.unit.visit(&function.body, &mut |part| {
        let Part::Expr(expr) = part else { return };
        let ExprKind::Variable(id) = expr.kind else {
            return;
        };
        if !is_number(id) {
            return;
        }
        let name = &*subject.unit.variables[id].name;
        match subject.range(&expr.span) {
            Ok(range) if subject.text(&range) == name => {
                all.replace(range, format!("{name}[0]"));
            }
            _ => done = Err(Reason::InMacro),
        }
    });
    done
}

/// The buffers behind the other parameters, and the work-group's place in the body's first line.
fn head(
    subject: Subject<'_>,
    function: &Function,
    group: &str,
    parameters: &[String],
    all: &mut Written,
) -> Result<(), Reason> {
    let last = function.parameters.last().ok_or(Reason::Text)?;
    let at = subject.range(&subject.unit.variables[*last].span)?.end;
    // Below the first parameter.
    let first = subject
        .range(&subject.unit.variables[function.parameters[0]].span)?
        .start;
    let line = subject.source[..first].rfind('\n').map_or(0, |it| it + 1);
    let indent = " ".repeat(subject.source[line..first].chars().count());
    let added: String = parameters
        .iter()
        .map(|it| format!(",\n{indent}{it}"))
        .collect();
    if !added.is_empty() {
        all.edits.push(Edit::insert(at, added));
    }
    let dimensions = subject
        .launches
        .first()
        .map_or(3, |at| at.geometry.dimensions);
    let place = match dimensions {
        1 => "get_group_id(0)",
        2 => "get_group_id(1) * get_num_groups(0) + get_group_id(0)",
        _ => {
            "(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)"
        }
    };
    let body = subject.range(&function.body.span)?;
    if !subject.text(&body).starts_with('{') {
        return Err(Reason::ElsewhereWritten);
    }
    let mut text = format!("\n    const size_t {group} = {place};");
    text.extend(all.begun.iter().map(|line| format!("\n    {line}")));
    all.edits.push(Edit::insert(body.start + 1, text));
    Ok(())
}
