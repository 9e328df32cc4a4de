//! A launch file with one variant more, as its author wrote the others.

use anyhow::{Context, Result, bail};
use kerncast_analysis::localize::{Length, LocalArgument, is_name};
use kerncast_suite::{Argument, ArgumentKind, Kernel, ScalarValue, Variant, VariantStep};

use super::{GENERATED, RewrittenKernel};

/// The launch file's text with the variant that is made, which is `variant` with another source: without the arguments
/// that it has no longer, with the local memory that it has as arguments, and with its work-group's size.
pub(super) fn with_variant(
    text: &str,
    kernel: &Kernel,
    variant: &Variant,
    source: &str,
    rewritten: &RewrittenKernel,
) -> Result<String> {
    let dropped = &rewritten.localized.dropped_parameters;
    let mut text = without_variant(text, GENERATED);
    let step = variant.steps.first().context("a variant has a step")?;
    let is_several = variant.steps.len() > 1 || variant.rounds.is_some();
    let added = &rewritten.localized.local_arguments;
    let is_changed = !dropped.is_empty() || !added.is_empty();
    if is_several && is_changed {
        bail!("the arguments of several launches are left as they are");
    }
    let all = variant.steps.iter();
    let all = all.flat_map(|step| step.arguments.iter().enumerate());
    for (_, argument) in all.filter(|(place, _)| !dropped.contains(place)) {
        let argument = &kernel.arguments[*argument];
        if !argument.is_of(GENERATED) {
            text = also_of(&text, &argument.name, GENERATED)?;
        }
    }
    let file: toml::Value = toml::from_str(&text)?;
    let own = file.get("variants").and_then(|it| it.get(&variant.name));
    let mut own = own
        .and_then(toml::Value::as_table)
        .cloned()
        .context("the variant's table")?;
    own.insert("file".to_owned(), source.into());
    if let Some(arguments) = own.get_mut("arguments").and_then(toml::Value::as_array_mut) {
        let mut place = 0;
        arguments.retain(|_| {
            place += 1;
            !dropped.contains(&(place - 1))
        });
    }
    let mut buffers = String::new();
    for added in added {
        buffers += &local(&file, kernel, step, added)?;
        if let Some(arguments) = own.get_mut("arguments").and_then(toml::Value::as_array_mut) {
            arguments.push(added.name.clone().into());
        }
    }
    if !added.is_empty() {
        buffers += "\n";
    }
    // What is left open is chosen here: the variant's source is written for it.
    let chosen = step.local.iter().map(|it| it.expression.to_string());
    let chosen = step.chooses_local.then(|| chosen.collect::<Vec<_>>());
    let tile = rewritten.tile.as_ref();
    let tile = tile.map(|it| it.iter().map(ToString::to_string).collect());
    if let Some(sizes) = tile.or(chosen) {
        let sizes: Vec<toml::Value> = sizes.into_iter().map(Into::into).collect();
        let steps = own.get_mut("steps").and_then(toml::Value::as_array_mut);
        let steps = steps.into_iter().flatten();
        for step in steps.filter_map(toml::Value::as_table_mut) {
            step.insert("local".to_owned(), toml::Value::Array(sizes.clone()));
        }
        if !is_several {
            own.insert("local".to_owned(), toml::Value::Array(sizes));
        }
    }
    let mut table = format!("\n[variants.{GENERATED}]         # made by kerncast localize\n");
    for key in [
        "function",
        "file",
        "options",
        "arguments",
        "global",
        "local",
        "rounds",
        "until",
        "steps",
    ] {
        if let Some(value) = own.get(key) {
            table += &format!("{key} = {value}\n");
        }
    }
    // Before the table that follows the variants, where there is one.
    let at = text.find("\n[tolerance]").map_or(text.len(), |at| at + 1);
    let table = if at == text.len() {
        table
    } else {
        table[1..].to_owned() + "\n"
    };
    text.insert_str(at, &table);
    let at = text.find("\n[variants").map_or(text.len(), |at| at + 1);
    text.insert_str(at, &buffers);
    Ok(text)
}

