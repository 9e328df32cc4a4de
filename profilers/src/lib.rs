//! The output of users' profilers, as data.
//!
//! Pure functions from text to [`Profile`]: no files, no network. [`parse`] finds the
//! format by content ([`detect`]), never by a file's name. Four rules hold for all of them:
//!
//! - A file whose shape is wrong (a missing column, a row cut short, a time before its start) is
//!   refused with an [`Error`] that names line, column and value.
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
mod count;
mod detect;
mod error;
mod format;
mod geometry;
pub mod gpus;
mod join;
mod lines;
mod ncu;
mod number;
mod nvprof;
mod oclgrind;
mod oneprof;
mod profile;
mod rocprof;
mod rocprofiler_compute;
mod rocprofv3;
pub mod sass;
mod table;
mod tidy;
mod unit;
mod wide;

pub use detect::detect;
pub use error::Error;
pub use format::Format;
pub use geometry::Geometry;
pub use join::join;
pub use oclgrind::oclgrind_counters;
pub use profile::{Counters, Launch, Note, Profile};
pub use tidy::{as_text, print as print_tidy};

/// Reads a file's text, whatever of [`Format`] it is.
///
/// # Errors
/// See [`Error`]: unknown format, a mistake in the file, or a profiler that says it counted nothing.
pub fn parse(text: &str) -> Result<Profile, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    parse_as(detect(text)?, text)
}

/// Reads a file's text in a format known beforehand: the provider's own path.
///
/// # Errors
/// As [`parse`].
pub fn parse_as(format: Format, text: &str) -> Result<Profile, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut profile = match format {
        Format::Ncu => ncu::parse(text),
        Format::Nvprof => nvprof::parse(text),
        Format::Rocprofv3Counters => rocprofv3::parse_counters(text),
        Format::Rocprofv3Trace => rocprofv3::parse_trace(text),
        Format::Rocprof => rocprof::parse(text),
        Format::RocprofilerCompute => rocprofiler_compute::parse(text),
        Format::Oneprof => oneprof::parse(text),
        Format::Oclgrind => oclgrind::parse(text),
        Format::Tidy => tidy::parse(text),
    }?;
    if profile.launches.is_empty() {
        return Err(Error::NoLaunches {
            format: format.name(),
        });
    }
    for launch in &mut profile.launches {
        for (provider, counters) in &mut launch.counters {
            let line = launch.line;
            catalogue::resolve(provider, counters).map_err(|error| Error::TwoNames {
                line,
                what: error.to_string(),
            })?;
        }
    }
    Ok(profile)
}

/// Reads a file's bytes: UTF-8, with or without a byte-order mark.
///
/// # Errors
/// As [`parse`], and [`Error::Utf16`] or [`Error::NotUtf8`].
pub fn parse_bytes(bytes: &[u8]) -> Result<Profile, Error> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::Utf16);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        Error::NotUtf8 {
            line: lines::lines_in(good) + 1,
        }
    })?;
    parse(text)
}
