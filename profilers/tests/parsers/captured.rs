//! One test a captured file: numbers read from it by eye. `../captured/README.md` says where each is
//! from.

mod amd;
mod nvidia;
mod others;

use kerncast_profilers::{Error, Geometry, Launch, Profile, parse_bytes};

pub(super) fn read(name: &str) -> Result<Profile, Error> {
    let path = format!("{}/tests/captured/{name}", env!("CARGO_MANIFEST_DIR"));
    parse_bytes(&std::fs::read(path).expect("a captured file"))
}

pub(super) fn good(name: &str) -> Profile {
    read(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The launch's counters of `provider` are these, among `total`.
#[track_caller]
pub(super) fn assert_counters(
    launch: &Launch,
    provider: &str,
    total: usize,
    expected: &[(&str, f64)],
) {
    let counters = &launch.counters[provider];
    assert_eq!(counters.len(), total, "{:?}", counters.keys());
    for (name, value) in expected {
        assert_eq!(counters.get(*name), Some(value), "{name}");
    }
}

pub(super) fn kernels(profile: &Profile) -> Vec<&str> {
    profile
        .launches
        .iter()
        .map(|launch| launch.kernel.as_str())
        .collect()
}

pub(super) fn times(profile: &Profile) -> Vec<Option<f64>> {
    profile
        .launches
        .iter()
        .map(|launch| launch.time_s)
        .collect()
}

pub(super) fn notes(profile: &Profile) -> Vec<String> {
    profile
        .notes
        .iter()
        .map(|note| format!("{}: {}", note.line, note.text))
        .collect()
}

pub(super) fn flat(work_items: u64, work_group_items: u64) -> Option<Geometry> {
    Some(Geometry {
        work_items,
        work_group_items,
        global: None,
        local: None,
    })
}

pub(super) fn shaped(global: [u64; 3], local: [u64; 3]) -> Option<Geometry> {
    let (work_items, work_group_items) = (global.iter().product(), local.iter().product());
    Some(Geometry {
        work_items,
        work_group_items,
        global: Some(global),
        local: Some(local),
    })
}
