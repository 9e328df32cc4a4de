//! The code of a recipe in OpenCL C.

use super::{
    arguments::arguments,
    number::Number,
    recipe::{AtomicKind, Local, Path, Private, Recipe, Storing, Uneven},
    text::Text,
    theme::Theme,
};
use local::{before_local, own_place};
use step::steps;

mod local;
mod step;

/// The file's text below its comment. `name` is the function's.
pub(super) fn code(recipe: &Recipe, name: &str) -> String {
    let mut text = Text::default();
    if recipe.number == Number::Double {
        text.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
        text.line("");
    }
    functions(recipe, &mut text);
    signature(recipe, name, &mut text);
    text.body();
    before(recipe, &mut text);
    steps(recipe, &mut text);
    after(recipe, &mut text);
    text.close("");
    text.finish()
}

/// Writes the functions that the kernel calls.
fn functions(recipe: &Recipe, text: &mut Text) {
    let number = recipe.number.name();
    if hashes(recipe) {
        let lines = [
            "x = (x ^ (x >> 16)) * 0x85EBCA6Bu;",
            "x = (x ^ (x >> 13)) * 0xC2B2AE35u;",
            "return x ^ (x >> 16);",
        ];
        text.function("uint mix_bits(uint x)", lines);
    }
    if recipe.path != Path::Next {
        let (element, ..) = recipe.number.element(recipe.storage);
        let constant = if recipe.path.is_in_place() {
            ""
        } else {
            "const "
        };
        let head = format!("{number} fetch(__global {constant}{element} *numbers, uint at)");
        let fetched = recipe.number.fetched(recipe.storage);
        text.function(&head, [&format!("return {fetched};")]);
    }
    let head = format!("{number} turn({number} a, {number} x)");
    text.function(&head, [&format!("return {};", recipe.operation.text)]);
    if uses_other(recipe) {
        let head = format!("{number} other_turn({number} a, {number} x)");
        text.function(&head, [&format!("return {};", recipe.other.text)]);
    }
}

fn uses_other(recipe: &Recipe) -> bool {
    recipe.theme == Theme::Mix
        || matches!(recipe.uneven, Some(Uneven::ByNumber | Uneven::ByTurns(_)))
}

fn hashes(recipe: &Recipe) -> bool {
    recipe.path == Path::Anywhere
        || recipe.atomic.is_some_and(|atomic| atomic.few != Some(1))
        || matches!(recipe.storing, Some(Storing::Few(2..)))
        || matches!(recipe.local, Some(Local::Counts { .. }))
        || recipe.uneven == Some(Uneven::Steps)
        || recipe.private.is_some_and(|private| !private.alike)
}

/// Whether each step waits for the answer of an atomic.
fn waits(recipe: &Recipe) -> bool {
    let atomic = recipe.atomic;
    atomic.is_some_and(|atomic| atomic.kind == AtomicKind::AddAndWait)
}

fn signature(recipe: &Recipe, name: &str, text: &mut Text) {
    let group = recipe.group;
    text.line(format!(
        "__kernel __attribute__((reqd_work_group_size({group}, 1, 1)))"
    ));
    let declared: Vec<String> = (arguments(recipe).iter())
        .map(|argument| format!("{}{}", argument.declared, argument.name))
        .collect();
    let head = format!("void {name}(");
    let mut line = head.clone();
    for (index, argument) in declared.iter().enumerate() {
        let end = if index + 1 == declared.len() {
            ")"
        } else {
            ","
        };
        if index > 0 && line.len() + argument.len() > 106 {
            text.line(line.trim_end());
            line = " ".repeat(head.len());
        }
        line += &format!("{argument}{end} ");
    }
    text.line(line.trim_end());
}

/// Writes what is set up before the first step.
fn before(recipe: &Recipe, text: &mut Text) {
    let number = recipe.number.name();
    text.line("const uint id = get_global_id(0);");
    text.line("const uint items = get_global_size(0);");
    if recipe.local.is_some() {
        text.line("const uint mine = get_local_id(0);");
    }
    let start = match recipe.path {
        Path::Next => "id".to_owned(),
        Path::Row => "fetch(numbers, id * length)".to_owned(),
        Path::Column => "fetch(numbers, id)".to_owned(),
        Path::RowInPlace { .. } => "fetch(numbers, (id + 1) * length)".to_owned(),
        Path::ColumnInPlace { .. } => "fetch(numbers, length + id)".to_owned(),
        _ => "fetch(numbers, id & mask)".to_owned(),
    };
    for chain in 0..recipe.chains {
        match chain {
            0 => text.line(format!("{number} a0 = {start};")),
            _ => text.line(format!(
                "{number} a{chain} = a0 + {};",
                recipe.number.constant(chain)
            )),
        }
    }
    if recipe.path == Path::Start {
        text.line(format!("const {number} x0 = a0;"));
    }
    if recipe.path == Path::Next {
        for chase in 0..recipe.at_once {
            text.line(format!(
                "uint at{chase} = (id * 97u + {chase}u * 7919u) & mask;"
            ));
        }
    }
    if let Some(Private { length, alike, .. }) = recipe.private {
        text.line(format!("{number} own[{length}];"));
        let head = format!("for (int i = 0; i < {length}; ++i)");
        text.block(head, [&format!("own[i] = a0 + ({number})i;")]);
        let first = if alike { "steps" } else { "mix_bits(id)" };
        text.line(format!("uint slot = {first} & {}u;", length - 1));
    }
    if let Some(local) = recipe.local {
        before_local(recipe, local, text);
    }
    if waits(recipe) {
        text.line("uint waited = 0; // never anything else, which no compiler can know");
    }
    text.line("");
}

/// Writes the result behind the last step.
fn after(recipe: &Recipe, text: &mut Text) {
    text.line("");
    let number = recipe.number.name();
    if let Some(Private { length, .. }) = recipe.private {
        let head = format!("for (int i = 0; i < {length}; ++i)");
        text.block(head, ["a0 += own[i];"]);
    }
    match recipe.local {
        Some(Local::Chase { .. }) => text.line("a0 += spot;"),
        Some(local @ Local::Own { length, .. }) => {
            let place = own_place(recipe, local, "i");
            let head = format!("for (uint i = 0; i < {length}; ++i)");
            text.block(head, [&format!("a0 += shared[{place}];")]);
        }
        Some(Local::Counts { bins, .. }) => {
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.line(format!("a0 += ({number})shared[mine & {}u];", bins - 1));
        }
        _ => {}
    }
    let mut result: Vec<String> = (0..recipe.chains)
        .map(|chain| format!("a{chain}"))
        .collect();
    if waits(recipe) {
        result.push("waited".to_owned());
    }
    text.line(format!("results[id] = {};", result.join(" + ")));
}
