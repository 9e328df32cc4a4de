//! Which of several models answers.

use std::{cmp::Ordering, collections::BTreeMap};

use kerncast_wire::{Errors, HeldBecause, HoldOutKey};

use crate::{Dataset, ErrorReport, averages::mean};

/// Number of families from which families are left out to rank models. With fewer, each fold would leave out more than
/// a fold of five-fold cross-validation: it would show how little a fit has seen, rather than how well it carries over.
const ENOUGH_FAMILIES: usize = 5;

/// Errors that differ by less than this share of the lesser one count as equal.
const EQUAL_SHARE: f64 = 0.01;

/// A successor's errors explode where their mean is this many times its predecessor's …
const EXPLODED_FACTOR: f64 = 1.3;
/// … and also larger by this much. Honest samples of 61 further kernels made it 1.09 times as large at most (`nnls` on
/// the H200).
const EXPLODED_DIFFERENCE: f64 = 0.02;
/// The most that one kernel's error counts (1 is 100 %). How much worse a forecast is beyond that is chance, and would
/// hide all other kernels.
const MOST_ERROR: f64 = 1.0;

/// A model of the same device, device counted on, provider and response as others, with what ranks it:
/// ln(factor), the mean |ln(forecast ÷ measured)|. A time forecast a hundred times too long is 9,900 % off, one
/// a hundred times too short only 99 %: in per cent a single kernel would decide, and short forecasts be favoured.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Whether it was fitted to all variants of kernels, not to one alone.
    pub all_variants: bool,
    /// Whether every row left out was forecast, above 0.
    pub complete: bool,
    /// The method's place among all methods, the simplest first.
    pub complexity: i16,
    /// The mean of kernels; absent where no row could be forecast above 0.
    pub error: Option<f64>,
    /// Each kernel's error, by its name; absent where none of its rows could be forecast above 0.
    pub kernels: BTreeMap<String, Option<f64>>,
}

impl Contender {
    /// A contender with the errors of the hold-out that ranks it (see [`ranking_key`]).
    #[must_use]
    pub fn new(all_variants: bool, complexity: i16, report: &ErrorReport) -> Self {
        let complete = |it: Errors| it.unpredicted == 0 && it.negative == 0;
        let error = |it: Errors| it.factor.map(f64::ln);
        let kernels = report.kernels.iter();
        Self {
            all_variants,
            complete: report.overall.is_some_and(complete),
            complexity,
            error: report.overall.and_then(error),
            kernels: kernels
                .map(|it| (it.kernel.clone(), it.errors.and_then(error)))
                .collect(),
        }
    }
}

/// The key of the hold-out whose errors rank models, out of the `keys` of those made from the dataset. Families come
/// first, since the kernels that somebody asks about are of no family that was seen; kernels, where there are too few
/// families or fits take too long to leave families out.
#[must_use]
pub fn ranking_key(dataset: &Dataset, keys: &[HoldOutKey]) -> Option<HoldOutKey> {
    let families = dataset.folds(HoldOutKey::Family).into_iter().max();
    let enough = families.is_some_and(|last| last + 1 >= ENOUGH_FAMILIES);
    [HoldOutKey::Family, HoldOutKey::Kernel]
        .into_iter()
        .filter(|key| *key != HoldOutKey::Family || enough)
        .find(|key| keys.contains(key))
}

