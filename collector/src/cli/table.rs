//! Tables on standard output.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets::UTF8_BORDERS_ONLY};
use serde::Serialize;

use super::terminal::harmless;

/// A table with these columns, as wide as the terminal at most.
pub(super) fn new<const N: usize>(columns: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns);
    table
}

/// A number's cell.
pub(super) fn number(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// What may be absent.
pub(super) fn known(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

/// The cell of a number that may be absent.
pub(super) fn maybe(text: Option<String>) -> Cell {
    number(known(text))
}

/// Prints JSON, or `words`.
pub(super) fn print_as(
    json: bool,
    answer: &impl Serialize,
    words: impl FnOnce() -> String,
) -> io::Result<()> {
    print(&if json {
        serde_json::to_string_pretty(answer)?
    } else {
        words()
    })
}

/// Prints to standard output; a reader that went away (`| head`) is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{}", harmless(text)) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
