//! Why a kernel can't be executed.

use thiserror::Error;

use crate::llvm::Location;

/// Why a kernel can't be executed, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{reason}", at(.location.as_ref()))]
pub struct Refusal {
    /// In the source, where that is known.
    pub location: Option<Location>,
    /// What can't be followed, for people.
    pub reason: String,
}

fn at(location: Option<&Location>) -> String {
    location.map_or_else(String::new, |place| {
        format!("{}:{}:{}: ", place.file, place.line, place.column)
    })
}

impl Refusal {
    /// A refusal without a place in the source.
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self {
            location: None,
            reason: reason.into(),
        }
    }
}
