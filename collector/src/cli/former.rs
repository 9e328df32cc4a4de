//! What version 0.1 called otherwise: clap still takes it, until the next version.

use std::{env, time::Duration};

use super::units;

/// Says what the words of this command line are called today.
pub(super) fn say_what_is_renamed() {
    let words: Vec<String> = env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if words.get(1).is_some_and(|command| command == "pay-off") {
        eprintln!("kerncast: pay-off is now called speedup");
    }
    let is_source = |word: &String| word == "--source" || word.starts_with("--source=");
    if words.iter().any(is_source) {
        eprintln!("kerncast: --source is now called --counted-on");
    }
}

/// Reads `60s`, and `60` as version 0.1 had it.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    if text.parse::<u64>().is_ok() {
        eprintln!("kerncast: {text} is now written {text}s");
        return units::duration(&format!("{text}s"));
    }
    units::duration(text)
}

/// Reads `2.3ms`, and `0.0023` as version 0.1 had it: in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            eprintln!("kerncast: {text} is now written {text}s");
            Ok(number)
        }
        _ => units::seconds(text),
    }
}
