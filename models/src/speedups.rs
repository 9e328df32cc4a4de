//! Whether a change of a kernel pays. A **speedup** is the time before ÷ the time after: above 1, the change pays off.
//! Its forecast is the ratio of two forecasts of one model. Errors that both share cancel. Its interval therefore comes
//! from ratios of kernels left out, not from the intervals of the two times.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_wire::{NoVerdict, SpeedupErrors, SpeedupVerdict, VerdictErrors, Warning};

use crate::{Calibration, Interval, averages::mean};

/// The method that gives the second opinion on a change. Verdicts on which it and `waves_forest` agree are right more
/// often (docs/notebook/methods.md). It was chosen among all methods by the H200's left-out kernels.
pub const SECOND_OPINION: &str = "per_worker";

/// The least share of right verdicts among left-out pairs that lie as close to 1 as the verdict's own …
const LEAST_RIGHT_AS_FAR: f64 = 0.85;
/// … and the least share among all verdicts that are given, one more counted as wrong, since the next may be; on at
/// least `ENOUGH_KERNELS` kernels.
const LEAST_RIGHT: f64 = 0.9;
const ENOUGH_KERNELS: usize = 10;

/// Two variants of a kernel that was left out of the fit, at the same sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOutPair {
    /// The kernel.
    pub kernel: String,
    /// The time before ÷ the time after.
    pub measured: f64,
    /// The ratio of the model's two forecasts.
    pub forecast: f64,
    /// The larger [expected error](crate::Fitted::expected_error) of the two forecasts.
    pub expected_error: f64,
    /// The ratio of the second model's two forecasts.
    pub second: SecondSpeedup,
}

/// The second model's opinion of a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SecondSpeedup {
    /// There is no such model.
    Absent,
    /// The second model lacks one of the two forecasts.
    Unknown,
    /// The time before ÷ the time after, by the second model.
    Speedup(f64),
}

impl SecondSpeedup {
    /// The second model's answer: `speedup`, or unknown without one; absent where there is no such model (`exists`).
    #[must_use]
    pub fn new(exists: bool, speedup: Option<f64>) -> Self {
        match (exists, speedup.filter(|it| is_ratio(*it))) {
            (false, _) => Self::Absent,
            (true, None) => Self::Unknown,
            (true, Some(speedup)) => Self::Speedup(speedup),
        }
    }
}

/// Speedups as ratios of two forecasts of a model, and how far to believe them.
#[derive(Clone, Debug)]
pub struct Speedups {
    pairs: Vec<LeftOutPair>,
    calibration: Calibration,
    /// (distance from 1 in logarithms, share of right verdicts from there on), ascending. The first is the least
    /// distance at which a verdict is given. Empty: no verdict is given.
    right_from: Vec<(f64, f64)>,
    /// The verdict on each pair, by the other kernels alone.
    left_out: Vec<Result<SpeedupVerdict, NoVerdict>>,
}

impl Speedups {
    /// Speedups by pairs of kernels left out. Pairs with a ratio that is not above 0 are dropped.
    #[must_use]
    pub fn new(mut pairs: Vec<LeftOutPair>) -> Self {
        pairs.retain(|it| is_ratio(it.measured) && is_ratio(it.forecast));
        let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in &pairs {
            let score = (pair.forecast / pair.measured).ln().abs() / pair.expected_error;
            scores.entry(&pair.kernel).or_default().push(score);
        }
        let mut scores: Vec<Vec<f64>> = scores.into_values().collect();
        scores.iter_mut().for_each(|it| it.sort_by(f64::total_cmp));
        let mut speedups = Self {
            calibration: Calibration { scores },
            right_from: right_from(pairs.iter()),
            left_out: left_out(&pairs),
            pairs,
        };
        // What holds for the kernels that the distance was found with may not hold for others.
        if !speedups.are_right_enough() {
            speedups.right_from.clear();
            speedups.left_out.fill(Err(NoVerdict::NotRightEnough));
        }
        speedups
    }

    /// The interval that contains the speedup of an unseen kernel with probability `level`. `expected_error`: the
    /// larger of the two times'.
    ///
    /// # Errors
    /// A [`Warning`] where there are too few kernels.
    pub fn interval(
        &self,
        speedup: f64,
        expected_error: f64,
        level: f64,
    ) -> Result<Interval, Warning> {
        self.calibration.interval(speedup, expected_error, level)
    }

    /// The verdict that a forecast gives.
    ///
    /// # Errors
    /// [`NoVerdict`] where no verdict is given at this distance from 1, or the second model does not say the same.
    pub fn verdict(
        &self,
        speedup: f64,
        second: SecondSpeedup,
    ) -> Result<SpeedupVerdict, NoVerdict> {
        if self.pairs.is_empty() {
            return Err(NoVerdict::NotValidated);
        }
        verdict(self.least(), speedup, second)
    }

    /// The share of right verdicts on left-out pairs that lie as far from 1. None where no verdict is given.
    #[must_use]
    pub fn right_as_far(&self, speedup: f64, second: SecondSpeedup) -> Option<f64> {
        let distance = distance(speedup, second)?;
        let within = self
            .right_from
            .iter()
            .rev()
            .find(|(from, _)| *from <= distance);
        within.map(|(_, right)| *right)
    }

    fn least(&self) -> Option<f64> {
        self.right_from.first().map(|(from, _)| *from)
    }

