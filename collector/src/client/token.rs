//! The bearer token for uploads, and where it came from.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::folders;

/// A token or none; its value never shows up in messages.
#[derive(Clone)]
pub struct Token {
    value: Option<String>,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Variable,
    File(PathBuf),
}

/// A token's file that was named and can't be read.
#[derive(Debug, Error)]
#[error("cannot read the token's file {}: {source}", path.display())]
pub struct TokenError {
    path: PathBuf,
    source: io::Error,
}

impl Token {
    /// From the file that was named; else from KERNCAST_TOKEN, here `variable`; else from the default
    /// file, if it is there.
    ///
    /// # Errors
    /// The file that was named can't be read.
    pub fn find(named: Option<&Path>, variable: Option<String>) -> Result<Self, TokenError> {
        let path = match (named, variable) {
            (Some(path), _) => path.to_owned(),
            (None, Some(value)) => {
                return Ok(Self {
                    value: Some(value.trim().to_owned()),
                    source: Source::Variable,
                });
            }
            (None, None) => folders::token(),
        };
        let value = match fs::read_to_string(&path) {
            Ok(value) => Some(value.trim().to_owned()),
            Err(_) if named.is_none() => None,
            Err(source) => return Err(TokenError { path, source }),
        };
        Ok(Self {
            value,
            source: Source::File(path),
        })
    }

    pub(super) fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.source, &self.value) {
            (Source::Variable, _) => f.write_str("The token was read from KERNCAST_TOKEN")?,
            (Source::File(path), Some(_)) => {
                write!(f, "The token was read from {}", path.display())?;
            }
            (Source::File(path), None) => {
                write!(f, "No token was found: {} can't be read", path.display())?;
            }
        }
        f.write_str(
            ". The server prints its token's file when it starts; name it by --token-file or \
             KERNCAST_TOKEN_FILE, or put its content into KERNCAST_TOKEN",
        )
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}
