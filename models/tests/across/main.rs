//! Across devices, from outside; one binary, which links faster than one a file.

mod ceilings;
mod common;
mod errors;
mod matrix;
mod methods;
mod pair;
mod paper;
mod unseen;
