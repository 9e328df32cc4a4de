//! Kerncast's own table, with a row a launch or sample.

mod column;
mod formula;

use crate::cell::Cell;
use crate::lines::numbered_lines;
use crate::number::NumberStyle;
use crate::reading::with_known_names;
use crate::table::Table;
use crate::{Error, Format, Launch, Note, Profile};
use column::Column;
pub use formula::as_text;

const REQUIRED: [&str; 4] = ["device", "kernel", "variant", "time_s"];

/// The delimiter of a tidy table's header; none where the line is no such header.
pub(crate) fn delimiter(header: &str) -> Option<u8> {
    [b',', b';', b'\t'].into_iter().find(|delimiter| {
        let cells = header
            .split(char::from(*delimiter))
            .map(|cell| cell.trim().trim_matches('"'));
        let cells = cells.collect::<Vec<_>>();
        cells.contains(&"kernel") && REQUIRED.iter().filter(|name| cells.contains(name)).count() > 1
    })
}

/// Reads the tidy table: `device,kernel,variant,time_s`, optional `family`, `vendor` and `generated`, `param:NAME`,
/// `PROVIDER:COUNTER`. Further columns of the server's export are ignored, and so are samples that its `standing` sets
/// aside. An empty cell means a missing value; only the kernel is required. Since people make the table, every mistake
/// is an error. Between semicolons or tabs (Excel in much of Europe) numbers may have decimal commas, if all of them
/// do; digits are never grouped.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let header = |(line, start, content)| Some((line, start, delimiter(content)?));
    let (line, start, delimiter) = numbered_lines(text).find_map(header).ok_or(Error::Empty)?;
    let table = Table::read(&text[start..], line, delimiter)?;
    for column in REQUIRED {
        table.require(column)?;
    }
    let columns = table
        .columns()
        .map(|name| Column::parse(name, table.line()))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some((line, text)) = table.remarks.first() {
        return Err(Cell {
            line: *line,
            column: "device",
            text,
        }
        .wrong("a row of the table"));
    }
    let style = if delimiter == b',' {
        NumberStyle::PLAIN
    } else {
        style(&table, &columns)?
    };
    let mut launches = Vec::new();
    let mut lines_aside = Vec::new();
    for row in table.rows() {
        let mut cells = (0..).zip(&columns);
        if cells.any(|(at, column)| column.sets_aside(&row.cell(at))) {
            lines_aside.push(row.line());
            continue;
        }
        let mut launch = Launch::new(row.line(), String::new());
        for (at, column) in columns.iter().enumerate() {
            column.read(row.cell(at), style, &mut launch)?;
        }
        launches.push(with_known_names(launch)?);
    }
    Ok(Profile {
        format: Format::Tidy,
        launches,
        notes: set_aside(&lines_aside),
    })
}

/// A note that the rows with these lines were left out; none for no lines.
fn set_aside(lines: &[u64]) -> Vec<Note> {
    let note = lines.first().map(|&line| Note {
        line,
        text: format!(
            "{} samples are quarantined or rejected on the server that exported them: left out",
            lines.len()
        ),
    });
    Vec::from_iter(note)
}

fn style(table: &Table, columns: &[Column]) -> Result<NumberStyle, Error> {
    let numbers = (0..)
        .zip(columns)
        .filter(|(_, column)| column.is_number())
        .map(|(at, _)| at)
        .collect::<Vec<_>>();
    NumberStyle::find(
        table
            .rows()
            .flat_map(|row| numbers.iter().map(move |at| row.cell(*at))),
    )
}
