use std::{
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Datelike, TimeDelta, Utc};
use flate2::bufread::MultiGzDecoder;

use super::{ImportError, rocpd};
use crate::folders;

/// The most that is read of a file, MiB after decompression: as much as fits comfortably into memory.
const MOST_MIB: u64 = 1024;
/// The first bytes of a zstd frame (RFC 8878, section 3.1.1).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The first bytes of a member of a gzip file (RFC 1952, section 2.3.1).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A file, or standard input.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// The file at `path`; `-` is standard input.
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// The files of samples in the spool's folder at `path`, oldest first; for any other path the path itself.
    ///
    /// # Errors
    /// The folder can't be read.
    pub fn all(path: &Path) -> Result<Vec<Self>, ImportError> {
        if !path.is_dir() {
            return Ok(vec![Self(path.to_owned())]);
        }
        let mut paths = folders::paths(path).map_err(|source| ImportError::Read {
            file: Self(path.to_owned()),
            source,
        })?;
        paths.retain(|path| path.extension().is_some_and(|it| it == "json"));
        // Ids begin with their time.
        paths.sort();
        Ok(paths.into_iter().map(Self).collect())
    }

    /// The file's name without folders, for a sample's provenance.
    pub(super) fn short_name(&self) -> String {
        let name = self.0.file_name().unwrap_or(self.0.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The date when the file was written, the best guess for when its launches ran; now for standard input. A date
    /// that the server would refuse is replaced by now, and the text says why.
    pub(super) fn measurement_date(&self) -> (DateTime<Utc>, Option<String>) {
        let now = Utc::now();
        let modified = fs::metadata(&self.0).and_then(|metadata| metadata.modified());
        let Ok(modified) = modified.map(DateTime::<Utc>::from) else {
            return (now, None);
        };
        if modified.year() >= 2000 && modified <= now + TimeDelta::days(1) {
            return (modified, None);
        }
        let date = modified.format("%Y-%m-%d");
        let note = format!("the file is dated {date}: the time of the import is taken instead");
        (now, Some(note))
    }

    /// The whole content, decompressed; a database of rocprofv3 as the tables that the tool prints.
    pub(super) fn text(&self) -> Result<Vec<u8>, ImportError> {
        let failed = |source| ImportError::Read {
            file: self.clone(),
            source,
        };
        let file: Box<dyn Read> = if self.0.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(&self.0).map_err(failed)?)
        };
        let mut file = BufReader::new(file);
        let start = file.fill_buf().map_err(failed)?;
        let text = if start.starts_with(&ZSTD_MAGIC) {
            self.read_limited(zstd::Decoder::with_buffer(file).map_err(failed)?)
        } else if start.starts_with(&GZIP_MAGIC) {
            self.read_limited(MultiGzDecoder::new(file))
        } else {
            self.read_limited(file)
        };
        let text = text.map_err(failed)?.ok_or_else(|| ImportError::TooLarge {
            file: self.clone(),
            mib: MOST_MIB,
        })?;
        if !text.starts_with(rocpd::SQLITE_MAGIC) {
            return Ok(text);
        }
        match rocpd::as_table(&text) {
            Ok(table) => Ok(table.unwrap_or(text)),
            Err(source) => Err(ImportError::Database {
                file: self.clone(),
                source,
            }),
        }
    }

    /// Everything that `reader` gives; none where that is too much.
    fn read_limited(&self, reader: impl Read) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let most = MOST_MIB << 20;
        reader.take(most + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.as_os_str() == "-" {
            f.write_str("standard input")
        } else {
            self.0.display().fmt(f)
        }
    }
}
