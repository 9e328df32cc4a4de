//! Delimited tables in files that also have other output.

use std::collections::BTreeSet;

use csv::{ReaderBuilder, StringRecord, Trim};

use crate::Error;
use crate::cell::Cell;
use crate::error::shortened;
use crate::lines::{header_start, lines_in, numbered_lines};

/// The longest cell: kernel names of templates reach a few thousand bytes.
pub(crate) const LONGEST_CELL: usize = 64 * 1024;

/// The longest name of a column: each launch holds the names of its counters.
pub(crate) const LONGEST_TITLE: usize = 256;

/// A delimited table (RFC 4180), each row with its line in the file. Every row has as many cells as the header.
pub(crate) struct Table {
    header: Record,
    rows: Vec<Record>,
    /// Lines that begin with `==` (messages of NVIDIA's profilers between the rows), and other output below the rows.
    pub(crate) remarks: Vec<(u64, String)>,
}

/// A row's cells, with the number of its first line.
struct Record {
    line: u64,
    /// Whether a blank line precedes it.
    is_apart: bool,
    cells: StringRecord,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub(crate) struct Row<'t> {
    table: &'t Table,
    record: &'t Record,
}

impl Record {
    fn is_blank(&self) -> bool {
        self.cells.iter().all(str::is_empty)
    }

    /// Refuses an open quote and a cell that is too long; `raw` is the row's text.
    fn check(&self, raw: &[u8]) -> Result<(), Error> {
        if raw.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            return Err(Error::UnbalancedQuote { line: self.line });
        }
        if let Some(cell) = self.cells.iter().find(|cell| cell.len() > LONGEST_CELL) {
            return Err(Error::CellTooLong {
                line: self.line,
                bytes: cell.len(),
                longest: LONGEST_CELL,
            });
        }
        Ok(())
    }
}

impl Table {
    /// Reads `text`, whose first line is the header and line `first_line` of the file.
    pub(crate) fn read(text: &str, first_line: u64, delimiter: u8) -> Result<Self, Error> {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        let (mut rows, mut remarks, mut line) = (Vec::new(), Vec::new(), first_line);
        loop {
            let start = offset(reader.position());
            let mut cells = StringRecord::new();
            // Reading text from memory can't fail: it is UTF-8, and rows may be of any length.
            if !reader.read_record(&mut cells).unwrap_or(false) {
                break;
            }
            let raw = &text.as_bytes()[start..offset(reader.position())];
            let blank = raw
                .iter()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                .count();
            // A row that ends in `\r\n` leaves the `\n` to the next one.
            let is_end = start > 0 && text.as_bytes()[start - 1] == b'\r';
            let is_apart = lines_in(&raw[..blank]) > u64::from(is_end);
            line += lines_in(&raw[..blank]);
            let row = Record {
                line,
                is_apart,
                cells,
            };
            line += lines_in(&raw[blank..]);
            if raw[blank..].starts_with(b"==") {
                remarks.push((row.line, row.cells.iter().collect::<Vec<_>>().join(",")));
                continue;
            }
            row.check(raw)?;
            rows.push(row);
        }
        if rows.is_empty() {
            return Err(Error::Empty);
        }
        let header = rows.remove(0);
        let mut table = Self {
            header,
            rows,
            remarks,
        };
        table.check_header()?;
        table.fill_rows_without_a_rule();
        table.cut_off_other_output();
        table.join_unquoted_names();
        table.check_lengths()?;
        Ok(table)
    }

    fn check_header(&self) -> Result<(), Error> {
        let line = self.line();
        if let Some(title) = self.columns().find(|title| title.len() > LONGEST_TITLE) {
            return Err(Error::CellTooLong {
                line,
                bytes: title.len(),
                longest: LONGEST_TITLE,
            });
        }
        let mut names = BTreeSet::new();
        match self
            .columns()
            .find(|name| !name.is_empty() && !names.insert(*name))
        {
            Some(twice) => Err(Error::DuplicateColumn {
                line,
                column: shortened(twice),
            }),
            None => Ok(()),
        }
    }

    /// Completes rows without a rule on ncu's details page, where only rules have the last cells.
    fn fill_rows_without_a_rule(&mut self) {
        let Some(rule) = self.find("Rule Name") else {
            return;
        };
        let width = self.header.cells.len();
        for row in self
            .rows
            .iter_mut()
            .filter(|row| row.cells.len() == rule + 1)
        {
            row.cells.extend(vec![""; width - rule - 1]);
        }
    }

    /// Moves rows that follow a blank line below the last complete row to the remarks: another program printed them.
    fn cut_off_other_output(&mut self) {
        let cells = self.header.cells.len();
        let is_row = |row: &Record| row.cells.len() == cells;
        let end = self.rows.iter().rposition(is_row).map_or(0, |row| row + 1);
        if self.rows.get(end).is_some_and(|row| row.is_apart) {
            let output = self.rows.drain(end..);
            self.remarks
                .extend(output.map(|row| (row.line, row.cells.iter().collect())));
        }
    }

