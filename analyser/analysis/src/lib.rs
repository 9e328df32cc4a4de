//! Analyses a kernel's memory accesses and forecasts its counters, from OpenCL C and a launch file alone: no device, no
//! run, no I/O. Compilers' output comes in as text.

pub mod accesses;
pub mod ast;
mod callee;
pub mod cpu_counters;
pub mod draft;
pub mod gpu_counters;
mod hazards;
pub mod llvm;
pub mod localize;
mod math_functions;
pub mod oclgrind_counters;
mod reuse;
pub mod run;
pub mod sampling;
mod uniform;

pub use hazards::{Hazards, Origin, hazards};
pub use math_functions::math_functions;
