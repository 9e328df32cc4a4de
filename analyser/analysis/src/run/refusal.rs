//! Refusals to execute a kernel.

use thiserror::Error;

use crate::llvm::Location;

/// The reason why a kernel can't be executed, and the place.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{reason}", at(.location.as_ref()))]
pub struct Refusal {
    /// The place in the source, where that is known.
    pub location: Option<Location>,
    /// The reason, as a text for people.
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
