#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kerncast_fuzz::files::fuzz(bytes));
