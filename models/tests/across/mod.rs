//! Across devices, from outside.

mod common;
mod methods;
mod pair;
mod refusals;
