//! Fits [`Smooth`].

use ndarray::{Array1, Array2};

use super::super::{FitError, checked::Checked, cholesky};
use crate::{
    Scaler,
    averages::weighted_median,
    fitted::across::{Roles, Smooth, features, kernel},
};

impl Smooth {
    /// Fits to rows. `time`: the column of the time on the device counted on. `noise`: variance of a row's error ÷
    /// variance of the function.
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
        let covariance = Array2::from_shape_fn((n, n), |(i, j)| {
            let own = if i == j { noise / row_weights[i] } else { 0.0 };
            kernel(features.row(i), features.row(j), reach) + own
        });
        let right = ratios.iter().map(|ratio| ratio - median).collect();
        let weights = cholesky::solve(covariance, right).ok_or(FitError::NotFinite)?;
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
}
