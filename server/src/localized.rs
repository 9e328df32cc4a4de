//! Uploads of what `kerncast localize` has made: whether they are sound, and what they change.

use std::time::Duration;

use kerncast_wire::{
    FieldProblem, KernelSource, Localized, LocalizedStatus, PlacedArray, TileRequest, TileSide,
};
use similar::TextDiff;

use crate::{
    checker::{Checker, MOST_NAMES},
    sources::{MOST_ACCESSES, MOST_BYTES, check_variant},
};

/// Bytes of local memory of a work-group: no device has so much.
const MOST_LOCAL_BYTES: u64 = 1 << 20;
/// Of an element: the largest vector has 128, structures have more.
const MOST_ELEMENT_BYTES: u64 = 1 << 12;
/// Lanes of a warp.
const WARP: u32 = 32;
/// A diff of two long texts that have little in common is cut short, and still right.
const LONGEST: Duration = Duration::from_secs(1);
/// Unchanged lines around changes.
const CONTEXT: usize = 3;

/// The changes of the sources' text as a unified diff; none where nothing is written.
pub(crate) fn diff(localized: &Localized, source: &KernelSource) -> Option<String> {
    let after = localized.source.as_ref()?;
    let before = source.files.get(&localized.file)?;
    let mut diff = TextDiff::configure();
    let diff = diff.timeout(LONGEST).diff_lines(before, after);
    let file = &localized.file;
    let unified = diff
        .unified_diff()
        .context_radius(CONTEXT)
        .header(file, file)
        .to_string();
    Some(unified)
}

/// Everything wrong with what is said to be made of these sources.
pub(crate) fn check(localized: &Localized, source: &KernelSource) -> Vec<FieldProblem> {
    let mut checker = Checker::new("/localized");
    checker.name("/of", &localized.of);
    text(&mut checker, localized, source);
    let is_rewritten = localized.status == LocalizedStatus::Rewritten;
    let placed = &localized.placed;
    match (is_rewritten, placed.len()) {
        (true, 0) => checker.wrong("/placed", "no array", "at least one of what is rewritten"),
        (false, 1..) => checker.wrong(
            "/placed",
            format!("{} arrays", placed.len()),
            "none where nothing is rewritten",
        ),
        (_, arrays) => checker.at_most("/placed", arrays, MOST_NAMES, "arrays"),
    }
    for (number, array) in placed.iter().enumerate() {
        check_placed(&mut checker, &format!("/placed/{number}"), array);
    }
    let refusals = &localized.refusals;
    checker.at_most("/refusals", refusals.len(), MOST_ACCESSES, "refusals");
    for (number, refusal) in refusals.iter().enumerate() {
        let at = format!("/refusals/{number}");
        if let Some(array) = &refusal.array {
            checker.name(format!("{at}/array"), array);
        }
        checker.text(format!("{at}/reason"), &refusal.reason);
        checker.name(format!("{at}/file"), &refusal.file);
    }
    if let Some(loads) = &localized.global_loads {
        checker.text("/global_loads/at", &loads.at);
        for (name, loads) in [("before", loads.before), ("after", loads.after)] {
            checker.number(format!("/global_loads/{name}"), loads, 0.0, 1e18);
        }
    }
    check_checks(&mut checker, localized);
    checker.problems
}

/// The rewritten text is there where all checks have passed, and nowhere else.
fn text(checker: &mut Checker<'_>, localized: &Localized, source: &KernelSource) {
    let Some(before) = source.files.get(&localized.file) else {
        let files: Vec<&str> = source.files.keys().map(String::as_str).collect();
        let expected = format!("one of the sources’ files: {}", files.join(", "));
        return checker.wrong("/file", &localized.file, expected);
    };
    match (localized.status, &localized.source) {
        (LocalizedStatus::Rewritten, None) => {
            checker.wrong("/source", "nothing", "the text of what is rewritten");
        }
        (LocalizedStatus::Rewritten, Some(after)) if after == before => {
            checker.wrong("/source", "the same text", "another than the sources have");
        }
        (LocalizedStatus::Rewritten, Some(after)) => {
            checker.at_most("/source", after.len(), MOST_BYTES, "bytes");
            if after.contains('\0') {
                checker.wrong("/source", "…", "text without the character U+0000");
            }
        }
        (_, Some(_)) => {
            checker.wrong(
                "/source",
                "a text",
                "none but where the status is `rewritten`",
            );
        }
        (_, None) => {}
    }
    match &localized.variant {
        Some(variant) if localized.source.is_some() => {
            check_variant(checker, "/variant", variant);
        }
        Some(_) => checker.wrong("/variant", "a variant", "none where there is no `source`"),
        None => {}
    }
}

