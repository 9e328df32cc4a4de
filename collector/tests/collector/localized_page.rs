//! What a kernel's page is told of tiles: their halo, their padding, and what the banks are asked for.

use std::{fs, path::Path};

use kerncast_analysis::localize::{Form, Rule};
use kerncast_collector::{
    clang::Clang,
    localize::{Wishes, rewritten, write},
    localized_page::on_page,
    providers::Analysis,
};
use kerncast_suite::load;
use kerncast_wire::{Mechanism, PlacedArray};

/// Of a kernel of the suite.
fn placed(kernel: &str) -> Vec<PlacedArray> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../kernels")
        .join(kernel);
    let own = load(&folder).expect("a launch file").remove(0);
    let wishes = Wishes {
        most_bytes: 32 << 10,
        only: Vec::new(),
        rule: Rule::Shared,
        tile: None,
        form: Form::default(),
    };
    let rewritten = rewritten(&Clang::find().expect("clang"), &own, &wishes).expect("read");
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path().join(kernel);
    fs::create_dir(&folder).expect("a folder");
    write(&own, &rewritten, &folder).expect("written");
    let on_page =
        on_page(&Analysis::find(), &folder, &rewritten.localized.placed).expect("read again");
    let variant = on_page.variant.expect("sizes for a GPU");
    assert_eq!(variant.variant, "local_generated");
    assert!(variant.counters.is_some(), "{:?}", variant.uncounted);
    on_page.placed
}

fn of<'p>(placed: &'p [PlacedArray], array: &str) -> &'p PlacedArray {
    let mut all = placed.iter();
    all.find(|it| it.array == array).expect("it is placed")
}

/// By side: elements, before and behind the work-group's own, as declared.
fn sides(placed: &PlacedArray) -> Vec<(u32, u32, u32, Option<u32>)> {
    let sides = placed.sides.iter();
    sides
        .map(|it| (it.extent, it.before, it.behind, it.length))
        .collect()
}

#[test]
fn a_stencil_has_its_halo_on_each_side() {
    // A window of 3 × 3 around each of 16 × 16 work-items.
    let all = placed("sobel_filter");
    let image = of(&all, "image");
    assert_eq!(image.mechanism, Mechanism::Tile);
    assert_eq!(image.name.as_deref(), Some("image_tile"));
    assert_eq!(sides(image), [(18, 1, 1, Some(18)), (18, 1, 1, Some(18))]);
    // A warp is two rows of 16, 18 words apart: words 0 and 1 of the first row's bank are asked for again by the second.
    let request = image.request.as_ref().expect("it is read");
    assert_eq!((request.passes, request.lanes.len()), (2, 32));
    assert_eq!(
        (request.lanes[16].offset, request.lanes[31].offset),
        (72, 132)
    );
}

#[test]
fn a_halo_is_told_from_the_border_that_the_array_has() {
    // Four elements each way, of an array with a border of four, so that a work-item's own is the fifth.
    let all = placed("fdtd3d");
    let before = of(&all, "before");
    assert_eq!(before.mechanism, Mechanism::Plane);
    let expected = [
        (1, 0, 0, Some(1)),
        (16, 4, 4, Some(16)),
        (40, 4, 4, Some(40)),
    ];
    assert_eq!(sides(before), expected);
}

#[test]
fn rows_are_padded_so_that_no_bank_is_asked_twice() {
    let all = placed("gemv");
    let a = of(&all, "a");
    assert_eq!(sides(a), [(64, 0, 0, Some(64)), (16, 0, 0, Some(17))]);
    let request = a.request.as_ref().expect("it is read");
    assert_eq!(request.passes, 1);
    // Lanes read 17 words from each other, and so 32 banks.
    let lanes = request.lanes.iter();
    let mut banks: Vec<u32> = lanes.map(|it| it.offset / 4 % 32).collect();
    banks.sort_unstable();
    banks.dedup();
    assert_eq!(banks.len(), 32, "{request:?}");
    assert_eq!(request.lanes[1].offset - request.lanes[0].offset, 68);
}
