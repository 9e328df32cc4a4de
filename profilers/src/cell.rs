use crate::Error;
use crate::error::shortened;
use crate::profile::Notes;

/// A cell, with its place for error messages.
#[derive(Clone, Copy)]
pub(crate) struct Cell<'t> {
    pub(crate) line: u64,
    pub(crate) column: &'t str,
    pub(crate) text: &'t str,
}

impl Cell<'_> {
    /// The error that this cell is not as `expected`.
    pub(crate) fn wrong(&self, expected: &'static str) -> Error {
        Error::Value {
            line: self.line,
            column: shortened(self.column),
            value: shortened(self.text),
            expected,
        }
    }

    /// Reads a whole number of at least 0.
    pub(crate) fn whole(&self) -> Result<u64, Error> {
        self.text.parse().map_err(|_| self.wrong("a whole number"))
    }

    /// Reads a counter's value as AMD's and Intel's tools write it; none, with a note, where it is not a count.
    pub(crate) fn count(&self, name: &str, notes: &mut Notes) -> Result<Option<f64>, Error> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let number = self.text.parse::<f64>();
        let number = number.map_err(|_| self.wrong("a number"))?;
        Ok(notes.count(*self, name, Some(number)))
    }

    /// Reads a name: any text but an empty one.
    pub(crate) fn name(&self) -> Result<String, Error> {
        if self.text.is_empty() {
            return Err(self.wrong("a name"));
        }
        Ok(self.text.to_owned())
    }
}
