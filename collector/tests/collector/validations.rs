//! data/validations.zst has what a server fits to data/, and no more.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use kerncast_collector::{
    evaluate::{Files, server_candidates},
    import::{self, ImportOptions, Source},
};
use kerncast_training::{Fingerprint, Validations};

fn data() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../data"))
}

/// As `make up` loads them.
fn shipped() -> Files {
    let words = ImportOptions::without_server(None);
    let mut files = Files::default();
    for entry in fs::read_dir(data()).expect("data/") {
        let path = entry.expect("an entry").path();
        if path.to_string_lossy().ends_with(".jsonl.zst") {
            let import = import::read(&Source::new(path), &[], &words).expect("samples");
            files.add(import).expect("counters under their names");
        }
    }
    files
}

#[test]
fn validations_are_of_the_shipped_samples() {
    let fitted: BTreeMap<Fingerprint, String> = server_candidates(&shipped())
        .iter()
        .map(|it| (it.fingerprint, format!("{:?}", it.specification)))
        .collect();
    assert!(fitted.len() > 200, "{} fits", fitted.len());
    let bytes = fs::read(data().join("validations.zst")).expect("make validations");
    let there = Validations::read(&bytes).expect("validations");
    let there: BTreeSet<&Fingerprint> = there.fingerprints().collect();
    let missing: Vec<&String> = (fitted.iter().filter(|it| !there.contains(it.0)))
        .map(|it| it.1)
        .collect();
    let too_many = there.iter().filter(|it| !fitted.contains_key(**it)).count();
    assert!(
        missing.is_empty() && too_many == 0,
        "run `make validations`: {} of {} fits are not in it, {too_many} in it are of none; the first: {:?}",
        missing.len(),
        fitted.len(),
        missing.first()
    );
}
