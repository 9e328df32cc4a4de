//! A launch file with one variant more, as its author wrote the others.

use anyhow::{Context, Result};
use kerncast_suite::{Kernel, Variant};

use super::{Rewritten, VARIANT};

/// The launch file's text with the variant `local_generated`, which is `variant` with another source; without the
/// arguments that it has no longer, and with its work-group's size.
pub(super) fn with_variant(
    text: &str,
    kernel: &Kernel,
    variant: &Variant,
    source: &str,
    rewritten: &Rewritten,
) -> Result<String> {
    let dropped = &rewritten.localized.dropped;
    let mut text = without_variant(text);
    let step = variant.steps.first().context("a variant has a step")?;
    let kept = step
        .arguments
        .iter()
        .enumerate()
        .filter(|(place, _)| !dropped.contains(place));
    for (_, argument) in kept {
        let argument = &kernel.arguments[*argument];
        if !argument.is_of(VARIANT) {
            text = also_of(&text, &argument.name)?;
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
    if let Some(tile) = &rewritten.tile {
        let sizes = tile.iter().map(|size| size.to_string().into());
        own.insert("local".to_owned(), toml::Value::Array(sizes.collect()));
    }
    let mut table = format!("\n[variants.{VARIANT}]         # made by kerncast localize\n");
    for key in [
        "function",
        "file",
        "options",
        "arguments",
        "global",
        "local",
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
    Ok(text)
}

/// Without the variant that was made before.
pub(super) fn without_variant(text: &str) -> String {
    let mut kept = Vec::new();
    let mut is_in = false;
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            is_in = line.starts_with(&format!("[variants.{VARIANT}]"));
        }
        if !is_in {
            kept.push(line);
        }
    }
    kept.concat()
}

/// Adds the variant to those that have an argument.
fn also_of(text: &str, argument: &str) -> Result<String> {
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
        if is_in && key == "variants" && !value.contains(VARIANT) {
            *line = line.replacen('[', &format!("[\"{VARIANT}\", "), 1);
            return Ok(lines.concat());
        }
    }
    anyhow::bail!(
        "launch.toml: the list `variants` of argument `{argument}` stands on no line of its own"
    )
}
