//! What version 0.1 called otherwise: clap still takes it, until the next version.

use std::env;

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
