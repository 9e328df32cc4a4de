//! libFuzzer's entry to `kerncast_fuzz::launch`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| kerncast_fuzz::launch::fuzz(text));
