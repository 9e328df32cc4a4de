//! Which of several models answers.

use std::{cmp::Ordering, collections::BTreeMap};

use kerncast_wire::{Errors, HeldBecause, HoldOutKey};

use crate::{Dataset, ErrorReport, errors::mean};

/// With fewer families each fold would leave more out than those of five-fold cross-validation do: what is judged is
/// then how little a fit has seen, rather than how well it carries over.
const FAMILIES: usize = 5;

/// Errors that differ by less than this part of the lesser one are the same.
const SAME: f64 = 0.01;

/// A successor's errors explode where their mean is so many times its predecessor's …
const EXPLODED: f64 = 1.3;
/// … and larger by this. Honest samples of 61 further kernels made it 1.09 times as large at most (`nnls` on the
/// H200).
const EXPLODED_BY: f64 = 0.02;
/// A kernel that is forecast this badly is not forecast: how badly is left to chance, and would hide all others.
const MOST: f64 = 1.0;

/// A model of the same device, device counted on, provider and response as others, with what it is judged by:
/// ln(factor), the mean |ln(forecast ÷ measured)|. A time forecast a hundred times too long is 9,900 % off, one
/// a hundred times too short only 99 %: in per cent a single kernel would decide, and short forecasts be favoured.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// Fitted to all variants of kernels, not to one alone.
    pub all_variants: bool,
    /// Every row left out was forecast, above 0.
    pub complete: bool,
    /// The method's place among all, the simplest first.
    pub complexity: i16,
    /// The mean of kernels; absent where no row could be forecast above 0.
    pub error: Option<f64>,
    /// Each kernel's, by its name; absent where none of its rows could be forecast above 0.
    pub kernels: BTreeMap<String, Option<f64>>,
}

