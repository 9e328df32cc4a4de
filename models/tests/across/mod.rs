//! Across devices, from outside.

mod by_ceilings;
mod ceilings;
mod common;
mod methods;
mod pair;
mod refusals;
