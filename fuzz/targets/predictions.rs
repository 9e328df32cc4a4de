//! libFuzzer's entry to `kerncast_fuzz::predictions`.

#![no_main]

libfuzzer_sys::fuzz_target!(|body: &[u8]| kerncast_fuzz::predictions::fuzz(body));