/// The contenders' places in the slice, in the order in which they answer; the first is the champion. Contenders that
/// nothing tells apart keep their order, so sort them by their ids.
///
/// Models of one variant answer after those of all, and models that forecast a row left out at or below 0, or not at
/// all, after those that did not. Among the others the one with the least error leads. Those tie with it whose kernels'
/// errors are larger, on average, by no more than the standard error of that difference (paired by kernel; after the
/// one-standard-error rule of Breiman, Friedman, Olshen, Stone, *Classification and Regression Trees*, 1984), or than a
/// hundredth of the leader's. They come first, the simplest ahead: what is more complex has to show that it is better.
#[must_use]
pub fn rank(contenders: &[Contender]) -> Vec<usize> {
    let ties: Vec<bool> = contenders
        .iter()
        .map(|own| {
            let peers = contenders.iter().filter(|it| class(it) == class(own));
            // Of equals the first.
            let leader = peers.min_by(|one, other| by_error(one, other));
            ties(own, leader.unwrap_or(own))
        })
        .collect();
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    order.sort_by(|&a, &b| {
        let (one, other) = (&contenders[a], &contenders[b]);
        let simpler = one.complexity.cmp(&other.complexity);
        class(one)
            .cmp(&class(other))
            .then(ties[b].cmp(&ties[a]))
            .then(if ties[a] { simpler } else { Ordering::Equal })
            .then(by_error(one, other))
            .then(simpler)
    });
    order
}

/// Orders two models whose kernels can't be paired, such as those of two providers: the one that answers first is less.
#[must_use]
pub fn lead(one: &Contender, other: &Contender) -> Ordering {
    class(one)
        .cmp(&class(other))
        .then(by_error(one, other))
        .then(one.complexity.cmp(&other.complexity))
}

/// Whether a model may answer in its predecessor's place, by their errors on unseen kernels, of the kernels that the
/// predecessor was judged by. Errors of times are shares here (APE), not ln(factor): what this guards against is a fit
/// gone wrong, which makes forecasts far too long, and a share says so in the words that a person reads beside every
/// forecast. Newer samples usually make these forecasts as good as before, or better; if they are far worse, the newer
/// samples are wrong. Errors above 1 count as 1, and so does one that is missing now.
///
/// # Errors
/// Its errors explode: by how much.
pub fn may_succeed(before: &Contender, now: &Contender) -> Result<(), HeldBecause> {
    // A kernel whose samples are all gone tells nothing.
    let common = before
        .kernels
        .iter()
        .filter_map(|(kernel, &error)| Some((error?, *now.kernels.get(kernel)?)));
    let capped = |error: f64| {
        if error < MOST_ERROR {
            error
        } else {
            MOST_ERROR
        }
    };
    let (old, new): (Vec<f64>, Vec<f64>) = common
        .map(|(old, new)| (capped(old), new.map_or(MOST_ERROR, capped)))
        .unzip();
    let (Some(before), Some(now)) = (mean(&old), mean(&new)) else {
        return Ok(());
    };
    if now <= EXPLODED_FACTOR * before || now - before <= EXPLODED_DIFFERENCE {
        return Ok(());
    }
    Err(HeldBecause::Worse {
        kernels: old.len(),
        now,
        before,
    })
}

/// The class of a contender: lower classes answer first, whatever the errors.
fn class(contender: &Contender) -> u8 {
    2 * u8::from(!contender.all_variants) + u8::from(!contender.complete)
}

/// Orders contenders by error: the least first, those without an error last.
fn by_error(one: &Contender, other: &Contender) -> Ordering {
    match (one.error, other.error) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}

/// Whether the difference to the leader is noise. A leader without kernels' errors ties with nobody, nor with
/// itself.
fn ties(own: &Contender, leader: &Contender) -> bool {
    let common: Vec<(Option<f64>, Option<f64>)> = own
        .kernels
        .iter()
        .filter_map(|(kernel, &error)| Some((error, *leader.kernels.get(kernel)?)))
        .collect();
    let both = common
        .iter()
        .filter_map(|&(own, least)| Some(own? - least?));
    let differences: Vec<f64> = both.collect();
    let least: Vec<f64> = common.iter().filter_map(|&(_, least)| least).collect();
    let (Some(difference), Some(least)) = (mean(&differences), mean(&least)) else {
        return false;
    };
    let kernels = common.iter().filter(|(own, _)| own.is_some()).count();
    let noise = deviation(&differences, difference) / (kernels as f64).sqrt();
    // Of one kernel there is no deviation: it is NaN, and the larger is the other.
    difference <= noise.max(EQUAL_SHARE * least)
}

/// Standard deviation of a sample with this mean; NaN for a single value.
fn deviation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}
