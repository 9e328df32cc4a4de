use std::collections::BTreeMap;

use ndarray::{Array1, Array2, Axis, s};
use rayon::prelude::*;

use super::{Checked, FitError, RIDGE, enough, fitted, varying};
use crate::{Cost, Fitted, Merge, Seen, non_negative::non_negative};

/// What non-negative least squares on relative errors need to know of kernels. Terms are the counters and,
/// last, the constant; a term's share is what it has of it in a row, divided by the row's time.
#[derive(Clone)]
pub(super) struct Sums {
    rows: usize,
    /// Of the rows, in all.
    weight: f64,
    kernels: usize,
    seen: Vec<Seen>,
    /// The largest share of each term (p + 1), the unit of the sums below.
    most: Array1<f64>,
    /// Sum over kernels of the mean over their rows of share · shareᵀ.
    products: Array2<f64>,
    /// The same of the shares.
    shares: Array1<f64>,
}

impl Sums {
    /// Of no rows with so many counters.
    pub(super) fn new(counters: usize) -> Self {
        Self {
            rows: 0,
            weight: 0.0,
            kernels: 0,
            seen: vec![Seen::NOTHING; counters],
            most: Array1::zeros(counters + 1),
            products: Array2::zeros((counters + 1, counters + 1)),
            shares: Array1::zeros(counters + 1),
        }
    }

    /// Of each kernel, by its number.
    pub(super) fn of_kernels(checked: &Checked) -> BTreeMap<usize, Self> {
        let mut kernels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, &kernel) in checked.kernels.iter().enumerate() {
            kernels.entry(kernel).or_default().push(row);
        }
        let kernels = kernels.into_par_iter();
        kernels
            .map(|(kernel, rows)| (kernel, Self::of_kernel(checked, &rows)))
            .collect()
    }

    fn of_kernel(checked: &Checked, rows: &[usize]) -> Self {
        let x = checked.x.select(Axis(0), rows);
        let weights = checked.weights.select(Axis(0), rows);
        let p = x.ncols();
        let mut shares = Array2::from_shape_fn((rows.len(), p + 1), |(row, term)| {
            let events = if term < p { x[(row, term)] } else { 1.0 };
            events / checked.y[rows[row]]
        });
        let most = shares.fold_axis(Axis(0), 0.0, |most: &f64, &share| most.max(share));
        shares /= &most.mapv(unit);
        let weighted = &shares * &(&weights / weights.sum()).insert_axis(Axis(1));
        Self {
            rows: rows.len(),
            weight: weights.sum(),
            kernels: 1,
            seen: Seen::learn(x.view(), weights.view()),
            most,
            products: weighted.t().dot(&shares),
            shares: weighted.sum_axis(Axis(0)),
        }
    }

    pub(super) fn fit(&self) -> Result<Fitted, FitError> {
        enough(self.rows, self.seen.len())?;
        let (columns, dropped) = varying(&self.seen, self.rows)?;
        let terms: Vec<usize> = columns.iter().copied().chain([self.seen.len()]).collect();
        let part = |them: &Array1<f64>| them.select(Axis(0), &terms);
        let kernels = self.kernels as f64;
        let mut h = self
            .products
            .select(Axis(0), &terms)
            .select(Axis(1), &terms)
            / kernels;
        // The constant is no counter: nothing speaks for a launch that costs nothing.
        for at in 0..columns.len() {
            h[(at, at)] += RIDGE;
        }
        let costs = non_negative(
            &h,
            &(part(&self.shares) / kernels),
            &vec![false; terms.len()],
        );
        let mut seconds = costs / part(&self.most).mapv(unit);
        let constant = seconds[columns.len()];
        seconds.slice_collapse(s![..columns.len()]);
        let term = |(&column, &seconds): (&usize, &f64)| Cost {
            column,
            over: Vec::new(),
            seconds,
        };
        let terms = columns.iter().zip(&seconds).map(term).collect();
        fitted(self.seen.clone(), dropped, constant, terms, 1.0)
    }
}

impl Merge for Sums {
    fn merge(&mut self, other: &Self) {
        if other.rows == 0 {
            return;
        }
        let mut most = self.most.clone();
        most.zip_mut_with(&other.most, |most, &it| *most = most.max(it));
        let units = most.mapv(unit);
        let (mine, theirs) = (&self.most / &units, &other.most / &units);
        let square = |it: &Array1<f64>| &it.view().insert_axis(Axis(1)) * it;
        self.products = &self.products * &square(&mine) + &other.products * &square(&theirs);
        self.shares = &self.shares * &mine + &other.shares * &theirs;
        self.most = most;
        self.rows += other.rows;
        self.kernels += other.kernels;
        self.weight += other.weight;
        let share = other.weight / self.weight;
        for (all, part) in self.seen.iter_mut().zip(&other.seen) {
            *all = all.joined(part, share);
        }
    }
}

/// A column of zeros is in no unit.
fn unit(most: f64) -> f64 {
    if most > 0.0 { most } else { 1.0 }
}
