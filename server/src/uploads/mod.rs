//! Uploads: what must be so beyond their JSON types, what their token may say, and how they are stored.

pub(crate) mod agent_reports;
pub(crate) mod ceilings;
pub(crate) mod claims;
pub(crate) mod decisions;
mod fields;
pub(crate) mod measurements;
pub(crate) mod samples;
pub(crate) mod sources;
pub(crate) mod stream_rates;
