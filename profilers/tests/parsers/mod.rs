//! Parsers on captured files, on mistakes, on what fuzzing found, and on anything.
#![expect(clippy::float_cmp, reason = "numbers that are read, not computed")]

mod captured;
mod check;
mod fuzzed;
mod mistakes;
mod print_tidy;
mod properties;
