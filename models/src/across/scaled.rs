use ndarray::{Array2, ArrayView1};

use super::{Costs, Roles, costs::relative};
use crate::{FitError, methods::checked::Checked};

/// The least part of a source's time that each term may explain: a workload whose terms are all free of
/// cost there still has a time that has to go somewhere.
const LEAST_SHARE: f64 = 1e-4;

/// Source time and counters → time on a target. The source's costs say what its time went to; the parts
/// of the measured time then each become their own multiple on the target, and the target's own costs
/// are added:
///
/// t = Σ ρ_k · share_k · t_source + Σ c_k · term_k, with ρ and c 0 or more.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaled {
    /// What the source spends its time on.
    pub source: Costs,
    /// Seconds on the target per second on the source (ρ), by term.
    pub ratios: Vec<f64>,
    /// Seconds on the target (c), by term.
    pub seconds: Vec<f64>,
    /// Seconds that each term explains on the source at the least.
    pub least: f64,
}

impl Scaled {
    /// The forecast for one row of raw counter values (p) that took `source_time` seconds on the source.
    ///
    /// # Panics
    /// Where `row` is shorter than the terms ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>, source_time: f64) -> f64 {
        self.shares(row, source_time).iter().sum()
    }

    /// Seconds by term of the source's; they add up to the forecast.
    pub(super) fn shares(&self, row: ArrayView1<'_, f64>, source_time: f64) -> Vec<f64> {
        let values = parts(&self.source, self.least, row, source_time);
        let (scaled, own) = values.split_at(self.ratios.len());
        let scaled = scaled.iter().zip(&self.ratios);
        let own = own.iter().zip(&self.seconds);
        scaled
            .zip(own)
            .map(|((part, ratio), (value, cost))| part * ratio + value * cost)
            .collect()
    }

    /// `time`: the column of the source's time.
    pub(super) fn fit(roles: &Roles, rows: &Checked, time: usize) -> Result<Self, FitError> {
        let times = rows.x.column(time);
        let least = LEAST_SHARE * times.iter().copied().fold(f64::INFINITY, f64::min);
        let source = Costs::fit(roles, rows, times)?;
        let values = rows.x.rows().into_iter();
        let values = values.flat_map(|row| parts(&source, least, row, row[time]));
        let shape = (rows.y.len(), 2 * source.terms.len());
        let values = Array2::from_shape_vec(shape, values.collect()).expect("two parts a term");
        let mut ratios = relative(values.view(), rows.y.view(), &rows.shares())?;
        let seconds = ratios.split_off(source.terms.len());
        Ok(Self {
            source,
            ratios,
            seconds,
            least,
        })
    }
}

/// The source's time shared out among its terms, then the terms themselves (2 × terms).
fn parts(source: &Costs, least: f64, row: ArrayView1<'_, f64>, time: f64) -> Vec<f64> {
    let shares = source.shares(row);
    let sum: f64 = shares.iter().map(|share| share + least).sum();
    let scaled = shares.iter().map(|share| (share + least) / sum * time);
    let raw = source
        .terms
        .iter()
        .map(|term| term.value(&source.roles, row));
    scaled.chain(raw).collect()
}
