//! What is uploaded, stored and read back: samples with their readings, ceilings, rates of streams, sources, agents' reports; and what admins
//! decide of samples.

pub(crate) mod agents;
pub(crate) mod content_hash;
pub(crate) mod decisions;
pub(crate) mod descriptions;
pub(crate) mod measurements;
pub(crate) mod readings;
pub(crate) mod samples;
pub(crate) mod sources;
pub(crate) mod store_samples;
