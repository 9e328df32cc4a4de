mod per_launch;
mod summary;
pub(crate) mod trace;
mod value;

use crate::reading::ProfileReader;
use crate::{Error, Format, Profile};
use summary::Summary;

pub(crate) fn is_header(cells: &[&str]) -> bool {
    trace::is_header(cells) || summary::is_header(cells) || per_launch::is_header(cells)
}

/// Reads `nvprof --csv`: `==PID==` lines and, between them, one or several tables (events, then metrics).
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut reader = ProfileReader::new(Format::Nvprof);
    let mut summary = Summary::default();
    for table in reader.tables(text, is_header)? {
        let cells = table.columns().collect::<Vec<_>>();
        if trace::is_header(&cells) {
            trace::read(&table, &mut reader)?;
        } else if summary::is_header(&cells) {
            summary.read(&table, &mut reader)?;
        } else {
            per_launch::read(&table, &mut reader)?;
        }
    }
    summary
        .launches
        .into_iter()
        .for_each(|launch| reader.add(Ok(launch)));
    reader.finish_nvidia(text)
}

/// A device's name and its number: `Tesla K20c (0)`.
pub(crate) fn device(text: &str) -> (Option<String>, Option<String>) {
    let numbered = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("))
        .filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    let (name, number) = match numbered {
        Some((name, number)) => (name, Some(number.to_owned())),
        None => (text, None),
    };
    ((!name.is_empty()).then(|| name.to_owned()), number)
}
