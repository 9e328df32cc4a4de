//! How wide a forecast's interval has to be so that it holds for kernels that the model has not seen, and
//! whether it does.

mod calibration;
mod coverage;
mod error;
mod ranked;

pub use calibration::{Calibration, Interval};
pub use coverage::{coverage, coverage_by};
pub use error::NoInterval;
