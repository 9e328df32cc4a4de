//! The bearer token, where it came from, and where a new one goes.

use std::{
    fmt, fs,
    io::{self, Write},
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

    /// No token, for what needs none.
    #[must_use]
    pub fn none() -> Self {
        Self {
            value: None,
            origin: "No token was shown".to_owned(),
        }
    }

    /// As the Authorization header has it.
    pub(super) fn bearer(&self) -> Option<String> {
        self.value.as_ref().map(|token| format!("Bearer {token}"))
    }
}

/// A token's file that is not there yet, but can be written: so that nothing is asked for that can't be kept.
pub struct NewTokenFile {
    path: PathBuf,
    unfinished: tempfile::NamedTempFile,
    replace: bool,
}

/// A token can't be kept.
#[derive(Debug, Error)]
pub enum NewTokenError {
    /// There is one already.
    #[error(
        "{} holds a token already; --replace replaces it, KERNCAST_TOKEN_FILE names another file",
        .0.display()
    )]
    There(PathBuf),
    /// The disk is full or read-only.
    #[error("cannot write {}: {source}; KERNCAST_TOKEN_FILE names another file", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl NewTokenFile {
    /// At this place; `replace`: in the place of one that is there.
    ///
    /// # Errors
    /// One is there and is not to be replaced; the folder can't be written.
    pub fn begin(path: &Path, replace: bool) -> Result<Self, NewTokenError> {
        if !replace && path.exists() {
            return Err(NewTokenError::There(path.to_owned()));
        }
        let folder = path.parent().filter(|it| *it != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        let begin = || {
            fs::create_dir_all(folder)?;
            // Only its owner reads it.
            tempfile::Builder::new()
                .prefix(".token-")
                .tempfile_in(folder)
        };
        match begin() {
            Ok(unfinished) => Ok(Self {
                path: path.to_owned(),
                unfinished,
                replace,
            }),
            Err(source) => Err(unwritable(path, source)),
        }
    }

    /// Puts the token there; its file.
    ///
    /// # Errors
    /// The disk is full; another token is there by now.
    pub fn finish(mut self, token: &str) -> Result<PathBuf, NewTokenError> {
        let write = writeln!(self.unfinished, "{token}");
        let written = write.and_then(|()| self.unfinished.as_file().sync_all());
        let kept = written.and_then(|()| {
            match self.replace {
                true => self.unfinished.persist(&self.path),
                false => self.unfinished.persist_noclobber(&self.path),
            }
            .map_err(|error| error.error)
        });
        match kept {
            Ok(_) => Ok(self.path),
            Err(source) => Err(unwritable(&self.path, source)),
        }
    }
}

fn unwritable(path: &Path, source: io::Error) -> NewTokenError {
    NewTokenError::Unwritable {
        path: path.to_owned(),
        source,
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}. An admin of the server makes tokens (`kerncast-server token create`), or a code for `kerncast enroll`; \
             name a token's file by KERNCAST_TOKEN_FILE, or put it into KERNCAST_TOKEN",
            self.origin
        )
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({self})")
    }
}
