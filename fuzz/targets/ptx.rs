#![no_main]

libfuzzer_sys::fuzz_target!(|binary: &[u8]| kerncast_fuzz::ptx::fuzz(binary));
