//! Colour for what a person must not overlook: where standard output is a terminal, and NO_COLOR is not set.

use anstyle::{AnsiColor, Style};

/// Lines that alarm are red, those that doubt yellow, those that may be trusted green.
pub(super) fn painted(text: &str) -> String {
    let lines = text.split('\n').map(|line| match style(line) {
        Some(style) => format!("{style}{line}{style:#}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn style(line: &str) -> Option<Style> {
    let begins = |words: &[&str]| words.iter().any(|word| line.trim_start().starts_with(word));
    let colour = if line.contains("!! ") || begins(&["trust: none", "no forecast"]) {
        AnsiColor::Red
    } else if begins(&["trust: low", "warning:", "local memory: cannot tell"]) {
        AnsiColor::Yellow
    } else if begins(&["trust: high"]) {
        AnsiColor::Green
    } else {
        return None;
    };
    Some(colour.on_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_doubts_stands_out_and_the_rest_stays_as_it_is() {
        let shown = painted("5 ms\ntrust: none: an alarm\n  warning: far\nmodel");
        assert_eq!(
            shown,
            "5 ms\n\u{1b}[31mtrust: none: an alarm\u{1b}[0m\n\u{1b}[33m  warning: far\u{1b}[0m\nmodel"
        );
    }
}
