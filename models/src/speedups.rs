//! Whether a change of a kernel pays. A **speedup** is the time before ÷ the time after: above 1, the change pays off.
//! Its forecast is the ratio of two forecasts of one model. Errors that both share cancel, so that how far off it is
//! comes from ratios of kernels left out, and not from the intervals of the two times.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_wire::{SpeedupErrors, SpeedupVerdict};

use crate::{Calibration, Interval, NoInterval, errors::mean};

/// The method whose forecasts give a second opinion on what changes bring: costs of what a work-item does. Where it says
/// the same as costs in waves, which it is not made of, that is right more often (docs/notebook/methods.md): chosen among
/// all methods by the H200's kernels left out.
pub const SECOND_OPINION: &str = "per_worker";

/// How far apart in logarithms two times are that repetitions could not tell apart: a tenth.
const CLEAR: f64 = 0.1;

/// Each verdict is right for so many left-out pairs that lie as close to 1 as it …
const EACH: f64 = 0.85;
/// … and so many of all that are given, one more counted as wrong, since the next may be; on so many kernels at least.
const ALL: f64 = 0.9;
const KERNELS: usize = 10;

/// Two variants of a kernel that was left out of the fit, at the same sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutPair {
    /// The kernel.
    pub kernel: String,
    /// The time before ÷ the time after.
    pub measured: f64,
    /// The same of the model's forecasts.
    pub forecast: f64,
    /// The same of another model's, where one gives a second opinion.
    pub second: Option<f64>,
}

/// How far to believe the ratios of two forecasts of a model.
#[derive(Clone, Debug)]
pub struct Speedups {
    pairs: Vec<LeftOutPair>,
    calibration: Calibration,
    /// So far from 1, in logarithms, verdicts are given; absent: none is.
    verdicts_from: Option<f64>,
}

impl Speedups {
    /// Of pairs of kernels left out. Pairs with a ratio that is not above 0 tell nothing.
    #[must_use]
    pub fn new(mut pairs: Vec<LeftOutPair>) -> Self {
        let is_ratio = |ratio: f64| ratio > 0.0 && ratio.is_finite();
        pairs.retain(|it| is_ratio(it.measured) && is_ratio(it.forecast));
        let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in &pairs {
            let score = (pair.forecast / pair.measured).ln().abs();
            scores.entry(&pair.kernel).or_default().push(score);
        }
        let mut scores: Vec<Vec<f64>> = scores.into_values().collect();
        scores.iter_mut().for_each(|it| it.sort_by(f64::total_cmp));
        Self {
            calibration: Calibration { scores },
            verdicts_from: verdicts_from(pairs.iter()),
            pairs,
        }
    }

    /// Where the speedup of a kernel that the model has not seen lies with probability `level`.
    ///
    /// # Errors
    /// [`NoInterval`] where there are too few kernels.
    pub fn interval(&self, speedup: f64, level: f64) -> Result<Interval, NoInterval> {
        self.calibration.interval(speedup, 1.0, level)
    }

    /// What a forecast says, with a second opinion where there is one.
    #[must_use]
    pub fn verdict(&self, speedup: f64, second: Option<f64>) -> SpeedupVerdict {
        verdict(self.verdicts_from, speedup, second)
    }

    /// How far off the ratios of kernels left out are, and how often verdicts on them are right; each verdict by the
    /// other kernels alone. None without pairs.
    #[must_use]
    pub fn errors(&self) -> Option<SpeedupErrors> {
        let share = |of: &[bool]| mean(&of.iter().map(|&it| f64::from(it)).collect::<Vec<_>>());
        let is_clear = |it: &&LeftOutPair| it.measured.ln().abs() > CLEAR.ln_1p();
        let all: Vec<bool> = self.pairs.iter().map(LeftOutPair::is_right).collect();
        let clear = self.pairs.iter().filter(is_clear);
        let clear: Vec<bool> = clear.map(LeftOutPair::is_right).collect();
        let verdicts = self.left_out().into_iter().zip(&all);
        let verdicts = verdicts.filter(|(it, _)| *it != SpeedupVerdict::TooClose);
        let verdicts: Vec<bool> = verdicts.map(|(_, right)| *right).collect();
        let off = self
            .pairs
            .iter()
            .map(|it| (it.forecast / it.measured).ln().abs());
        Some(SpeedupErrors {
            n: self.pairs.len(),
            kernels: self.calibration.scores.len(),
            factor: mean(&off.collect::<Vec<_>>())?.exp(),
            right: share(&all)?,
            clear_right: share(&clear),
            verdicts: verdicts.len() as f64 / self.pairs.len() as f64,
            verdicts_right: share(&verdicts),
        })
    }

