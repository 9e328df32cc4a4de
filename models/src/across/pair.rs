use ndarray::ArrayView1;

use super::{
    AcrossError, Scaled, Smooth, Workloads,
    folds::{deal, loss},
};
use crate::HoldOut;

/// How far rows speak of each other in a [`Smooth`], and how noisy it thinks they are.
const REACHES: [[f64; 2]; 4] = [[1.5, 1.0], [3.0, 1.0], [1.5, 0.3], [3.0, 0.3]];
/// How much of a forecast is [`Smooth`]; the rest is [`Scaled`].
const PARTS: [f64; 4] = [0.0, 0.2, 0.4, 0.6];
/// How far below the middle of what is possible to forecast: what is too long costs more APE.
const SHRINKS: [f64; 3] = [0.0, 0.05, 0.1];

/// Source time and counters → time on a target: [`Scaled`] and [`Smooth`] in one, their logs averaged.
/// Physics goes far beyond what was seen; smoothness knows better near it. How much of each, and how far
/// below, is chosen by leaving kernels out of the rows learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// By causes of time.
    pub scaled: Scaled,
    /// By likeness.
    pub smooth: Smooth,
    /// How much of the log forecast is `smooth`, 0 to 1.
    pub part: f64,
    /// Subtracted from the log forecast.
    pub shrink: f64,
}

impl Pair {
    /// The forecast for one row of raw counter values (p) that took `source_time` seconds on the source.
    ///
    /// # Panics
    /// Where `row` is shorter than the roles ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>, source_time: f64) -> f64 {
        let scaled = self.scaled.predict(row, source_time);
        let smooth = self.smooth.predict(row, source_time);
        blend([scaled, smooth], self.part, self.shrink)
    }

    pub(super) fn fit(
        workloads: &Workloads,
        devices: [usize; 2],
        rows: &[usize],
    ) -> Result<Self, AcrossError> {
        let [_, target] = devices;
        let kernels = workloads.kernels_of(rows);
        let folds = deal(&kernels);
        let scaled = held_out(
            workloads,
            devices,
            rows,
            &folds,
            Scaled::fit,
            Scaled::predict,
        )?;
        let times = workloads.times_of(target, rows);
        let mut best = (f64::INFINITY, REACHES[0], PARTS[0], SHRINKS[0]);
        for reach in REACHES {
            let fit = |w: &Workloads, d, r: &[usize]| Smooth::fit(w, d, r, reach);
            let smooth = held_out(workloads, devices, rows, &folds, fit, Smooth::predict)?;
            for part in PARTS {
                for shrink in SHRINKS {
                    let both = scaled.iter().zip(&smooth).zip(&times);
                    let ratio =
                        |((&a, &b), time): ((&f64, &f64), &f64)| blend([a, b], part, shrink) / time;
                    let ratios: Vec<f64> = both.map(ratio).collect();
                    let loss = loss(&ratios, &kernels);
                    if loss < best.0 {
                        best = (loss, reach, part, shrink);
                    }
                }
            }
        }
        let (_, reach, part, shrink) = best;
        Ok(Self {
            scaled: Scaled::fit(workloads, devices, rows)?,
            smooth: Smooth::fit(workloads, devices, rows, reach)?,
            part,
            shrink,
        })
    }
}

fn blend([scaled, smooth]: [f64; 2], part: f64, shrink: f64) -> f64 {
    ((1.0 - part) * scaled.ln() + part * smooth.ln() - shrink).exp()
}

/// Every row forecast by a fit that has not seen its inner fold.
fn held_out<Fit>(
    workloads: &Workloads,
    devices: [usize; 2],
    rows: &[usize],
    folds: &[usize],
    fit: impl Fn(&Workloads, [usize; 2], &[usize]) -> Result<Fit, AcrossError>,
    predict: impl Fn(&Fit, ArrayView1<'_, f64>, f64) -> f64,
) -> Result<Vec<f64>, AcrossError> {
    let count = folds.iter().max().map_or(0, |last| last + 1);
    let mut forecasts = vec![f64::NAN; rows.len()];
    for fold in 0..count {
        let rest = rows.iter().zip(folds).filter(|&(_, &it)| it != fold);
        let rest: Vec<usize> = rest.map(|(&row, _)| row).collect();
        let fit = fit(workloads, devices, &rest)?;
        for (i, &row) in rows.iter().enumerate().filter(|&(i, _)| folds[i] == fold) {
            let time = workloads.times(devices[0])[row];
            forecasts[i] = predict(&fit, workloads.x().row(row), time);
        }
    }
    Ok(forecasts)
}

/// Forecasts every workload's time on one device from its counters and its time on another, by fits that
/// have seen the workload's kernel on neither. `devices`: source and target.
///
/// # Errors
/// [`AcrossError`] where a fit overflows.
///
/// # Panics
/// Where there is no such device.
pub fn from_source(workloads: &Workloads, devices: [usize; 2]) -> Result<HoldOut, AcrossError> {
    workloads.leave_kernels_out(|rest, left_out| {
        let pair = Pair::fit(workloads, devices, rest)?;
        let times = workloads.times_of(devices[0], left_out);
        let rows = left_out.iter().zip(times);
        Ok(rows
            .map(|(&row, time)| pair.predict(workloads.x().row(row), time))
            .collect())
    })
}
