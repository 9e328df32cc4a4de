//! Which of several models answers.

use std::cmp::Ordering;

use kerncast_models::{
    Contender, Dataset, ErrorReport, Errors, HoldOutKey, KernelErrors, lead, may_succeed, rank,
    ranking_key,
};

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
    let kernels = vec![KernelErrors {
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

/// A forecast at or below 0 has no logarithm: the rest of the rows could hide it.
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
    assert_eq!(ranking_key(&five, &[Kernel, Family, Row]), Some(Family));
    assert_eq!(ranking_key(&four, &[Kernel, Family, Row]), Some(Kernel));
    assert_eq!(ranking_key(&five, &[Kernel]), Some(Kernel));
    assert_eq!(ranking_key(&five, &[]), None);
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
    let sum: Option<f64> = errors.iter().copied().flatten().reduce(|a, b| a + b);
    let n = errors.iter().flatten().count() as f64;
    let names = ('a'..).map(String::from);
    Contender {
        all_variants: true,
        complete: true,
        complexity,
        error: sum.map(|sum| sum / n),
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
    let validated = Contender {
        complete: false,
        ..contender(9, &[3.0, 4.0])
    };
    assert_eq!(rank(&[unknown(4), unknown(2), validated]), [2, 1, 0]);
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
    let why = may_succeed(&before, &contender(0, &[0.3, 0.4, 0.5])).expect_err("twice as far off");
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
