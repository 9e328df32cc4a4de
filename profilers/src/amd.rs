//! Common parts of AMD's tables.

use crate::cell::Cell;
use crate::error::shortened;
use crate::profile::Notes;
use crate::reading::ProfileReader;
use crate::table::Row;
use crate::{Error, Profile};

/// A kernel's name without the additions of its code object.
pub(crate) fn kernel_name(cell: Cell) -> Result<String, Error> {
    let name = cell.name()?;
    let suffixes = [" [clone .kd]", " (.kd)", ".kd"];
    let bare = suffixes
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(&name);
    if bare.is_empty() {
        return Err(cell.wrong("a kernel's name"));
    }
    Ok(bare.to_owned())
}

/// Seconds between two timestamps in nanoseconds; none, with a note, where one is 0 or both are equal, because the time
/// was not taken.
pub(crate) fn seconds_between(
    start: Cell,
    end: Cell,
    notes: &mut Notes,
) -> Result<Option<f64>, Error> {
    let expected = "nanoseconds in full (Excel rounds long numbers: give the profiler's own file)";
    let read = |cell: Cell| cell.text.parse::<u64>().map_err(|_| cell.wrong(expected));
    let (begun, ended) = (read(start)?, read(end)?);
    if begun == 0 || ended == 0 || begun == ended {
        notes.once(
            start.line,
            "launches without a time: none was taken".to_owned(),
        );
        return Ok(None);
    }
    let elapsed = ended
        .checked_sub(begun)
        .ok_or_else(|| end.wrong("a time after the start"))?;
    // Durations are far below 2^53 ns (104 days), so the conversion is exact.
    Ok(Some(elapsed as f64 / 1e9))
}

/// Seconds between two timestamps, like [`seconds_between`]; none where the table lacks a column.
pub(crate) fn optional_seconds(
    row: Row,
    start: &str,
    end: &str,
    notes: &mut Notes,
) -> Result<Option<f64>, Error> {
    match (row.find(start), row.find(end)) {
        (Some(start), Some(end)) => seconds_between(start, end, notes),
        _ => Ok(None),
    }
}

/// The profile without the runtime's own kernels and without launches that counted nothing.
pub(crate) fn finish(mut reader: ProfileReader) -> Result<Profile, Error> {
    for launch in std::mem::take(&mut reader.launches) {
        let (line, kernel) = (launch.line, shortened(&launch.kernel));
        let counters = launch.counters.values().flat_map(|names| names.values());
        let mut counters = counters.peekable();
        if launch.kernel.starts_with("__amd_rocclr_") {
            let text = format!("`{kernel}` left out: the runtime's own kernel");
            reader.notes.once(line, text);
        } else if counters.peek().is_some() && counters.all(|value| value.abs() < f64::MIN_POSITIVE)
        {
            reader.leave_out(Error::NothingCounted { line, kernel });
        } else {
            reader.launches.push(launch);
        }
    }
    reader.finish()
}
