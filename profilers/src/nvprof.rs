mod per_launch;
mod summary;
mod trace;
mod value;

use crate::error::shortened;
use crate::lines::{header_cells, numbered_lines};
use crate::profile::Notes;
use crate::table::Table;
use crate::{Error, Format, Launch, Profile};
use summary::Summary;

pub(crate) fn is_header(cells: &[&str]) -> bool {
    trace::is_header(cells) || summary::is_header(cells) || per_launch::is_header(cells)
}

/// `nvprof --csv`: `==PID==` lines and, between them, one table or several (events, then metrics).
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let mut launches: Vec<Launch> = Vec::new();
    let mut summary = Summary::default();
    let mut notes = Notes::default();
    for (line, message) in
        numbered_lines(text).filter_map(|(line, _, content)| Some((line, said(content)?)))
    {
        notes.once(line, format!("the profiler says: {}", shortened(message)));
    }
    for (line, section) in sections(text) {
        let table = Table::read(section, line, b',')?;
        let cells = table.columns().collect::<Vec<_>>();
        if trace::is_header(&cells) {
            launches.extend(trace::read(&table, &mut notes)?);
        } else if summary::is_header(&cells) {
            summary.read(&table, &mut notes)?;
        } else {
            launches.extend(per_launch::read(&table, &mut notes)?);
        }
    }
    launches.append(&mut summary.launches);
    if launches.is_empty() {
        return Err(why_nothing(text));
    }
    Ok(Profile {
        format: Format::Nvprof,
        launches,
        notes: notes.into_vec(),
    })
}

/// Tables, with the line of each one's header: from the header to a blank line, a `==` line or the
/// next header.
fn sections(text: &str) -> Vec<(u64, &str)> {
    let mut sections = Vec::new();
    let mut begun: Option<(u64, usize)> = None;
    for (line, start, content) in numbered_lines(text) {
        let header = is_header(&header_cells(content));
        if header || content.trim().is_empty() || content.starts_with("==") {
            if let Some((line, from)) = begun.take() {
                sections.push((line, &text[from..start]));
            }
            begun = header.then_some((line, start));
        }
    }
    sections.extend(begun.map(|(line, from)| (line, &text[from..])));
    sections
}

/// The message of `==123== Warning: …` or `==123== Error: …`.
fn said(line: &str) -> Option<&str> {
    let (_, message) = line.strip_prefix("==")?.split_once("== ")?;
    (message.starts_with("Warning") || message.starts_with("Error")).then_some(message)
}

fn why_nothing(text: &str) -> Error {
    let find = |what: &str| numbered_lines(text).find(|(_, _, line)| line.contains(what));
    if let Some((line, ..)) = find("ERR_NVGPUCTRPERM") {
        return Error::CountersForbidden { line };
    }
    if let Some((line, ..)) = find("No kernels were profiled") {
        return Error::NothingProfiled { line };
    }
    match numbered_lines(text).find_map(|(line, _, content)| Some((line, said(content)?))) {
        Some((line, message)) => Error::Profiler {
            line,
            message: shortened(message),
        },
        None => Error::NoLaunches {
            format: Format::Nvprof.name(),
        },
    }
}

/// A device's name without its number: `Tesla K20c (0)`.
fn device(text: &str) -> Option<String> {
    let name = match text.rsplit_once(" (") {
        Some((name, number)) if number.ends_with(')') => name,
        _ => text,
    };
    (!name.is_empty()).then(|| name.to_owned())
}
