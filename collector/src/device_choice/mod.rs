//! The device that a user means: one of this machine's, or one to forecast, which need not be here.

pub mod local;
pub mod target;
