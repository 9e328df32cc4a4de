//! Fits the costs of `waves`, by the logarithms of forecast ÷ time.

use std::mem;

use ndarray::{Array1, Array2, Axis};

use super::super::cholesky;
use crate::fitted::{norm, power};

/// An error |ln(forecast ÷ time)| below this counts with its square, a larger one with its size.
const SQUARED_BELOW: f64 = 0.15;

/// The most steps, far more than needed: they end when they no longer help.
const MOST_STEPS: usize = 60;

/// A step that lowers the loss by less than this share has arrived.
const LEAST_GAIN: f64 = 1e-5;

/// The largest logarithm of a cost ÷ its documented value.
const MOST_LOG: f64 = 6.0;

/// The least constant, as a share of the shortest time; the shortest time is the most.
const LEAST_CONSTANT: f64 = 1e-3;

/// T = constant + ((Σ waits)ᵖ + (Σ busy^q)^(p/q))^(1/p), each term of a documented cost × the cycle × e^θ. The solution
/// is the θ, the cycle and the constant for which ln(T ÷ time) is small, and θ too.
pub(super) struct ByRatio {
    /// Cycles (n × k), 0 or more, the busy ones before the waits.
    pub(super) cycles: Array2<f64>,
    /// Number of terms that are busy ones.
    pub(super) busy: usize,
    /// Times (n), above 0, seconds.
    pub(super) times: Array1<f64>,
    /// Weights of the rows (n), adding up to 1.
    pub(super) weights: Vec<f64>,
}

/// The costs that a fit found, as natural logarithms.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// Factors of the documented costs (k), then the cycle and the constant in seconds.
    logs: Array1<f64>,
}

/// The exponents p and q, and how strongly θ is pulled to 0, against rows whose weights add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) p: f64,
    pub(super) q: f64,
    pub(super) pull: f64,
}

impl Solution {
    /// The documented costs, with a cycle and a constant (seconds) to start from.
    pub(super) fn start(k: usize, cycle: f64, constant: f64) -> Self {
        let mut logs = Array1::zeros(k + 2);
        logs[k] = cycle.ln();
        logs[k + 1] = constant.ln();
        Self { logs }
    }

    /// Seconds of a documented cycle of each term (k).
    pub(super) fn seconds(&self) -> Array1<f64> {
        let k = self.logs.len() - 2;
        let cycle = self.logs[k];
        (0..k).map(|at| (self.logs[at] + cycle).exp()).collect()
    }

    pub(super) fn cycle(&self) -> f64 {
        self.logs[self.logs.len() - 2].exp()
    }

    pub(super) fn constant(&self) -> f64 {
        self.logs[self.logs.len() - 1].exp()
    }
}

/// The point where a step starts. Points are overwritten: allocating them took an eighth of a fit.
struct Point {
    loss: f64,
    /// ln(T ÷ time) (n).
    off: Array1<f64>,
    /// √(1 + (off ÷ [`SQUARED_BELOW`])²) (n).
    roots: Array1<f64>,
    /// The slopes of `off` (n × (k + 2)).
    slopes: Array2<f64>,
}

impl Point {
    fn new((n, k): (usize, usize)) -> Self {
        Self {
            loss: f64::INFINITY,
            off: Array1::zeros(n),
            roots: Array1::zeros(n),
            slopes: Array2::zeros((n, k + 2)),
        }
    }
}

impl ByRatio {
    /// Solves by Levenberg and Marquardt's steps on squares weighted anew at each (Huber, *Robust Statistics*, 1981).
    /// The solution comes with its loss.
    pub(super) fn solve(&self, setting: Setting, start: &Solution) -> (Solution, f64) {
        let mut logs = self.bounded(start.logs.clone());
        let (mut point, mut next) = (Point::new(self.cycles.dim()), Point::new(self.cycles.dim()));
        let mut weighted = point.slopes.clone();
        self.evaluate(&logs, setting, &mut point);
        let mut damping = 1e-2;
        for _ in 0..MOST_STEPS {
            let Some(step) = self.step(&logs, &point, setting, damping, &mut weighted) else {
                break;
            };
            let next_logs = self.bounded(&logs - &step);
            self.evaluate(&next_logs, setting, &mut next);
            if next.loss < point.loss {
                let arrived = point.loss - next.loss < LEAST_GAIN * point.loss;
                logs = next_logs;
                mem::swap(&mut point, &mut next);
                damping *= 0.2;
                if arrived {
                    break;
                }
            } else {
                damping *= 8.0;
                if damping > 1e6 {
                    break;
                }
            }
        }
        (Solution { logs }, point.loss)
    }

