//! libFuzzer's entry to `kerncast_fuzz::upload`.

#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| kerncast_fuzz::upload::fuzz(body));
