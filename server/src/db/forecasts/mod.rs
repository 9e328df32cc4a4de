//! What forecasts are made from: fits, devices, and pairs of variants that show what a change brings.

pub(crate) mod devices;
pub(crate) mod speedups;
pub(crate) mod stored_models;
