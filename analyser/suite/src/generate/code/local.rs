//! Code for local memory.

use crate::generate::{
    number::Number,
    recipe::{Local, Recipe},
    text::Text,
};

pub(super) fn before_local(recipe: &Recipe, local: Local, text: &mut Text) {
    let number = recipe.number.name();
    let group = recipe.group;
    let fill = |text: &mut Text, (ty, words): (&str, u32), line: &str| {
        text.line(format!("__local {ty} shared[{words}];"));
        let head = format!("for (uint i = mine; i < {words}; i += {group})");
        text.block(head, [line]);
        text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    };
    match local {
        Local::Reads { words, .. } => fill(text, (number, words), "shared[i] = a0;"),
        Local::Chase { words, .. } => {
            let last = words - 1;
            let next = format!("shared[i] = (i * 1664525u + 1013904223u) & {last}u; // one cycle");
            fill(text, ("uint", words), &next);
            text.line(format!("uint spot = mine & {last}u;"));
        }
        Local::Own { length, .. } => {
            text.line(format!("__local {number} shared[{length} * {group}];"));
            let place = own_place(recipe, local, "i");
            let head = format!("for (uint i = 0; i < {length}; ++i)");
            text.block(head, [&format!("shared[{place}] = a0 + ({number})i;")]);
            text.line(format!("uint spot = steps & {};", length - 1));
        }
        Local::Exchange { .. } | Local::Sum | Local::Prefix => {
            text.line(format!("__local {number} shared[{group}];"));
        }
        Local::Counts { bins, .. } => fill(text, ("uint", bins), "shared[i] = 0;"),
    }
}

/// The place of element `index` of a work-item's own array in local memory.
pub(super) fn own_place(recipe: &Recipe, local: Local, index: &str) -> String {
    match local {
        Local::Own {
            length,
            contiguous: true,
            ..
        } => format!("mine * {length} + {index}"),
        _ => format!("{index} * {} + mine", recipe.group),
    }
}

pub(super) fn local_step(recipe: &Recipe, local: Local, text: &mut Text) {
    let group = recipe.group;
    match local {
        Local::Reads {
            words,
            stride,
            touches,
        } => text.times(touches, |text| {
            let again = if touches == 1 { "" } else { " + (uint)again" };
            text.line(format!(
                "a0 = turn(a0, shared[(mine * {stride}u + (uint)step{again}) & {}u]);",
                words - 1
            ));
        }),
        Local::Chase { touches, .. } => {
            text.times(touches, |text| text.line("spot = shared[spot];"))
        }
        Local::Own {
            length, touches, ..
        } => text.times(touches, |text| {
            let place = own_place(recipe, local, "spot");
            text.line(format!("shared[{place}] = turn(shared[{place}], a0);"));
            text.line(format!("spot = (spot * 5u + 1u) & {}u;", length - 1));
        }),
        Local::Exchange { reach, touches } => text.times(touches, |text| {
            text.line(format!("shared[mine] = {};", fed_back(recipe)));
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.line(format!(
                "a0 = turn(a0, shared[(mine + {reach}) % {group}]);"
            ));
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
        }),
        Local::Sum => local_sum(recipe, text),
        Local::Prefix => local_prefix(recipe, text),
        Local::Counts { bins, touches } => text.times(touches, |text| {
            let again = if touches == 1 {
                ""
            } else {
                " + (uint)again * 31u"
            };
            text.line(format!(
                "atomic_inc(&shared[mix_bits((uint)step * items + id{again}) & {}u]);",
                bins - 1
            ));
        }),
    }
}

fn local_sum(recipe: &Recipe, text: &mut Text) {
    text.line(format!("shared[mine] = {};", part_of_group(recipe)));
    text.open(format!(
        "for (uint half_way = {}; half_way > 0; half_way /= 2)",
        recipe.group / 2
    ));
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    let line = "shared[mine] += shared[mine + half_way];";
    text.block("if (mine < half_way)", [line]);
    text.close("");
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.line("a0 = turn(a0, shared[0]);");
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
}

fn local_prefix(recipe: &Recipe, text: &mut Text) {
    let group = recipe.group;
    text.line(format!("shared[mine] = {};", part_of_group(recipe)));
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.open(format!("for (uint reach = 1; reach < {group}; reach *= 2)"));
    let number = recipe.number.name();
    text.line(format!(
        "const {number} before = mine < reach ? 0 : shared[mine - reach];"
    ));
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.line("shared[mine] += before;");
    text.line("barrier(CLK_LOCAL_MEM_FENCE);");
    text.close("");
    text.line("a0 = turn(a0, shared[mine]);");
}

/// The part of the result that comes back if a whole group's results are added.
fn part_of_group(recipe: &Recipe) -> String {
    let group = recipe.group;
    match recipe.number {
        Number::Float => format!("a0 * (0.25f / {group})"),
        Number::Double => format!("a0 * (0.25 / {group})"),
        Number::Uint | Number::Ulong => "a0".to_owned(),
    }
}

/// The part of a work-item's result that comes back to it, or to another. For real numbers it is a quarter, since
/// operations keep up to three quarters of what they had: neither the numbers nor their rounding errors then grow
/// beyond all bounds.
pub(super) fn fed_back(recipe: &Recipe) -> &'static str {
    match recipe.number {
        Number::Float => "a0 * 0.25f",
        Number::Double => "a0 * 0.25",
        Number::Uint | Number::Ulong => "a0",
    }
}
