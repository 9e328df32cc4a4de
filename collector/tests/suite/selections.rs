//! What is largest, what lies around all, what is kept, and who was seen.

use crate::{assert_each, whole};

#[test]
fn segment_argmax_finds_the_first_of_the_largest() {
    let place = |[starts, values]: &[Vec<f64>; 2], segment: usize| {
        let (start, end) = (whole(starts[segment]), whole(starts[segment + 1]));
        let own = &values[start..end];
        let largest = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = own.iter().position(|value| *value >= largest);
        (start + first.expect("no segment is empty")) as f64
    };
    assert_each(
        "segment_argmax",
        [("segments", 64), ("few", 3), ("many", 70)],
        (["starts", "values"], "places"),
        0.0,
        place,
    );
}

#[test]
fn bounding_box_holds_all_points() {
    let edge = |[points, edges]: &[Vec<f64>; 2], i: usize| {
        let coordinates = points[i % 2..].iter().step_by(2).copied();
        match i {
            0 | 1 => coordinates.fold(edges[i], f64::min),
            _ => coordinates.fold(edges[i], f64::max),
        }
    };
    assert_each(
        "bounding_box",
        [("items", 128), ("per_item", 3)],
        (["points", "box"], "box"),
        0.0,
        edge,
    );
}

#[test]
fn compact_rows_keeps_what_exceeds_600_in_order() {
    const COLUMNS: usize = 256;
    let kept = |values: &[f64], row: usize| -> Vec<f64> {
        let row = values[row * COLUMNS..][..COLUMNS].iter().copied();
        row.filter(|value| *value > 600.0).collect()
    };
    let sizes = [("rows", 64), ("columns", COLUMNS)];
    let packed = |[values]: &[Vec<f64>; 1], i: usize| {
        let kept = kept(values, i / COLUMNS);
        kept.get(i % COLUMNS).copied().unwrap_or(0.0)
    };
    let count = |[values]: &[Vec<f64>; 1], row: usize| kept(values, row).len() as f64;
    let kernel = "compact_rows";
    assert_each(kernel, sizes, (["values"], "packed"), 0.0, packed);
    assert_each(kernel, sizes, (["values"], "counts"), 0.0, count);
}

#[test]
fn last_seen_is_today_for_what_was_seen() {
    const KINDS: usize = 256;
    let day = |[sightings, days]: &[Vec<f64>; 2], kind: usize| {
        let seen = sightings.iter().any(|s| whole(*s) % KINDS == kind);
        if seen { 365.0 } else { days[kind] }
    };
    assert_each(
        "last_seen",
        [("items", 128), ("per_item", 2), ("kinds", KINDS)],
        (["sightings", "days"], "days"),
        0.0,
        day,
    );
}
