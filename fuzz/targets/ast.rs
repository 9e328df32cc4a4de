//! libFuzzer's entry to `kerncast_fuzz::ast`.

#![no_main]

libfuzzer_sys::fuzz_target!(|json: &[u8]| kerncast_fuzz::ast::fuzz(json));
