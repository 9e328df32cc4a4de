//! The bearer token, and where it came from.

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
    /// Where it was looked for, and whether it was there.
    origin: String,
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
                    origin: "The token was read from KERNCAST_TOKEN".to_owned(),
                });
            }
            (None, None) => folders::token(),
        };
        match fs::read_to_string(&path) {
            Ok(value) => Ok(Self {
                value: Some(value.trim().to_owned()),
                origin: format!("The token was read from {}", path.display()),
            }),
            Err(_) if named.is_none() => Ok(Self {
                value: None,
                origin: format!("No token was found: {} can't be read", path.display()),
            }),
            Err(source) => Err(TokenError { path, source }),
        }
    }

    /// That somebody gave.
    #[must_use]
    pub fn given(value: &str) -> Self {
        Self {
            value: Some(value.to_owned()),
            origin: "The token was read from standard input".to_owned(),
        }
    }

    /// As the Authorization header has it.
    pub(super) fn bearer(&self) -> Option<String> {
        self.value.as_ref().map(|token| format!("Bearer {token}"))
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}. An admin of the server makes tokens (`kerncast-server token create`); name a token's file by KERNCAST_TOKEN_FILE, or put it into KERNCAST_TOKEN",
            self.origin
        )
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}
