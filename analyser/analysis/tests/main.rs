//! Programs as text: executed, counted, and wrong in any way. What needs clang is tested in
//! `collector/tests/collector/analyser`.

mod cpu_counters;
mod hostile;
mod run;
