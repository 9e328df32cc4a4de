//! The server's problem reports in the words of the command line.

use kerncast_wire::{FieldProblem, Problem};

/// The server's problem as a sentence, with a line for each fault and its fields.
pub(super) fn in_words(problem: &Problem) -> String {
    let mut sentence = problem.detail.as_ref().unwrap_or(&problem.title).clone();
    if let Some(first) = problem.errors.first()
        && let Some(rest) = sentence.strip_prefix(&*first.field)
    {
        sentence = format!("{}{rest}", option_of(&first.field));
    }
    let mut faults: Vec<(String, Vec<String>)> = Vec::new();
    for error in &problem.errors {
        let value = error.value.as_ref();
        let value = value.map_or(String::new(), |it| format!(" is {it};"));
        let fault = format!("{value} expected {}", error.expected);
        match faults.iter_mut().find(|(it, _)| *it == fault) {
            Some((_, fields)) => fields.push(option_of(&error.field)),
            None => faults.push((fault, vec![option_of(&error.field)])),
        }
    }
    // The sentence may be the first fault, in other words.
    let repeats = |error: &FieldProblem| sentence.ends_with(&error.expected);
    let mut words = match &problem.errors[..] {
        [] => return sentence,
        [only] if repeats(only) => return sentence,
        [first, ..] if repeats(first) => problem.title.clone(),
        _ => sentence,
    };
    for (fault, fields) in faults {
        words.push_str(&format!("\n  {}:{fault}", fields.join(", ")));
    }
    words
}

/// The command line's option, or the counter, that a JSON pointer into the request belongs to.
fn option_of(pointer: &str) -> String {
    let unescaped = |part: &str| part.replace("~1", "/").replace("~0", "~");
    // For a file it names a line, for an address a word.
    let path = pointer.strip_prefix('/').unwrap_or(pointer);
    let parts: Vec<String> = path.split('/').map(unescaped).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match &parts[..] {
        ["device" | "devices"] | ["devices" | "gpus", _] => "--on".to_owned(),
        ["counted_on"] => "--counted-on".to_owned(),
        ["model"] => "--model".to_owned(),
        ["time_s"] => "--time".to_owned(),
        [.., "counters", provider, name] => format!("{provider}:{name}"),
        ["counter_sets", place, ..] => format!("set {place}"),
        other => other.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_become_options_and_counters() {
        for (pointer, words) in [
            ("/device", "--on"),
            ("/gpus/0", "--on"),
            ("device", "--on"),
            ("line 3", "line 3"),
            ("/counted_on", "--counted-on"),
            ("/counters/ncu/dram__bytes.sum", "ncu:dram__bytes.sum"),
            ("/counters", "counters"),
            ("/counter_sets/3/counters/ncu/a~1b", "ncu:a/b"),
            ("/counter_sets/3", "set 3"),
            ("", ""),
        ] {
            assert_eq!(option_of(pointer), words);
        }
    }
}
