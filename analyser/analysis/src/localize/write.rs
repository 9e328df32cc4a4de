//! From tiles to edits of the author's text.

use std::collections::BTreeMap;

use super::{
    edit::Edit,
    fill::{self, Named, Places},
    formula::{Formulas, Scope},
    hoist,
    prove::Chosen,
    refusal::Reason,
    spelling::behind_word,
    strip,
    subject::Subject,
    tile::Tile,
    words::Words,
    written::Written,
};
use crate::ast::Type;

/// Edits of all tiles.
///
/// # Errors
/// A formula or a loop has no text here.
pub(super) fn tiles(
    subject: Subject<'_>,
    formulas: &Formulas,
    sizes: &[Option<String>; 3],
    chosen: &[Chosen],
    ends: bool,
    written: &mut Written,
) -> Result<(), Reason> {
    let mut words = Words {
        subject,
        formulas,
        sizes: sizes.clone(),
        strips: Vec::new(),
    };
    let mut by_scope: BTreeMap<Scope, Vec<Named<'_>>> = BTreeMap::new();
    for Chosen { tile, .. } in chosen {
        let array = formulas.all.arrays[tile.array].name.clone();
        let lengths = tile.padded(formulas, subject.form.padding);
        let own: Vec<&Named<'_>> = by_scope.values().flatten().collect();
        // The same memory serves loops that never run at the same time.
        let is_free = |name: &str| {
            let mut users = own.iter().filter(|it| it.name == name);
            users.all(|it| are_apart(formulas, it.tile.scope, tile.scope))
        };
        let mut alike = own
            .iter()
            .filter(|it| it.tile.array == tile.array && it.tile.of == tile.of)
            .filter(|it| it.lengths == lengths);
        let free = alike.find(|it| is_free(&it.name));
        let name = free.map(|it| it.name.clone());
        let name = name.unwrap_or_else(|| written.name(subject, &format!("{array}_tile")));
        if let Scope::Strip { of, .. } = tile.scope
            && !words.strips.iter().any(|(own, _)| *own == tile.scope)
        {
            let variable = words.loop_variable(of)?.0;
            let first = written.name(subject, &format!("{variable}_start"));
            words.strips.push((tile.scope, first));
        }
        let array = beginning(subject, formulas, tile, written)?;
        by_scope.entry(tile.scope).or_default().push(Named {
            tile,
            name,
            array,
            lengths,
        });
    }
    let mut place = |wanted: &str| written.name(subject, wanted);
    let places = Places {
        flat: place("t"),
        by_side: ["tz", "ty", "tx"].map(&mut place),
    };
    for named in by_scope.values().flatten() {
        let declaration = declaration(subject, formulas, named)?;
        if !written.declared.contains(&declaration) {
            written.declared.push(declaration);
        }
        for served in &named.tile.served {
            let mut text = named.name.clone();
            for (at, side) in served.at.iter().zip(&named.tile.sides) {
                if side.extent > 1 {
                    text += &format!("[{}]", words.sum(at)?);
                }
            }
            if served.lanes > 1 {
                text = format!("vload{}(0, &{text})", served.lanes);
            }
            written.replace(served.range.clone(), text);
        }
    }
    let open: Vec<Scope> = by_scope.keys().copied().collect();
    let guarded = match ends || chosen.iter().any(|one| one.is_guarded) {
        true => hoist::hoisted(subject, &formulas.all.loops, &open, ends, written)?,
        false => hoist::Guarded::new(),
    };
    // The innermost first: where loops end in the same place, its end comes first.
    let mut scopes: Vec<(&Scope, &Vec<Named<'_>>)> = by_scope.iter().collect();
    scopes.sort_by_key(|(scope, _)| match scope {
        Scope::Kernel => 0,
        Scope::Strip { of, .. } => usize::MAX - of,
    });
    for (scope, named) in scopes {
        let mut lines = Vec::new();
        for named in named {
            lines.extend(fill::lines(&words, named, &places)?);
        }
        if *scope == Scope::Kernel {
            written.begun.extend(lines);
            continue;
        }
        let several = if named.len() > 1 {
            "the tiles are"
        } else {
            "the tile is"
        };
        lines.push(format!("barrier(CLK_LOCAL_MEM_FENCE); // {several} filled"));
        let more = deeper(formulas, &open, &guarded, *scope);
        if let Scope::Strip { of, .. } = scope {
            let first = words.strips.iter().find(|(own, _)| own == scope);
            let first = first.ok_or(Reason::Name)?.1.clone();
            let guard = guarded.get(of).map(String::as_str);
            let inner = Strip {
                first: &first,
                lines: &lines,
                guard,
                more: &more,
            };
            in_strips(&words, *scope, inner, written)?;
        }
    }
    Ok(())
}

/// What the array's beginning is called wherever a tile is filled: its own name, or where that is set, means something
/// else, or is of something else, another one that is declared.
fn beginning(
    subject: Subject<'_>,
    formulas: &Formulas,
    tile: &Tile,
    written: &mut Written,
) -> Result<String, Reason> {
    let of = &formulas.all.arrays[tile.array];
    let is_own = tile.of == of.element;
    if is_own && subject.is_fixed(of.variable) {
        return Ok(of.name.clone());
    }
    let element = read_as(subject, formulas, tile)?;
    let name = format!("{}_begin", of.name);
    let cast = match is_own {
        true => String::new(),
        false => format!("(__global const {element} *)"),
    };
    let declared = |name: &str| {
        format!(
            "__global const {element} *const {name} = {cast}{};",
            of.name
        )
    };
    if written.declared.contains(&declared(&name)) {
        return Ok(name);
    }
    let name = written.name(subject, &name);
    written.declared.push(declared(&name));
    Ok(name)
}

/// By how much strips around the author's loop move it in.
fn deeper(formulas: &Formulas, open: &[Scope], guarded: &hoist::Guarded, scope: Scope) -> String {
    let Scope::Strip { of, .. } = scope else {
        return String::new();
    };
    let is_within = |outer: usize| {
        let (own, other) = (
            &formulas.all.loops[of].span,
            &formulas.all.loops[outer].span,
        );
        other.begin.offset <= own.begin.offset && own.end.offset <= other.end.offset
    };
    let around = open.iter().filter_map(|other| match other {
        Scope::Strip { of: outer, .. } if *other != scope && is_within(*outer) => Some(outer),
        _ => None,
    });
    let by = around.map(|outer| if guarded.contains_key(outer) { 8 } else { 4 });
    " ".repeat(by.sum())
}

/// What a loop over strips has around the author's own.
struct Strip<'a> {
    /// Its variable.
    first: &'a str,
    lines: &'a [String],
    guard: Option<&'a str>,
    /// Before each line, beside the author's white space.
    more: &'a str,
}

