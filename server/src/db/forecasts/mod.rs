//! What forecasts are made from: fits, devices, and pairs of variants that show what a change brings.

pub(crate) mod forecasters;
pub(crate) mod machines;
pub(crate) mod speedups;
