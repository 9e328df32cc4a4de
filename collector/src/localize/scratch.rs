//! Buffers in place of local memory, as a launch file has them.

use anyhow::{Context, Result};
use kerncast_analysis::localize::Localized;
use kerncast_suite::{Kernel, VariantStep};
use toml::{Table, Value};

use super::Made;

/// Their tables, and the names of all of the variant's arguments in the function's order.
pub(super) fn arguments(
    file: &Value,
    kernel: &Kernel,
    step: &VariantStep,
    variant: &Table,
    localized: &Localized,
) -> Result<(String, Vec<String>)> {
    let groups = groups(variant)?;
    let (mut tables, mut names) = (String::new(), Vec::new());
    let Localized {
        scratch, dropped, ..
    } = localized;
    let kept = step.arguments.iter().enumerate();
    for (place, argument) in kept.filter(|(place, _)| !dropped.contains(place)) {
        let argument = &kernel.arguments[*argument];
        match scratch.iter().find(|it| it.replaces == Some(place)) {
            None => names.push(argument.name.clone()),
            Some(own) => {
                let (of, length) = local(file, &argument.name)?;
                names.push(own.name.clone());
                tables += &buffer(&own.name, &of, &format!("{groups} * {}", factor(&length)));
                let name = own.length.clone().context("its length is a parameter")?;
                tables += &format!(
                    "[[arguments]]\nname = \"{name}\"\nscalar = \"uint\"\nvalue = \"{length}\"\nvariants = \
                     [\"{}\"]\n",
                    Made::Global.variant()
                );
                names.push(name);
            }
        }
    }
    for own in scratch.iter().filter(|it| it.replaces.is_none()) {
        // Of a structure the launch file knows no fields, and needs none.
        let (of, bytes) = match &own.element {
            Some(element) => (element.as_str(), 1),
            None => ("uchar", own.element_bytes),
        };
        let elements = own.elements.context("it is declared with a length")? * bytes;
        tables += &buffer(&own.name, of, &format!("{groups} * {elements}"));
        names.push(own.name.clone());
    }
    if !tables.is_empty() {
        tables += "\n";
    }
    Ok((tables, names))
}

fn buffer(name: &str, of: &str, length: &str) -> String {
    format!(
        "[[arguments]]                    # in place of local memory\nname = \"{name}\"\nbuffer = \"{of}\"\nlength = \
         \"{length}\"\naccess = \"write_partly\"\nvariants = [\"{}\"]\n",
        Made::Global.variant()
    )
}

/// Work-groups, as an expression.
fn groups(variant: &Table) -> Result<String> {
    let sizes = |key: &str| -> Result<Vec<String>> {
        let all = variant.get(key).and_then(Value::as_array);
        let all = all.with_context(|| format!("a variant has `{key}`"))?;
        Ok(all.iter().map(expression).collect())
    };
    let each = sizes("global")?.into_iter().zip(sizes("local")?);
    let each = each.map(|(global, local)| format!("({} / {})", factor(&global), factor(&local)));
    Ok(each.collect::<Vec<_>>().join(" * "))
}

/// What a local argument is of, and how much of it.
fn local(file: &Value, argument: &str) -> Result<(String, String)> {
    let all = file.get("arguments").and_then(Value::as_array);
    let mut all = all.context("the launch file has arguments")?.iter();
    let is_it = |it: &&Value| it.get("name").and_then(Value::as_str) == Some(argument);
    let own = all.find(is_it).context("the argument's table")?;
    let of = own.get("local").context("it is local memory")?;
    let length = own.get("length").context("it has a length")?;
    Ok((expression(of), expression(length)))
}

fn expression(of: &Value) -> String {
    match of {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// In brackets, where it is more than a word.
pub(super) fn factor(text: &str) -> String {
    match text.chars().all(|c| c.is_alphanumeric() || c == '_') {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}
