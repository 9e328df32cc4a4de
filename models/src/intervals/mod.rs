//! Intervals of forecasts: how wide they must be to hold for kernels that the model has not seen, and whether they do.

mod calibration;
mod coverage;
mod ranked;

pub use calibration::{Calibration, Interval};
pub use coverage::{coverage, coverage_by};
