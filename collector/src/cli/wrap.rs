//! Lines wrapped to the terminal's width: between words, and indented, or aligned with the last column of a line whose
//! columns are two spaces apart.

use std::io::{self, IsTerminal};

/// The width of lines where there is no terminal.
const COLUMNS: usize = 80;
/// Beginnings of a table's lines, which are not wrapped.
const BORDERS: [char; 5] = ['┌', '│', '╞', '└', '├'];

/// The text [`wrapped`] for a terminal; elsewhere each record stays on one line for other programs.
pub(super) fn for_terminal(text: &str) -> String {
    if io::stdout().is_terminal() {
        wrapped(text)
    } else {
        text.to_owned()
    }
}

/// The text with lines no wider than the terminal of standard output, unless a word is.
pub(super) fn wrapped(text: &str) -> String {
    let terminal = comfy_table::Table::new().width();
    wrapped_to(text, terminal.map_or(COLUMNS, usize::from))
}

fn wrapped_to(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| wrapped_line(line, columns));
    lines.collect::<Vec<_>>().join("\n")
}

fn wrapped_line(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns || line.starts_with(BORDERS) {
        return line.to_owned();
    }
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let last = inner.rfind("  ");
    let column = last.map_or(2, |at| inner[..at].chars().count() + 2);
    let further = " ".repeat(indent + column);
    let mut text = " ".repeat(indent);
    let mut width = indent;
    let mut is_first = true;
    for word in inner.split(' ') {
        let length = word.chars().count();
        if is_first {
            width += length;
            is_first = false;
        } else if width + 1 + length > columns {
            text.push('\n');
            text.push_str(&further);
            width = further.len() + length;
        } else {
            text.push(' ');
            width += 1 + length;
        }
        text.push_str(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_tables_are_not() {
        let text = "short\n- one two three four\n│ one two three four │\n  averyveryverylongword x\n 5 µs  one two";
        assert_eq!(
            wrapped_to(text, 12),
            "short\n- one two\n  three four\n│ one two three four │\n  averyveryverylongword\n    x\n 5 µs  one\n       two"
        );
        let long = "many short words ".repeat(30);
        let wrapped = wrapped_to(long.trim_end(), COLUMNS);
        assert!(wrapped.lines().all(|line| line.chars().count() <= COLUMNS));
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&wrapped), words(&long));
    }
}
