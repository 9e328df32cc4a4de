//! The regression core, from outside.

mod any_rows;
mod champion;
mod common;
mod cores;
mod dataset;
mod errors;
mod guards;
mod hold_out;
mod intervals;
mod known_costs;
mod leave_one_out;
mod methods;
mod nist;
mod properties;
mod speedups;
mod warnings;
mod waves;
mod waves_forest;
