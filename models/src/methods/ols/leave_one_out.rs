//! Forecasts of `ols` with each row left out, without a fit for each.

use linfa_linalg::qr::QRInto;
use ndarray::{Array2, Axis};
use rayon::prelude::*;

use super::{super::checked::Checked, FitError, Solved};
use crate::{Linear, Rows, folds::fold_count};

/// Above this leverage a row's own time all but decides its forecast, and what is left of the fit without it
/// is found by fitting. There are hardly more such rows than counters, since leverages add up to the
/// counters' number and one.
const HIGH_LEVERAGE: f64 = 0.9;

/// Forecasts of every row, each without the row itself, where single rows are left out: with leverage h and error e the
/// forecast moves by e · h ÷ (1 − h) (Allen, "The relationship between variable selection and data augmentation and a
/// method for prediction", 1974). None where a row left out could decide whether a counter is dropped as collinear:
/// then all are refitted.
pub(super) fn forecasts(rows: &Rows<'_>, folds: &[usize]) -> Option<Vec<Result<f64, FitError>>> {
    if rows.weights.is_some() || fold_count(folds) != folds.len() {
        return None;
    }
    // Folds of their own would say of each what is wrong with its numbers.
    let checked = Checked::new(rows).ok()?;
    let all = Solved::new(&checked).ok().filter(|it| it.settled);
    let leverages = match &all {
        Some(all) => leverages(&checked, &all.linear)?,
        None => vec![1.0; checked.y.len()],
    };
    let without = |row: usize| match &all {
        Some(all) if leverages[row] <= HIGH_LEVERAGE => {
            let forecast = all.linear.predict(checked.x.row(row));
            let share = leverages[row] / (1.0 - leverages[row]);
            Ok(forecast - (checked.y[row] - forecast) * share)
        }
        _ => refitted(&checked, row),
    };
    Some((0..folds.len()).into_par_iter().map(without).collect())
}

fn refitted(checked: &Checked, row: usize) -> Result<f64, FitError> {
    let rest: Vec<usize> = (0..checked.y.len()).filter(|it| *it != row).collect();
    let solved = Solved::new(&checked.rows(&rest))?;
    Ok(solved.linear.predict(checked.x.row(row)))
}

/// The leverages of rows (n): how much each row's own time counts in its forecast, from 1/n to 1. A leverage is
/// 1/n plus the squared length of the row's part of an orthogonal base of the scaled counters.
fn leverages(checked: &Checked, linear: &Linear) -> Option<Vec<f64>> {
    let n = checked.y.len();
    let scaled = Array2::from_shape_fn((n, linear.coefficients.len()), |(row, at)| {
        let it = linear.coefficients[at];
        (checked.x[(row, it.column)] - it.mean) / it.scale
    });
    let q = scaled.qr_into().ok()?.generate_q();
    let squares = q.map_axis(Axis(1), |row| row.dot(&row));
    Some(squares.iter().map(|it| 1.0 / n as f64 + it).collect())
}
