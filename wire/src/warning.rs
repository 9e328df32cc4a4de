use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

pub use self::{
    parts::{AbsurdSample, CounterValue, Disagreeing, MissedKernel},
    said::Warnings,
};
use crate::{Flag, HoldOutKey, Lies, Scope, Standing};

mod parts;
pub(crate) mod said;
mod text;

/// What a reader should know before believing an answer or a model, or why an answer lacks a part: a kind with its
/// numbers. Its English text is in the field beside it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    /// Of a model: it learns from another device's kernels, their times converted by both data sheets, and is judged by
    /// them.
    Borrowed {
        /// The other's name.
        of: String,
        /// How many.
        kernels: usize,
    },
    /// Of a model: samples of several launches are left out.
    LaunchesLeftOut {
        /// Samples that it is about.
        samples: usize,
    },
    /// Of a model: samples that lack a counter are left out.
    CounterLacking {
        /// `PROVIDER:NAME`.
        counter: String,
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
    },
    /// Of a model: samples have counters of a part of the launch.
    CountedInPart {
        /// Whose counters.
        provider: String,
        /// Of what part.
        scope: Scope,
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
    },
    /// Of a model: more than a tenth of its samples are flagged, so many of them so.
    Flagged {
        /// Which flag.
        flag: Flag,
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
    },
    /// Of a model: samples that are absurdly far off are not fitted.
    Absurd {
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
        /// The first of them.
        named: Vec<AbsurdSample>,
    },
    /// Of a model: quarantined or rejected samples of its device are left out.
    SetAside {
        /// Samples that it is about.
        samples: usize,
        /// What they are.
        standing: Standing,
    },
    /// Of a model: too few kernels to tell the counters' costs apart; sizes of one kernel are no substitute.
    FewKernels {
        /// Kernels that it is about.
        kernels: usize,
        /// Counters that it is about.
        counters: usize,
    },
    /// Of a model: the counters nearly combine each other, so that a fit can't share the time out between them.
    NearlyCollinear {
        /// Condition number of the scaled counters: how much a relative error in them can grow; absent: without end.
        condition: Option<f64>,
    },
    /// Of a model: it gives impossible times even to samples that it has seen.
    NegativeTimes {
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
    },
    /// Of a model: times lie outside the intervals of their own forecasts, though the fit has seen them.
    Missed {
        /// Times that it is about.
        times: usize,
        /// Of so many.
        of: usize,
        /// Kernels that it is about.
        kernels: usize,
        /// Of the intervals: 0.9 is 90 %.
        level: f64,
        /// Those farthest off.
        farthest: Vec<MissedKernel>,
    },
    /// Of a model: where these were left out, no fit was left to judge by.
    NotJudged {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// In English.
        why: Option<String>,
    },
    /// Of a model: forecasts of what was left out are at or below 0.
    NegativeForecasts {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// Forecasts that it is about.
        forecasts: usize,
        /// Of so many.
        of: usize,
    },
    /// Of a model: samples that were left out could not be forecast.
    NotForecast {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// Samples that it is about.
        samples: usize,
        /// Of so many.
        of: usize,
    },

    /// A measured time lies outside the interval: an alarm.
    MeasuredOutside {
        /// Seconds.
        measured_s: f64,
        /// The interval's.
        level: f64,
        /// On which side of it.
        lies: Lies,
        /// How many times beyond the interval's nearer end.
        factor: f64,
    },
    /// What a profiler counted of the launch's time lies far outside the interval.
    ProfiledOutside {
        /// Whose, as `PROVIDER:NAME`.
        counter: String,
        /// Seconds.
        time_s: f64,
        /// On which side of the interval.
        lies: Lies,
        /// How many times beyond its nearer end.
        factor: f64,
    },
    /// Fits under way may change the answer.
    Pending {
        /// Whose counters.
        providers: Vec<String>,
        /// When the first of them was asked for.
        since: DateTime<Utc>,
    },
    /// A forecast at or below 0 is no time.
    NoTime {
        /// Seconds that the model says.
        time_s: f64,
    },
    /// Other models differ by more than the intervals say: the interval is widened to hold what those say that have seen
    /// the like.
    Disagree {
        /// The farthest off first.
        others: Vec<Disagreeing>,
    },
    /// The counters are of several launches, and the model has learnt from single ones.
    SeveralLaunches {
        /// How many.
        launches: f64,
    },
    /// Only the launch's geometry is known to the model: how much each work-item does is not counted.
    OnlyGeometry {
        /// Providers whose counters it does not use.
        unused: Vec<String>,
    },
    /// Nothing that these providers counted is used, only the geometry that came with it.
    CountersUnused {
        /// Whose counters.
        providers: Vec<String>,
    },
    /// Counters of the model are missing: the means of its samples stand in.
    Missing {
        /// Counters that it is about.
        counters: usize,
        /// Counters of the model.
        of: usize,
        /// Whose counters.
        provider: String,
        /// The first of them, with their means.
        named: Vec<CounterValue>,
    },
    /// Counters lie outside what the model has seen: the farthest.
    Outside {
        /// `PROVIDER:NAME`.
        counter: String,
        /// Its value.
        value: f64,
        /// Smallest value seen.
        min: f64,
        /// Largest value seen.
        max: f64,
        /// The next of them.
        others: Vec<CounterValue>,
        /// How many there are beyond those.
        more: usize,
    },
    /// A counter of the set is no known one, and has nearly the name of one that the set lacks. It is not used.
    Misspelt {
        /// `PROVIDER:NAME`.
        counter: String,
        /// The known one, `PROVIDER:NAME`.
        meant: String,
    },
    /// The model could not be validated on kernels that it had not seen.
    NotValidated,
    /// A GPU that nobody has measured is of another architecture than the one whose models answer.
    OtherArchitecture {
        /// Its name.
        gpu: String,
        /// What the other is called.
        like: String,
    },
    /// The model says less than the device's measured ceilings allow, which is given in its place.
    BelowCeilings {
        /// Seconds that the model says.
        time_s: f64,
        /// Seconds that they allow.
        least_s: f64,
    },

    /// No interval: its upper end is below what the device's measured ceilings allow.
    AgainstCeilings {
        /// Seconds that the model says at most.
        high_s: f64,
        /// Seconds that they allow.
        least_s: f64,
    },
    /// No interval: counters are missing, and how far means in their place are off is not known.
    MeansUnknown,
    /// No interval: the model is too far off for an upper end.
    TooFarOff,
    /// No interval: the level is no share.
    NoLevel {
        /// Of the intervals: 0.9 is 90 %.
        level: f64,
    },
    /// No interval: too few kernels, or regions of kernels, were left out to know what is exceeded so rarely.
    TooFewLeftOut {
        /// That were left out.
        folds: usize,
        /// That are enough.
        needed: f64,
        /// Of the intervals: 0.9 is 90 %.
        level: f64,
    },
    /// No interval: too many forecasts of what was left out are no times.
    TooManyNoTimes {
        /// Of the intervals: 0.9 is 90 %.
        level: f64,
    },
    /// No interval: nothing was forecast.
    NothingForecast,
    /// No interval: the forecast itself is no time.
    NothingToBound {
        /// Seconds that the model says.
        time_s: f64,
    },
}
