//! What crosses HTTP between Kerncast's agents, its server and its dashboard.
//!
//! Each type derives its JSON form (serde) and its OpenAPI schema (utoipa). Warnings, reasons and what needs attention
//! also have their English text here. Times are seconds; fractions are plain numbers (0.05 is 5 %); an absent counter is
//! absent, never 0. Unknown fields are refused in everything that a client sends.

mod access;
mod agent;
mod analysis;
mod attention;
mod audit;
mod bounded_list;
mod catalogue;
mod ceilings;
mod conditions;
mod device_pair;
mod doubt;
mod event;
mod fit_refusal;
mod gpu_facts;
mod held_model;
mod job;
mod kernel;
pub mod limits;
mod model;
mod overview;
mod page;
mod position;
mod prediction;
mod prediction_request;
mod problem;
pub mod provider;
mod reasons;
mod role;
mod roofline;
mod sample;
mod short_name;
mod source;
mod speedup;
mod standing;
pub mod terminal_text;
mod unique_names;
mod validation;
mod warning;
pub mod words;

pub use access::{Access, MadeToken, NewToken, Readers, TokenRole, TokenSummary};
pub use agent::{AgentReport, AgentState, AgentStatus, RunReport};
pub use analysis::{
    AccessClass, AccessDoes, KernelAnalysis, KnownAnalysis, Memory, SourceAccess, SourceNote,
    VariantAnalysis,
};
pub use attention::{Attention, Because};
pub use audit::{AuditAction, AuditEntry};
pub use bounded_list::AtMost;
pub use catalogue::{CounterKind, CounterSummary, DeviceSummary, MeasuredCeilings};
pub use ceilings::{Ceilings, NewCeilings};
pub use conditions::{Conditions, Flag};
pub use device_pair::{DevicePair, PairModel};
pub use doubt::{CounterChange, Doubt, RateOf};
pub use event::Event;
pub use fit_refusal::FitRefusal;
pub use gpu_facts::{Facts, Holds, PerCycle, Unmeasured};
pub use held_model::{HeldBecause, Uploads};
pub use job::{FittingJob, FittingJobs};
pub use kernel::{KernelDetail, KernelSample, KernelSummary, KernelTime, SourceUse};
pub use model::{
    Coefficient, Coverage, DroppedCounter, Fit, FitForm, ModelDetail, ModelSpecification,
    ModelSummary,
};
pub use overview::{ChampionOverview, DeviceOverview, Overview, ProviderOverview, WorstKernel};
pub use page::Page;
pub use position::Position;
pub use prediction::{
    Baseline, Better, Bound, Explanation, FileNote, Floor, Forecast, Interval, Other, Outcome,
    Outside, Part, Prediction, Predictions, Raised, Refused, Share, Trust, TrustWord,
};
pub use prediction_request::{Measured, NamedCounterSet, PredictionRequest};
pub use problem::{BUSY, FieldProblem, Problem};
pub use reasons::Reasons;
pub use role::Role;
pub use roofline::RooflinePoint;
pub use sample::{
    Agent, BatchVerdict, Device, DeviceKind, NVIDIA, NewSample, Origin, Provenance, Reading,
    Sample, SampleBatch, SampleVerdict, Scope, TimeSummary, Times, Verdict, Workload,
};
pub use short_name::{platform, short_name, with_platform, with_units};
pub use source::KernelSource;
pub use speedup::{
    KernelSpeedup, NoVerdict, SecondOpinion, SpeedupErrors, SpeedupForecast, SpeedupInterval,
    SpeedupModel, SpeedupRequest, SpeedupVerdict, VerdictErrors,
};
pub use standing::{
    Decided, DecidedDevice, Decision, NewAcceptance, NewDecision, SampleSelection, Standing,
};
pub use unique_names::CounterSet;
pub use validation::{Errors, HoldOut, HoldOutKey, KernelErrors, LeftOutRow, Validation};
pub use warning::{AbsurdSample, CounterValue, Disagreeing, MissedKernel, Warning, Warnings};

/// Displays words as JSON has them.
macro_rules! display_as_in_json {
    ($($words:ty),*) => {$(
        impl std::fmt::Display for $words {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                serde::Serialize::serialize(self, f)
            }
        }
    )*};
}

display_as_in_json!(
    Decision, DeviceKind, Flag, HoldOutKey, Memory, Role, Standing, TrustWord
);
