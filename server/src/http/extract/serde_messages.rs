//! What serde says of a wrong value, in words for a person who has never seen Rust.

/// The field that `message` names because it is missing or there twice, and what was expected of it.
pub(super) fn named_field(message: &str) -> Option<(&str, String)> {
    let name = |start| message.strip_prefix(start)?.strip_suffix('`');
    if let Some(name) = name("missing field `") {
        return Some((name, "a value; the field is missing".to_owned()));
    }
    name("duplicate field `").map(|name| (name, "one value; the field is there twice".to_owned()))
}

/// What was expected instead of the value that serde complains about.
pub(super) fn in_words(message: &str) -> String {
    if let Some((_, fields)) = message.split_once("unknown field `") {
        let fields = fields
            .split_once(", expected ")
            .map(|(_, fields)| fields.replace('`', ""));
        return match fields {
            Some(fields) => format!("another field: {fields}"),
            None => "no field here".to_owned(),
        };
    }
    if let Some((_, expected)) = message.split_once(", expected ") {
        return of_type(expected);
    }
    match message {
        "number out of range" => "a number below 1.8e308".to_owned(),
        "expected value" | "expected ident" => {
            "a JSON value (NaN and Infinity are none)".to_owned()
        }
        "key must be a string" => "a name in double quotes there".to_owned(),
        "trailing characters" => "nothing after the JSON".to_owned(),
        _ if message.contains("not `true` or `false`") => "true or false".to_owned(),
        _ if message.starts_with("EOF ") => "more: the JSON ends here".to_owned(),
        _ if message.starts_with("UUID parsing failed") => "a UUID".to_owned(),
        // What chrono says of a time that it can't read.
        "premature end of input" | "trailing input" => time(),
        _ if message.starts_with("input ") => time(),
        _ if message.contains("invalid digit found in string") => "a whole number".to_owned(),
        _ if message.contains("number too large") => "a smaller whole number".to_owned(),
        _ => match message.strip_prefix("expected ") {
            Some(expected) => expected.replace('`', "'"),
            None => format!("something else ({message})"),
        },
    }
}

fn of_type(expected: &str) -> String {
    match expected {
        "i64" => "a whole number (1, not 1.0)".to_owned(),
        "u32" => "a whole number from 0 to 4294967295 (1, not 1.0)".to_owned(),
        "u64" => "a whole number from 0 to 18446744073709551615 (1, not 1.0)".to_owned(),
        "f64" => "a number".to_owned(),
        "a map" => "an object".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a formatted UUID string" => "a UUID".to_owned(),
        "an RFC 3339 formatted date and time string" => time(),
        _ if expected.starts_with("struct ") => "an object".to_owned(),
        _ => expected.replace('`', ""),
    }
}

fn time() -> String {
    "a time as in 2026-11-21T08:00:00Z (RFC 3339)".to_owned()
}
