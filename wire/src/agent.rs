//! Agents: what they report, and how they are.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::Agent;

/// What an agent says of itself at the end of `kerncast run` and `kerncast upload`: sent to
/// `POST /v1/agents`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentReport {
    /// The agent that reports.
    pub agent: Agent,
    /// Files of samples and ceilings that wait in its spool; absent where it can't be read.
    pub spool: Option<u32>,
    /// When the oldest of these was put there, by the agent's clock; absent where none waits.
    pub spool_since: Option<DateTime<Utc>>,
    /// Files of its spool that the server refused and nobody has removed yet.
    pub rejected: Option<u32>,
    /// The result of measuring; absent where the command measured nothing: the run before stays known.
    pub run: Option<RunReport>,
}

/// The result of one `kerncast run`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunReport {
    /// When it ended.
    pub ended_at: DateTime<Utc>,
    /// Workloads measured.
    pub measured: u32,
    /// Workloads that failed.
    pub failed: u32,
    /// Workloads that did not run: the budget was over, the device is too small.
    pub skipped: u32,
    /// What went wrong: the first 20 messages.
    #[serde(default)]
    pub errors: Vec<String>,
    /// Devices measured, with `CL_DRIVER_VERSION`.
    #[serde(default)]
    #[schema(example = json!({"NVIDIA H200": "580.159.04"}))]
    pub drivers: BTreeMap<String, String>,
    /// Profilers and their versions.
    #[serde(default)]
    #[schema(example = json!({"oclgrind": "21.10"}))]
    pub tools: BTreeMap<String, String>,
}

/// An agent, as its uploads and its reports show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentStatus {
    /// Its name.
    pub name: String,
    /// Its newest version.
    pub version: String,
    /// Whether somebody should look after it.
    pub state: AgentState,
    /// Samples it sent.
    pub samples: i64,
    /// Its newest upload or report.
    pub last_seen_at: DateTime<Utc>,
    /// Its newest upload; absent where it has never uploaded.
    pub last_upload_at: Option<DateTime<Utc>>,
    /// Its newest report; absent where it has never sent one.
    pub reported_at: Option<DateTime<Utc>>,
    /// Files that waited in its spool then.
    pub spool: Option<u32>,
    /// Since when the oldest of these waited, by its clock; absent where none did.
    #[serde(default)]
    pub spool_since: Option<DateTime<Utc>>,
    /// Files of its spool that the server had refused then.
    pub rejected: Option<u32>,
    /// Its last run that it reported.
    pub run: Option<RunReport>,
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgentState {
    /// Its last run and its last upload went well.
    Well,
    /// Workloads of its last run failed, something else went wrong, or the server refused files.
    Failing,
    /// It has not been seen for two days.
    Silent,
    /// It has never reported: its samples were imported, or it is older than reports.
    Unreported,
    /// It is elsewhere: its samples came with Kerncast.
    Shipped,
    /// All its tokens were revoked, and it has not reported since.
    Retired,
}
