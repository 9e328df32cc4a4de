//! Models: stored, listed and shown, with their validations.

pub(crate) mod fit_parts;
pub(crate) mod fits;
pub(crate) mod listing;
pub(crate) mod stored_fit;
pub(crate) mod validations;
