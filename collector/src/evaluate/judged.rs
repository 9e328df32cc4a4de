use std::time::Duration;

use kerncast_training::Judged as Held;
use kerncast_wire as wire;
use serde::Serialize;

/// A method and how far its forecasts of what it had not seen were off.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Its name.
    pub method: String,
    /// The rows that it learns from and is judged by.
    pub rows: usize,
    /// How many counters it takes.
    pub counters: usize,
    /// Errors per kernel first, then averaged; absent where nothing could be forecast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<wire::Errors>,
    /// Why a row has no forecast, the first one's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Errors of each kernel.
    pub kernels: Vec<wire::KernelErrors>,
    /// Whether the intervals hold for kernels left out; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Covered>,
    /// Why there are no intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_intervals: Option<String>,
    /// Of speedups: how often their sign was right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signs: Option<wire::Signs>,
    /// How long it took, all folds.
    pub seconds: f64,
}

/// How intervals did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Covered {
    /// Their level.
    pub level: f64,
    /// Share of a fold's rows whose measured time lies within; mean of folds.
    pub covered: f64,
    /// The same over all rows.
    pub covered_rows: f64,
    /// √(high ÷ low), median of rows.
    pub typical_factor: f64,
}

impl Judged {
    /// `size`: rows and counters.
    pub(super) fn new(method: &str, size: (usize, usize), judged: Held, took: Duration) -> Self {
        let Held {
            hold_out,
            report,
            coverage,
            signs,
        } = judged;
        let refusal = hold_out.forecasts.iter().find_map(|it| it.as_ref().err());
        let kernels = report.kernels.into_iter().map(|it| wire::KernelErrors {
            kernel: it.kernel,
            errors: it.errors.map(|it| errors(&it)),
        });
        Self {
            method: method.to_owned(),
            rows: size.0,
            counters: size.1,
            errors: report.overall.map(|it| errors(&it)),
            refusal: refusal.map(ToString::to_string),
            kernels: kernels.collect(),
            no_intervals: coverage.as_ref().err().map(ToString::to_string),
            intervals: coverage.ok().map(|it| Covered {
                level: it.level,
                covered: it.covered,
                covered_rows: it.covered_rows,
                typical_factor: it.typical_factor,
            }),
            signs: signs.map(|it| wire::Signs {
                right: it.right,
                clear_right: it.clear_right,
                pays_off: it.pays_off,
            }),
            seconds: took.as_secs_f64(),
        }
    }

    /// Of rows that are no dataset.
    pub(super) fn refused(method: &str, size: (usize, usize), why: String) -> Self {
        Self {
            method: method.to_owned(),
            rows: size.0,
            counters: size.1,
            errors: None,
            refusal: Some(why),
            kernels: Vec::new(),
            intervals: None,
            no_intervals: None,
            signs: None,
            seconds: 0.0,
        }
    }
}

fn errors(errors: &kerncast_models::Errors) -> wire::Errors {
    let kerncast_models::Errors {
        n,
        unpredicted,
        mean_ape,
        median_ape,
        factor,
        within_25,
        negative,
    } = *errors;
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    wire::Errors {
        n: count(n),
        unpredicted: count(unpredicted),
        mean_ape,
        median_ape,
        factor,
        within_25,
        negative: count(negative),
    }
}
