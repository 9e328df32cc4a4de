//! Adds a variant to a launch file, in the style of the others.

use anyhow::{Context, Result, bail};
use kerncast_analysis::localize::{Length, LocalArgument, is_name};
use kerncast_suite::{Argument, ArgumentKind, Kernel, ScalarValue, Variant, VariantStep};

use super::{REWRITTEN_VARIANT, RewrittenKernel};

/// Keys of a variant's table in the order of writing.
const VARIANT_KEYS: [&str; 9] = [
    "function",
    "file",
    "options",
    "arguments",
    "global",
    "local",
    "rounds",
    "until",
    "steps",
];

/// The launch file's text with the new variant: `variant` with another source, without unused arguments, with local
/// memory as further arguments, and with its work-group size.
pub(super) fn with_variant(
    text: &str,
    kernel: &Kernel,
    variant: &Variant,
    source: &str,
    rewritten: &RewrittenKernel,
) -> Result<String> {
    let localized = &rewritten.localized;
    let dropped = &localized.dropped_parameters;
    let mut text = without_rewritten(text);
    let step = variant.steps.first().context("a variant has a step")?;
    if is_several(variant) && !(dropped.is_empty() && localized.local_arguments.is_empty()) {
        bail!("the arguments of several launches are left as they are");
    }
    let all = variant.steps.iter();
    let all = all.flat_map(|step| step.arguments.iter().enumerate());
    for (_, argument) in all.filter(|(place, _)| !dropped.contains(place)) {
        let argument = &kernel.arguments[*argument];
        if !argument.is_of(REWRITTEN_VARIANT) {
            text = add_to_argument(&text, &argument.name)?;
        }
    }
    let file: toml::Value = toml::from_str(&text)?;
    let table = variant_table(&file, variant, source, rewritten)?;
    let mut buffers = String::new();
    for argument in &localized.local_arguments {
        buffers += &local_buffer(&file, kernel, step, argument)?;
    }
    if !buffers.is_empty() {
        buffers += "\n";
    }
    let mut added =
        format!("\n[variants.{REWRITTEN_VARIANT}]         # made by kerncast localize\n");
    for key in VARIANT_KEYS {
        if let Some(value) = table.get(key) {
            added += &format!("{key} = {value}\n");
        }
    }
    // Before the table that follows the variants, where there is one.
    match text.find("\n[tolerance]") {
        Some(at) => text.insert_str(at + 1, &(added[1..].to_owned() + "\n")),
        None => text += &added,
    }
    let at = text.find("\n[variants").map_or(text.len(), |at| at + 1);
    text.insert_str(at, &buffers);
    Ok(text)
}

/// The new variant's table: the original one's with another source, other arguments and its work-group size.
fn variant_table(
    file: &toml::Value,
    variant: &Variant,
    source: &str,
    rewritten: &RewrittenKernel,
) -> Result<toml::Table> {
    let localized = &rewritten.localized;
    let table = file.get("variants").and_then(|it| it.get(&variant.name));
    let table = table.and_then(toml::Value::as_table).cloned();
    let mut table = table.context("the variant's table")?;
    table.insert("file".to_owned(), source.into());
    let arguments = table.get_mut("arguments");
    if let Some(arguments) = arguments.and_then(toml::Value::as_array_mut) {
        let mut place = 0..;
        let dropped = &localized.dropped_parameters;
        arguments.retain(|_| place.next().is_some_and(|it| !dropped.contains(&it)));
        let added = localized.local_arguments.iter();
        arguments.extend(added.map(|argument| argument.name.clone().into()));
    }
    // What the launch file leaves open is fixed here: the source is written for it.
    let open = variant.steps.first().filter(|it| it.chooses_local);
    let open = open.map(|it| {
        it.local
            .iter()
            .map(|it| it.expression.to_string())
            .collect()
    });
    let group_size = rewritten.shape.group_size.as_ref();
    let group_size = group_size.map(|it| it.iter().map(ToString::to_string).collect());
    let Some(sizes): Option<Vec<String>> = group_size.or(open) else {
        return Ok(table);
    };
    let sizes = toml::Value::Array(sizes.into_iter().map(Into::into).collect());
    let steps = table.get_mut("steps").and_then(toml::Value::as_array_mut);
    let steps = steps.into_iter().flatten();
    for step in steps.filter_map(toml::Value::as_table_mut) {
        step.insert("local".to_owned(), sizes.clone());
    }
    if !is_several(variant) {
        table.insert("local".to_owned(), sizes);
    }
    Ok(table)
}

