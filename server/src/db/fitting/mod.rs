//! Fitting jobs: what they are asked for, what the gate judges, what they are fitted to, and whose models answer.

pub(crate) mod gate;
pub(crate) mod highest_rates;
pub(crate) mod history;
mod hold_outs;
pub(crate) mod inputs;
pub(crate) mod jobs;
pub(crate) mod moves;
pub(crate) mod succession;
pub(crate) mod training;
