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
