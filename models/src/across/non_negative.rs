use ndarray::{Array1, Array2};

/// Relative to a column's own length: keeps proportional columns solvable, and moves nothing that counts.
const RIDGE: f64 = 1e-8;

/// A gradient below this is rounding; columns have length 1.
const TOLERANCE: f64 = 1e-10;

/// The b ≥ 0 that minimises bᵀGb ÷ 2 − bᵀr, for a Gram matrix G (k × k) and r (k): the active set of
/// Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23) on columns scaled to length 1.
/// A column of zeros gets 0.
pub(super) fn non_negative(gram: &Array2<f64>, target: &Array1<f64>) -> Vec<f64> {
    let k = target.len();
    let scale: Vec<f64> = (0..k).map(|i| gram[(i, i)].sqrt()).collect();
    let usable = |i: usize| scale[i].is_normal();
    let g = |i: usize, j: usize| {
        let ridge = if i == j { RIDGE } else { 0.0 };
        gram[(i, j)] / scale[i] / scale[j] + ridge
    };
    let mut b = vec![0.0; k];
    let mut free: Vec<usize> = Vec::new();
    // Each turn frees one column; the bound only guards against cycling on rounding.
    for _ in 0..3 * k {
        let gradient =
            |i: usize| target[i] / scale[i] - free.iter().map(|&j| g(i, j) * b[j]).sum::<f64>();
        let steepest = (0..k)
            .filter(|&i| usable(i) && !free.contains(&i))
            .map(|i| (i, gradient(i)))
            .filter(|&(_, slope)| slope > TOLERANCE)
            .max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.cmp(&one.0)));
        let Some((entering, _)) = steepest else { break };
        free.push(entering);
        while !free.is_empty() {
            let aim = solve(&free, &g, |i| target[i] / scale[i]);
            // The first to reach 0 on the way stops the step there, and leaves.
            let first = (0..free.len())
                .filter(|&at| aim[at] <= 0.0)
                .map(|at| {
                    (
                        at,
                        b[free[at]] / (b[free[at]] - aim[at]).max(f64::MIN_POSITIVE),
                    )
                })
                .min_by(|one, other| one.1.total_cmp(&other.1));
            let step = first.map_or(1.0, |(_, step)| step);
            for (&i, &to) in free.iter().zip(&aim) {
                b[i] += step * (to - b[i]);
            }
            let Some((at, _)) = first else { break };
            b[free.remove(at)] = 0.0;
        }
    }
    let raw = |i: usize| if usable(i) { b[i] / scale[i] } else { 0.0 };
    (0..k).map(raw).collect()
}

/// Gaussian elimination without pivoting, on a few columns: the matrix is positive definite by its ridge.
fn solve(
    free: &[usize],
    g: &impl Fn(usize, usize) -> f64,
    right: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let n = free.len();
    let mut rows: Vec<Vec<f64>> = free
        .iter()
        .map(|&i| {
            let row = free.iter().map(|&j| g(i, j));
            row.chain([right(i)]).collect()
        })
        .collect();
    for pivot in 0..n {
        let (above, below) = rows.split_at_mut(pivot + 1);
        let top = &above[pivot];
        for row in below {
            let factor = row[pivot] / top[pivot];
            for (value, &over) in row.iter_mut().zip(top).skip(pivot) {
                *value -= factor * over;
            }
        }
    }
    let mut solution = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][n] - known) / rows[i][i];
    }
    solution
}
