//! Folds of rows, and weights by which kernels count equally.

use std::collections::{BTreeMap, BTreeSet};

/// Inner folds, by which a method chooses its settings: whole kernels, so that what is chosen is good for
/// kernels that it has not seen. Kernels are dealt out in the order of their first rows, like cards.
///
/// The fold of each row (n), from 0, at most `most` of them, no more than there are kernels.
pub(crate) fn inner_folds(kernels: &[usize], most: usize) -> Vec<usize> {
    let places = numbered(kernels).into_iter();
    places.map(|place| place % most).collect()
}

/// Numbers from 0 without a gap for different names, in the order in which these first come.
pub(crate) fn numbered<T: Ord>(names: impl IntoIterator<Item = T>) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    let number = |name| {
        let next = numbers.len();
        *numbers.entry(name).or_insert(next)
    };
    names.into_iter().map(number).collect()
}

/// The rows of a fold, and the others.
pub(crate) fn split_fold(folds: &[usize], fold: usize) -> (Vec<usize>, Vec<usize>) {
    (0..folds.len()).partition(|&row| folds[row] == fold)
}

/// The number of folds.
pub(crate) fn fold_count(folds: &[usize]) -> usize {
    folds.iter().max().map_or(0, |last| last + 1)
}

/// The weights of rows (n, above 0), changed so that every kernel counts once, whatever its rows; they add up to 1.
pub(crate) fn kernels_equally(kernels: &[usize], weights: &[f64]) -> Vec<f64> {
    let count = kernels.iter().collect::<BTreeSet<_>>().len() as f64;
    let shares = shares_in_kernels(kernels, weights).into_iter();
    shares.map(|share| share / count).collect()
}

/// The weights of rows (n, above 0), changed so that those of each kernel add up to 1.
pub(crate) fn shares_in_kernels(kernels: &[usize], weights: &[f64]) -> Vec<f64> {
    let mut totals = BTreeMap::new();
    for (kernel, weight) in kernels.iter().zip(weights) {
        *totals.entry(kernel).or_insert(0.0) += weight;
    }
    let rows = kernels.iter().zip(weights);
    rows.map(|(kernel, weight)| weight / totals[kernel])
        .collect()
}
