#![no_main]

use kerncast_profilers::{join, parse_bytes};
use libfuzzer_sys::fuzz_target;

#[path = "../check.rs"]
mod check;

// Whatever a user uploads, and every file joined with itself.
fuzz_target!(|bytes: &[u8]| {
    let result = parse_bytes(bytes);
    if let Ok(profile) = &result {
        let joined = join(profile.clone(), profile.clone()).expect("a file fits itself");
        assert_eq!(joined.launches.len(), profile.launches.len());
    }
    check::result(result);
});
