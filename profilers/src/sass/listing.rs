//! Listings of machine code on ncu's source page.

use csv::{ReaderBuilder, StringRecord};

use super::Line;
use crate::{Error, error::shortened};

/// The metric to ask ncu for: how often warps ran an instruction.
pub const EXECUTED: &str = "inst_executed";

/// The code of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The kernel's function.
    pub function: String,
    /// The instructions in the order of their addresses.
    pub code: Vec<Line>,
}

/// Reads ncu's source page (`ncu --import REPORT --csv --page source`) of a report that has [`EXECUTED`]: a listing for
/// each launch, in their order. A listing is a row with the kernel's name, a header, and a row for each instruction.
///
/// # Errors
/// A header lacks a column, or a cell is no number; [`Error`] has the line.
pub fn listings(text: &str) -> Result<Vec<Listing>, Error> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut listings: Vec<Listing> = Vec::new();
    let mut header: Option<[usize; 3]> = None;
    // The rows before the first kernel are the program's own output.
    for row in reader.records().map_while(Result::ok) {
        let line = row.position().map_or(0, csv::Position::line);
        match (row.get(0), listings.last_mut(), header) {
            (Some("Kernel Name"), ..) => {
                listings.push(Listing {
                    function: row.get(1).unwrap_or_default().to_owned(),
                    code: Vec::new(),
                });
                header = None;
            }
            (_, Some(_), None) => header = Some(columns(&row, line)?),
            (_, Some(listing), Some(columns)) => listing.code.push(read(&row, columns, line)?),
            (_, None, _) => {}
        }
    }
    Ok(listings)
}

/// The columns of address, instruction and count.
fn columns(header: &StringRecord, line: u64) -> Result<[usize; 3], Error> {
    let find = |column: &'static str| {
        let mut cells = header.iter();
        cells
            .position(|cell| cell == column)
            .ok_or(Error::MissingColumn { line, column })
    };
    Ok([find("Address")?, find("Source")?, find(EXECUTED)?])
}

fn read(row: &StringRecord, columns: [usize; 3], line: u64) -> Result<Line, Error> {
    let [address, instruction, executed] = columns.map(|it| row.get(it).unwrap_or_default());
    let number = |column: &str, cell: &str, radix| {
        let digits = cell.trim_start_matches("0x");
        u64::from_str_radix(digits, radix).map_err(|_| Error::Value {
            line,
            column: column.to_owned(),
            value: shortened(cell),
            expected: "a whole number",
        })
    };
    Ok(Line {
        address: number("Address", address, 16)?,
        instruction: instruction.trim().to_owned(),
        executed: number(EXECUTED, executed, 10)?,
    })
}
