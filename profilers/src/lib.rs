//! Reads the output of profilers.
//!
//! Pure functions from text to [`Profile`]: no files, no network. [`parse`] finds the
//! format by content ([`detect()`]), never by a file's name. Five rules hold for all of them:
//!
//! - A file whose shape is wrong (a missing column, a row cut short) is refused with an [`Error`] that names line,
//!   column and value.
//! - A launch with a value that can't be (a time before its start) is left out with a [`Note`] that says so, and
//!   refuses the file only if no other launch is in it.
//! - A counter that a profiler itself marks as unusable (`n/a`, `<OVERFLOW>`, NaN, negative) is
//!   missing, with a [`Note`] that says so. Missing is missing, never 0.
//! - Counters have the names of the [`catalogue`], whatever the chip's own are.
//! - A launch that counted nothing (every counter 0) is not data: it is left out with a note, and a
//!   file of nothing else is refused.
//!
//! The tidy table is made by people, so there nothing is left out: every mistake is an error.

mod amd;
pub mod catalogue;
mod cell;
mod detect;
mod error;
mod format;
mod geometry;
pub mod gpus;
mod join;
mod lines;
mod ncu;
mod nsys;
mod number;
mod nvprof;
mod oclgrind;
mod oneprof;
mod profile;
mod reading;
mod rocprof;
mod rocprofiler_compute;
mod rocprofv3;
pub mod sass;
mod table;
mod tidy;
mod unit;
mod wide;

use std::collections::BTreeMap;

pub use detect::detect;
pub use error::Error;
pub use format::Format;
pub use geometry::Geometry;
pub use join::join;
pub use oclgrind::oclgrind_counters;
pub use profile::{Counters, Launch, Note, Profile};
pub use tidy::as_text;

/// Reads a file's text in any [`Format`].
///
/// # Errors
/// The format is unknown, the file has a mistake, or the profiler says that it counted nothing; see [`Error`].
pub fn parse(text: &str) -> Result<Profile, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse_as(detect(text)?, text)
}

/// Reads a file's text in a known format, for providers that run the profiler themselves.
///
/// # Errors
/// See [`parse`].
pub fn parse_as(format: Format, text: &str) -> Result<Profile, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut profile = match format {
        Format::Ncu => ncu::parse(text),
        Format::Nvprof => nvprof::parse(text),
        Format::Rocprofv3Counters => rocprofv3::parse_counters(text),
        Format::Rocprofv3Trace => rocprofv3::parse_trace(text),
        Format::Rocprofv3Json => rocprofv3::parse_json(text),
        Format::Rocprof => rocprof::parse(text),
        Format::RocprofilerCompute => rocprofiler_compute::parse(text),
        Format::Oneprof | Format::Unitrace => oneprof::parse(format, text),
        Format::Nsys => nsys::parse(text),
        Format::Oclgrind => oclgrind::parse(text),
        Format::Tidy => tidy::parse(text),
    }?;
    if profile.launches.is_empty() {
        return Err(Error::NoLaunches {
            format: format.name(),
        });
    }
    note_gpus(&mut profile);
    Ok(profile)
}

/// Notes that the file's launches ran on several GPUs, which must not be taken for one device.
fn note_gpus(profile: &mut Profile) {
    let gpus = profile.gpus();
    if gpus.len() > 1 {
        let (line, places) = (profile.launches[0].line, list_gpus(&gpus));
        let text = format!("launches on {} GPUs: {places}", gpus.len());
        profile.notes.push(Note { line, text });
    }
}

/// Lists GPUs with the line of the first launch on each: `0 (line 4), 1 (line 7)`.
pub fn list_gpus(gpus: &BTreeMap<String, u64>) -> String {
    let places = gpus
        .iter()
        .map(|(gpu, line)| format!("{gpu} (line {line})"));
    places.collect::<Vec<_>>().join(", ")
}

/// Reads a file's bytes: UTF-8, with or without a byte-order mark.
///
/// # Errors
/// See [`parse`]; also [`Error::Binary`], [`Error::Utf16`] or [`Error::NotUtf8`].
pub fn parse_bytes(bytes: &[u8]) -> Result<Profile, Error> {
    if let Some(binary) = detect::binary(bytes) {
        return Err(binary);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        Error::NotUtf8 {
            line: lines::lines_in(good) + 1,
        }
    })?;
    parse(text)
}
