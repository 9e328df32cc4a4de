//! A recipe in OpenCL C.

use super::{
    arguments::{arguments, needs_double},
    number::Number,
    recipe::{AtomicKind, Local, Path, Private, Recipe, Storing, Uneven},
    text::Text,
    theme::Theme,
};

/// The file's text below its comment. `name` is the function's.
pub(super) fn code(recipe: &Recipe, name: &str) -> String {
    let mut text = Text::default();
    if needs_double(recipe) {
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

/// What the kernel calls.
fn functions(recipe: &Recipe, text: &mut Text) {
    let number = recipe.number.name();
    if hashes(recipe) {
        text.line("uint mix_bits(uint x)");
        text.body();
        text.line("x = (x ^ (x >> 16)) * 0x85EBCA6Bu;");
        text.line("x = (x ^ (x >> 13)) * 0xC2B2AE35u;");
        text.line("return x ^ (x >> 16);");
        text.close("");
        text.line("");
    }
    if recipe.path != Path::Next {
        let (element, ..) = recipe.number.element(recipe.stored);
        let constant = if recipe.path.is_in_place() {
            ""
        } else {
            "const "
        };
        text.line(format!(
            "{number} fetch(__global {constant}{element} *numbers, uint at)"
        ));
        text.body();
        text.line(format!("return {};", recipe.number.fetched(recipe.stored)));
        text.close("");
        text.line("");
    }
    text.line(format!("{number} turn({number} a, {number} x)"));
    text.body();
    text.line(format!("return {};", recipe.operation.text));
    text.close("");
    text.line("");
    if uses_other(recipe) {
        text.line(format!("{number} other_turn({number} a, {number} x)"));
        text.body();
        text.line(format!("return {};", recipe.other.text));
        text.close("");
        text.line("");
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

/// What is set up before the first step.
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
        text.open(format!("for (int i = 0; i < {length}; ++i)"));
        text.line(format!("own[i] = a0 + ({number})i;"));
        text.close("");
        let first = if alike { "steps" } else { "mix_bits(id)" };
        text.line(format!("uint slot = {first} & {}u;", length - 1));
    }
    if let Some(local) = recipe.local {
        before_local(recipe, local, text);
    }
    if recipe
        .atomic
        .is_some_and(|atomic| atomic.kind == AtomicKind::AddAndWait)
    {
        text.line("uint waited = 0; // never anything else, which no compiler can know");
    }
    text.line("");
}

fn before_local(recipe: &Recipe, local: Local, text: &mut Text) {
    let number = recipe.number.name();
    let group = recipe.group;
    match local {
        Local::Reads { words, .. } => {
            text.line(format!("__local {number} shared[{words}];"));
            text.open(format!("for (uint i = mine; i < {words}; i += {group})"));
            text.line("shared[i] = a0;");
            text.close("");
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
        }
        Local::Chase { words, .. } => {
            text.line(format!("__local uint shared[{words}];"));
            text.open(format!("for (uint i = mine; i < {words}; i += {group})"));
            text.line(format!(
                "shared[i] = (i * 1664525u + 1013904223u) & {}u; // one cycle",
                words - 1
            ));
            text.close("");
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.line(format!("uint spot = mine & {}u;", words - 1));
        }
        Local::Own { length, .. } => {
            text.line(format!("__local {number} shared[{length} * {group}];"));
            text.open(format!("for (uint i = 0; i < {length}; ++i)"));
            text.line(format!(
                "shared[{}] = a0 + ({number})i;",
                own_place(recipe, local, "i")
            ));
            text.close("");
            text.line(format!("uint spot = steps & {};", length - 1));
        }
        Local::Exchange { .. } | Local::Sum | Local::Prefix => {
            text.line(format!("__local {number} shared[{group}];"));
        }
        Local::Counts { bins, .. } => {
            text.line(format!("__local uint shared[{bins}];"));
            text.open(format!("for (uint i = mine; i < {bins}; i += {group})"));
            text.line("shared[i] = 0;");
            text.close("");
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
        }
    }
}

/// Of a work-item's own array in local memory: where element `index` is.
fn own_place(recipe: &Recipe, local: Local, index: &str) -> String {
    match local {
        Local::Own {
            length,
            together: true,
            ..
        } => format!("mine * {length} + {index}"),
        _ => format!("{index} * {} + mine", recipe.group),
    }
}

fn steps(recipe: &Recipe, text: &mut Text) {
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
        times(touches, text, |text| {
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

/// `done`, so many times.
fn times(count: u32, text: &mut Text, done: impl FnOnce(&mut Text)) {
    if count == 1 {
        return done(text);
    }
    text.open(format!("for (int again = 0; again < {count}; ++again)"));
    done(text);
    text.close("");
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
            Path::Apart(apart) => format!("({step} * items + id) * {apart}u & mask"),
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

fn arithmetic(recipe: &Recipe, text: &mut Text) {
    if let Some(carried) = recipe.path.line().and_then(|line| line.carried) {
        // The elements in front belong to nobody and do not change.
        for k in 0..recipe.at_once {
            let along = if k == 0 {
                "step".to_owned()
            } else {
                format!("step + {k}")
            };
            if !carried {
                text.line(format!("a0 = fetch(numbers, {along});"));
            }
            times(recipe.times, text, |text| {
                text.line(format!("a0 = turn(a0, x{k});"))
            });
            text.line(format!("numbers[at{k}] = {};", fed_back(recipe)));
        }
        return;
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
        times(recipe.times, text, |text| turns(text, function));
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
        Some(Uneven::OneOf(of)) => {
            text.open(format!("if ((id & {}u) == 0)", of - 1));
            all(text, "turn");
            text.close("");
        }
    }
}

fn local_step(recipe: &Recipe, local: Local, text: &mut Text) {
    let group = recipe.group;
    match local {
        Local::Reads {
            words,
            apart,
            touches,
        } => times(touches, text, |text| {
            let again = if touches == 1 { "" } else { " + (uint)again" };
            text.line(format!(
                "a0 = turn(a0, shared[(mine * {apart}u + (uint)step{again}) & {}u]);",
                words - 1
            ));
        }),
        Local::Chase { touches, .. } => {
            times(touches, text, |text| text.line("spot = shared[spot];"))
        }
        Local::Own {
            length, touches, ..
        } => times(touches, text, |text| {
            let place = own_place(recipe, local, "spot");
            text.line(format!("shared[{place}] = turn(shared[{place}], a0);"));
            text.line(format!("spot = (spot * 5u + 1u) & {}u;", length - 1));
        }),
        Local::Exchange { reach, touches } => times(touches, text, |text| {
            text.line(format!("shared[mine] = {};", fed_back(recipe)));
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.line(format!(
                "a0 = turn(a0, shared[(mine + {reach}) % {group}]);"
            ));
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
        }),
        Local::Sum => {
            text.line(format!("shared[mine] = {};", part_of_group(recipe)));
            text.open(format!(
                "for (uint half_way = {}; half_way > 0; half_way /= 2)",
                group / 2
            ));
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.open("if (mine < half_way)");
            text.line("shared[mine] += shared[mine + half_way];");
            text.close("");
            text.close("");
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
            text.line("a0 = turn(a0, shared[0]);");
            text.line("barrier(CLK_LOCAL_MEM_FENCE);");
        }
        Local::Prefix => {
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
        Local::Counts { bins, touches } => times(touches, text, |text| {
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

/// What a work-item makes that comes back to it, or to another; of real numbers a quarter, since operations keep
/// up to three quarters of what they had: so they neither grow beyond all bounds nor do their roundings.
fn fed_back(recipe: &Recipe) -> &'static str {
    match recipe.number {
        Number::Float => "a0 * 0.25f",
        Number::Double => "a0 * 0.25",
        Number::Uint | Number::Ulong => "a0",
    }
}

/// The same, where a whole group's are added.
fn part_of_group(recipe: &Recipe) -> String {
    let group = recipe.group;
    match recipe.number {
        Number::Float => format!("a0 * (0.25f / {group})"),
        Number::Double => format!("a0 * (0.25 / {group})"),
        Number::Uint | Number::Ulong => "a0".to_owned(),
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
        Some(Storing::Side { kept }) => {
            text.line(format!(
                "kept[((uint)step & {}u) * items + id] = a0;",
                kept - 1
            ));
        }
        Some(Storing::Row { kept }) => {
            text.line(format!(
                "kept[id * {kept}u + ((uint)step & {}u)] = a0;",
                kept - 1
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

/// What is made of it all.
fn after(recipe: &Recipe, text: &mut Text) {
    text.line("");
    let number = recipe.number.name();
    if let Some(Private { length, .. }) = recipe.private {
        text.open(format!("for (int i = 0; i < {length}; ++i)"));
        text.line("a0 += own[i];");
        text.close("");
    }
    match recipe.local {
        Some(Local::Chase { .. }) => text.line("a0 += spot;"),
        Some(local @ Local::Own { length, .. }) => {
            text.open(format!("for (uint i = 0; i < {length}; ++i)"));
            text.line(format!("a0 += shared[{}];", own_place(recipe, local, "i")));
            text.close("");
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
    if recipe
        .atomic
        .is_some_and(|atomic| atomic.kind == AtomicKind::AddAndWait)
    {
        result.push("waited".to_owned());
    }
    text.line(format!("results[id] = {};", result.join(" + ")));
}
