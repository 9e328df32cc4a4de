//! Means and medians.

/// The mean; none of no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The upper median: of an even number of values the higher of the two middle ones; none of no values.
#[must_use]
pub fn upper_median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The median of sorted values: of an even number halfway between the two middle ones; none of no values.
pub(crate) fn middle_median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.get(sorted.len() / 2)?;
    let below = sorted[(sorted.len() - 1) / 2];
    Some((below + middle) / 2.0)
}

/// The weighted median: the first of the sorted values with half of the weight at or below it; NaN for no values.
pub(crate) fn weighted_median(values: &[f64], weights: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    let half = weights.iter().sum::<f64>() / 2.0;
    let mut below = 0.0;
    let middle = order.iter().find(|&&at| {
        below += weights[at];
        below >= half
    });
    middle.map_or(f64::NAN, |&at| values[at])
}
