//! Fitting jobs: what they are asked for, what the gate judges, what they are fitted to, and whose models answer.

pub(crate) mod chosen_samples;
pub(crate) mod fit_key;
pub(crate) mod highest_rates;
pub(crate) mod history;
mod hold_outs;
pub(crate) mod inputs;
pub(crate) mod jobs;
pub(crate) mod judgements;
pub(crate) mod moves;
pub(crate) mod succession;
pub(crate) mod waiting_samples;
