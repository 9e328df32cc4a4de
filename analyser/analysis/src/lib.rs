//! Analyses a kernel's memory accesses and forecasts its counters, from OpenCL C and a launch file alone: no device, no
//! run, no I/O. Compilers' output comes in as text.

pub mod accesses;
pub mod ast;
mod callee;
pub mod counts;
pub mod cpu;
pub mod draft;
mod hazards;
pub mod llvm;
pub mod localize;
mod math_functions;
mod reuse;
pub mod run;
mod uniform;
pub mod warps;

pub use hazards::{Hazards, Origin, hazards};
pub use math_functions::math_functions;
