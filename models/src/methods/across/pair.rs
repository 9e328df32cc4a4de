//! Fits a [`Pair`], with settings chosen by leaving kernels out.

use ndarray::ArrayView1;

use super::super::{FitError, checked::Checked};
use crate::{
    averages::upper_median,
    fitted::across::{Pair, Roles, Scaled, Smooth, blend},
    folds::{fold_count, inner_folds, split_fold},
};

/// Settings of a [`Smooth`] to choose from: reach and noise.
const REACHES: [[f64; 2]; 4] = [[1.5, 1.0], [3.0, 1.0], [1.5, 0.3], [3.0, 0.3]];
/// Parts of a forecast that are [`Smooth`], to choose from; the rest is [`Scaled`].
const PARTS: [f64; 4] = [0.0, 0.2, 0.4, 0.6];
/// Shrinks of the log forecast to choose from: a forecast that is too long costs more APE than one that is too short.
const SHRINKS: [f64; 3] = [0.0, 0.05, 0.1];
/// Number of inner folds. More cost more and choose the same.
const FOLDS: usize = 10;

impl Pair {
    /// Fits to rows of two kernels or more. `time`: the column of the time on the device counted on.
    pub(super) fn fit(roles: &Roles, rows: &Checked, time: usize) -> Result<Self, FitError> {
        let fit = |rest: &Checked| Scaled::fit(roles, rest, time);
        let scaled = held_out(rows, time, fit, Scaled::predict)?;
        let shares = rows.shares();
        let mut best = (f64::INFINITY, REACHES[0], PARTS[0], SHRINKS[0]);
        for reach in REACHES {
            let fit = |rest: &Checked| Smooth::fit(roles, rest, time, reach);
            let smooth = held_out(rows, time, fit, Smooth::predict)?;
            for part in PARTS {
                for shrink in SHRINKS {
                    let both = scaled.iter().zip(&smooth).zip(&rows.y);
                    let ratio =
                        |((&a, &b), time): ((&f64, &f64), &f64)| blend([a, b], part, shrink) / time;
                    let ratios: Vec<f64> = both.map(ratio).collect();
                    let loss = loss(&ratios, &shares);
                    if loss < best.0 {
                        best = (loss, reach, part, shrink);
                    }
                }
            }
        }
        let (_, reach, part, shrink) = best;
        Ok(Self {
            scaled: Scaled::fit(roles, rows, time)?,
            smooth: Smooth::fit(roles, rows, time, reach)?,
            part,
            shrink,
        })
    }
}

/// Forecasts of every row, by fits that have not seen its inner fold.
fn held_out<Fit>(
    rows: &Checked,
    time: usize,
    fit: impl Fn(&Checked) -> Result<Fit, FitError>,
    predict: impl Fn(&Fit, ArrayView1<'_, f64>, f64) -> f64,
) -> Result<Vec<f64>, FitError> {
    let folds = inner_folds(&rows.kernels, FOLDS);
    let mut forecasts = vec![f64::NAN; folds.len()];
    for fold in 0..fold_count(&folds) {
        let (out, rest) = split_fold(&folds, fold);
        let fit = fit(&rows.rows(&rest))?;
        for row in out {
            let values = rows.x.row(row);
            forecasts[row] = predict(&fit, values, values[time]);
        }
    }
    Ok(forecasts)
}

/// The loss that settings are chosen by: the mean over kernels of the mean APE, plus the median APE over rows; errors
/// are reported by these two. `ratios`: forecast ÷ measured; `shares`: weights of the rows, those of a kernel adding up
/// to 1.
fn loss(ratios: &[f64], shares: &[f64]) -> f64 {
    let apes: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs()).collect();
    let pairs = apes.iter().zip(shares);
    let sum: f64 = pairs.map(|(ape, share)| ape * share).sum();
    sum / shares.iter().sum::<f64>() + upper_median(apes).expect("two kernels' rows")
}
