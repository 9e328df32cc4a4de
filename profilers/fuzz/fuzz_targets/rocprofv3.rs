#![no_main]

use kerncast_profilers::{Format, parse_as};
use libfuzzer_sys::fuzz_target;

#[path = "../check.rs"]
mod check;

fuzz_target!(|text: &str| {
    check::result(parse_as(Format::Rocprofv3Counters, text));
    check::result(parse_as(Format::Rocprofv3Trace, text));
    check::result(parse_as(Format::Rocprofv3Json, text));
});
