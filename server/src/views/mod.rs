//! Answers that are computed from what is stored and are no forecasts of kernels: the overview and what needs attention,
//! rooflines, whether offloading pays.

pub(crate) mod offload;
pub(crate) mod overview;
pub(crate) mod roofline;
