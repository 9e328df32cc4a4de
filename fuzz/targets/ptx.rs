//! libFuzzer's entry to `kerncast_fuzz::ptx`.

#![no_main]

libfuzzer_sys::fuzz_target!(|binary: &[u8]| kerncast_fuzz::ptx::fuzz(binary));
