use faer::{Mat, Side, linalg::solvers::Solve};
use ndarray::Array1;

use super::{
    FitError, Method,
    checked::Checked,
    logs::{Logs, Scaled},
};
use crate::{Fitted, Rows};

/// ln(T) = a0 + Σ ai·ln(1 + pi), scaled, by ridge regression (Hoerl, Kennard, Technometrics 12, 1970), the
/// penalty chosen by leaving kernels out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RidgeOnLogs;

/// Against rows whose weights add up to 1.
const PENALTIES: [f64; 9] = [1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0];

impl Method for RidgeOnLogs {
    fn name(&self) -> &'static str {
        "ridge_log"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        Logs::new(&Checked::counts(rows)?)?.choose(&PENALTIES, solve)
    }
}

/// (ZᵀZ + penalty)⁻¹·Zᵀy for each penalty.
fn solve(scaled: &Scaled, penalties: &[f64]) -> Result<Vec<Array1<f64>>, FitError> {
    let h = scaled.z.t().dot(&scaled.z);
    let f = scaled.z.t().dot(&scaled.y);
    let k = f.len();
    let right = Mat::from_fn(k, 1, |row, _| f[row]);
    let one = |&penalty: &f64| {
        let normal = Mat::from_fn(k, k, |row, column| {
            h[(row, column)] + if row == column { penalty } else { 0.0 }
        });
        let factor = normal.llt(Side::Lower).map_err(|_| FitError::NotFinite)?;
        let solution = factor.solve(&right);
        Ok((0..k).map(|row| solution[(row, 0)]).collect())
    };
    penalties.iter().map(one).collect()
}
