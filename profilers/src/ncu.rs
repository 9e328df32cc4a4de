mod details;
mod launch;
mod metric;
mod raw;

use crate::number::NumberStyle;
use crate::reading::ProfileReader;
use crate::{Error, Format, Profile};

pub(crate) fn is_header(cells: &[&str]) -> bool {
    matches!(cells, ["ID", ..]) && cells.contains(&"Kernel Name")
}

/// Reads `ncu --csv`: the raw or the details page, with the program's output and `==PROF==` lines between them. Numbers
/// follow the user's locale; units are converted to their base.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut reader = ProfileReader::new(Format::Ncu);
    let tables = reader.tables(text, is_header)?;
    let cells = tables.iter().flat_map(|table| {
        if details::is_page(table) {
            details::values(table)
        } else {
            raw::values(table)
        }
    });
    let style = NumberStyle::find(cells)?;
    for table in &tables {
        if details::is_page(table) {
            details::read(table, style, &mut reader)?;
        } else {
            raw::read(table, style, &mut reader)?;
        }
    }
    reader.finish_nvidia(text)
}
