//! Bearer tokens.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

pub use crate::db::access::tokens::Hash;

/// The hash of a token as its bearer sends it.
#[must_use]
pub fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

/// A new token: 32 random bytes in hexadecimal.
///
/// # Errors
/// Where the system has no randomness.
pub fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex::encode(bytes))
}

/// The hash of the token in `file`.
///
/// # Errors
/// Where the file can't be read.
pub fn read(file: &Path) -> io::Result<Hash> {
    Ok(hash(std::fs::read_to_string(file)?.trim()))
}

/// A new token that is not in its file yet: first the database must know its hash, so that whatever
/// fails, the file holds a token that is valid.
#[must_use = "the file still holds the old token"]
pub struct UnpublishedToken {
    /// What the database needs to know.
    pub hash: Hash,
    unfinished: PathBuf,
    file: PathBuf,
}

impl UnpublishedToken {
    /// Puts the token into its file, in the place of an old one.
    ///
    /// # Errors
    /// Where the file can't be replaced.
    pub fn publish(self) -> io::Result<()> {
        std::fs::rename(self.unfinished, self.file)
    }

    /// Throws the token away; the file keeps what it has.
    ///
    /// # Errors
    /// Where it can't be removed.
    pub fn discard(self) -> io::Result<()> {
        std::fs::remove_file(self.unfinished)
    }
}

/// A new token for `file`, written beside it, where only its owner may read it.
///
/// # Errors
/// Where the system has no randomness or the file can't be written.
pub fn make(file: &Path) -> io::Result<UnpublishedToken> {
    let token = random()?;
    let unfinished = file.with_extension("new");
    match std::fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut open = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&unfinished)?;
    writeln!(open, "{token}")?;
    open.sync_all()?;
    Ok(UnpublishedToken {
        hash: hash(&token),
        unfinished,
        file: file.to_owned(),
    })
}
