//! What a reader should know before believing an answer or a model.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use thiserror::Error;
use utoipa::ToSchema;

use self::phrases::{other_outside, scope_in_words, side_of_interval, unused_counters};
pub use self::{
    list::Warnings,
    parts::{AbsurdSample, CounterValue, Disagreeing, MissedKernel},
};
use crate::{
    Flag, HoldOutKey, Position, Scope, Standing,
    words::{how_to_count, minute, number, seconds, some_of},
};

pub(crate) mod list;
mod parts;
mod phrases;

/// What a reader should know before believing an answer or a model, or why an answer lacks a part: a kind with its
/// numbers. Its English text is in the field beside it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Warning {
    // About a model's fit
    /// The fit also learns from another device's kernels, their times converted by both data sheets.
    #[error(
        "the device has few kernels of its own: this fit also learns from {kernels} kernels of the {of}, whose times are \
         converted by both data sheets, and is judged by them"
    )]
    Borrowed {
        /// The other device's name.
        of: String,
        /// Number of the other device's kernels.
        kernels: usize,
    },
    /// Samples of several launches are left out of the fit.
    #[error("{samples} samples are of several launches, and are left out: a forecast is of one")]
    LaunchesLeftOut {
        /// Number of samples concerned.
        samples: usize,
    },
    /// Samples that lack a counter are left out of the fit.
    #[error("{samples} of {of} samples lack {counter} and are left out")]
    CounterLacking {
        /// `PROVIDER:NAME`.
        counter: String,
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
    },
    /// Samples have counters of a part of the launch.
    #[error("{samples} of {of} samples have {provider} counters of {}", scope_in_words(*.scope))]
    CountedInPart {
        /// The provider of the counters.
        provider: String,
        /// The part of the launch that was counted.
        scope: Scope,
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
    },
    /// More than a tenth of the fitted samples are flagged, so many of them with this flag.
    #[error("{samples} of {of} samples are flagged {flag}")]
    Flagged {
        /// The flag.
        flag: Flag,
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
    },
    /// Samples whose times are absurdly far off are not fitted.
    #[error(
        "{samples} of {of} samples are not fitted, as they are absurdly far from what a fit without their kernels \
         forecasts; those of kernels that people wrote count in its errors: {}",
        some_of(.named, *.samples, ToString::to_string)
    )]
    Absurd {
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
        /// The first of them.
        named: Vec<AbsurdSample>,
    },
    /// Quarantined or rejected samples of the device are left out of the fit.
    #[error("{samples} samples of the device are {standing} and left out")]
    SetAside {
        /// Number of samples concerned.
        samples: usize,
        /// The standing of these samples.
        standing: Standing,
    },
    /// There are too few kernels to tell the counters' costs apart; sizes of one kernel are no substitute.
    #[error(
        "few kernels ({kernels}) for the counters ({counters}): {} or more are advised",
        .counters + 2
    )]
    FewKernels {
        /// Number of kernels concerned.
        kernels: usize,
        /// Number of counters.
        counters: usize,
    },
    /// Counters are nearly combinations of each other: the fit can't share the time out between them.
    #[error(
        "the counters are nearly collinear (condition number {:.0}): single coefficients mean little, and forecasts \
         unlike the samples can be far off",
        .condition.unwrap_or(f64::INFINITY)
    )]
    NearlyCollinear {
        /// Condition number of the scaled counters: how much a relative error in them can grow; absent: without end.
        condition: Option<f64>,
    },
    /// The fit gives times at or below 0 even to samples that it has seen.
    #[error("{samples} of the {of} samples fitted come out at or below 0 seconds")]
    NegativeTimes {
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
    },
    /// Times lie outside the intervals of their own forecasts, though the fit has seen them.
    #[error(
        "{times} of {of} times, of {kernels} kernels, lie outside the {:.0} % intervals of their forecasts, though the \
         fit has seen them; the farthest: {}",
        100.0 * .level, some_of(.farthest, .farthest.len(), ToString::to_string)
    )]
    Missed {
        /// Number of times outside.
        times: usize,
        /// Times in all.
        of: usize,
        /// Number of kernels concerned.
        kernels: usize,
        /// The level of the intervals: 0.9 is 90 %.
        level: f64,
        /// Those farthest off.
        farthest: Vec<MissedKernel>,
    },
    /// No fit could be made with these left out: the model's errors are not known.
    #[error(
        "leaving one {left_out} out, no fit is left to judge by{}",
        .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default()
    )]
    NotJudged {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// The reason, in English.
        why: Option<String>,
    },
    /// Forecasts of samples left out are at or below 0.
    #[error("leaving one {left_out} out, {forecasts} of {of} forecasts are at or below 0")]
    NegativeForecasts {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// Number of forecasts at or below 0.
        forecasts: usize,
        /// Forecasts in all.
        of: usize,
    },
    /// Samples left out could not be forecast.
    #[error("leaving one {left_out} out, {samples} of {of} samples could not be forecast")]
    NotForecast {
        /// What a fold leaves out.
        left_out: HoldOutKey,
        /// Number of samples concerned.
        samples: usize,
        /// Samples in all.
        of: usize,
    },

    // About one forecast
    /// A measured time lies outside the interval: an alarm.
    #[error(
        "the time measured, {}, lies outside the {:.0} % interval, a factor of {} {} end: do not rely on this forecast, \
         nor on those of kernels like it",
        seconds(*.measured_s), 100.0 * .level, number(*.factor), side_of_interval(*.lies)
    )]
    MeasuredOutside {
        /// The measured time, seconds.
        measured_s: f64,
        /// The level of the interval: 0.9 is 90 %.
        level: f64,
        /// On which side of it.
        lies: Position,
        /// How many times beyond the interval's nearer end.
        factor: f64,
    },
    /// What a profiler counted of the launch's time lies far outside the interval.
    #[error(
        "{counter} says that the launch took {}, a factor of {} {} end of the interval: the other counters or the model \
         are wrong",
        seconds(*.time_s), number(*.factor), side_of_interval(*.lies)
    )]
    ProfiledOutside {
        /// The counter that says so, as `PROVIDER:NAME`.
        counter: String,
        /// The time by the counter, seconds.
        time_s: f64,
        /// On which side of the interval.
        lies: Position,
        /// How many times beyond its nearer end.
        factor: f64,
    },
    /// Fits under way may change the answer.
    #[error(
        "fits from counters of {} are pending since {}: the answer may change once they are there (kerncast's --wait 600s \
         waits for them)",
        .providers.join(", "), minute(.since)
    )]
    Pending {
        /// The provider of the counters.
        providers: Vec<String>,
        /// When the first of them was asked for.
        since: DateTime<Utc>,
    },
    /// A forecast at or below 0 is no time.
    #[error(
        "{} is no time: a linear model can come out at or below 0, most of all for short kernels with small counters; \
         nothing more is known than \"short\"",
        seconds(*.time_s)
    )]
    NoTime {
        /// Seconds that the model says.
        time_s: f64,
    },
    /// Other models differ by more than the intervals say: the interval is widened to hold what those say that have seen
    /// the like.
    #[error(
        "models disagree by more than their intervals say, and the interval is widened to hold what those say that have \
         seen the like: {}",
        some_of(.others, .others.len(), ToString::to_string)
    )]
    Disagree {
        /// The farthest off first.
        others: Vec<Disagreeing>,
    },
    /// The counters are of several launches, and the model has learnt from single ones.
    #[error(
        "the counters are of {launches} launches, which wait each by itself, and the model has learnt from single ones: \
         forecast each launch by its own counters, and add"
    )]
    SeveralLaunches {
        /// Number of launches.
        launches: f64,
    },
    /// The kernel has atomics on global memory, and the model does not know whether they are on few addresses.
    #[error(
        "the kernel has atomics on global memory, and {provider}'s counters here do not tell on how many addresses: on few \
         it takes longer, up to many times"
    )]
    AtomicsUnplaced {
        /// The provider of the counters.
        provider: String,
    },
    /// Only the launch's geometry is known to the model: how much each work-item does is not counted.
    #[error(
        "the forecast knows only the launch's geometry: how much each work-item does is not counted{}",
        unused_counters(.unused)
    )]
    OnlyGeometry {
        /// Providers whose counters it does not use.
        unused: Vec<String>,
    },
    /// Nothing that these providers counted is used, only the geometry that came with it.
    #[error(
        "no counter of {} is used: the forecast knows only the launch's geometry",
        .providers.join(", ")
    )]
    CountersUnused {
        /// The provider of the counters.
        providers: Vec<String>,
    },
    /// Counters of the model are missing: the means of its samples stand in.
    #[error(
        "lacks {counters} of the model's {of} counters, for which the means of its samples stand in: {}{}",
        some_of(.named, *.counters, ToString::to_string), how_to_count(.provider)
    )]
    Missing {
        /// Number of counters missing.
        counters: usize,
        /// Counters of the model.
        of: usize,
        /// The provider of the counters.
        provider: String,
        /// The first of them, with their means.
        named: Vec<CounterValue>,
    },
    /// Counters lie outside what the model has seen: the farthest.
    #[error(
        "{counter} is {}, outside the {} to {} that the model has seen: this is an extrapolation{}",
        number(*.value), number(*.min), number(*.max), other_outside(.others, *.more)
    )]
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
    #[error(
        "{counter} is no counter that is known here, and counts for nothing. Did you mean `{meant}`?{}",
        champion.as_ref().map_or_else(String::new, |it| {
            format!(" For want of it the champion, {it}, could not answer")
        })
    )]
    Misspelt {
        /// `PROVIDER:NAME`.
        counter: String,
        /// The known one, `PROVIDER:NAME`.
        meant: String,
        /// The method of the champion, where that wants it and another model answers.
        champion: Option<String>,
    },
    /// The model could not be validated on kernels that it had not seen.
    #[error("the model could not be validated on kernels it had not seen")]
    NotValidated,
    /// A GPU that nobody has measured is of another architecture than the one whose models answer.
    #[error(
        "the {gpu} is of another architecture than the {like}, whose models answer: such forecasts were tested on one \
         GPU alone (docs/gpus.md)"
    )]
    OtherArchitecture {
        /// The GPU's name.
        gpu: String,
        /// The short name of the device whose models answer.
        like: String,
    },
    /// The model says less than the device's measured ceilings allow, which is given in its place.
    #[error(
        "the model says {}, and the device's measured ceilings allow nothing below {}, which is given in its place: it \
         may take much longer",
        seconds(*.time_s), seconds(*.least_s)
    )]
    BelowCeilings {
        /// Seconds that the model says.
        time_s: f64,
        /// Seconds that they allow.
        least_s: f64,
    },

    /// No interval: its upper end is below what the device's measured ceilings allow.
    #[error(
        "the model is wrong about this kernel: it says {} at most, and by the device's measured ceilings it takes {} at \
         least",
        seconds(*.high_s), seconds(*.least_s)
    )]
    AgainstCeilings {
        /// Seconds that the model says at most.
        high_s: f64,
        /// Seconds that they allow.
        least_s: f64,
    },
    /// No interval: counters are missing, and how far means in their place are off is not known.
    #[error("counters are missing: how far means in their place are off is not known")]
    MeansUnknown,
    /// No interval: the model is too far off for an upper end.
    #[error("the model is too far off for an interval with an upper end")]
    TooFarOff,
    /// No interval: the level is no share.
    #[error("the level is {level}; expected a number above 0 and below 1")]
    NoLevel {
        /// The level that was asked for.
        level: f64,
    },
    /// No interval: too few kernels, or regions of kernels, were left out to know what is exceeded so rarely.
    #[error(
        "too few kernels, or regions of kernels, ({folds}) were left out for an interval at level {level}: {needed} are \
         needed"
    )]
    TooFewLeftOut {
        /// Kernels or regions that were left out.
        folds: usize,
        /// How many are needed.
        needed: f64,
        /// The level of the interval: 0.9 is 90 %.
        level: f64,
    },
    /// No interval: too many forecasts of what was left out are no times.
    #[error(
        "too many forecasts of what was left out are no times for an interval at level {level}"
    )]
    TooManyNoTimes {
        /// The level of the interval: 0.9 is 90 %.
        level: f64,
    },
    /// No interval: nothing was forecast.
    #[error("nothing was forecast")]
    NothingForecast,
    /// No interval: the forecast itself is no time.
    #[error("the forecast is {time_s} s: no time, so nothing to put an interval around")]
    NothingToBound {
        /// Seconds that the model says.
        time_s: f64,
    },
}
