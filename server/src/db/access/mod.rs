//! Tokens, and the log of what admins did.

pub mod audit;
pub mod tokens;
