use ndarray::{Array1, Array2, Axis};

use super::{FitError, checked::Checked, checked::varying, folds};
use crate::{Coefficient, Dropped, Fitted, Form, LogLinear, Scaler, Seen};

/// Rows as linear methods on logarithms see them: ln(1 + counter) and ln(time).
pub(super) struct Logs {
    seen: Vec<Seen>,
    dropped: Vec<Dropped>,
    /// The columns that vary (k).
    columns: Vec<usize>,
    /// ln(1 + counter) (n × k).
    x: Array2<f64>,
    /// ln(time) (n).
    y: Array1<f64>,
    /// Kernels weighted equally, adding up to 1 (n).
    weights: Array1<f64>,
    /// The inner fold of each row (n).
    folds: Vec<usize>,
}

/// Some rows of them, scaled to mean 0 and variance 1, and multiplied by the roots of their weights, so
/// that weighted least squares are plain ones.
pub(super) struct Scaled {
    /// n × k.
    pub(super) z: Array2<f64>,
    /// n, its mean taken out.
    pub(super) y: Array1<f64>,
    scaler: Scaler,
    mean: f64,
}

/// Enough to choose a penalty by.
const FOLDS: usize = 5;

impl Logs {
    pub(super) fn new(checked: &Checked) -> Result<Self, FitError> {
        let seen = checked.seen();
        let (columns, dropped) = varying(&seen, checked.y.len())?;
        let x = checked.x.select(Axis(1), &columns).mapv(f64::ln_1p);
        Ok(Self {
            seen,
            dropped,
            columns,
            x,
            y: checked.y.mapv(f64::ln),
            weights: checked.kernels_equally().into(),
            folds: folds::inner_folds(&checked.kernels, FOLDS),
        })
    }

    /// The setting with the least error on inner folds, `fit` making the coefficients (k) of each setting
    /// in turn, and the fit of all rows with it.
    pub(super) fn choose<S: Copy>(
        self,
        settings: &[S],
        fit: impl Fn(&Scaled, &[S]) -> Result<Vec<Array1<f64>>, FitError>,
    ) -> Result<Fitted, FitError> {
        let mut errors = vec![0.0; settings.len()];
        for fold in 0..folds::count(&self.folds) {
            let (out, rest): (Vec<usize>, Vec<usize>) =
                (0..self.folds.len()).partition(|&row| self.folds[row] == fold);
            if rest.is_empty() {
                continue;
            }
            let scaled = self.scaled(&rest);
            for (error, weights) in errors.iter_mut().zip(fit(&scaled, settings)?) {
                *error += self.error(&scaled, &weights, &out);
            }
        }
        let best = (0..settings.len())
            .min_by(|&a, &b| errors[a].total_cmp(&errors[b]))
            .unwrap_or_default();
        let all: Vec<usize> = (0..self.y.len()).collect();
        let scaled = self.scaled(&all);
        let weights = fit(&scaled, &settings[best..=best])?.swap_remove(0);
        self.fitted(&scaled, &weights)
    }

    fn scaled(&self, rows: &[usize]) -> Scaled {
        let x = self.x.select(Axis(0), rows);
        let y = self.y.select(Axis(0), rows);
        let weights = self.weights.select(Axis(0), rows);
        let weights = &weights / weights.sum();
        let mut scaler = Scaler::learn(x.view(), weights.view());
        // A column that is constant without the fold says nothing: any scale does.
        scaler
            .scale
            .mapv_inplace(|scale| if scale > 1e-12 { scale } else { 1.0 });
        let mean = weights.dot(&y);
        let root = weights.mapv(f64::sqrt);
        Scaled {
            z: scaler.transform(x.view()) * root.view().insert_axis(Axis(1)),
            y: (y - mean) * root,
            scaler,
            mean,
        }
    }

    /// Weighted absolute percentage error of rows left out; a forecast is never taken for more than a
    /// thousand times wrong, so that one row can't decide alone.
    fn error(&self, scaled: &Scaled, weights: &Array1<f64>, out: &[usize]) -> f64 {
        let x = self.x.select(Axis(0), out);
        let logs = scaled.scaler.transform(x.view()).dot(weights) + scaled.mean;
        out.iter()
            .zip(logs)
            .map(|(&row, log)| {
                let ratio = (log - self.y[row]).min(1000_f64.ln()).exp();
                self.weights[row] * (ratio - 1.0).abs()
            })
            .sum()
    }

    fn fitted(self, scaled: &Scaled, weights: &Array1<f64>) -> Result<Fitted, FitError> {
        if !scaled.mean.is_finite() || weights.iter().any(|weight| !weight.is_finite()) {
            return Err(FitError::NotFinite);
        }
        let coefficients = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, &column)| Coefficient {
                column,
                mean: scaled.scaler.mean[at],
                scale: scaled.scaler.scale[at],
                weight: weights[at],
            });
        Ok(Fitted {
            seen: self.seen,
            dropped: self.dropped,
            form: Form::LogLinear(LogLinear {
                intercept: scaled.mean,
                coefficients: coefficients.collect(),
            }),
        })
    }
}
