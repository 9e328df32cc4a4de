#![no_main]

use kerncast_profilers::{Format, Launch, parse, parse_as};
use libfuzzer_sys::fuzz_target;

#[path = "../check.rs"]
mod check;
#[path = "../../tests/parsers/print_tidy.rs"]
mod print_tidy;

// What was read, printed and read again is the same.
fuzz_target!(|text: &str| {
    let result = parse_as(Format::Tidy, text);
    if let Ok(profile) = &result {
        let again = parse(&print_tidy::print_tidy(&profile.launches)).expect("a printed table is a table");
        let nowhere = |launch: &Launch| Launch {
            line: 0,
            ..launch.clone()
        };
        let (before, after) = (
            profile.launches.iter().map(nowhere),
            again.launches.iter().map(nowhere),
        );
        assert!(before.eq(after));
    }
    check::result(result);
});
