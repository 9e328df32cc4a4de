use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::words::{number, seconds, times};

/// Why the gate sets a sample aside: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doubt {
    /// Its time is none.
    NoTime {
        /// Seconds.
        time_s: f64,
    },
    /// It took less than a launch that does nothing.
    BelowLaunch {
        /// Seconds.
        time_s: f64,
        /// Of the device's shortest launch, seconds.
        launch_s: f64,
    },
    /// Its counters and its time make a rate that the device can't.
    BeyondDevice {
        /// Of what.
        of: RateOf,
        /// What they make.
        per_second: f64,
        /// What the device was measured to do.
        most: f64,
    },
    /// A workload whose counters are new took a time very far from its forecast.
    UnlikeForecast {
        /// Seconds.
        time_s: f64,
        /// Seconds.
        forecast_s: f64,
        /// From whose counters.
        provider: String,
        /// The factor up to which that is believed, either way.
        believed: f64,
    },
    /// The workload took another time before.
    UnlikeBefore {
        /// Seconds.
        time_s: f64,
        /// Seconds.
        before_s: f64,
    },
    /// The workload had other counters before.
    CountersDiffer {
        /// The first of them.
        named: Vec<CounterChange>,
        /// How many there are beyond those.
        more: usize,
    },
    /// All that came with it differs from before the same way.
    CollectionShifted {
        /// Known workloads in it.
        workloads: usize,
        /// By which share they took longer: 0.05 is 5 % longer, −0.05 5 % shorter.
        shift: f64,
    },
    /// What came with it differs from before, up or down.
    CollectionScattered {
        /// Known workloads in it.
        workloads: usize,
        /// By which share, typically.
        by: f64,
    },
    /// The new workloads that came with it are far from their forecasts.
    CollectionUnlikeForecasts {
        /// New workloads in it.
        workloads: usize,
        /// How many times as far as nine in ten are, typically.
        times: f64,
    },
}

/// What a device does so much of in a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RateOf {
    /// Bytes to and from memory.
    Bytes,
    /// Single-precision operations.
    SingleOperations,
    /// Double-precision operations.
    DoubleOperations,
}

impl RateOf {
    /// In English.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::SingleOperations => "single-precision operations",
            Self::DoubleOperations => "double-precision operations",
        }
    }
}

/// A counter that was another number before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CounterChange {
    /// `PROVIDER:NAME`.
    pub counter: String,
    /// What it is.
    pub now: f64,
    /// What it was.
    pub before: f64,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTime { time_s } => write!(f, "{time_s} s is no time"),
            Self::BelowLaunch { time_s, launch_s } => write!(
                f,
                "it took {}, where the device's shortest launch takes {}",
                seconds(*time_s),
                seconds(*launch_s)
            ),
            Self::BeyondDevice {
                of,
                per_second,
                most,
            } => write!(
                f,
                "its counters and its time make {} {} a second, where the device was measured to do {}",
                number(*per_second),
                of.words(),
                number(*most)
            ),
            Self::UnlikeForecast {
                time_s,
                forecast_s,
                provider,
                believed,
            } => write!(
                f,
                "it took {}, where {} is forecast from counters of {provider}: {}; up to {believed:.1} is believed of a \
                 workload whose counters are new",
                seconds(*time_s),
                seconds(*forecast_s),
                times(time_s / forecast_s)
            ),
            Self::UnlikeBefore { time_s, before_s } => write!(
                f,
                "it took {}, where the workload took {} before: {}",
                seconds(*time_s),
                seconds(*before_s),
                times(time_s / before_s)
            ),
            Self::CountersDiffer { named, more } => {
                let one = |it: &CounterChange| {
                    let (now, before) = (number(it.now), number(it.before));
                    format!("{} is {now}, was {before}", it.counter)
                };
                let named: Vec<String> = named.iter().map(one).collect();
                f.write_str(&named.join("; "))?;
                match more {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more counters differ"),
                }
            }
            Self::CollectionShifted { workloads, shift } => write!(
                f,
                "{workloads} known workloads of its collection took {:.0} % {} than before, throughout",
                100.0 * shift.abs(),
                if *shift > 0.0 { "longer" } else { "shorter" }
            ),
            Self::CollectionScattered { workloads, by } => write!(
                f,
                "{workloads} known workloads of its collection typically differ by {:.0} % from before, up or down",
                100.0 * by
            ),
            Self::CollectionUnlikeForecasts { workloads, times } => write!(
                f,
                "the {workloads} new workloads of its collection are typically {} times as far from their forecasts as \
                 nine in ten are",
                number(*times)
            ),
        }
    }
}
