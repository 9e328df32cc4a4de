//! The file: what it says of itself, and whether it is whole.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::BackupError;
use crate::db::backup::Header;

/// The file's first line.
const MAGIC: &str = "kerncast backup 1\n";
/// Bytes of a header at most.
const LONGEST: u64 = 4096;
/// Bytes of the checksum at the end.
const CHECKSUM: u64 = 32;

/// Writes through a hash.
pub(super) struct Writer<W> {
    out: W,
    hash: Sha256,
    pub(super) bytes: u64,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(out: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self {
            out,
            hash: Sha256::new(),
            bytes: 0,
        };
        let json = serde_json::to_string(header)?;
        writer.write_all(MAGIC.as_bytes())?;
        writer.write_all(format!("{json}\n").as_bytes())?;
        Ok(writer)
    }

    /// Ends the file with its checksum.
    pub(super) fn end(mut self) -> io::Result<W> {
        self.out.write_all(&self.hash.finalize())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.out.write(buffer)?;
        self.hash.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What the file says of itself, and what `pg_dump` wrote, with its length in bytes.
pub(super) fn open(path: &Path) -> Result<(Header, impl Read + use<>, u64), BackupError> {
    let failed = || BackupError::file(path);
    let file = File::open(path).map_err(failed())?;
    let length = file.metadata().map_err(failed())?.len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut line = |limit: u64| -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        (&mut reader).take(limit).read_until(b'\n', &mut line)?;
        Ok(line)
    };
    let no_backup = || BackupError::NoBackup(path.to_owned());
    if line(MAGIC.len() as u64).map_err(failed())? != MAGIC.as_bytes() {
        return Err(no_backup());
    }
    let json = line(LONGEST).map_err(failed())?;
    let header: Header = serde_json::from_slice(&json).map_err(|_| no_backup())?;
    let around = MAGIC.len() as u64 + json.len() as u64 + CHECKSUM;
    let dump = length.checked_sub(around);
    let dump = dump.ok_or_else(|| BackupError::Damaged(path.to_owned()))?;
    Ok((header, reader.take(dump), dump))
}

/// Reads all of it.
///
/// # Errors
/// Where its checksum is not that of its content.
pub(super) fn check(path: &Path) -> Result<(), BackupError> {
    let failed = || BackupError::file(path);
    let damaged = || BackupError::Damaged(path.to_owned());
    let mut file = File::open(path).map_err(failed())?;
    let length = file.metadata().map_err(failed())?.len();
    let content = length.checked_sub(CHECKSUM).ok_or_else(damaged)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut reader = (&mut file).take(content);
    loop {
        match reader.read(&mut buffer).map_err(failed())? {
            0 => break,
            n => hash.update(&buffer[..n]),
        }
    }
    let mut stored = Vec::new();
    file.read_to_end(&mut stored).map_err(failed())?;
    match stored[..] == hash.finalize()[..] {
        true => Ok(()),
        false => Err(damaged()),
    }
}
