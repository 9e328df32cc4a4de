//! Tables on standard output.

use std::{
    fmt,
    io::{self, Write},
};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Row, presets::UTF8_BORDERS_ONLY};
use kerncast_collector::progress;
use kerncast_wire::terminal_text::harmless;
use serde::Serialize;

use super::{colour::coloured, units};

/// Rows below a header, at most as wide as the terminal. Where the columns' words don't fit beside each other, each cell
/// becomes a line.
pub(super) struct Table(comfy_table::Table);

/// A table with these columns: an array, or names that are split.
pub(super) fn new(columns: impl Into<Row>) -> Table {
    let mut table = comfy_table::Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns);
    Table(table)
}

impl Table {
    pub(super) fn add_row(&mut self, row: impl Into<Row>) {
        self.0.add_row(row);
    }

    pub(super) fn row_count(&self) -> usize {
        self.0.row_count()
    }

    /// Width at which no word is cut: the widest words, two characters beside each column, and the borders.
    fn least_width(&self) -> usize {
        let header = self.0.header().into_iter();
        let rows: Vec<&Row> = header.chain(self.0.row_iter()).collect();
        let columns = rows.iter().map(|row| row.cell_count()).max().unwrap_or(0);
        let mut widest = vec![0; columns];
        for row in rows {
            // A row of one cell is a title.
            if row.cell_count() == 1 && columns > 1 {
                continue;
            }
            for (width, cell) in widest.iter_mut().zip(row.cell_iter()) {
                let content = cell.content();
                let words = content.split_whitespace();
                *width = words.map(|it| it.chars().count()).fold(*width, usize::max);
            }
        }
        widest.iter().map(|width| width + 3).sum::<usize>() + 1
    }

    /// Each cell as a line `header: cell`, with an empty line between rows.
    fn as_lines(&self) -> String {
        let headers = self.0.header().into_iter().flat_map(Row::cell_iter);
        let headers: Vec<String> = headers.map(Cell::content).collect();
        let rows = self.0.row_iter().map(|row| {
            let cells = headers.iter().zip(row.cell_iter());
            let cells = cells.map(|(header, cell)| (header, cell.content()));
            let cells = cells.filter(|(_, content)| !content.is_empty());
            let lines = cells.map(|(header, content)| match row.cell_count() {
                1 => content,
                _ => format!("{header}: {content}"),
            });
            units::joined(lines, "\n")
        });
        units::joined(rows, "\n\n")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.width() {
            Some(width) if self.least_width() > usize::from(width) => f.write_str(&self.as_lines()),
            _ => self.0.fmt(f),
        }
    }
}

pub(super) fn number(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// A text, or a dash where it is absent.
pub(super) fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

/// A number's cell, with a dash where it is absent.
pub(super) fn number_or_dash(text: Option<String>) -> Cell {
    number(or_dash(text))
}

/// Prints the answer as JSON, or else `words`.
pub(super) fn print_as(
    json: bool,
    answer: &impl Serialize,
    words: impl FnOnce() -> String,
) -> io::Result<()> {
    if json {
        print_json(answer)
    } else {
        print(&words())
    }
}

pub(super) fn print_json(answer: &impl Serialize) -> io::Result<()> {
    write(&harmless(&serde_json::to_string_pretty(answer)?))
}

/// Prints text to standard output, for people.
pub(super) fn print(text: &str) -> io::Result<()> {
    write(&coloured(&harmless(text)))
}

/// Writes to standard output; a reader that went away (`| head`) is no error.
fn write(text: &str) -> io::Result<()> {
    progress::note_output();
    match writeln!(anstream::stdout().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Table {
        let mut table = new([
            "kernel", "forecast", "interval", "measured", "model", "mostly",
        ]);
        table.add_row(["device"]);
        table.add_row([
            "matmul_float",
            "21.66 ms",
            "16.17 ms – 29.02 ms",
            "",
            "01a2000e-645d-7077-8948-7cc4600687f0",
            "ncu:l1tex__data_pipe_lsu_wavefronts.sum",
        ]);
        table
    }

    #[test]
    fn on_a_narrow_terminal_rows_become_lines_and_no_word_is_cut() {
        let mut table = wide();
        table.0.set_width(80);
        let text = table.to_string();
        assert_eq!(
            text,
            "device\n\nkernel: matmul_float\nforecast: 21.66 ms\ninterval: 16.17 ms – 29.02 ms\n\
             model: 01a2000e-645d-7077-8948-7cc4600687f0\nmostly: ncu:l1tex__data_pipe_lsu_wavefronts.sum"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 80));
        table.0.set_width(200);
        assert!(table.to_string().starts_with('┌'));
    }

    #[test]
    fn where_words_fit_cells_are_broken_between_them() {
        let mut table = new(["counter", "what"]);
        table.add_row(["ncu:sectors", &"many short words ".repeat(20)]);
        table.0.set_width(80);
        let text = table.to_string();
        assert!(text.starts_with('┌'), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}
