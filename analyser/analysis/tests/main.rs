//! Programs as text: executed, counted, and wrong in any way.

mod cpu_counters;
mod hostile;
mod run;
