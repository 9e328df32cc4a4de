//! Uploaded sources: whether they match their hash.

use kerncast_wire::{FieldProblem, KernelSource};
use sha2::{Digest, Sha256};

use crate::{
    checker::{Checker, MOST_NAMES},
    problem::escaped,
};

/// Of all files together.
const MOST_BYTES: usize = 1 << 20;

/// Everything wrong with sources that are said to have this hash.
pub(crate) fn check(hash: &str, source: &KernelSource) -> Vec<FieldProblem> {
    let KernelSource { files } = source;
    let mut checker = Checker::new("");
    if files.is_empty() {
        checker.wrong("/files", "no file", "at least one file");
    }
    checker.at_most("/files", files.len(), MOST_NAMES, "files");
    let bytes = files.values().map(String::len).sum();
    checker.at_most("/files", bytes, MOST_BYTES, "bytes");
    for (name, text) in files {
        let at = format!("/files/{}", escaped(name));
        checker.name(&at, name);
        if text.contains('\0') {
            checker.wrong(&at, "…", "text without the character U+0000");
        }
    }
    let found = hash_of(source);
    if hash != found {
        checker.wrong("hash", hash, format!("{found}, which these files have"));
    }
    checker.problems
}

/// As [`KernelSource`] says.
fn hash_of(source: &KernelSource) -> String {
    let mut hash = Sha256::new();
    for (name, text) in &source.files {
        hash.update(format!("{name}\0{}\0", text.len()));
        hash.update(text);
    }
    let hash = hash.finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
