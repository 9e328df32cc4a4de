use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

use chrono::{DateTime, Utc};

use super::ImportError;

/// The most that is read of a file, decompressed: as much as fits comfortably into memory.
const MOST_MIB: u64 = 1024;
/// How a zstd frame begins (RFC 8878, section 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A file, or standard input.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// The file at `path`; `-` is standard input.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The samples' files of the spool's folder at `path`, oldest first; of another path the path itself.
    ///
    /// # Errors
    /// A folder that can't be read.
    pub fn all(path: &Path) -> Result<Vec<Self>, ImportError> {
        if !path.is_dir() {
            return Ok(vec![Self(path.to_owned())]);
        }
        let list = || -> io::Result<Vec<PathBuf>> {
            let entries = fs::read_dir(path)?;
            let paths = entries.map(|entry| Ok(entry?.path()));
            paths.collect()
        };
        let mut paths = list().map_err(|source| ImportError::Read {
            file: Self(path.to_owned()),
            source,
        })?;
        paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
        // Ids begin with their time.
        paths.sort();
        Ok(paths.into_iter().map(Self).collect())
    }

    /// Its name without folders, for a sample's provenance.
    pub(super) fn short_name(&self) -> String {
        let name = self.0.file_name().unwrap_or(self.0.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// When it was written, which is as near as it tells when its launches ran; now for standard input.
    pub(super) fn written(&self) -> DateTime<Utc> {
        let modified = fs::metadata(&self.0).and_then(|metadata| metadata.modified());
        modified.unwrap_or_else(|_| SystemTime::now()).into()
    }

    /// All of it, decompressed.
    pub(super) fn text(&self) -> Result<Vec<u8>, ImportError> {
        let failed = |source| ImportError::Read {
            file: self.clone(),
            source,
        };
        let mut file: Box<dyn Read> = if self.0.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.0).map_err(failed)?)
        };
        let mut start = Vec::new();
        (&mut file)
            .take(ZSTD.len() as u64)
            .read_to_end(&mut start)
            .map_err(failed)?;
        let compressed = start == ZSTD;
        let whole = io::Cursor::new(start).chain(file);
        let text = if compressed {
            self.at_most(zstd::Decoder::new(whole).map_err(failed)?)
        } else {
            self.at_most(whole)
        };
        text.map_err(failed)?.ok_or_else(|| ImportError::TooLarge {
            file: self.clone(),
            mib: MOST_MIB,
        })
    }

    /// All that `reader` gives; none where that is too much.
    fn at_most(&self, reader: impl Read) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let most = MOST_MIB << 20;
        reader.take(most + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
    }
}

/// For messages.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.as_os_str() == "-" {
            f.write_str("standard input")
        } else {
            self.0.display().fmt(f)
        }
    }
}
