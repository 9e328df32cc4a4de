use std::{error::Error, sync::Arc};

use kerncast_wire::Role;
use thiserror::Error;

/// Why a method refuses to fit, or a fit to forecast. Rows and columns count from 0.
#[derive(Clone, Debug, Error)]
pub enum FitError {
    /// The response or the weights have another length than x.
    #[error("the {field} has {found} entries for {rows} rows of counters")]
    Shape {
        /// The part that has another length: the response, or a list beside it.
        field: &'static str,
        /// Its length.
        found: usize,
        /// Rows of x.
        rows: usize,
    },
    /// A counter is NaN or infinite.
    #[error("counter {column} of row {row} is {value}; expected a finite number")]
    Counter {
        /// The row.
        row: usize,
        /// The counter's column.
        column: usize,
        /// The counter's value.
        value: f64,
    },
    /// A response is NaN or infinite.
    #[error("the response of row {row} is {value}; expected a finite number")]
    Response {
        /// The row.
        row: usize,
        /// The response's value.
        value: f64,
    },
    /// A counter is below 0, where it has to be a count.
    #[error("counter {column} of row {row} is {value}; expected 0 or above")]
    NegativeCounter {
        /// The row.
        row: usize,
        /// The counter's column.
        column: usize,
        /// The counter's value.
        value: f64,
    },
    /// A response is no time.
    #[error("the response of row {row} is {value}; expected a number above 0")]
    NoTime {
        /// The row.
        row: usize,
        /// The response's value.
        value: f64,
    },
    /// A weight is NaN, infinite or below 0.
    #[error("the weight of row {row} is {value}; expected a finite number, 0 or more")]
    Weight {
        /// The row.
        row: usize,
        /// The weight's value.
        value: f64,
    },
    /// The fit would pass through every row, whatever the counters are worth.
    #[error("too few rows ({rows}) for the counters ({counters}): {needed} are needed")]
    TooFewRows {
        /// Rows with a weight above 0.
        rows: usize,
        /// Counters that are not constant over them.
        counters: usize,
        /// The least number of rows for so many counters.
        needed: usize,
    },
    /// All counters are constant: nothing tells the rows apart.
    #[error("none of the counters ({counters}) varies over the rows ({rows})")]
    NothingVaries {
        /// Rows with a weight above 0.
        rows: usize,
        /// Columns of x.
        counters: usize,
    },
    /// The cost of events is not known for any counter that varies.
    #[error("nothing is known of what events of the counters ({counters}) cost")]
    NothingKnown {
        /// Counters that are not constant over the rows.
        counters: usize,
    },
    /// A counter's spread overflows or underflows.
    #[error("the standard deviation of counter {column} comes out as {scale}: use another unit")]
    Spread {
        /// The counter's column.
        column: usize,
        /// The standard deviation that came out.
        scale: f64,
    },
    /// The solver gave up.
    #[error("the least-squares solver failed")]
    Solver(#[source] Arc<dyn Error + Send + Sync>),
    /// The solver's answer overflowed: it is not finite.
    #[error("the fit overflowed: an intercept or coefficient is not finite")]
    NotFinite,
    /// Too few kernels to learn from, or to choose anything by leaving kernels out.
    #[error("too few kernels ({found}): {needed} are needed")]
    TooFewKernels {
        /// Kernels in the rows.
        found: usize,
        /// The least number of kernels.
        needed: usize,
    },
    /// No counter can play a role that every forecast across devices needs.
    #[error("no counter of {what}: none plays a role that counts them: {}", listed(.roles))]
    NoRole {
        /// The quantity that the missing counter would count.
        what: &'static str,
        /// The roles of which any would do.
        roles: &'static [Role],
    },
    /// The time on the device counted on is missing, from which the method forecasts.
    #[error("there is no column of the time on the device counted on")]
    NoCountedOnTime,
    /// A row's time on the device counted on is no time.
    #[error("the time on the device counted on of row {row} is {value}; expected a number above 0")]
    CountedOnTime {
        /// The row, from 0.
        row: usize,
        /// The value in place of the time.
        value: f64,
    },
    /// The forecast of a row left out is no number, or more than 1e100 times what was measured.
    #[error("the forecast is absurd: {forecast} s")]
    Forecast {
        /// The forecast.
        forecast: f64,
    },
}

fn listed(roles: &[Role]) -> String {
    let roles: Vec<String> = roles.iter().map(ToString::to_string).collect();
    roles.join(", ")
}
