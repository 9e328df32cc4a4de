//! Reads LLVM's text as a [`Module`].

use thiserror::Error;

use super::Module;

mod aggregates;
mod calls;
mod constants;
mod functions;
mod instructions;
mod lexer;
mod parser;
mod top_level;
mod types;

/// The most bytes of a text; no kernel has more.
const MOST_BYTES: usize = 64 << 20;

/// An error: something that the reader does not understand.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line} of LLVM's text: {problem}")]
pub struct ReadError {
    /// Line, from 1.
    pub line: u32,
    /// The problem there.
    pub problem: String,
}

impl ReadError {
    fn new(line: u32, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self { line, problem }
    }
}

/// Reads a module.
///
/// # Errors
/// The first thing that is not understood, and texts beyond the reader's bounds.
pub fn read(text: &str) -> Result<Module, ReadError> {
    if text.len() > MOST_BYTES {
        let problem = format!("longer than {} MiB", MOST_BYTES >> 20);
        return Err(ReadError::new(1, problem));
    }
    let tokens = lexer::tokens(text)?;
    top_level::module(&tokens)
}

#[cfg(test)]
mod tests;
