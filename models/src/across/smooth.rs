use faer::{Mat, Side, linalg::solvers::Solve};
use ndarray::{Array1, Array2, ArrayView1};

use super::Roles;
use crate::{
    FitError, Scaler,
    methods::{checked::Checked, weighted_median},
};

/// log(target time ÷ time there) as a smooth function of the logs of the time on the device counted on and of
/// the counters that have a role: the mean of a Gaussian process (Rasmussen and Williams, Gaussian Processes
/// for Machine Learning, 2006, equation 2.25) around the weighted median. Far from everything seen it falls
/// back to that median.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::stored::Likeness", into = "crate::stored::Likeness")
)]
pub struct Smooth {
    /// Which columns say what.
    pub roles: Roles,
    /// Of the features.
    pub scaler: Scaler,
    /// Scaled features of the rows learned from (n × features).
    pub features: Array2<f64>,
    /// What each of them adds (n).
    pub weights: Array1<f64>,
    /// The weighted median of log(target time ÷ time there).
    pub median: f64,
    /// How many standard deviations of the features apart rows still speak of each other.
    pub reach: f64,
}

impl Smooth {
    /// `time`: the column of the time on the device counted on. `noise`: variance of a row's error by that of
    /// the function.
    pub(super) fn fit(
        roles: &Roles,
        rows: &Checked,
        time: usize,
        [reach, noise]: [f64; 2],
    ) -> Result<Self, FitError> {
        let ratios = (&rows.y / &rows.x.column(time)).mapv(f64::ln).to_vec();
        let shares = rows.shares();
        let median = weighted_median(&ratios, &shares);
        // Weights of mean 1, a kernel's rows sharing one.
        let n = ratios.len();
        let mut row_weights = Array1::from(shares);
        row_weights *= n as f64 / row_weights.sum();
        let raw: Vec<f64> = (rows.x.rows().into_iter())
            .flat_map(|row| features(roles, row, row[time]))
            .collect();
        let count = raw.len() / n.max(1);
        let raw = Array2::from_shape_vec((n, count), raw).expect("equally many features");
        let mut scaler = Scaler::learn(raw.view(), row_weights.view());
        // A feature that never varied tells nothing, also where it does later.
        scaler
            .scale
            .mapv_inplace(|scale| if scale > 1e-9 { scale } else { f64::INFINITY });
        let features = scaler.transform(raw.view());
        let covariance = Mat::from_fn(n, n, |i, j| {
            let own = if i == j { noise / row_weights[i] } else { 0.0 };
            kernel(features.row(i), features.row(j), reach) + own
        });
        let right = Mat::from_fn(n, 1, |i, _| ratios[i] - median);
        let factor = covariance
            .llt(Side::Lower)
            .map_err(|_| FitError::NotFinite)?;
        let solution = factor.solve(&right);
        let weights: Array1<f64> = (0..n).map(|i| solution[(i, 0)]).collect();
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(FitError::NotFinite);
        }
        Ok(Self {
            roles: roles.clone(),
            scaler,
            features,
            weights,
            median,
            reach,
        })
    }

    /// The forecast for one row of raw counter values (p) that took `counted_on_time` seconds on the device
    /// counted on.
    ///
    /// # Panics
    /// Where `row` is shorter than the roles ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>, counted_on_time: f64) -> f64 {
        let raw = Array1::from(features(&self.roles, row, counted_on_time));
        let at = (raw - &self.scaler.mean) / &self.scaler.scale;
        let near = self.features.rows().into_iter().zip(&self.weights);
        let sum: f64 = near
            .map(|(seen, weight)| kernel(seen, at.view(), self.reach) * weight)
            .sum();
        counted_on_time * (self.median + sum).exp()
    }
}

fn features(roles: &Roles, row: ArrayView1<'_, f64>, time: f64) -> Vec<f64> {
    let counts = [roles.chain(row), row[roles.items]].into_iter();
    let counts = counts.chain(roles.volumes.iter().map(|&column| row[column]));
    [time.ln()]
        .into_iter()
        .chain(counts.map(|count| count.max(0.0).ln_1p()))
        .collect()
}

fn kernel(one: ArrayView1<'_, f64>, other: ArrayView1<'_, f64>, reach: f64) -> f64 {
    let square: f64 = one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum();
    (-0.5 * square / reach.powi(2)).exp()
}
