//! A cell of a table, with its line and column for errors.

use crate::Error;
use crate::error::shortened;

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

    /// Reads a name: any text but an empty one.
    pub(crate) fn name(&self) -> Result<String, Error> {
        if self.text.is_empty() {
            return Err(self.wrong("a name"));
        }
        Ok(self.text.to_owned())
    }
}
