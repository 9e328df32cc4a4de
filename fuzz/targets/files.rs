//! Profilers' files, of every format: a profile whose numbers mean something, or a short message; and whatever a file is,
//! `kerncast predict` reads it or says why not.

#![no_main]

use std::{fs, path::PathBuf, sync::LazyLock};

use kerncast_collector::import::counted;
use kerncast_profilers::{Error, Format, Profile, join, parse_as, parse_bytes};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// In memory.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let builder = tempfile::Builder::new()
        .prefix("file")
        .tempdir_in("/dev/shm");
    builder.unwrap()
});

fuzz_target!(|bytes: &[u8]| {
    let any = parse_bytes(bytes);
    if let Ok(profile) = &any {
        let joined = join(profile.clone(), profile.clone()).expect("a file fits itself");
        assert_eq!(joined.launches.len(), profile.launches.len());
    }
    check(&any);
    if let Ok(text) = str::from_utf8(bytes) {
        for format in Format::ALL {
            check(&parse_as(format, text));
        }
    }
    let file: PathBuf = FOLDER.path().join("file");
    fs::write(&file, bytes).unwrap();
    let _ = counted(&file).map_err(|why| why.to_string());
});

fn check(read: &Result<Profile, Error>) {
    let profile = match read {
        Ok(profile) => profile,
        Err(error) => return assert!(error.to_string().len() < 1000, "{error}"),
    };
    assert!(!profile.launches.is_empty());
    for launch in &profile.launches {
        assert!(launch.line > 0 && !launch.kernel.is_empty());
        assert!(
            launch
                .time_s
                .is_none_or(|time| time.is_finite() && time > 0.0)
        );
        let is_shape =
            |it: &kerncast_profilers::Geometry| it.work_items > 0 && it.work_group_items > 0;
        assert!(launch.geometry.as_ref().is_none_or(is_shape));
        for (provider, counters) in &launch.counters {
            assert!(!provider.is_empty());
            for (name, value) in counters {
                let is_number = value.is_finite() && *value >= 0.0;
                assert!(!name.is_empty() && is_number, "{name} {value}");
            }
        }
    }
}