/// Whether tiles of two loops are never there at the same time: a barrier stands behind each.
fn are_apart(formulas: &Formulas, one: Scope, other: Scope) -> bool {
    let of = |scope| match scope {
        Scope::Kernel => None,
        Scope::Strip { of, .. } => Some(of),
    };
    let (Some(one), Some(other)) = (of(one), of(other)) else {
        return false;
    };
    let mut accesses = formulas.all.accesses.iter();
    one != other
        && !accesses.any(|access| access.loops.contains(&one) && access.loops.contains(&other))
}

/// `__local float a_tile[16][17];`, with what it is for.
fn declaration(
    subject: Subject<'_>,
    formulas: &Formulas,
    named: &Named<'_>,
) -> Result<String, Reason> {
    let of = read_as(subject, formulas, named.tile)?;
    let lengths: Vec<String> = named
        .lengths
        .iter()
        .map(|length| format!("[{length}]"))
        .collect();
    let declared = format!("__local {of} {}{};", named.name, lengths.concat());
    let sides = named.tile.sides.iter().rev();
    let last = sides.map(|side| side.extent).find(|extent| *extent > 1);
    let is_padded = named.lengths.last().copied() != last;
    Ok(match is_padded {
        false => declared,
        true => {
            format!("{declared} // one more column, so that a column lies in different banks")
        }
    })
}

