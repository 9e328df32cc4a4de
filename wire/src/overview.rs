use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AgentStatus, Attention, Coverage, DeviceSummary, Errors, FitRefusal, HoldOutKey};

/// How everything is, at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Overview {
    /// Kernels that samples speak of, but for generated ones.
    pub kernels: i64,
    /// Samples stored.
    pub samples: i64,
    /// Every device, with what is forecast there.
    pub devices: Vec<DeviceOverview>,
    /// The first thousand agents by name; `GET /v1/agents` lists all.
    pub agents: Vec<AgentStatus>,
    /// Whether there are more.
    pub more_agents: bool,
    /// How many of these have not been seen for two days. Attention names a few.
    pub silent_agents: usize,
    /// How many of these fail and are not silent. Attention names a few.
    pub failing_agents: usize,
    /// What a person should look at: at most ten silent agents, ten that fail, and ten whose samples are quarantined.
    pub attention: Vec<Attention>,
}

/// A device and its forecasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceOverview {
    /// The device.
    #[serde(flatten)]
    pub device: DeviceSummary,
    /// One a provider whose counters models of times were fitted to.
    pub providers: Vec<ProviderOverview>,
}

/// What is forecast on a device from a provider's counters.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderOverview {
    /// The provider.
    pub provider: String,
    /// The model that answers when none is named; absent where every fit was refused.
    pub champion: Option<ChampionOverview>,
    /// Fits that were refused and that nothing newer has replaced.
    pub refused: i64,
    /// Why the newest of them was.
    pub refusal: Option<String>,
    /// The same, as a kind with its numbers.
    pub why: Option<FitRefusal>,
}

/// A champion in one cell.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChampionOverview {
    /// The model's id.
    pub model: Uuid,
    /// Its method.
    pub method: String,
    /// The variant that it is of; absent: all.
    pub variant: Option<String>,
    /// When it was fitted.
    pub created_at: DateTime<Utc>,
    /// Samples it was fitted to.
    pub samples: i64,
    /// Kernels among them.
    pub kernels: i64,
    /// Errors on kernels that the fit had not seen; absent: it could not be validated.
    pub leave_one_kernel_out: Option<Errors>,
    /// How its 90 % intervals did on kernels that the fit had not seen; absent: it has none.
    pub coverage: Option<Coverage>,
    /// The mean error of the fit of the same specification before it, as a fraction; absent where there is none that
    /// had stood for half a day and had half as many samples: a device's first fits move with every upload.
    pub mean_ape_before: Option<f64>,
    /// What was left out to choose it: families, or kernels where there are too few of these.
    pub judged_by: Option<HoldOutKey>,
    /// The factor of these, by which it was chosen; absent where nothing could be forecast above 0.
    pub factor: Option<f64>,
    /// The same of the fit of the same specification before it.
    pub factor_before: Option<f64>,
    /// The kernel that it forecasts worst.
    pub worst_kernel: Option<WorstKernel>,
}

/// The kernel that a model forecasts worst.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorstKernel {
    /// The kernel.
    pub kernel: String,
    /// Mean of |predicted ÷ measured − 1| over its rows, by fits without it.
    pub mean_ape: f64,
}
