//! Least squares with solutions that are not below 0.

use ndarray::{Array1, Array2};

/// Signs of the gradient below this share of the problem's size are rounding.
const TOLERANCE: f64 = 1e-10;

/// The c ≥ 0 (k) that minimises cᵀ·H·c ÷ 2 − fᵀ·c, with H symmetric (k × k) and f (k). H = AᵀA and f = Aᵀb
/// make it min ‖A·c − b‖, so that its cost does not grow with A's rows. `start` says which entries are
/// likely above 0: a good guess saves steps and changes nothing else.
///
/// Lawson and Hanson's active sets (*Solving Least Squares Problems*, 1974, chapter 23) on the normal
/// matrix, as Bro and De Jong do (Journal of Chemometrics 11, 1997). Columns of H that depend on others in
/// the set up to rounding stay at 0.
pub(crate) fn non_negative(h: &Array2<f64>, f: &Array1<f64>, start: &[bool]) -> Array1<f64> {
    let k = f.len();
    let size = f.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
    let mut passive: Vec<usize> = (0..k)
        .filter(|&at| start[at] && h[(at, at)] > 0.0)
        .collect();
    let mut barred = vec![false; k];
    let mut c = Array1::zeros(k);
    shrink(h, f, &mut passive, &mut c, &mut barred);
    // Each step adds a column or bars it, and lowers the objective: the bound is never met but for cycles
    // by rounding.
    for _ in 0..10 * k {
        let gradient = f - &h.dot(&c);
        let free = |&at: &usize| !passive.contains(&at) && !barred[at] && h[(at, at)] > 0.0;
        let best = (0..k)
            .filter(free)
            .max_by(|&a, &b| gradient[a].total_cmp(&gradient[b]).then(b.cmp(&a)));
        let Some(best) = best.filter(|&at| gradient[at] > TOLERANCE * size) else {
            break;
        };
        passive.push(best);
        shrink(h, f, &mut passive, &mut c, &mut barred);
        // What came in and went out again at once would do so for ever.
        if !passive.contains(&best) {
            barred[best] = true;
        } else {
            barred.fill(false);
        }
    }
    c
}

/// Solves for the passive columns; while that takes some below 0, goes as far as none is and drops those
/// that reach it.
fn shrink(
    h: &Array2<f64>,
    f: &Array1<f64>,
    passive: &mut Vec<usize>,
    c: &mut Array1<f64>,
    barred: &mut [bool],
) {
    loop {
        let solution = solve(h, f, passive, barred);
        if passive.is_empty() {
            c.fill(0.0);
            return;
        }
        let reach = passive
            .iter()
            .zip(&solution)
            .filter(|&(_, &s)| s <= 0.0)
            .map(|(&at, &s)| {
                if c[at] > 0.0 {
                    c[at] / (c[at] - s)
                } else {
                    0.0
                }
            })
            .fold(1.0, f64::min);
        let mut next = Array1::zeros(c.len());
        for (&at, &s) in passive.iter().zip(&solution) {
            next[at] = if reach < 1.0 {
                c[at] + reach * (s - c[at])
            } else {
                s
            };
        }
        let before = passive.len();
        let negative: Vec<usize> = passive
            .iter()
            .zip(&solution)
            .filter(|&(&at, &s)| s <= 0.0 && next[at] <= 1e-12 * c[at].max(f64::MIN_POSITIVE))
            .map(|(&at, _)| at)
            .collect();
        passive.retain(|at| !negative.contains(at));
        for at in negative {
            next[at] = 0.0;
        }
        *c = next;
        if passive.len() == before {
            return;
        }
    }
}

/// H·c = f on the passive columns, by Cholesky's factors; a column that depends on those before it is
/// barred and leaves `passive`.
fn solve(
    h: &Array2<f64>,
    f: &Array1<f64>,
    passive: &mut Vec<usize>,
    barred: &mut [bool],
) -> Vec<f64> {
    /// Less than this share of a column's square left: dependent.
    const DEPENDENT: f64 = 1e-12;
    let mut l: Vec<Vec<f64>> = Vec::with_capacity(passive.len());
    let mut independent: Vec<usize> = Vec::with_capacity(passive.len());
    for &at in passive.iter() {
        let mut row: Vec<f64> = Vec::with_capacity(independent.len() + 1);
        for (j, &before) in independent.iter().enumerate() {
            let inner: f64 = row.iter().zip(&l[j]).map(|(a, b)| a * b).sum();
            row.push((h[(at, before)] - inner) / l[j][j]);
        }
        let rest = h[(at, at)] - row.iter().map(|a| a * a).sum::<f64>();
        if rest <= DEPENDENT * h[(at, at)] {
            barred[at] = true;
            continue;
        }
        row.push(rest.sqrt());
        l.push(row);
        independent.push(at);
    }
    *passive = independent;
    let mut x: Vec<f64> = passive.iter().map(|&at| f[at]).collect();
    for i in 0..x.len() {
        let inner: f64 = (0..i).map(|j| l[i][j] * x[j]).sum();
        x[i] = (x[i] - inner) / l[i][i];
    }
    for i in (0..x.len()).rev() {
        let inner: f64 = (i + 1..x.len()).map(|j| l[j][i] * x[j]).sum();
        x[i] = (x[i] - inner) / l[i][i];
    }
    x
}