/// Local memory as an argument: as much of it as a buffer has, or as numbers say that the launch passes.
fn local(
    file: &toml::Value,
    kernel: &Kernel,
    step: &VariantStep,
    added: &LocalArgument,
) -> Result<String> {
    let argument = |place: usize| -> Result<&Argument> {
        let place = step.arguments.get(place).context("the argument")?;
        Ok(&kernel.arguments[*place])
    };
    let like = argument(added.like)?;
    let all = file.get("arguments").and_then(toml::Value::as_array);
    let mut all = all.context("the launch file has arguments")?.iter();
    let is_it = |it: &&toml::Value| {
        it.get("name").and_then(toml::Value::as_str) == Some(like.name.as_str())
    };
    let buffer = all.find(is_it).context("the argument's table")?;
    let of = buffer.get("buffer").context("it is a buffer")?;
    let length = match &added.length {
        Length::Buffer => buffer.get("length").context("it has a length")?.clone(),
        Length::Sum(terms) => {
            let ArgumentKind::Buffer { of, .. } = &like.kind else {
                bail!("{} is no buffer", like.name);
            };
            // The launch file may count a structure's numbers.
            let own = of.bytes() as u64;
            if !added.element_bytes.is_multiple_of(own) {
                bail!("{}: its elements are parts of the launch file's", like.name);
            }
            let by = i64::try_from(added.element_bytes / own)?;
            let mut text = String::new();
            for (number, parameters) in terms {
                let number = number.checked_mul(by).context("a number")?;
                let mut factors: Vec<String> = Vec::new();
                for parameter in parameters {
                    factors.push(factor(&value(argument(*parameter)?)?));
                }
                let size = number.unsigned_abs();
                if size != 1 || factors.is_empty() {
                    factors.insert(0, size.to_string());
                }
                text += match (text.is_empty(), number < 0) {
                    (true, false) => "",
                    (true, true) => "0 - ",
                    (false, false) => " + ",
                    (false, true) => " - ",
                };
                text += &factors.join(" * ");
            }
            toml::Value::String(text)
        }
    };
    Ok(format!(
        "[[arguments]]\nname = \"{}\"\nlocal = {of}\nlength = {length}\nvariants = [\"{GENERATED}\"]\n",
        added.name
    ))
}

/// What a number passed by value is, as the launch file says it.
fn value(argument: &Argument) -> Result<String> {
    if let ArgumentKind::Scalar { values, .. } = &argument.kind
        && let [ScalarValue::Formula(value)] = values.concat().as_slice()
    {
        return Ok(value.expression.to_string());
    }
    bail!("{} is no number", argument.name)
}

/// In brackets, where it is more than a word.
fn factor(text: &str) -> String {
    match is_name(text) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

/// Without the variant that was made before, and what that alone has.
pub(super) fn without_variant(text: &str, made: &str) -> String {
    let mut tables: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            tables.push(Vec::new());
        }
        tables.last_mut().expect("there is one").push(line);
    }
    let own = format!("variants = [\"{made}\"]");
    tables.retain(|table| {
        let is_variant = table
            .first()
            .is_some_and(|line| line.starts_with(&format!("[variants.{made}]")));
        !is_variant && !table.iter().any(|line| line.trim_end() == own)
    });
    tables.concat().concat()
}

/// Adds the variant to those that have an argument.
fn also_of(text: &str, argument: &str, made: &str) -> Result<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut is_in = false;
    for line in &mut lines {
        if line.starts_with('[') {
            is_in = false;
        }
        let mut words = line.splitn(2, '=');
        let (key, value) = (
            words.next().unwrap_or_default().trim(),
            words.next().unwrap_or_default(),
        );
        if key == "name" {
            is_in = value.trim().trim_matches('"') == argument;
        }
        if is_in && key == "variants" && !value.contains(made) {
            *line = line.replacen('[', &format!("[\"{made}\", "), 1);
            return Ok(lines.concat());
        }
    }
    bail!("launch.toml: the list `variants` of argument `{argument}` stands on no line of its own")
}
