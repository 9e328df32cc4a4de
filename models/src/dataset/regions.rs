//! Regions: groups of kernels that behave alike.

use kerncast_wire::Role;
use kodama::{Method, linkage};
use ndarray::{Array2, Axis};

use crate::{
    Rows,
    folds::{fold_count, numbered},
    rows::first_with_role,
};

/// Number of regions: enough that one in twenty can lie outside an interval, few enough that one of them is far from
/// all others.
const REGIONS: usize = 20;

/// Number of kernels below which each kernel is a region of its own.
const LEAST_KERNELS: usize = 40;
/// Number of kernels above which each is a region of its own, too: so many kernels span what others do, and their pairs
/// would take long.
const MOST_KERNELS: usize = 1_000;

/// The region of each row (n), as a number from 0 in the order of their first rows.
///
/// Kernels are points: the means of their rows' ln(1 + counter ÷ workers), and of ln(1 + workers), each column scaled
/// to the same spread; Ward's method (*Journal of the American Statistical Association* 58, 1963) joins the nearest
/// until [`REGIONS`] are left.
pub(super) fn regions(rows: &Rows<'_>) -> Vec<usize> {
    let count = fold_count(rows.kernels);
    if !(LEAST_KERNELS..=MOST_KERNELS).contains(&count) {
        return rows.kernels.to_vec();
    }
    let points = points(rows, count);
    let mut distances = Vec::with_capacity(count * (count - 1) / 2);
    for one in 0..count {
        for other in one + 1..count {
            let pairs = points.row(one).into_iter().zip(points.row(other));
            let squares: f64 = pairs.map(|(one, other)| (one - other).powi(2)).sum();
            distances.push(squares.sqrt());
        }
    }
    let joined = linkage(&mut distances, count, Method::Ward);
    // A step makes a cluster of two, numbered on after the kernels.
    let mut members: Vec<Vec<usize>> = (0..count).map(|kernel| vec![kernel]).collect();
    for step in joined.steps().iter().take(count - REGIONS) {
        let both = [step.cluster1, step.cluster2].map(|it| std::mem::take(&mut members[it]));
        members.push(both.concat());
    }
    let mut of_kernel = vec![0; count];
    for (region, kernels) in members.iter().enumerate() {
        kernels
            .iter()
            .for_each(|&kernel| of_kernel[kernel] = region);
    }
    numbered(rows.kernels.iter().map(|&kernel| of_kernel[kernel]))
}

/// The kernels as points (kernels × columns).
fn points(rows: &Rows<'_>, kernels: usize) -> Array2<f64> {
    let columns: Vec<usize> = (0..rows.x.ncols()).collect();
    let workers = first_with_role(rows.roles, &columns, &[Role::Warps, Role::WorkItems]);
    let mut logs = Array2::from_shape_fn(rows.x.dim(), |(row, column)| {
        let value = rows.x[(row, column)];
        let workers = workers.filter(|it| *it != column);
        let each = workers.map_or(1.0, |workers| rows.x[(row, workers)].abs().max(1.0));
        (value / each).abs().ln_1p().copysign(value)
    });
    let spreads = logs.std_axis(Axis(0), 0.0);
    for (mut column, spread) in logs.columns_mut().into_iter().zip(spreads) {
        column.mapv_inplace(|it| if spread > 0.0 { it / spread } else { 0.0 });
    }
    let mut sums = Array2::zeros((kernels, logs.ncols()));
    let mut counts = vec![0.0; kernels];
    for (row, &kernel) in logs.rows().into_iter().zip(rows.kernels) {
        sums.row_mut(kernel)
            .zip_mut_with(&row, |sum, it| *sum += it);
        counts[kernel] += 1.0;
    }
    for (mut sum, count) in sums.rows_mut().into_iter().zip(counts) {
        sum.mapv_inplace(|it| it / count);
    }
    sums
}
