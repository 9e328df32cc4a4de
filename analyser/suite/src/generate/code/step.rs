//! The text of one step of a generated kernel.

use super::local::{fed_back, local_step};
use crate::generate::{
    recipe::{AtomicKind, Path, Private, Recipe, Storing, Uneven},
    text::Text,
    theme::Theme,
};

pub(super) fn steps(recipe: &Recipe, text: &mut Text) {
    let at_once = recipe.at_once;
    if recipe.uneven == Some(Uneven::Steps) {
        text.line("const int own_steps = steps - (int)(mix_bits(id) & 3u) * (steps / 4);");
        text.open("for (int step = 0; step < own_steps; ++step)");
    } else if recipe.path.line().is_some() {
        text.open("for (int sweep = 0; sweep < steps; ++sweep)");
        let next = if at_once == 1 {
            "++step".to_owned()
        } else {
            format!("step += {at_once}")
        };
        text.open(format!("for (int step = 0; step < length; {next})"));
    } else {
        text.open("for (int step = 0; step < steps; ++step)");
    }
    reads(recipe, text);
    arithmetic(recipe, text);
    if let Some(Private {
        length, touches, ..
    }) = recipe.private
    {
        text.times(touches, |text| {
            text.line("own[slot] = turn(own[slot], a0);");
            text.line(format!("slot = (slot * 5u + 1u) & {}u;", length - 1));
        });
    }
    if let Some(local) = recipe.local {
        local_step(recipe, local, text);
    }
    atomic(recipe, text);
    store(recipe, text);
    text.close("");
    if recipe.path.line().is_some() {
        text.close("");
    }
}

/// `step` of the `k`th of several reads at once, or of the only one.
fn step_of(recipe: &Recipe, k: u32) -> String {
    match recipe.at_once {
        1 => "(uint)step".to_owned(),
        at_once => format!("((uint)step * {at_once}u + {k}u)"),
    }
}

fn reads(recipe: &Recipe, text: &mut Text) {
    let number = recipe.number.name();
    for k in 0..recipe.at_once {
        let step = step_of(recipe, k);
        let along = if k == 0 {
            "step".to_owned()
        } else {
            format!("(step + {k})")
        };
        let place = match recipe.path {
            Path::Start => return,
            Path::Side => format!("({step} * items + id) & mask"),
            Path::Strided(stride) => format!("({step} * items + id) * {stride}u & mask"),
            Path::Neighbours(reach) => format!("((uint)step * items + id + {}u) & mask", k * reach),
            Path::Places => format!("places[({step} * items + id) & mask] & mask"),
            Path::Anywhere => format!("mix_bits({step} * items + id) & mask"),
            Path::Same => format!("{step} & mask"),
            Path::Next => {
                text.line(format!("at{k} = next[at{k}];"));
                text.line(format!("const {number} x{k} = at{k};"));
                continue;
            }
            Path::Row => format!("id * length + {along}"),
            Path::Column => format!("{along} * items + id"),
            Path::RowInPlace { .. } => format!("(id + 1) * length + {along}"),
            Path::ColumnInPlace { .. } => format!("length + {along} * items + id"),
        };
        text.line(format!("const uint at{k} = {place};"));
        text.line(format!("const {number} x{k} = fetch(numbers, at{k});"));
    }
}

/// Writes the arithmetic on a line that is changed. The elements in front belong to nobody and do not change.
/// `carried`: whether each element needs the result of the last.
fn line_arithmetic(recipe: &Recipe, carried: bool, text: &mut Text) {
    for k in 0..recipe.at_once {
        if !carried {
            let along = match k {
                0 => "step".to_owned(),
                k => format!("step + {k}"),
            };
            text.line(format!("a0 = fetch(numbers, {along});"));
        }
        text.times(recipe.times, |text| {
            text.line(format!("a0 = turn(a0, x{k});"))
        });
        text.line(format!("numbers[at{k}] = {};", fed_back(recipe)));
    }
}

