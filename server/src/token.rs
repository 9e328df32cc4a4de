//! Bearer tokens, and the codes that are exchanged for them.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
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

/// A new token: 32 random bytes in hexadecimal.
///
/// # Errors
/// Where the system has no randomness.
pub fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex::encode(bytes))
}

/// Crockford's base 32: no letter that looks like a digit or another.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A new enrolment code, for people to type: 100 random bits in four groups.
///
/// # Errors
/// Where the system has no randomness.
pub fn random_code() -> io::Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let letters: String = bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect();
    let groups = [
        &letters[..5],
        &letters[5..10],
        &letters[10..15],
        &letters[15..],
    ];
    Ok(groups.join("-"))
}

/// The hash of an enrolment code, however it was typed.
#[must_use]
pub fn hash_of_code(code: &str) -> Hash {
    let typed = code.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let meant = typed.map(|c| match c.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        c => c,
    });
    hash(&meant.collect::<String>())
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
pub struct NewToken {
    /// What the database needs to know.
    pub hash: Hash,
    unfinished: PathBuf,
    file: PathBuf,
}

impl NewToken {
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
pub fn make(file: &Path) -> io::Result<NewToken> {
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
    Ok(NewToken {
        hash: hash(&token),
        unfinished,
        file: file.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_same_however_it_is_typed() {
        let code = random_code().unwrap();
        assert_eq!(code.len(), 23, "{code}");
        assert_ne!(random_code().unwrap(), code);
        let typed = code.replace('-', " ").to_lowercase();
        assert_eq!(hash_of_code(&typed), hash_of_code(&code));
        assert_eq!(hash_of_code("o1l"), hash_of_code("0-I-1"));
        assert_ne!(hash_of_code("A"), hash_of_code("B"));
    }
}