    fn bounded(&self, mut logs: Array1<f64>) -> Array1<f64> {
        let k = logs.len() - 2;
        let shortest = self.times.iter().copied().fold(f64::INFINITY, f64::min);
        let (least, most) = ((LEAST_CONSTANT * shortest).ln(), shortest.ln());
        logs.slice_mut(ndarray::s![..k])
            .mapv_inplace(|it| it.clamp(-MOST_LOG, MOST_LOG));
        logs[k + 1] = logs[k + 1].clamp(least, most);
        logs
    }

    /// Computes the loss at these costs, and all that the next step needs.
    fn evaluate(&self, logs: &Array1<f64>, Setting { p, q, pull }: Setting, point: &mut Point) {
        let (n, k) = self.cycles.dim();
        let solution = Solution { logs: logs.clone() };
        let (seconds, constant) = (solution.seconds(), solution.constant());
        let Point {
            loss,
            off,
            roots,
            slopes,
        } = point;
        *loss = 0.5 * pull * logs.iter().take(k).map(|it| it * it).sum::<f64>();
        for row in 0..n {
            let mut slopes = slopes.row_mut(row);
            let parts = slopes.as_slice_mut().expect("rows lie in one piece");
            let costs = self.cycles.row(row).into_iter().zip(&seconds);
            for (part, (cycles, seconds)) in parts.iter_mut().zip(costs) {
                *part = cycles * seconds;
            }
            let (busy, waits) = parts[..k].split_at_mut(self.busy);
            let wait: f64 = waits.iter().sum();
            let busiest = busy.iter().copied().fold(0.0, f64::max);
            let mut all_busy = 0.0;
            if busiest > 0.0 {
                busy.iter_mut().for_each(|it| *it = power(*it / busiest, q));
                let sum: f64 = busy.iter().sum();
                busy.iter_mut().for_each(|it| *it /= sum);
                all_busy = busiest * sum.powf(1.0 / q);
            }
            let norm = norm(&[wait, all_busy], p);
            // By how much of itself the forecast grows with each path.
            let slope = |path: f64| power(path / norm, p) * norm / (norm + constant);
            if norm > 0.0 {
                let (of_wait, of_busy) = (slope(wait), slope(all_busy));
                busy.iter_mut().for_each(|it| *it *= of_busy);
                let of_each = of_wait / wait.max(f64::MIN_POSITIVE);
                waits.iter_mut().for_each(|it| *it *= of_each);
            }
            let forecast = norm + constant;
            parts[k] = norm / forecast;
            parts[k + 1] = constant / forecast;
            off[row] = (forecast / self.times[row]).ln();
            roots[row] = (off[row] / SQUARED_BELOW).hypot(1.0);
            *loss += self.weights[row] * SQUARED_BELOW * SQUARED_BELOW * (roots[row] - 1.0);
        }
    }

    /// Computes one step; `weighted` is scratch memory.
    fn step(
        &self,
        logs: &Array1<f64>,
        point: &Point,
        setting: Setting,
        damping: f64,
        weighted: &mut Array2<f64>,
    ) -> Option<Array1<f64>> {
        let k = logs.len() - 2;
        let robust = |(root, weight): (&f64, &f64)| weight / root;
        let weights: Array1<f64> = point.roots.iter().zip(&self.weights).map(robust).collect();
        weighted.assign(&point.slopes);
        *weighted *= &weights.insert_axis(Axis(1));
        let mut h = weighted.t().dot(&point.slopes);
        let mut g = weighted.t().dot(&point.off);
        for at in 0..k {
            g[at] += setting.pull * logs[at];
        }
        for (at, own) in h.diag_mut().iter_mut().enumerate() {
            let pull = if at < k { setting.pull } else { 1e-9 };
            *own += pull + damping * (*own + pull);
        }
        let step = cholesky::solve(h, g)?;
        step.iter().all(|it| it.is_finite()).then_some(step)
    }
}
