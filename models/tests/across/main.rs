//! Across devices, from outside; one binary, which links faster than one a file.

mod by_ceilings;
mod ceilings;
mod common;
mod methods;
mod pair;
mod refusals;
