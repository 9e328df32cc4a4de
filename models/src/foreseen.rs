use std::collections::BTreeSet;

use ndarray::{Array1, Array2};

use crate::{
    Dataset, FitError, Fitted, HoldOut, HoldOutKey, Method,
    hold_out::{Doubted, by_folds},
};

/// Counters of some of a dataset's rows that nobody counted but somebody foresaw: how far off a fit to counted ones is
/// when it is asked by these.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    /// The dataset's rows of which it is known (m), ascending; none of a generated kernel.
    rows: Vec<usize>,
    /// Of each column (p) whether it is foreseen.
    columns: Vec<bool>,
    /// Their counters (m × p); what stands in columns that are not foreseen means nothing.
    x: Array2<f64>,
}

impl Foreseen {
    /// Of these rows of a dataset (m, ascending), by column (p) whether it is foreseen, and the counters (m × p).
    ///
    /// # Panics
    /// Where the shapes disagree.
    #[must_use]
    pub fn new(rows: Vec<usize>, columns: Vec<bool>, x: Array2<f64>) -> Self {
        assert_eq!(x.dim(), (rows.len(), columns.len()), "rows and columns");
        Self { rows, columns, x }
    }

    /// The dataset's rows that are foreseen (m).
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Of each column (p) whether it is foreseen.
    #[must_use]
    pub fn columns(&self) -> &[bool] {
        &self.columns
    }

    /// The foreseen counters, row by row.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let known = self.x.indexed_iter();
        known
            .filter(|((_, column), _)| self.columns[*column])
            .map(|(_, &value)| value)
    }

    /// Whether a fit asks for nothing else.
    #[must_use]
    pub fn suffices(&self, fitted: &Fitted) -> bool {
        fitted.columns().all(|column| self.columns[column])
    }

    /// Leaves every fold of the dataset out in turn, fits the rest by `method` to what was counted, and forecasts the
    /// fold's rows by what was foreseen of them. No fold is fitted to the rows `without`.
    #[must_use]
    pub fn hold_out(
        &self,
        dataset: &Dataset,
        without: &BTreeSet<usize>,
        key: HoldOutKey,
        method: &dyn Method,
    ) -> HoldOut {
        let folds = dataset.folds(key);
        let asked = |fit: &Result<Fitted, FitError>, place: usize| self.forecast(fit, place);
        let forecasts = by_folds(dataset, &folds, without, method, &self.rows, asked);
        HoldOut::new(key, &self.judged(dataset), forecasts)
    }

    /// The rows that are foreseen alone, to judge a [hold-out](Self::hold_out) by: left out together as they are in
    /// the whole dataset.
    #[must_use]
    pub fn judged(&self, dataset: &Dataset) -> Dataset {
        dataset.left_out_as_all(&self.rows)
    }

    fn forecast(&self, fit: &Result<Fitted, FitError>, place: usize) -> Result<Doubted, FitError> {
        let fit = fit.as_ref().map_err(Clone::clone)?;
        // As an answer does with what is missing.
        let value = |column: usize| match self.columns[column] {
            true => self.x[(place, column)],
            false => fit.seen[column].mean,
        };
        let row: Array1<f64> = (0..self.columns.len()).map(value).collect();
        Ok((fit.predict(row.view()), fit.doubt(row.view())))
    }
}