fn is_several(variant: &Variant) -> bool {
    variant.steps.len() > 1 || variant.rounds.is_some()
}

/// The launch file's text of a local-memory argument: as many bytes as a buffer has, or a sum of products of the
/// launch's values.
fn local_buffer(
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
    let element = buffer.get("buffer").context("it is a buffer")?;
    let length = match &added.length {
        Length::Buffer => buffer.get("length").context("it has a length")?.clone(),
        Length::Sum(terms) => {
            let ArgumentKind::Buffer { ty: element, .. } = &like.kind else {
                bail!("{} is no buffer", like.name);
            };
            // The launch file may count a structure's numbers.
            let own = element.bytes() as u64;
            if !added.element_bytes.is_multiple_of(own) {
                bail!("{}: its elements are parts of the launch file's", like.name);
            }
            let by = i64::try_from(added.element_bytes / own)?;
            let value = |parameter: usize| value(argument(parameter)?);
            toml::Value::String(sum(terms, by, value)?)
        }
    };
    Ok(format!(
        "[[arguments]]\nname = \"{}\"\nlocal = {element}\nlength = {length}\nvariants = [\"{REWRITTEN_VARIANT}\"]\n",
        added.name
    ))
}

/// The text of a sum of products, each times `by`; `value` gives the text of a parameter.
fn sum(
    terms: &[(i64, Vec<usize>)],
    by: i64,
    value: impl Fn(usize) -> Result<String>,
) -> Result<String> {
    let mut text = String::new();
    for (number, parameters) in terms {
        let number = number.checked_mul(by).context("a number")?;
        let mut factors: Vec<String> = Vec::new();
        for parameter in parameters {
            factors.push(factor(&value(*parameter)?));
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
    Ok(text)
}

/// The launch file's text of a number that is passed by value.
fn value(argument: &Argument) -> Result<String> {
    if let ArgumentKind::Scalar { values, .. } = &argument.kind
        && let [ScalarValue::Formula(value)] = values.concat().as_slice()
    {
        return Ok(value.expression.to_string());
    }
    bail!("{} is no number", argument.name)
}

/// A factor of a product, in brackets if it is more than a word.
fn factor(text: &str) -> String {
    if is_name(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// The text without the variant of an earlier rewrite, and without arguments that only it has.
fn without_rewritten(text: &str) -> String {
    let mut tables: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.split_inclusive('\n') {
        if line.starts_with('[') {
            tables.push(Vec::new());
        }
        tables.last_mut().expect("there is one").push(line);
    }
    let title = format!("[variants.{REWRITTEN_VARIANT}]");
    let own = format!("variants = [\"{REWRITTEN_VARIANT}\"]");
    tables.retain(|table| {
        let is_variant = table.first().is_some_and(|it| it.starts_with(&title));
        !is_variant && !table.iter().any(|line| line.trim_end() == own)
    });
    tables.concat().concat()
}

/// Adds the new variant to the list of variants that have an argument.
fn add_to_argument(text: &str, argument: &str) -> Result<String> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut is_in = false;
    for line in &mut lines {
        if line.starts_with('[') {
            is_in = false;
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim();
        if key == "name" {
            is_in = value.trim().trim_matches('"') == argument;
        }
        if is_in && key == "variants" && !value.contains(REWRITTEN_VARIANT) {
            *line = line.replacen('[', &format!("[\"{REWRITTEN_VARIANT}\", "), 1);
            return Ok(lines.concat());
        }
    }
    bail!("launch.toml: the list `variants` of argument `{argument}` stands on no line of its own")
}
