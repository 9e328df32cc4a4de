//! Migrations that were released are never edited: a database that ran one would no longer start.

use std::collections::BTreeMap;

/// Version and SHA-384, a line each; a release adds its own (CONTRIBUTING.md).
const RELEASED: &str = include_str!("../released.txt");

#[test]
fn released_migrations_are_as_they_were() {
    let migrations = sqlx::migrate!("../migrations");
    let found: BTreeMap<i64, String> = migrations
        .iter()
        .map(|it| {
            let hash = it.checksum.iter().map(|byte| format!("{byte:02x}"));
            (it.version, hash.collect())
        })
        .collect();
    let mut newest = 0;
    for line in RELEASED.lines() {
        let (version, hash) = line.split_once(' ').unwrap();
        let version: i64 = version.parse().unwrap();
        assert_eq!(
            found.get(&version).map(String::as_str),
            Some(hash),
            "migration {version} was released: it is never edited, a new one changes what it made"
        );
        newest = newest.max(version);
    }
    let listed = RELEASED.lines().count();
    let older = found.keys().filter(|&&version| version <= newest).count();
    assert_eq!(
        older, listed,
        "a new migration comes after all released ones"
    );
}
