//! Prose as wide as the terminal: broken between words, further lines further in, or below the last column of a line
//! that has some, two spaces apart.

use std::io::{self, IsTerminal};

/// Where there is no terminal.
const COLUMNS: usize = 80;
/// What tables begin with, which are as wide as they have to be.
const BORDERS: [char; 5] = ['┌', '│', '╞', '└', '├'];

/// The text as it is shown on a terminal, [`wrapped`]; elsewhere a record stays a line, for other programs.
pub(super) fn for_terminal(text: &str) -> String {
    match io::stdout().is_terminal() {
        true => wrapped(text),
        false => text.to_owned(),
    }
}

/// The text with lines no wider than the terminal of standard output, where words are not longer.
pub(super) fn wrapped(text: &str) -> String {
    let terminal = comfy_table::Table::new().width();
    within(text, terminal.map_or(COLUMNS, usize::from))
}

fn within(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| broken(line, columns));
    lines.collect::<Vec<_>>().join("\n")
}

fn broken(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns || line.starts_with(BORDERS) {
        return line.to_owned();
    }
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let column = inner
        .rfind("  ")
        .map_or(2, |at| inner[..at].chars().count() + 2);
    let further = " ".repeat(indent + column);
    let mut whole = " ".repeat(indent);
    let mut width = indent;
    let mut is_first = true;
    for word in inner.split(' ') {
        let length = word.chars().count();
        if is_first {
            width += length;
            is_first = false;
        } else if width + 1 + length > columns {
            whole.push('\n');
            whole.push_str(&further);
            width = further.len() + length;
        } else {
            whole.push(' ');
            width += 1 + length;
        }
        whole.push_str(word);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_tables_are_not() {
        let text = "short\n- one two three four\n│ one two three four │\n  averyveryverylongword x\n 5 µs  one two";
        assert_eq!(
            within(text, 12),
            "short\n- one two\n  three four\n│ one two three four │\n  averyveryverylongword\n    x\n 5 µs  one\n       two"
        );
        let long = "many short words ".repeat(30);
        let shown = within(long.trim_end(), COLUMNS);
        assert!(shown.lines().all(|line| line.chars().count() <= COLUMNS));
        let words = |of: &str| of.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&shown), words(&long));
    }
}
