//! The SHA-256 at a backup's end: Postgres's programs take some damaged files for whole.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// Ends the file with its checksum, durably.
pub(super) fn append(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    let hash = hash(&file)?;
    file.write_all(&hash)?;
    file.sync_all()
}

/// Whether the file ends with the checksum of what is before.
pub(super) fn fits(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let Some(content) = file.metadata()?.len().checked_sub(BYTES as u64) else {
        return Ok(false);
    };
    let hash = hash((&file).take(content))?;
    let mut checksum = [0; BYTES];
    file.seek(io::SeekFrom::Start(content))?;
    file.read_exact(&mut checksum)?;
    Ok(checksum == hash)
}

fn hash(mut from: impl Read) -> io::Result<[u8; BYTES]> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            n => hash.update(&buffer[..n]),
        }
    }
}