    /// The verdict on each pair by the other kernels alone, in the order of the pairs that have ratios.
    #[must_use]
    pub fn left_out(&self) -> Vec<SpeedupVerdict> {
        let mut least: BTreeMap<&str, Option<f64>> = BTreeMap::new();
        for pair in &self.pairs {
            let others = || self.pairs.iter().filter(|it| it.kernel != pair.kernel);
            least
                .entry(&pair.kernel)
                .or_insert_with(|| verdicts_from(others()));
        }
        let verdict = |it: &LeftOutPair| verdict(least[&*it.kernel], it.forecast, it.second);
        self.pairs.iter().map(verdict).collect()
    }
}

impl LeftOutPair {
    fn distance(&self) -> f64 {
        agreed(self.forecast, self.second)
    }

    fn is_right(&self) -> bool {
        (self.forecast > 1.0) == (self.measured > 1.0)
    }
}

fn verdict(least: Option<f64>, speedup: f64, second: Option<f64>) -> SpeedupVerdict {
    match least.is_some_and(|least| agreed(speedup, second) >= least) {
        true if speedup > 1.0 => SpeedupVerdict::PaysOff,
        true => SpeedupVerdict::DoesNot,
        false => SpeedupVerdict::TooClose,
    }
}

/// How far from 1 both opinions are, in logarithms; 0 where they lie on either side of it.
fn agreed(speedup: f64, second: Option<f64>) -> f64 {
    let own = speedup.ln();
    let second = second.map_or(own, f64::ln);
    match own.signum() == second.signum() {
        true => own.abs().min(second.abs()),
        false => 0.0,
    }
}

/// From which distance from 1 on verdicts are right often enough. The share that is right is taken to rise with the
/// distance: isotonic regression by pooling neighbours that do not (Ayer, Brunk, Ewing, Reid, Silverman, "An empirical
/// distribution function for sampling with incomplete information", 1955).
fn verdicts_from<'a>(pairs: impl Iterator<Item = &'a LeftOutPair>) -> Option<f64> {
    let mut ascending: Vec<&LeftOutPair> = pairs.filter(|it| it.distance() > 0.0).collect();
    // Of those as far from 1 the right ones first: the others then join them.
    ascending.sort_by(|one, other| {
        let by_distance = one.distance().total_cmp(&other.distance());
        by_distance.then(other.is_right().cmp(&one.is_right()))
    });
    // Where each begins, how many are right, and how many there are.
    let mut pools: Vec<(usize, f64, f64)> = Vec::new();
    for (place, pair) in ascending.iter().enumerate() {
        let mut next = (place, f64::from(pair.is_right()), 1.0);
        while let Some(last) = pools.pop_if(|it| it.1 * next.2 >= next.1 * it.2) {
            next = (last.0, last.1 + next.1, last.2 + next.2);
        }
        pools.push(next);
    }
    let is_enough = |&&(place, right, count): &&(usize, f64, f64)| {
        let given = &ascending[place..];
        let all_right = given.iter().filter(|it| it.is_right()).count() as f64;
        let kernels: BTreeSet<&str> = given.iter().map(|it| &*it.kernel).collect();
        right >= EACH * count
            && all_right >= ALL * (given.len() + 1) as f64
            && kernels.len() >= KERNELS
    };
    let least = pools.iter().find(is_enough);
    least.map(|&(place, ..)| ascending[place].distance())
}
