//! Where a measured time lies, seen from its interval.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where a measured time lies: outside the interval is an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Lies)]
pub enum Position {
    /// Below the interval: the kernel is faster than forecast.
    Below,
    /// Within the interval.
    Within,
    /// Above the interval: the kernel is slower than forecast.
    Above,
}
