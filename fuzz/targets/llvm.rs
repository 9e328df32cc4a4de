//! libFuzzer's entry to `kerncast_fuzz::llvm`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| kerncast_fuzz::llvm::fuzz(text));
