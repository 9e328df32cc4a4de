use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What has changed since a time: what is new, and what differs by more than measuring again explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Changes {
    /// The time.
    pub since: DateTime<Utc>,
    /// What agents have measured since, by device, the most first.
    pub samples: Vec<NewSamples>,
    /// Of each device, by its id, how much times vary where nothing has changed: nineteen in twenty measurements lie
    /// within this factor of the one before, of the same workload. Of what was measured before `since`; absent where
    /// fewer than 20 workloads were measured again: then no times of the device are compared.
    pub noise: BTreeMap<i64, f64>,
    /// Workloads whose time differs by more than twice the noise (in logarithms), and by 3 % at least: the median of
    /// the newest five samples since and of the newest five before. The farthest first, 100 at most.
    pub times: Vec<TimeChange>,
    /// How many more there are.
    pub more: usize,
    /// Champions of times whose error differs by more than a tenth of itself (in logarithms).
    pub models: Vec<ErrorChange>,
}

/// What is new on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewSamples {
    /// The device.
    pub device: i64,
    /// Samples that agents have measured since.
    pub samples: i64,
    /// Workloads that they are of.
    pub workloads: i64,
    /// Those among them that it had not run before.
    pub new_workloads: i64,
}

/// A workload that has become slower or faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimeChange {
    /// The device.
    pub device: i64,
    /// The kernel.
    pub kernel: String,
    /// The variant.
    pub variant: String,
    /// Sizes.
    pub parameters: BTreeMap<String, i64>,
    /// Seconds before.
    pub before_s: f64,
    /// Seconds since.
    pub now_s: f64,
    /// `now_s` ÷ `before_s`.
    pub factor: f64,
    /// The newest sample before.
    pub before: Uuid,
    /// The newest sample since.
    pub sample: Uuid,
}

/// A model that has become worse or better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ErrorChange {
    /// The device.
    pub device: i64,
    /// Whose counters.
    pub provider: String,
    /// The champion.
    pub model: Uuid,
    /// Its method.
    pub method: String,
    /// The factor that forecasts of the model of the same kind were off by, about kernels that it had not seen.
    pub before: f64,
    /// The champion's.
    pub now: f64,
}
