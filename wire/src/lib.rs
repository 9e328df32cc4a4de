//! What crosses HTTP between Kerncast's agents, its server and its dashboard.
//!
//! Types, what people call a device, and warnings, reasons and what needs attention in words: each type derives its JSON
//! form (serde) and its OpenAPI schema (utoipa). Times are seconds; fractions are plain numbers (0.05 is 5 %); an absent counter is absent, never 0. Unknown
//! fields are refused in everything that a client sends.

mod access;
mod agent;
mod analysis;
mod at_most;
mod attention;
mod audit;
mod catalogue;
mod ceilings;
mod conditions;
mod doubt;
mod each_once;
mod event;
mod facts;
mod fit_refusal;
mod held;
mod job;
mod kernel;
mod known_analysis;
mod lies;
pub mod limits;
mod model;
mod overview;
mod pair;
mod prediction;
mod problem;
mod reasons;
mod role;
mod roofline;
mod sample;
mod short_name;
mod source;
mod speedup;
mod standing;
pub mod text;
mod validation;
mod warning;
pub mod words;

pub use access::{Access, MadeToken, NewToken, Readers, TokenRole, TokenSummary};
pub use agent::{AgentReport, AgentState, AgentStatus, RunReport};
pub use analysis::{AccessClass, AccessDoes, Memory, SourceAccess, SourceNote, VariantAnalysis};
pub use at_most::AtMost;
pub use attention::{Attention, Because};
pub use audit::{AuditAction, AuditEntry};
pub use catalogue::{CounterKind, CounterSummary, DeviceSummary, MeasuredCeilings, Page};
pub use ceilings::{Ceilings, NewCeilings};
pub use conditions::{Conditions, Flag};
pub use doubt::{CounterChange, Doubt, RateOf};
pub use each_once::CounterSet;
pub use event::Event;
pub use facts::{Facts, Holds, PerCycle, Unmeasured};
pub use fit_refusal::FitRefusal;
pub use held::{HeldBecause, Uploads};
pub use job::{FittingJob, FittingJobs};
pub use kernel::{KernelDetail, KernelSample, KernelSummary, KernelTime, SourceUse};
pub use known_analysis::{KernelAnalysis, KnownAnalysis};
pub use lies::Lies;
pub use model::{
    Coefficient, Coverage, DroppedCounter, Fit, FitForm, ModelDetail, ModelSpecification,
    ModelSummary,
};
pub use overview::{ChampionOverview, DeviceOverview, Overview, ProviderOverview, WorstKernel};
pub use pair::{DevicePair, PairModel};
pub use prediction::{
    Baseline, Better, Bound, Explanation, FileNote, Floor, Forecast, Interval, Measured,
    NamedCounterSet, Other, Outcome, Outside, Part, Prediction, PredictionRequest, Predictions,
    Raised, Refused, Share, Trust, TrustWord,
};
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
pub use validation::{Errors, HeldOut, HoldOut, HoldOutKey, KernelErrors, Validation};
pub use warning::{AbsurdSample, CounterValue, Disagreeing, MissedKernel, Warning, Warnings};

/// Shows words as JSON has them.
macro_rules! shown_as_in_json {
    ($($words:ty),*) => {$(
        impl std::fmt::Display for $words {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                serde::Serialize::serialize(self, f)
            }
        }
    )*};
}

shown_as_in_json!(
    Decision, DeviceKind, Flag, HoldOutKey, Memory, Role, Standing, TrustWord
);