impl Contender {
    /// As the errors of the hold-out that judges it say (see [`judged_by`]).
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

/// Which of the hold-outs `made` of a dataset judges: families left out, as the kernels that somebody asks about
/// are of none that was seen; kernels where the families are too few, or fits take too long to leave them out.
#[must_use]
pub fn judged_by(dataset: &Dataset, made: &[HoldOutKey]) -> Option<HoldOutKey> {
    let families = dataset.folds(HoldOutKey::Family).into_iter().max();
    let enough = families.is_some_and(|last| last + 1 >= FAMILIES);
    [HoldOutKey::Family, HoldOutKey::Kernel]
        .into_iter()
        .filter(|key| *key != HoldOutKey::Family || enough)
        .find(|key| made.contains(key))
}

/// The contenders' places in the slice, in the order in which they answer; the first is the champion. Of
/// contenders that nothing tells apart the earlier goes first, so sort them by their ids.
///
/// Models of one variant answer after those of all, and models that forecast a row left out at or below 0, or not
/// at all, after those that did not. Among the others the one with the least error leads. Those tie with it whose
/// kernels' errors are larger, on average, by no more than the standard error of that difference (paired by
/// kernel; after the one-standard-error rule of Breiman, Friedman, Olshen, Stone, *Classification and
/// Regression Trees*, 1984), or than a hundredth of the leader's. They come first, the simplest ahead: what
/// is more complex has to show that it is better.
#[must_use]
pub fn rank(contenders: &[Contender]) -> Vec<usize> {
    let ties: Vec<bool> = contenders
        .iter()
        .map(|own| {
            let mut peers = contenders.iter().filter(|it| class(it) == class(own));
            let first = peers.next().unwrap_or(own);
            // Of equals the first.
            let leader = peers.fold(first, |least, it| match by_error(it, least) {
                Ordering::Less => it,
                _ => least,
            });
            ties(own, leader)
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

/// Of models whose kernels can't be paired, such as those of two providers, the one that answers first.
#[must_use]
pub fn lead(one: &Contender, other: &Contender) -> Ordering {
    class(one)
        .cmp(&class(other))
        .then(by_error(one, other))
        .then(one.complexity.cmp(&other.complexity))
}

/// Whether a model may answer in its predecessor's place, by their errors on unseen kernels, of the kernels that
/// the predecessor was judged by. Errors of times are shares here (APE), not ln(factor): what this guards against is
/// a fit gone wrong, which makes forecasts far too long, and a share says so in the words that a person reads beside
/// every forecast. Newer samples usually make forecasts of these as good as before, or better;
/// where they are far worse, the newer samples are wrong. Errors above 1 count as 1, and so does one that is
/// missing now.
///
/// # Errors
/// Its errors explode: by how much.
pub fn may_succeed(before: &Contender, now: &Contender) -> Result<(), HeldBecause> {
    // A kernel whose samples are all gone tells nothing.
    let common = before
        .kernels
        .iter()
        .filter_map(|(kernel, &error)| Some((error?, *now.kernels.get(kernel)?)));
    let capped = |error: f64| if error < MOST { error } else { MOST };
    let (old, new): (Vec<f64>, Vec<f64>) = common
        .map(|(old, new)| (capped(old), new.map_or(MOST, capped)))
        .unzip();
    let (Some(before), Some(now)) = (mean(&old), mean(&new)) else {
        return Ok(());
    };
    if now <= EXPLODED * before || now - before <= EXPLODED_BY {
        return Ok(());
    }
    Err(HeldBecause::Worse {
        kernels: old.len(),
        now,
        before,
    })
}

/// The lesser answers first, whatever the errors.
fn class(contender: &Contender) -> u8 {
    2 * u8::from(!contender.all_variants) + u8::from(!contender.complete)
}

/// The least error first, none last.
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
    difference <= noise.max(SAME * least)
}

/// Standard deviation of a sample with this mean; NaN of one value.
fn deviation(values: &[f64], mean: f64) -> f64 {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(factor: f64) -> Errors {
        Errors {
            n: 4,
            unpredicted: 0,
            mean_ape: 0.5,
            median_ape: 0.5,
            factor: Some(factor),
            within_25: 0.0,
            negative: 0,
        }
    }

    /// By a report of one kernel of these errors.
    fn of(errors: Errors) -> Contender {
        let kernels = vec![kerncast_wire::KernelErrors {
            kernel: "a".to_owned(),
            errors: Some(errors),
        }];
        let overall = Some(errors);
        Contender::new(true, 0, &ErrorReport { overall, kernels })
    }

    /// 9 times too long (800 %) and 9 times too short (89 %) are as bad; so is neither better than 8 times too long.
    #[test]
    fn what_is_judged_is_the_factor_and_not_per_cent() {
        let too_short = of(Errors {
            mean_ape: 8.0 / 9.0,
            ..errors(9.0)
        });
        let too_long = of(Errors {
            mean_ape: 7.0,
            ..errors(8.0)
        });
        assert_eq!(too_long.error, Some(8_f64.ln()));
        assert_eq!(too_long.kernels["a"], Some(8_f64.ln()));
        assert_eq!(rank(&[too_short, too_long]), [1, 0]);
    }

    /// Of a forecast at or below 0 there is no logarithm: the rest of the rows could hide it.
    #[test]
    fn a_forecast_at_or_below_0_or_none_is_worse_than_any() {
        let far_off = of(errors(50.0));
        for failed in [
            Errors {
                negative: 1,
                ..errors(1.1)
            },
            Errors {
                unpredicted: 1,
                ..errors(1.1)
            },
        ] {
            assert_eq!(rank(&[of(failed), far_off.clone()]), [1, 0]);
            assert_eq!(lead(&of(failed), &far_off), Ordering::Greater);
        }
    }

    #[test]
    fn families_judge_where_there_are_five() {
        use HoldOutKey::{Family, Kernel, Row};
        let of_families = |families: usize| {
            let kernels: Vec<String> = (0..10).map(|n| format!("k{n}")).collect();
            let families: Vec<Option<String>> = (0..10)
                .map(|n| Some(format!("f{}", n % families)))
                .collect();
            let x = ndarray::Array2::from_shape_fn((10, 1), |(row, _)| row as f64);
            Dataset::new(vec!["c".to_owned()], kernels, x, ndarray::Array1::ones(10))
                .and_then(|dataset| dataset.with_families(&families))
                .expect("a dataset")
        };
        let (five, four) = (of_families(5), of_families(4));
        assert_eq!(judged_by(&five, &[Kernel, Family, Row]), Some(Family));
        assert_eq!(judged_by(&four, &[Kernel, Family, Row]), Some(Kernel));
        assert_eq!(judged_by(&five, &[Kernel]), Some(Kernel));
        assert_eq!(judged_by(&five, &[]), None);
    }

    #[test]
    fn of_two_providers_the_one_with_the_least_error_leads() {
        let close = of(errors(1.1));
        let far = Contender {
            complexity: -1,
            ..of(errors(1.2))
        };
        assert_eq!(lead(&close, &far), Ordering::Less);
        assert_eq!(lead(&far, &close), Ordering::Greater);
    }

    /// A contender of all variants that forecast every row: its kernels a, b, … have these errors.
    fn contender(complexity: i16, errors: &[f64]) -> Contender {
        let errors: Vec<Option<f64>> = errors.iter().copied().map(Some).collect();
        in_part(complexity, &errors)
    }

    fn in_part(complexity: i16, errors: &[Option<f64>]) -> Contender {
        let known: Vec<f64> = errors.iter().copied().flatten().collect();
        let names = ('a'..).map(String::from);
        Contender {
            all_variants: true,
            complete: true,
            complexity,
            error: mean(&known),
            kernels: names.zip(errors.iter().copied()).collect(),
        }
    }

    #[test]
    fn nobody_is_ranked_where_there_is_nobody() {
        assert_eq!(rank(&[]), [0_usize; 0]);
    }

    /// By hand: each kernel is 0.1 to 0.12 worse, mean 0.11, standard error 0.0058.
    #[test]
    fn a_clear_lead_is_not_given_away_to_what_is_simpler() {
        let simple = contender(0, &[0.30, 0.31, 0.42]);
        let good = contender(5, &[0.20, 0.20, 0.30]);
        assert_eq!(rank(&[simple, good]), [1, 0]);
    }

    /// Differences 0.3, −0.2 and 0: their mean is 0.033, their standard error 0.145.
    #[test]
    fn of_those_that_tie_the_simplest_answers() {
        let leader = contender(5, &[0.1, 0.4, 0.3]);
        let simple = contender(1, &[0.4, 0.2, 0.3]);
        let middle = contender(3, &[0.4, 0.2, 0.3]);
        assert_eq!(rank(&[leader, middle, simple]), [2, 1, 0]);
    }

    /// Where every kernel is worse by the same, the standard error is 0: a hundredth of the leader's mean,
    /// 0.2, is 0.002.
    #[test]
    fn a_hundredth_is_no_difference() {
        let leader = contender(5, &[0.1, 0.2, 0.3]);
        let by = |more: f64| contender(1, &[0.1 + more, 0.2 + more, 0.3 + more]);
        assert_eq!(rank(&[leader.clone(), by(0.0019)]), [1, 0]);
        assert_eq!(rank(&[leader, by(0.0021)]), [0, 1]);
    }

    /// One value has no deviation.
    #[test]
    fn of_one_kernel_only_a_hundredth_ties() {
        let leader = contender(5, &[0.2]);
        assert_eq!(rank(&[leader.clone(), contender(1, &[0.2019])]), [1, 0]);
        assert_eq!(rank(&[leader, contender(1, &[0.2021])]), [0, 1]);
    }

    #[test]
    fn models_of_one_variant_and_those_that_left_rows_out_stand_behind() {
        let best = contender(0, &[0.1, 0.1]);
        let of_one = Contender {
            all_variants: false,
            ..best.clone()
        };
        let in_part = Contender {
            complete: false,
            ..best.clone()
        };
        let of_one_in_part = Contender {
            complete: false,
            ..of_one.clone()
        };
        let worst = contender(9, &[7.0, 8.0]);
        let all = [of_one_in_part, of_one, in_part, worst, best];
        assert_eq!(rank(&all), [4, 3, 2, 1, 0]);
    }

    #[test]
    fn what_was_never_validated_stands_last_the_simplest_first() {
        let unknown = |complexity| Contender {
            complete: false,
            ..in_part(complexity, &[])
        };
        let known = Contender {
            complete: false,
            ..contender(9, &[3.0, 4.0])
        };
        assert_eq!(rank(&[unknown(4), unknown(2), known]), [2, 1, 0]);
    }

    /// Only b is known of both; there the simple one is better, so it ties although it is worse on a.
    #[test]
    fn kernels_are_compared_where_both_have_an_error() {
        let leader = in_part(5, &[None, Some(0.3)]);
        let simple = in_part(1, &[Some(0.9), Some(0.2)]);
        assert_eq!(rank(&[leader.clone(), simple]), [1, 0]);
        // Nothing is known of both: no tie.
        let simple = in_part(1, &[Some(0.9), None]);
        assert_eq!(rank(&[leader, simple]), [0, 1]);
    }

    /// A kernel that the leader has not seen at all, as after newer samples.
    #[test]
    fn kernels_of_one_alone_are_left_out() {
        let leader = contender(5, &[0.1, 0.2]);
        let simple = contender(1, &[0.1, 0.2, 9.0]);
        assert_eq!(rank(&[leader, simple]), [1, 0]);
    }

    #[test]
    fn an_infinite_error_is_worse_than_any_but_better_than_none() {
        let infinite = contender(0, &[f64::INFINITY, 0.1]);
        let none = in_part(0, &[None, None]);
        let large = contender(9, &[1e9, 1e9]);
        assert_eq!(rank(&[none, infinite, large]), [2, 1, 0]);
    }

    #[test]
    fn a_model_whose_errors_explode_may_not_succeed() {
        let before = contender(0, &[0.1, 0.2, 0.3]);
        let why =
            may_succeed(&before, &contender(0, &[0.3, 0.4, 0.5])).expect_err("twice as far off");
        let why = why.to_string();
        assert!(why.contains("40.0 %") && why.contains("20.0 %"), "{why}");
        for worse in [f64::INFINITY, f64::NAN, 1e300] {
            assert!(may_succeed(&before, &contender(0, &[worse, worse, 0.3])).is_err());
        }
        let missing = in_part(0, &[None, None, Some(0.3)]);
        assert!(may_succeed(&before, &missing).is_err());
    }

    #[test]
    fn a_model_that_is_a_little_worse_or_lost_one_kernel_may() {
        let before = contender(0, &[0.1, 0.2, 0.3]);
        assert_eq!(may_succeed(&before, &before), Ok(()));
        assert_eq!(
            may_succeed(&before, &contender(0, &[0.12, 0.24, 0.36])),
            Ok(())
        );
        // From 1 % to 2 %: twice as much, and still good.
        let good = contender(0, &[0.01, 0.01]);
        assert_eq!(may_succeed(&good, &contender(0, &[0.02, 0.02])), Ok(()));
        // One kernel of many that is forecast absurdly: how absurdly is chance.
        let many = contender(0, &[0.2; 20]);
        let mut one = [0.2; 20];
        one[0] = 500.0;
        assert_eq!(may_succeed(&many, &contender(0, &one)), Ok(()));
        // New kernels, which are hard, are no reason.
        assert_eq!(
            may_succeed(&good, &contender(0, &[0.01, 0.01, 9.0, 9.0])),
            Ok(())
        );
        let nothing = in_part(0, &[]);
        assert_eq!(may_succeed(&nothing, &before), Ok(()));
        assert_eq!(may_succeed(&before, &nothing), Ok(()));
    }

    #[test]
    fn of_equals_the_first_answers() {
        let one = contender(3, &[0.1, 0.2]);
        assert_eq!(rank(&[one.clone(), one.clone(), one]), [0, 1, 2]);
    }
}
