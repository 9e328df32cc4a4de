//! Makes models from samples, for the server and for `kerncast evaluate` alike.
//!
//! A [`Question`] says what is forecast, and from whose counters. The question and the [`Samples`] make a [`Training`]
//! for every [`Approach`] to it: a dataset, the samples behind it, and warnings about them. A [`Candidate`] is a
//! training with its method, whose fingerprint tells whether it was fitted before. Fitting and validating it gives a
//! [`Model`]. The [`gate`] says which samples may be learned from.
//!
//! No I/O: reading samples and storing models is left to others.

mod approaches;
mod borrowed;
mod candidate;
mod counters;
mod defect;
pub mod gate;
mod model;
mod question;
pub mod rates;
mod rows;
mod samples;
mod sift;
mod validation;
mod validations;
mod warnings;

pub use approaches::{Approach, PAPERS_METHOD, approaches, questions};
pub use borrowed::{ENOUGH_KERNELS, Lender, lender};
pub use candidate::{Candidate, Fingerprint, code_versions};
pub use model::{Fit, Model};
pub use question::{Question, Response};
pub use rows::{Input, Training};
pub use samples::{GLOBAL, LOCAL, Sample, Samples, Timed};
pub use validation::{
    HoldOutReport, LEVEL, Validation, validate_method, validate_on, validate_transfer,
};
pub use validations::Validations;
