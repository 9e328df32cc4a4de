//! Profilers' files, of every format: a profile whose numbers mean something, or a short message; and whatever a file is,
//! `kerncast predict` reads it or says why not.

use std::{fs, path::PathBuf, sync::LazyLock};

use kerncast_collector::import::read_counted;
use kerncast_profilers::{Format, join, parse_as, parse_bytes};
use tempfile::TempDir;

#[path = "../../profilers/tests/parsers/check.rs"]
mod check;

/// In memory.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let builder = tempfile::Builder::new()
        .prefix("file")
        .tempdir_in("/dev/shm");
    builder.unwrap()
});

/// Tries one input; a panic is a find.
pub fn fuzz(bytes: &[u8]) {
    let any = parse_bytes(bytes);
    if let Ok(profile) = &any {
        let joined = join(profile.clone(), profile.clone()).expect("a file fits itself");
        assert_eq!(joined.launches.len(), profile.launches.len());
    }
    check::result(any);
    if let Ok(text) = str::from_utf8(bytes) {
        for format in Format::ALL {
            check::result(parse_as(format, text));
        }
    }
    let file: PathBuf = FOLDER.path().join("file");
    fs::write(&file, bytes).unwrap();
    let _ = read_counted(&file).map_err(|why| why.to_string());
}
