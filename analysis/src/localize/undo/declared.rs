//! Declarations of local arrays, as pointers into scratch memory.

use super::{
    super::{
        Localized, Mechanism, Placed, edit::Edit, refusal::Reason, subject::Subject,
        written::Written,
    },
    removed::without,
};
use crate::ast::{Function, Part, Space, Stmt, StmtKind};

/// What the author calls an array and the lengths of its dimensions, brackets included.
struct Declared<'a> {
    name: &'a str,
    lengths: Vec<&'a str>,
}
/// Statements that declare local memory.
pub(super) fn declarations<'a>(subject: Subject<'a>, function: &'a Function) -> Vec<&'a Stmt> {
    let mut all = Vec::new();
    subject.unit.visit(&function.body, &mut |part| {
        if let Part::Stmt(stmt) = part
            && let StmtKind::Declare(variables) = &stmt.kind
            && variables
                .iter()
                .any(|id| subject.unit.variables[*id].space == Space::Local)
        {
            all.push(stmt);
        }
    });
    all
}

/// Pointers in the place of a declaration's arrays; the parameters that they point into.
pub(super) fn declaration(
    subject: Subject<'_>,
    stmt: &Stmt,
    group: &str,
    localized: &Localized,
    all: &mut Written,
) -> Result<Vec<String>, (Option<String>, Reason)> {
    let none = |reason| (None, reason);
    let begin = subject.range(&stmt.span).map_err(none)?.start;
    let end = subject.end(stmt).map_err(none)?;
    let text = subject.text(&(begin..end)).trim_end_matches(';');
    let (of, declared) = declarators(text).ok_or(none(Reason::Text))?;
    let of = in_global(of).map_err(none)?;
    let indent = subject.indent(begin);
    let (mut lines, mut parameters) = (Vec::new(), Vec::new());
    for Declared { name, lengths } in declared {
        let is_it = |it: &&Placed| it.array == name;
        let is_gone = |it: &Placed| it.mechanism == Mechanism::Source;
        if localized.placed.iter().find(is_it).is_some_and(is_gone) {
            continue;
        }
        let mut kept = localized.placed.iter().filter(|it| !is_gone(it));
        let place = kept.position(|it| it.array == name);
        let from = place.and_then(|place| localized.scratch.get(place));
        let from = &from.ok_or((Some(name.to_owned()), Reason::Name))?.name;
        lines.push(match lengths.as_slice() {
            [] => format!("{of} *{name} = {from} + {group};"),
            [only] => {
                let length = &only[1..only.len() - 1];
                let length = match length.bytes().all(|it| it.is_ascii_digit()) {
                    true => length.to_owned(),
                    false => format!("({length})"),
                };
                format!("{of} *{name} = {from} + {group} * {length};")
            }
            [outermost, inner @ ..] => {
                let inner = inner.concat();
                format!("{of} (*{name}){inner} = (({of} (*){outermost}{inner}){from})[{group}];")
            }
        });
        parameters.push(format!("{of} *{from}"));
    }
    let lines = lines.join(&format!("\n{indent}"));
    all.edits.push(match lines.is_empty() {
        true => without(subject, &(begin..end)),
        false => Edit::replace(begin..end, lines),
    });
    Ok(parameters)
}

/// `__local float a[N], b[M][K]` as the type and each array; none where it has another form.
fn declarators(text: &str) -> Option<(&str, Vec<Declared<'_>>)> {
    let is_other = ["/*", "//", "__attribute__"]
        .iter()
        .any(|it| text.contains(it));
    if is_other || text.contains(['{', '=', '#', '"']) {
        return None;
    }
    let mut pieces: Vec<&str> = Vec::new();
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[begin..]);
    let first = pieces.first_mut()?;
    let head = first.find('[').map_or(*first, |at| &first[..at]).trim_end();
    let split = head.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1;
    let (of, own) = first.split_at(split);
    if of.contains(['*', '(']) {
        return None;
    }
    *first = own;
    let declared = pieces.into_iter().map(|piece| {
        let piece = piece.trim();
        let name = piece
            .find(['[', ' ', '\t', '\n'])
            .map_or(piece, |at| &piece[..at]);
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let lengths = brackets(piece[name.len()..].trim())?;
        is_name.then_some(Declared { name, lengths })
    });
    Some((of, declared.collect::<Option<_>>()?))
}

/// `[N][M]` as its parts.
fn brackets(text: &str) -> Option<Vec<&str>> {
    let (mut all, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            ']' => {
                depth -= 1;
                if depth == 0 {
                    all.push(&text[begin..=at]);
                }
            }
            c if depth == 0 && !c.is_whitespace() => return None,
            _ => {}
        }
    }
    (depth == 0).then_some(all)
}

/// A type's words with `__global` in the place of `__local`.
pub(super) fn in_global(of: &str) -> Result<String, Reason> {
    let mut count = 0;
    let words = of.split_whitespace().map(|word| match word {
        "__local" | "local" => {
            count += 1;
            "__global"
        }
        word => word,
    });
    let text = words.collect::<Vec<_>>().join(" ");
    match count {
        1 => Ok(text),
        _ => Err(Reason::InMacro),
    }
}
