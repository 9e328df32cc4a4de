//! Programs as text: executed, counted, and wrong in any way.

mod cpu;
mod hostile;
mod run;
