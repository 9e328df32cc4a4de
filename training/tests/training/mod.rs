//! From samples to models, step by step.

mod data;
mod fingerprints;
mod fits;
mod gate;
mod questions;
mod rows;
mod sift;
mod validations;
