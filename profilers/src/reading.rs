//! A profiler's file while it is read: its launches, notes, and the reason to refuse it.

use crate::catalogue::resolve;
use crate::error::shortened;
use crate::lines::numbered_lines;
use crate::profile::Notes;
use crate::table::{IsHeader, Table, tables};
use crate::{Error, Format, Launch, Profile};

/// A file while it is read. A launch that can't be read is left out with a note. If nothing else is in the file, the
/// first reason refuses the file.
pub(crate) struct ProfileReader {
    format: Format,
    pub(crate) launches: Vec<Launch>,
    pub(crate) notes: Notes,
    refusal: Option<Error>,
}

impl ProfileReader {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            launches: Vec::new(),
            notes: Notes::default(),
            refusal: None,
        }
    }

    /// The file's tables; the profiler's warnings, and other output below the rows, become notes.
    pub(crate) fn tables(&mut self, text: &str, is_header: IsHeader) -> Result<Vec<Table>, Error> {
        for (line, message) in warnings(text) {
            let message = shortened(message);
            self.notes
                .once(line, format!("the profiler says: {message}"));
        }
        let tables = tables(text, is_header)?;
        let mut remarks = tables.iter().flat_map(|table| &table.remarks);
        if let Some((line, _)) = remarks.find(|(_, remark)| !remark.starts_with("==")) {
            let text = "a program's output below the table: not read";
            self.notes.once(*line, text.to_owned());
        }
        Ok(tables)
    }

    pub(crate) fn add(&mut self, launch: Result<Launch, Error>) {
        match launch.and_then(with_known_names) {
            Ok(launch) => self.launches.push(launch),
            Err(reason) => self.leave_out(reason),
        }
    }

    pub(crate) fn leave_out(&mut self, reason: Error) {
        self.notes.left_out(&reason);
        self.refusal.get_or_insert(reason);
    }

    /// [`finish`](Self::finish) for a file by NVIDIA's profilers: without launches, the error is the reason that `text` gives.
    pub(crate) fn finish_nvidia(self, text: &str) -> Result<Profile, Error> {
        self.finish().map_err(|error| match error {
            Error::NoLaunches { .. } => why_nothing(text, error),
            other => other,
        })
    }

    pub(crate) fn finish(self) -> Result<Profile, Error> {
        let format = self.format;
        if self.launches.is_empty() {
            return Err(self.refusal.unwrap_or(Error::NoLaunches {
                format: format.name(),
            }));
        }
        Ok(Profile {
            format,
            launches: self.launches,
            notes: self.notes.into_vec(),
        })
    }
}

/// The launch with the catalogue's names of its counters.
pub(crate) fn with_known_names(mut launch: Launch) -> Result<Launch, Error> {
    for (provider, counters) in &mut launch.counters {
        resolve(provider, counters).map_err(|error| Error::TwoNames {
            line: launch.line,
            what: error.to_string(),
        })?;
    }
    Ok(launch)
}

/// Lines of warnings and errors by NVIDIA's profilers: `==WARNING== …`, `==123== Warning: …` and the like.
fn warnings(text: &str) -> impl Iterator<Item = (u64, &str)> {
    numbered_lines(text).filter_map(|(line, _, content)| {
        let (mark, message) = content.strip_prefix("==")?.split_once("== ")?;
        let is_warning = message.starts_with("Warning") || message.starts_with("Error");
        match mark {
            "WARNING" | "ERROR" => Some((line, content)),
            _ => is_warning.then_some((line, message)),
        }
    })
}

/// The reason that an NVIDIA profiler gives for printing no launches, or else the error `otherwise`.
fn why_nothing(text: &str, otherwise: Error) -> Error {
    let find =
        |text_of_line: &str| numbered_lines(text).find(|(_, _, line)| line.contains(text_of_line));
    if let Some((line, ..)) = find("ERR_NVGPUCTRPERM") {
        return Error::CountersForbidden { line };
    }
    let is_error = |(_, message): &(u64, &str)| !message.starts_with("==WARNING==");
    if let Some((line, message)) = warnings(text).find(is_error) {
        let message = message.trim_start_matches("==ERROR== ");
        return Error::Profiler {
            line,
            message: shortened(message),
        };
    }
    match find("No kernels were profiled") {
        Some((line, ..)) => Error::NothingProfiled { line },
        None => otherwise,
    }
}
