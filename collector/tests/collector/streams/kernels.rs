//! What streams launch (docs/streams.md), as kernels' folders, which are measured as any kernel's.

use kerncast_suite::load;

use crate::common::{Place, expect_exit, rows};

const FOLDERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../streams/primitives/kernels");

#[test]
fn each_folder_is_measured() {
    let place = Place::new();
    let arguments = [
        "run",
        "--json",
        "--no-upload",
        "--provider",
        "launch",
        "--first-sizes",
        "1",
        "--kernels",
        FOLDERS,
    ];
    let rows = rows(&expect_exit(place.kerncast(&arguments), 0));
    for kernel in load(FOLDERS.as_ref()).expect("kernels") {
        let mut its = rows.iter().filter(|row| row["kernel"] == kernel.name);
        for variant in &kernel.variants {
            assert!(
                its.any(|row| row["variant"] == variant.name && row["status"] == "measured"),
                "{} {}: {rows:?}",
                kernel.name,
                variant.name
            );
        }
    }
}