fn check_placed(checker: &mut Checker<'_>, at: &str, placed: &PlacedArray) {
    checker.name(format!("{at}/array"), &placed.array);
    if let Some(name) = &placed.name {
        checker.name(format!("{at}/name"), name);
    }
    if !(1..=MOST_ELEMENT_BYTES).contains(&placed.element_bytes) {
        let expected = format!("1 to {MOST_ELEMENT_BYTES} bytes");
        checker.wrong(
            format!("{at}/element_bytes"),
            placed.element_bytes,
            expected,
        );
    }
    if !(1..=MOST_LOCAL_BYTES).contains(&placed.bytes) {
        let expected = format!("1 to {MOST_LOCAL_BYTES} bytes");
        checker.wrong(format!("{at}/bytes"), placed.bytes, expected);
    }
    if !(1..=3).contains(&placed.sides.len()) {
        let found = format!("{} sides", placed.sides.len());
        checker.wrong(format!("{at}/sides"), found, "one to three sides");
    }
    for (number, side) in placed.sides.iter().enumerate() {
        check_side(checker, &format!("{at}/sides/{number}"), *side);
    }
    let elements = placed.sides.iter().map(|side| u64::from(side.extent));
    let needed = elements.fold(placed.element_bytes, u64::saturating_mul);
    if needed > placed.bytes {
        let expected = format!("at least the {needed} bytes of its elements");
        checker.wrong(format!("{at}/bytes"), placed.bytes, expected);
    }
    if let Some(request) = &placed.request {
        check_request(checker, &format!("{at}/request"), request, placed.bytes);
    }
}

fn check_side(checker: &mut Checker<'_>, at: &str, side: TileSide) {
    let TileSide {
        extent,
        before,
        behind,
        length,
    } = side;
    if extent == 0 {
        checker.wrong(format!("{at}/extent"), 0, "at least one element");
    }
    if before.saturating_add(behind) >= extent.max(1) {
        let found = format!("{before} and {behind}");
        let expected = format!("together less than the {extent} elements of the side");
        checker.wrong(format!("{at}/before"), found, expected);
    }
    if let Some(length) = length.filter(|length| *length < extent) {
        let expected = format!("at least the {extent} elements of the side");
        checker.wrong(format!("{at}/length"), length, expected);
    }
}

fn check_request(checker: &mut Checker<'_>, at: &str, request: &TileRequest, most: u64) {
    checker.text(format!("{at}/access"), &request.access);
    let lanes = &request.lanes;
    if lanes.is_empty() || lanes.len() > WARP as usize {
        let found = format!("{} lanes", lanes.len());
        checker.wrong(format!("{at}/lanes"), found, format!("1 to {WARP} lanes"));
    }
    for (number, lane) in lanes.iter().enumerate() {
        let at = format!("{at}/lanes/{number}");
        if lane.lane >= WARP {
            checker.wrong(format!("{at}/lane"), lane.lane, format!("less than {WARP}"));
        }
        if u64::from(lane.offset) + u64::from(request.bytes) > most {
            let expected = format!(
                "at most {most} less the {} bytes of the request",
                request.bytes
            );
            checker.wrong(format!("{at}/offset"), lane.offset, expected);
        }
    }
    if request.passes == 0 {
        checker.wrong(format!("{at}/passes"), 0, "at least one pass");
    }
}

/// What is shown as rewritten has passed, and what has failed says why.
fn check_checks(checker: &mut Checker<'_>, localized: &Localized) {
    let Some(checked) = &localized.checked else {
        if matches!(
            localized.status,
            LocalizedStatus::Rewritten | LocalizedStatus::CheckFailed
        ) {
            checker.wrong("/checked", "nothing", "what running it has shown");
        }
        return;
    };
    for (name, all) in [
        ("equal", &checked.equal),
        ("race_free", &checked.race_free),
        ("skipped", &checked.skipped),
        ("failures", &checked.failures),
    ] {
        let at = format!("/checked/{name}");
        checker.at_most(&at, all.len(), MOST_NAMES, "texts");
        for text in all {
            checker.text(&at, text);
        }
    }
    match (localized.status, checked.failures.len()) {
        (LocalizedStatus::CheckFailed, 0) => {
            checker.wrong("/checked/failures", "none", "what has failed");
        }
        (LocalizedStatus::Rewritten, 1..) => {
            checker.wrong(
                "/checked/failures",
                "failures",
                "none where the status is `rewritten`",
            );
        }
        (LocalizedStatus::Rewritten, 0) if checked.equal.is_empty() => {
            checker.wrong("/checked/equal", "none", "sizes at which outputs are equal");
        }
        _ => {}
    }
}