fn arithmetic(recipe: &Recipe, text: &mut Text) {
    if let Some(carried) = recipe.path.line().and_then(|line| line.carried) {
        return line_arithmetic(recipe, carried, text);
    }
    let turns = |text: &mut Text, function: &str| {
        for k in 0..recipe.at_once.max(recipe.chains) {
            let (a, x) = (k % recipe.chains, k % recipe.at_once);
            text.line(format!("a{a} = {function}(a{a}, x{x});"));
            if recipe.theme == Theme::Mix {
                text.line(format!("a{a} = other_turn(a{a}, x{x});"));
            }
        }
    };
    let all = |text: &mut Text, function: &str| {
        text.times(recipe.times, |text| turns(text, function));
    };
    match recipe.uneven {
        None | Some(Uneven::Steps) => all(text, "turn"),
        Some(Uneven::ByNumber | Uneven::ByTurns(_)) => {
            let condition = match recipe.uneven {
                Some(Uneven::ByTurns(turn)) => format!("id & {turn}u"),
                _ if recipe.number.is_real() => "x0 > 0".to_owned(),
                _ => "x0 & 1".to_owned(),
            };
            text.open(format!("if ({condition})"));
            all(text, "turn");
            text.close(" else {");
            text.deeper();
            all(text, "other_turn");
            text.close("");
        }
        Some(Uneven::Times(most)) => {
            text.open(format!(
                "for (uint more = 0; more <= (id & {}u); ++more)",
                most - 1
            ));
            all(text, "turn");
            text.close("");
        }
        Some(Uneven::OneOf(count)) => {
            text.open(format!("if ((id & {}u) == 0)", count - 1));
            all(text, "turn");
            text.close("");
        }
    }
}

fn atomic(recipe: &Recipe, text: &mut Text) {
    let Some(atomic) = recipe.atomic else {
        return;
    };
    let waits = atomic.kind == AtomicKind::AddAndWait;
    let waited = if waits { " + waited" } else { "" };
    let place = match atomic.few {
        Some(1) if waits => "waited".to_owned(),
        Some(1) => "0".to_owned(),
        Some(few) => format!("mix_bits((uint)step * items + id{waited}) & {}u", few - 1),
        None => format!("mix_bits((uint)step * items + id{waited}) & slot_mask"),
    };
    match atomic.kind {
        AtomicKind::Add => text.line(format!("atomic_add(&table[{place}], id | 1u);")),
        AtomicKind::Max => text.line(format!("atomic_max(&table[{place}], id * 2654435761u);")),
        AtomicKind::Xor => text.line(format!("atomic_xor(&table[{place}], id + (uint)step);")),
        AtomicKind::AddAndWait => {
            text.line(format!("waited = atomic_add(&table[{place}], 1u) >> 31;"));
        }
        AtomicKind::CompareExchange => {
            text.line(format!("__global uint *place = &table[{place}];"));
            text.line("uint found = 0;");
            text.line("for (uint seen = 1; seen != found;) {");
            text.deeper();
            text.line("seen = found;");
            text.line("found = atomic_cmpxchg(place, seen, seen + (id | 1u));");
            text.close("");
        }
    }
}

fn store(recipe: &Recipe, text: &mut Text) {
    match recipe.storing {
        None => {}
        Some(Storing::Side { last }) => {
            text.line(format!(
                "kept[((uint)step & {}u) * items + id] = a0;",
                last - 1
            ));
        }
        Some(Storing::Row { last }) => {
            text.line(format!(
                "kept[id * {last}u + ((uint)step & {}u)] = a0;",
                last - 1
            ));
        }
        Some(Storing::Line) => {
            for k in 0..recipe.at_once {
                text.line(format!("kept[at{k}] = a{};", k % recipe.chains));
            }
        }
        // Whoever comes writes the same, so that it does not matter who is last.
        Some(Storing::Few(1)) => text.line("marks[0] = 365u;"),
        Some(Storing::Few(few)) => {
            text.line(format!(
                "marks[mix_bits((uint)step * items + id) & {}u] = 365u;",
                few - 1
            ));
        }
        Some(Storing::Scattered) => {
            text.line("const uint mark = ((uint)step * items + id) * 2654435761u & slot_mask;");
            text.line("marks[mark] = mark * 3u;");
        }
    }
}
