//! Colours for lines that a person must not overlook, where standard output is a terminal and NO_COLOR is not set.

use anstyle::{AnsiColor, Style};

/// Alarms in red, doubts in yellow, high trust in green.
pub(super) fn coloured(text: &str) -> String {
    let lines = text.split('\n').map(|line| match style(line) {
        Some(style) => format!("{style}{line}{style:#}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn style(line: &str) -> Option<Style> {
    let begins_with = |words: &[&str]| words.iter().any(|word| line.trim_start().starts_with(word));
    let colour = if line.contains("!! ") || begins_with(&["trust: none", "no forecast"]) {
        AnsiColor::Red
    } else if begins_with(&["trust: low", "warning:", "local memory: cannot tell"]) {
        AnsiColor::Yellow
    } else if begins_with(&["trust: high"]) {
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
    fn doubts_stand_out_and_the_rest_stays_as_it_is() {
        let text = coloured("5 ms\ntrust: none: an alarm\n  warning: far\nmodel");
        assert_eq!(
            text,
            "5 ms\n\u{1b}[31mtrust: none: an alarm\u{1b}[0m\n\u{1b}[33m  warning: far\u{1b}[0m\nmodel"
        );
    }
}
