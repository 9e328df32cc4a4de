use crate::Error;
use crate::cell::Cell;
use crate::profile::Notes;

/// A counter's value as AMD's and Intel's tools write it; none, with a note, where it is not a count.
pub(crate) fn read(cell: Cell, name: &str, notes: &mut Notes) -> Result<Option<f64>, Error> {
    if cell.text.is_empty() {
        return Ok(None);
    }
    let number = cell
        .text
        .parse::<f64>()
        .map_err(|_| cell.wrong("a number"))?;
    Ok(notes.count(cell, name, Some(number)))
}
