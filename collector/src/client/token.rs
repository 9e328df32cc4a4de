//! The bearer token and its origin.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use thiserror::Error;

use crate::folders;

/// A token, or none; messages never show its value.
#[derive(Clone)]
pub struct Token {
    value: Option<String>,
    /// The places where the token was looked for, in words, and whether it was there.
    origin: String,
}

/// The token's file, which somebody named, can't be read.
#[derive(Clone, Debug, Error)]
#[error("cannot read the token's file {}: {source}", path.display())]
pub struct TokenError {
    path: PathBuf,
    source: Arc<io::Error>,
}

impl Token {
    /// The token in the file `named`; else `variable`, the value of KERNCAST_TOKEN; else the one in the default file, if
    /// that is there.
    ///
    /// # Errors
    /// The file that was named can't be read.
    pub fn find(named: Option<&Path>, variable: Option<String>) -> Result<Self, TokenError> {
        if let (None, Some(value)) = (named, variable) {
            return Ok(Self {
                value: Some(value.trim().to_owned()),
                origin: "The token was read from KERNCAST_TOKEN".to_owned(),
            });
        }
        let path = named.map_or_else(folders::token, Path::to_owned);
        match fs::read_to_string(&path) {
            Ok(value) => Ok(Self {
                value: Some(value.trim().to_owned()),
                origin: format!("The token was read from {}", path.display()),
            }),
            Err(_) if named.is_none() => Ok(Self {
                value: None,
                origin: format!("No token was found: {} can't be read", path.display()),
            }),
            Err(source) => Err(TokenError {
                path,
                source: Arc::new(source),
            }),
        }
    }

    /// A token that somebody typed in.
    pub fn from_input(value: &str) -> Self {
        Self {
            value: Some(value.to_owned()),
            origin: "The token was read from standard input".to_owned(),
        }
    }

    /// The value of the Authorization header.
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
