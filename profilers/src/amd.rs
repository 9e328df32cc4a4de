//! What AMD's tables have in common.

use crate::cell::Cell;
use crate::error::shortened;
use crate::profile::Notes;
use crate::table::{Row, Table};
use crate::{Error, Format, Launch, Profile};

/// A kernel's name without what its code object adds.
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

/// Seconds between two timestamps in nanoseconds; none where both are the same (0 and 0: not taken).
pub(crate) fn seconds_between(start: Cell, end: Cell) -> Result<Option<f64>, Error> {
    let expected = "nanoseconds in full (Excel rounds long numbers: give the profiler's own file)";
    let read = |cell: Cell| cell.text.parse::<u64>().map_err(|_| cell.wrong(expected));
    let (begun, ended) = (read(start)?, read(end)?);
    let elapsed = ended
        .checked_sub(begun)
        .ok_or_else(|| end.wrong("a time after the start"))?;
    // Durations are far below 2^53 ns (104 days), so the conversion is exact.
    Ok((elapsed > 0).then_some(elapsed as f64 / 1e9))
}

/// As [`seconds_between`], where the table has both columns.
pub(crate) fn optional_seconds(
    table: &Table,
    row: &Row,
    start: &str,
    end: &str,
) -> Result<Option<f64>, Error> {
    match (table.find(start), table.find(end)) {
        (Some(start), Some(end)) => seconds_between(table.cell(row, start), table.cell(row, end)),
        _ => Ok(None),
    }
}

/// A profile without the runtime's own kernels and without launches that counted nothing.
pub(crate) fn finish(
    format: Format,
    launches: Vec<Launch>,
    mut notes: Notes,
) -> Result<Profile, Error> {
    let mut nothing = None;
    let mut kept = Vec::new();
    for launch in launches {
        let name = shortened(&launch.kernel);
        let mut counters = launch
            .counters
            .values()
            .flat_map(|names| names.values())
            .peekable();
        if launch.kernel.starts_with("__amd_rocclr_") {
            notes.once(
                launch.line,
                format!("`{name}` left out: the runtime's own kernel"),
            );
        } else if counters.peek().is_some() && counters.all(|value| value.abs() < f64::MIN_POSITIVE)
        {
            notes.once(
                launch.line,
                format!("`{name}` left out: every counter is 0, so nothing was counted"),
            );
            nothing.get_or_insert(Error::NothingCounted {
                line: launch.line,
                kernel: name,
            });
        } else {
            kept.push(launch);
        }
    }
    match nothing {
        Some(error) if kept.is_empty() => Err(error),
        _ => Ok(Profile {
            format,
            launches: kept,
            notes: notes.into_vec(),
        }),
    }
}