/// What a tile's elements are called: as the author does, where they are read as what they are.
fn read_as(subject: Subject<'_>, formulas: &Formulas, tile: &Tile) -> Result<String, Reason> {
    match tile.of == formulas.all.arrays[tile.array].element {
        true => element(subject, formulas, tile.array),
        false => Ok(tile.of.to_string()),
    }
}

/// What the author calls an array's elements.
pub(super) fn element(
    subject: Subject<'_>,
    formulas: &Formulas,
    array: usize,
) -> Result<String, Reason> {
    let of = &formulas.all.arrays[array];
    let range = subject.tokens(&of.span)?;
    let (declared, _) = subject.text(&range).split_once('*').ok_or(Reason::Text)?;
    let qualifiers = [
        "__global",
        "global",
        "__constant",
        "constant",
        "const",
        "restrict",
        "volatile",
        "__restrict",
    ];
    let words: Vec<&str> = declared
        .split_whitespace()
        .filter(|word| !qualifiers.contains(word))
        .collect();
    // A macro may be more than a type, and what the source does not say, nobody knows.
    let is_type = |word: &&str| {
        let bodies = subject.definitions(word);
        bodies.iter().all(|body| {
            let mut words = body.split_whitespace();
            !body.contains(['*', '(']) && words.all(|word| !qualifiers.contains(&word))
        })
    };
    let text = words.join(" ");
    match &of.element {
        _ if words.is_empty() => Err(Reason::Text),
        Type::Scalar(_) | Type::Vector(..) if !words.iter().all(is_type) => {
            Ok(of.element.to_string())
        }
        _ if !words.iter().all(is_type) => Err(Reason::InMacro),
        _ => Ok(text),
    }
}

/// The loop over strips around the author's own.
fn in_strips(
    words: &Words<'_>,
    scope: Scope,
    inner: Strip<'_>,
    written: &mut Written,
) -> Result<(), Reason> {
    let (subject, first) = (words.subject, inner.first);
    let Scope::Strip { of, passes, .. } = scope else {
        return Err(Reason::LoopForm);
    };
    let of_loop = &words.formulas.all.loops[of];
    let head = strip::head(subject, &of_loop.span)?;
    let begin = subject.begin(head.stmt)?;
    let end = subject.end(head.stmt)?;
    let indent = subject.indent(begin).to_owned() + inner.more;
    let lower = match &head.first {
        Some(first) => subject.text(first).to_owned(),
        None => words.sum(of_loop.lower.as_ref().ok_or(Reason::LoopForm)?)?,
    };
    let condition = subject.text(&head.condition);
    let over = condition.replacen(head.name, first, 1);
    behind_word(condition, head.name).ok_or(Reason::LoopForm)?;
    let of = &head.of;
    let mut before = format!("for ({of} {first} = {lower}; {over}; {first} += {passes}) {{\n");
    for line in inner.lines {
        before += &format!("{indent}    {line}\n");
    }
    before += &format!("{indent}    ");
    let mut by = "    ".to_owned();
    if let Some(guard) = inner.guard {
        before += &format!("if ({guard})\n{indent}        ");
        by += "    ";
    }
    written.indent(subject, begin..end, &by);
    written.edits.push(Edit::insert(begin, before));
    if let Some(own) = head.first.clone() {
        written.edits.push(Edit::replace(own, first));
    }
    match head.end {
        Some((end, is_within)) => {
            let last = passes - i64::from(is_within);
            let until = format!(", {first} + {last})");
            written.edits.push(Edit::insert(end.start, "min("));
            written.edits.push(Edit::insert(end.end, until));
        }
        None => {
            let until = format!(" && {} < {first} + {passes}", head.name);
            written.edits.push(Edit::insert(head.condition.end, until));
        }
    }
    let after =
        format!("\n{indent}    barrier(CLK_LOCAL_MEM_FENCE); // all have read it\n{indent}}}");
    written.edits.push(Edit::insert(end, after));
    Ok(())
}
