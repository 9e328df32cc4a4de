//! Uploaded sources: whether they match their hash, and whether their analysis is in order.

use kerncast_wire::{FieldProblem, KernelAnalysis, KernelSource, VariantAnalysis};
use sha2::{Digest, Sha256};

use crate::http::{Checker, MOST_NAMES, escaped};

/// Most bytes of all files together.
const MOST_BYTES: usize = 1 << 20;
/// Most accesses of a variant.
const MOST_ACCESSES: usize = 10_000;

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
    let actual = hash_of(source);
    if hash != actual {
        checker.wrong("hash", hash, format!("{actual}, which these files have"));
    }
    checker.problems
}

/// Everything wrong with an analysis of sources.
pub(crate) fn check_analysis(analysis: &KernelAnalysis) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    checker.name("/tool", &analysis.tool);
    checker.at_most("/variants", analysis.variants.len(), MOST_NAMES, "variants");
    for (number, variant) in analysis.variants.iter().enumerate() {
        check_variant(&mut checker, &format!("/variants/{number}"), variant);
    }
    checker.problems
}

/// Collects what is wrong with the analysis of a variant.
fn check_variant(checker: &mut Checker<'_>, at: &str, variant: &VariantAnalysis) {
    checker.name(format!("{at}/variant"), &variant.variant);
    let (refusal, uncounted) = (&variant.refusal, &variant.uncounted);
    for (field, text) in [("refusal", refusal), ("uncounted", uncounted)] {
        if let Some(text) = text {
            checker.text(format!("{at}/{field}"), text);
        }
    }
    let accesses = format!("{at}/accesses");
    checker.at_most(&accesses, variant.accesses.len(), MOST_ACCESSES, "accesses");
    for (number, access) in variant.accesses.iter().enumerate() {
        let at = format!("{accesses}/{number}");
        checker.name(format!("{at}/file"), &access.file);
        checker.text(format!("{at}/access"), &access.access);
        for reason in &access.reasons {
            checker.text(format!("{at}/reasons"), reason);
        }
        for (counter, share) in &access.shares {
            let at = format!("{at}/shares/{}", escaped(counter));
            checker.name(&at, counter);
            // A sum of shares may be the last digit above the whole.
            checker.number(&at, *share, 0.0, 1.0 + 1e-9);
        }
    }
    let notes = &variant.notes;
    checker.at_most(format!("{at}/notes"), notes.len(), MOST_ACCESSES, "notes");
    for (number, note) in notes.iter().enumerate() {
        checker.text(format!("{at}/notes/{number}/text"), &note.text);
    }
}

/// The hash of sources, as [`KernelSource`] defines it.
fn hash_of(source: &KernelSource) -> String {
    let mut hash = Sha256::new();
    for (name, text) in &source.files {
        hash.update(format!("{name}\0{}\0", text.len()));
        hash.update(text);
    }
    hex::encode(hash.finalize())
}
