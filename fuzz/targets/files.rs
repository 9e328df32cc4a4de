//! libFuzzer's entry to `kerncast_fuzz::files`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kerncast_fuzz::files::fuzz(bytes));