    /// Joins the cells of kernel names that contain commas, because rocprof, oneprof and unitrace do not quote names.
    fn join_unquoted_names(&mut self) {
        let is_intel = self.find("SubDeviceId").is_some();
        let kernel = self.find("Kernel").filter(|_| is_intel);
        let Some(kernel) = self.find("KernelName").or(kernel) else {
            return;
        };
        let width = self.header.cells.len();
        for row in self.rows.iter_mut().filter(|row| row.cells.len() > width) {
            let cells = row.cells.iter().collect::<Vec<_>>();
            let end = kernel + 1 + cells.len() - width;
            let name = cells[kernel..end].join(", ");
            let joined = cells[..kernel].iter().copied().chain([&*name]);
            row.cells = joined.chain(cells[end..].iter().copied()).collect();
        }
    }

    fn check_lengths(&self) -> Result<(), Error> {
        let expected = self.header.cells.len();
        let Some(row) = self.rows.iter().find(|row| row.cells.len() != expected) else {
            return Ok(());
        };
        let (line, found) = (row.line, row.cells.len());
        let is_last = self.rows.last().is_some_and(|last| last.line == line);
        if is_last && found < expected {
            return Err(Error::Truncated {
                line,
                found,
                expected,
            });
        }
        Err(Error::RowLength {
            line,
            found,
            expected,
        })
    }

    /// The line of the header.
    pub(crate) fn line(&self) -> u64 {
        self.header.line
    }

    /// The cells of the header.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.cells.iter()
    }

    /// The rows that are not blank.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let rows = self.rows.iter().filter(|it| !it.is_blank());
        rows.map(|record| Row {
            table: self,
            record,
        })
    }

    /// The row below the header, blank or not: where ncu and nvprof put units.
    pub(crate) fn first_row(&self) -> Option<Row<'_>> {
        let record = self.rows.first()?;
        Some(Row {
            table: self,
            record,
        })
    }

    /// The index of a column; none where there is no such column.
    pub(crate) fn find(&self, column: &str) -> Option<usize> {
        self.columns().position(|name| name == column)
    }

    /// The index of a column; an error where there is no such column.
    pub(crate) fn require(&self, column: &'static str) -> Result<usize, Error> {
        self.find(column).ok_or(Error::MissingColumn {
            line: self.line(),
            column,
        })
    }

    /// The indices of three columns, one for each dimension.
    pub(crate) fn require_axes(&self, columns: [&'static str; 3]) -> Result<[usize; 3], Error> {
        let [x, y, z] = columns.map(|column| self.require(column));
        Ok([x?, y?, z?])
    }
}

impl<'t> Row<'t> {
    /// The number of its first line.
    pub(crate) fn line(self) -> u64 {
        self.record.line
    }

    /// The cell in a column.
    pub(crate) fn cell(self, column: usize) -> Cell<'t> {
        Cell {
            line: self.record.line,
            column: &self.table.header.cells[column],
            text: &self.record.cells[column],
        }
    }

    /// The cell in a column; none where the table has no such column.
    pub(crate) fn find(self, column: &str) -> Option<Cell<'t>> {
        Some(self.cell(self.table.find(column)?))
    }

    /// The cell in a column; an error where the table has no such column.
    pub(crate) fn require(self, column: &'static str) -> Result<Cell<'t>, Error> {
        Ok(self.cell(self.table.require(column)?))
    }

    /// The text in a column; none where the table has no such column.
    pub(crate) fn text(self, column: &str) -> Option<String> {
        Some(self.find(column)?.text.to_owned())
    }

    /// The whole numbers in three columns.
    pub(crate) fn axes(self, columns: [usize; 3]) -> Result<[u64; 3], Error> {
        let [x, y, z] = columns.map(|column| self.cell(column).whole());
        Ok([x?, y?, z?])
    }
}

fn offset(position: &csv::Position) -> usize {
    usize::try_from(position.byte()).expect("an offset into text that is in memory")
}

/// A function that recognises a format by the cells of its header.
pub(crate) type IsHeader = fn(&[&str]) -> bool;

/// The tables of a file, each below a line that `is_header`. A program may have printed above the header and in its
/// line. A table copied out of a Markdown page ends with its fence.
pub(crate) fn tables(text: &str, is_header: IsHeader) -> Result<Vec<Table>, Error> {
    let headers = numbered_lines(text).filter_map(|(line, start, content)| {
        let header = header_start(content, is_header)?;
        Some((line, start, start + header))
    });
    let headers: Vec<(u64, usize, usize)> = headers.collect();
    let next = headers.iter().skip(1).map(|(_, start, _)| *start);
    let ends = next.chain([text.len()]);
    let read = |((line, _, from), end): (&(u64, usize, usize), usize)| {
        let table = &text[*from..end];
        let end = table.find("\n```").map_or(table.len(), |end| end + 1);
        Table::read(&table[..end], *line, b',')
    };
    headers.iter().zip(ends).map(read).collect()
}
