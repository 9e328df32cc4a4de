//! Why the gate sets a sample aside.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

use crate::words::{number, seconds, times};

/// Why the gate sets a sample aside: a kind with its numbers. In English by its `Display`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Doubt {
    /// Its time is none.
    #[error("{time_s} s is no time")]
    NoTime {
        /// The sample's time, seconds.
        time_s: f64,
    },
    /// It took less than a launch that does nothing.
    #[error(
        "it took {}, where the device's shortest launch takes {}",
        seconds(*.time_s),
        seconds(*.launch_s)
    )]
    BelowLaunch {
        /// The sample's time, seconds.
        time_s: f64,
        /// The device's shortest launch, seconds.
        launch_s: f64,
    },
    /// Its counters and its time make a rate that the device can't.
    #[error(
        "its counters and its time make {} {} a second, where the device was measured to do {}",
        number(*.per_second),
        .of.words(),
        number(*.most)
    )]
    BeyondDevice {
        /// What the rate counts.
        of: RateOf,
        /// The rate by the sample's counters and time.
        per_second: f64,
        /// The highest rate that was measured on the device.
        most: f64,
    },
    /// A workload whose counters are new took a time very far from its forecast.
    #[error(
        "it took {}, where {} is forecast from counters of {provider}: {}; up to {believed:.1} is believed of a workload \
         whose counters are new",
        seconds(*.time_s),
        seconds(*.forecast_s),
        times(.time_s / .forecast_s)
    )]
    UnlikeForecast {
        /// The sample's time, seconds.
        time_s: f64,
        /// The forecast, seconds.
        forecast_s: f64,
        /// The provider of the counters.
        provider: String,
        /// The factor up to which that is believed, either way.
        believed: f64,
    },
    /// The workload took another time before.
    #[error(
        "it took {}, where the workload took {} before: {}",
        seconds(*.time_s),
        seconds(*.before_s),
        times(.time_s / .before_s)
    )]
    UnlikeBefore {
        /// The sample's time, seconds.
        time_s: f64,
        /// The time before, seconds.
        before_s: f64,
    },
    /// The workload had other counters before.
    #[error("{}", differences(.named, *.more))]
    CountersDiffer {
        /// The first of them.
        named: Vec<CounterChange>,
        /// How many there are beyond those.
        more: usize,
    },
    /// All that came with it differs from before the same way.
    #[error(
        "{workloads} known workloads of its collection took {:.0} % {} than before, throughout",
        100.0 * .shift.abs(),
        if *.shift > 0.0 { "longer" } else { "shorter" }
    )]
    CollectionShifted {
        /// Known workloads in it.
        workloads: usize,
        /// By which share they took longer: 0.05 is 5 % longer, −0.05 5 % shorter.
        shift: f64,
    },
    /// What came with it differs from before, up or down.
    #[error(
        "{workloads} known workloads of its collection typically differ by {:.0} % from before, up or down",
        100.0 * .by
    )]
    CollectionScattered {
        /// Known workloads in it.
        workloads: usize,
        /// The typical difference: 0.05 is 5 %.
        by: f64,
    },
    /// The new workloads that came with it are far from their forecasts.
    #[error(
        "the {workloads} new workloads of its collection are typically {} times as far from their forecasts as nine in \
         ten are",
        number(*.times)
    )]
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
    /// Its value now.
    pub now: f64,
    /// Its value before.
    pub before: f64,
}

fn differences(named: &[CounterChange], more: usize) -> String {
    let one = |it: &CounterChange| {
        let (now, before) = (number(it.now), number(it.before));
        format!("{} is {now}, was {before}", it.counter)
    };
    let named: Vec<String> = named.iter().map(one).collect();
    let named = named.join("; ");
    match more {
        0 => named,
        more => format!("{named}; and {more} more counters differ"),
    }
}
