//! The regression core, from outside.

mod across;
mod golden;
mod regression;
