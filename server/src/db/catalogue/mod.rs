//! What samples speak of: devices, counters, kernels; and what streams through devices can do.

pub(crate) mod devices;
pub(crate) mod kernels;
mod short_names;
pub(crate) mod streams;
