//! The bearer token that uploads need.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use sha2::{Digest, Sha256};

/// SHA-256 of a token: all that the database knows of it. A token is 256 random bits, so that a slow
/// hash would protect it no better.
pub type Hash = [u8; 32];

/// The hash of a token as its bearer sends it.
#[must_use]
pub fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

/// A new token: 32 random bytes in hexadecimal, written to `file`, which only its owner may read.
///
/// # Errors
/// Where the system has no randomness or the file can't be written.
pub fn make(file: &Path) -> io::Result<Hash> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // Written whole under another name first: a kill leaves the old token or the new one.
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
    std::fs::rename(&unfinished, file)?;
    Ok(hash(&token))
}
