mod sums;

use std::collections::BTreeMap;

use ndarray::ArrayView1;

use self::sums::Sums;
use super::{
    FitError, Method,
    checked::{Checked, enough, varying},
    folds::count,
};
use crate::{
    Cost, Costs, DropReason, Dropped, Fitted, Form, Merge, Rows, Seen, summary::without_each,
};

/// T = c0 + Σ ci·xi with costs ci that are not below 0, by least squares on relative errors, kernels
/// weighted equally.
///
/// An event can't take less than no time: that alone keeps collinear counters from costs that cancel each
/// other, and a forecast from coming out at or below 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NonNegativeLeastSquares;

/// Just enough that counters which always go together share their cost, whichever comes first.
const RIDGE: f64 = 1e-9;

impl Method for NonNegativeLeastSquares {
    fn name(&self) -> &'static str {
        "nnls"
    }

    /// 2: summed up by kernel, which rounds otherwise; 3: intervals.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let mut all = Sums::new(checked.x.ncols());
        Sums::of_kernels(&checked)
            .values()
            .for_each(|kernel| all.merge(kernel));
        all.fit()
    }

    /// For folds of whole kernels.
    fn forecasts_without(
        &self,
        rows: &Rows<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        if rows.weights.is_some() {
            return None;
        }
        // A refit would say of each fold what is wrong.
        let checked = Checked::counts(rows).ok()?;
        let mut fold_of = BTreeMap::new();
        for (kernel, &fold) in checked.kernels.iter().zip(folds) {
            if *fold_of.entry(kernel).or_insert(fold) != fold {
                return None;
            }
        }
        let mut rest = Sums::new(checked.x.ncols());
        let mut parts = vec![rest.clone(); count(folds)];
        for (kernel, sums) in Sums::of_kernels(&checked) {
            match fold_of.get(&kernel) {
                Some(&fold) => parts[fold].merge(&sums),
                None => rest.merge(&sums),
            }
        }
        let fits: Vec<_> = without_each(&parts, &rest).iter().map(Sums::fit).collect();
        let forecast = |(&fold, row): (&usize, ArrayView1<'_, f64>)| match &fits[fold] {
            Ok(fit) => Ok(fit.predict(row)),
            Err(error) => Err(error.clone()),
        };
        Some(folds.iter().zip(checked.x.rows()).map(forecast).collect())
    }
}

/// Put together: terms that cost nothing leave, and columns in no term are dropped for it.
pub(super) fn fitted(
    seen: Vec<Seen>,
    mut dropped: Vec<Dropped>,
    constant: f64,
    mut terms: Vec<Cost>,
    p: f64,
) -> Result<Fitted, FitError> {
    if !constant.is_finite() || terms.iter().any(|term| !term.seconds.is_finite()) {
        return Err(FitError::NotFinite);
    }
    terms.retain(|term| term.seconds > 0.0);
    for column in 0..seen.len() {
        let used = terms
            .iter()
            .any(|term| term.column == column || term.over.contains(&column));
        if !used && dropped.iter().all(|it| it.column != column) {
            let reason = DropReason::NoCost;
            dropped.push(Dropped { column, reason });
        }
    }
    dropped.sort_by_key(|it| it.column);
    Ok(Fitted {
        seen,
        dropped,
        form: Form::Costs(Costs { constant, terms, p }),
    })
}
