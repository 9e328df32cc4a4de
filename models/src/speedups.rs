//! Whether local memory pays off. A **speedup** is the time of a kernel's variant `global` ÷ the time of its
//! variant `local` at the same sizes: above 1, local memory pays off. Rows are workloads measured as
//! `global`, with their counters; the response is the speedup, on the device that was counted on or on
//! another.

use std::{cmp::Ordering, collections::BTreeMap};

use kerncast_wire::Signs;

use crate::{Dataset, ExtraTreesPerWorker, HoldOut, Median, Method, errors::mean};

/// The methods that forecast speedups, the simplest first.
///
/// A speedup depends on what a work-item does, not on how many there are, so that trees on counters per
/// work-item do best. Non-negative costs can't say it: that a counter is high may speak for local memory or
/// against it.
pub const SPEEDUP_METHODS: &[&dyn Method] = &[&Median, &ExtraTreesPerWorker];

/// A speedup is clear where one of the two times is shorter than this share of the other: repetitions of one
/// kernel differ by some percent.
const CLEAR: f64 = 0.9;

/// How often the forecasts of `hold_out` are on the right side of 1, where the `dataset` that it was made
/// from has speedups as its response. None without rows.
///
/// # Panics
/// Where `hold_out` was made from a dataset with another number of rows.
#[must_use]
pub fn signs(dataset: &Dataset, hold_out: &HoldOut) -> Option<Signs> {
    assert_eq!(dataset.y().len(), hold_out.forecasts.len(), "rows");
    let forecasts = hold_out.forecasts.iter();
    let rows: Vec<Row<'_>> = (dataset.kernels().iter().zip(dataset.y()).zip(forecasts))
        .map(|((kernel, &measured), forecast)| Row {
            kernel,
            measured,
            right: matches!(forecast, Ok(speedup) if (*speedup > 1.0) == (measured > 1.0)),
        })
        .collect();
    let clear = |row: &Row<'_>| !(CLEAR..=1.0 / CLEAR).contains(&row.measured);
    let pays_off = share(&rows, |_| true, |row| row.measured > 1.0)?;
    let commoner = pays_off > 0.5;
    let right = shares(&rows, |_| true, |row| row.right);
    let without = shares(&rows, |_| true, |row| (row.measured > 1.0) == commoner);
    let count = |wanted| {
        let compared = right
            .iter()
            .zip(&without)
            .map(|(with, without)| with.total_cmp(without));
        compared.filter(|it| *it == wanted).count() as u64
    };
    Some(Signs {
        right: share(&rows, |_| true, |row| row.right)?,
        clear_right: share(&rows, clear, |row| row.right),
        pays_off,
        better: count(Ordering::Greater),
        worse: count(Ordering::Less),
    })
}

/// How likely it is that of `better` + `worse` kernels so many, or more, are better by chance alone, each being as
/// likely to be worse: the one-sided sign test (Dixon, Mood, "The statistical sign test", 1946). Kernels of which a
/// model gets as many right as without it tell nothing.
#[must_use]
pub fn sign_test(better: u64, worse: u64) -> f64 {
    let all = better + worse;
    // From all of them downwards: n over k is n over k + 1, times (k + 1) ÷ (n − k).
    let mut ln_ways = 0.0;
    let mut likely = 0.0;
    for k in (better..=all).rev() {
        likely += f64::exp(ln_ways - all as f64 * 2_f64.ln());
        ln_ways += (k as f64).ln() - ((all - k + 1) as f64).ln();
    }
    likely.min(1.0)
}

struct Row<'a> {
    kernel: &'a str,
    measured: f64,
    right: bool,
}

/// The mean of kernels of [`shares`].
fn share(
    rows: &[Row<'_>],
    asked: impl Fn(&Row<'_>) -> bool,
    is: impl Fn(&Row<'_>) -> bool,
) -> Option<f64> {
    mean(&shares(rows, asked, is))
}

/// The share of each kernel's rows for which `is` holds, of those that are `asked`, in the order of kernels' names.
fn shares(
    rows: &[Row<'_>],
    asked: impl Fn(&Row<'_>) -> bool,
    is: impl Fn(&Row<'_>) -> bool,
) -> Vec<f64> {
    let mut kernels: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| asked(row)) {
        let of_kernel = kernels.entry(row.kernel).or_default();
        of_kernel.push(f64::from(is(row)));
    }
    kernels.values().filter_map(|kernel| mean(kernel)).collect()
}