    /// The verdict on each pair that has ratios, in the pairs' order, by the other kernels alone.
    pub fn left_out(&self) -> impl Iterator<Item = Result<SpeedupVerdict, NoVerdict>> {
        self.left_out.iter().copied()
    }

    /// Errors of the ratios of left-out kernels, and of verdicts on them. None without pairs.
    #[must_use]
    pub fn errors(&self) -> Option<SpeedupErrors> {
        let right = self.pairs.iter().map(|it| f64::from(it.is_right()));
        let off = |it: &LeftOutPair| (it.forecast / it.measured).ln().abs();
        Some(SpeedupErrors {
            n: self.pairs.len(),
            kernels: self.calibration.scores.len(),
            factor: mean(&Vec::from_iter(self.pairs.iter().map(off)))?.exp(),
            right: mean(&Vec::from_iter(right))?,
            pays_off: self.verdict_errors(SpeedupVerdict::PaysOff),
            does_not: self.verdict_errors(SpeedupVerdict::DoesNot),
        })
    }

    fn verdict_errors(&self, verdict: SpeedupVerdict) -> VerdictErrors {
        let verdicts = self.pairs.iter().zip(&self.left_out);
        let pairs = verdicts.filter(|(_, own)| **own == Ok(verdict));
        VerdictErrors {
            given: pairs.clone().count(),
            right: pairs.filter(|(pair, _)| pair.is_right()).count(),
        }
    }

    /// Whether enough verdicts on left-out kernels are right, and more than if all of them had the same verdict.
    fn are_right_enough(&self) -> bool {
        let [yes, no] =
            [SpeedupVerdict::PaysOff, SpeedupVerdict::DoesNot].map(|it| self.verdict_errors(it));
        let [given, right] = [yes.given + no.given, yes.right + no.right];
        let pay_off = yes.right + (no.given - no.right);
        right as f64 >= LEAST_RIGHT * given as f64 && right >= pay_off.max(given - pay_off)
    }
}

impl LeftOutPair {
    /// The distance from 1, in logarithms, that both opinions reach.
    fn distance(&self) -> f64 {
        distance(self.forecast, self.second).unwrap_or_default()
    }

    fn is_right(&self) -> bool {
        (self.forecast > 1.0) == (self.measured > 1.0)
    }
}

fn is_ratio(ratio: f64) -> bool {
    ratio > 0.0 && ratio.is_finite()
}

fn left_out(pairs: &[LeftOutPair]) -> Vec<Result<SpeedupVerdict, NoVerdict>> {
    let mut least: BTreeMap<&str, Option<f64>> = BTreeMap::new();
    for pair in pairs {
        let others = || pairs.iter().filter(|it| it.kernel != pair.kernel);
        let of_kernel = least.entry(&pair.kernel);
        of_kernel.or_insert_with(|| right_from(others()).first().map(|(from, _)| *from));
    }
    let verdict = |it: &LeftOutPair| verdict(least[&*it.kernel], it.forecast, it.second);
    pairs.iter().map(verdict).collect()
}

fn verdict(
    least: Option<f64>,
    speedup: f64,
    second: SecondSpeedup,
) -> Result<SpeedupVerdict, NoVerdict> {
    let least = least.ok_or(NoVerdict::NotRightEnough)?;
    if speedup.ln().abs() < least {
        return Ok(SpeedupVerdict::TooClose);
    }
    match distance(speedup, second).ok_or(NoVerdict::NotSeconded)? {
        nearer if nearer < least => Ok(SpeedupVerdict::TooClose),
        _ if speedup > 1.0 => Ok(SpeedupVerdict::PaysOff),
        _ => Ok(SpeedupVerdict::DoesNot),
    }
}

/// The distance from 1, in logarithms, that both opinions reach; none where they lie on either side of 1, or the second
/// is unknown.
fn distance(speedup: f64, second: SecondSpeedup) -> Option<f64> {
    let own = speedup.ln();
    match second {
        SecondSpeedup::Absent => Some(own.abs()),
        SecondSpeedup::Unknown => None,
        SecondSpeedup::Speedup(second) => {
            let second = second.ln();
            (own * second >= 0.0).then(|| own.abs().min(second.abs()))
        }
    }
}

/// Pairs (distance from 1, share of verdicts that are right from there to the next), from the least distance at which
/// enough are right. The share is taken to rise with the distance: isotonic regression by pooling neighbours that do
/// not (Ayer, Brunk, Ewing, Reid, Silverman, "An empirical distribution function for sampling with incomplete
/// information", 1955).
fn right_from<'a>(pairs: impl Iterator<Item = &'a LeftOutPair>) -> Vec<(f64, f64)> {
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
        let farther = &ascending[place..];
        let all_right = farther.iter().filter(|it| it.is_right()).count() as f64;
        let kernels: BTreeSet<&str> = farther.iter().map(|it| &*it.kernel).collect();
        right >= LEAST_RIGHT_AS_FAR * count
            && all_right >= LEAST_RIGHT * (farther.len() + 1) as f64
            && kernels.len() >= ENOUGH_KERNELS
    };
    let least = pools.iter().position(|it| is_enough(&it));
    let enough = &pools[least.unwrap_or(pools.len())..];
    let from =
        |&(place, right, count): &(usize, f64, f64)| (ascending[place].distance(), right / count);
    enough.iter().map(from).collect()
}
