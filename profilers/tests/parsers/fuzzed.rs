//! What fuzzing found, kept: a file each in `found/`, tried in every format.

use kerncast_profilers::{Format, parse_as, parse_bytes};

use super::check;

#[test]
fn what_fuzzing_found_stays_fixed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/found");
    for file in std::fs::read_dir(folder).expect("a folder") {
        let bytes = std::fs::read(file.expect("a file").path()).expect("its bytes");
        check::result(parse_bytes(&bytes));
        let text = String::from_utf8_lossy(&bytes);
        for format in Format::ALL {
            check::result(parse_as(format, &text));
        }
    }
}
