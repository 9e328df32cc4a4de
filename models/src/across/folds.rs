/// More inner folds cost more and choose the same.
const INNER_FOLDS: usize = 10;

/// One over the number of rows of each row's kernel, so that kernels count the same.
pub(super) fn weights(kernels: &[usize]) -> Vec<f64> {
    let rows = |kernel: usize| kernels.iter().filter(|&&it| it == kernel).count();
    kernels
        .iter()
        .map(|&kernel| 1.0 / rows(kernel) as f64)
        .collect()
}

/// The inner fold of each row: kernels are dealt out in the order of their first rows.
pub(super) fn deal(kernels: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let mut number = |kernel: usize| {
        order
            .iter()
            .position(|&it| it == kernel)
            .unwrap_or_else(|| {
                order.push(kernel);
                order.len() - 1
            })
    };
    kernels
        .iter()
        .map(|&kernel| number(kernel) % INNER_FOLDS)
        .collect()
}

/// What is made small wherever something is chosen: the mean over kernels of the mean APE, plus the
/// median APE over rows; errors are told by these two. `ratios` are forecast ÷ measured.
pub(super) fn loss(ratios: &[f64], kernels: &[usize]) -> f64 {
    let weights = weights(kernels);
    let mut apes: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs()).collect();
    let sum: f64 = apes
        .iter()
        .zip(&weights)
        .map(|(ape, weight)| ape * weight)
        .sum();
    apes.sort_by(f64::total_cmp);
    sum / weights.iter().sum::<f64>() + apes[apes.len() / 2]
}
