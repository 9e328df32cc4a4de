//! What looking after the database needs to know of it.

pub(crate) mod backup;
pub(crate) mod sizes;
