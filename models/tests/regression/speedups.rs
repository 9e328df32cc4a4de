//! Speedups: ratios of two forecasts.

use kerncast_models::{LeftOutPair, NoVerdict, SecondSpeedup, SpeedupVerdict, Speedups};

use super::common::assert_close;

fn pair(kernel: usize, measured: f64, forecast: f64) -> LeftOutPair {
    LeftOutPair {
        kernel: format!("k{kernel}"),
        measured,
        forecast,
        expected_error: 1.0,
        second: SecondSpeedup::Absent,
    }
}

/// Pairs of twenty kernels: forecasts of 1.05 are right for every second one, those of 2 and of ½ always.
fn twenty() -> Vec<LeftOutPair> {
    (0..20)
        .flat_map(|at| {
            let close = if at % 2 == 0 { 1.2 } else { 0.9 };
            [(close, 1.05), (2.2, 2.0), (0.4, 0.5)]
                .map(|(measured, forecast)| pair(at, measured, forecast))
        })
        .collect()
}

fn alone(speedups: &Speedups, speedup: f64) -> Result<SpeedupVerdict, NoVerdict> {
    speedups.verdict(speedup, SecondSpeedup::Absent)
}

#[test]
fn a_verdict_is_given_where_kernels_left_out_were_right_often_enough() {
    let speedups = Speedups::new(twenty());
    assert_eq!(alone(&speedups, 2.0), Ok(SpeedupVerdict::PaysOff));
    assert_eq!(alone(&speedups, 0.4), Ok(SpeedupVerdict::DoesNot));
    for close in [0.97, 1.0, 1.05, 1.9] {
        assert_eq!(alone(&speedups, close), Ok(SpeedupVerdict::TooClose));
    }
    let errors = speedups.errors().expect("pairs");
    assert_eq!((errors.n, errors.kernels), (60, 20));
    assert_close(errors.right, 50.0 / 60.0, 1e-12);
    let given_and_right = |it| errors.of_verdict(it).map(|it| (it.given, it.right));
    assert_eq!(given_and_right(SpeedupVerdict::PaysOff), Some((20, 20)));
    assert_eq!(given_and_right(SpeedupVerdict::DoesNot), Some((20, 20)));
    assert_eq!(given_and_right(SpeedupVerdict::TooClose), None);
}

/// Pairs at 1.2 are right for four in five: together with those further off more than nine in ten are.
#[test]
fn verdicts_that_are_wrong_by_themselves_do_not_hide_behind_clear_ones() {
    let at_a_fifth = (0..20).map(|at| pair(at, if at % 5 == 0 { 0.9 } else { 1.3 }, 1.2));
    let clear = (0..20).flat_map(|at| [pair(at, 0.4, 0.5), pair(at, 2.2, 2.0)]);
    let speedups = Speedups::new(at_a_fifth.chain(clear).collect());
    assert_eq!(alone(&speedups, 1.2), Ok(SpeedupVerdict::TooClose));
    assert_eq!(alone(&speedups, 2.0), Ok(SpeedupVerdict::PaysOff));
    let right = |speedup| speedups.right_as_far(speedup, SecondSpeedup::Absent);
    assert_eq!(
        (right(1.2), right(2.0), right(0.4)),
        (None, Some(1.0), Some(1.0))
    );
}

#[test]
fn a_kernel_is_judged_by_the_others_alone() {
    // Ten others have ten pairs each that are right at 2 ...
    let mut pairs: Vec<LeftOutPair> = (0..10)
        .flat_map(|at| {
            (0..10).map(move |it| {
                pair(
                    at,
                    if it < 5 { 3.0 } else { 0.2 },
                    if it < 5 { 2.0 } else { 0.5 },
                )
            })
        })
        .collect();
    // ... and at 1.5 only one kernel's are.
    pairs.extend((0..20).map(|_| pair(10, 1.6, 1.5)));
    let speedups = Speedups::new(pairs);
    assert_eq!(alone(&speedups, 1.5), Ok(SpeedupVerdict::PaysOff));
    let own = speedups.left_out().skip(100);
    assert!(own.into_iter().all(|it| it == Ok(SpeedupVerdict::TooClose)));
}

#[test]
fn a_second_opinion_has_to_say_the_same() {
    let mut seconded = twenty();
    for it in &mut seconded {
        // It knows better at 1.05.
        it.second = SecondSpeedup::Speedup(it.measured);
    }
    let speedups = Speedups::new(seconded);
    let verdict = |speedup, second| speedups.verdict(speedup, second);
    assert_eq!(
        verdict(1.05, SecondSpeedup::Speedup(1.05)),
        Ok(SpeedupVerdict::PaysOff)
    );
    assert_eq!(
        verdict(3.0, SecondSpeedup::Speedup(2.5)),
        Ok(SpeedupVerdict::PaysOff)
    );
    assert_eq!(
        verdict(0.4, SecondSpeedup::Speedup(0.45)),
        Ok(SpeedupVerdict::DoesNot)
    );
    assert_eq!(
        verdict(3.0, SecondSpeedup::Speedup(1.04)),
        Ok(SpeedupVerdict::TooClose)
    );
    for second in [SecondSpeedup::Speedup(0.9), SecondSpeedup::Unknown] {
        assert_eq!(
            verdict(3.0, second),
            Err(NoVerdict::NotSeconded),
            "{second:?}"
        );
    }
    assert_eq!(
        SecondSpeedup::new(true, Some(f64::INFINITY)),
        SecondSpeedup::Unknown
    );
    assert_eq!(SecondSpeedup::new(false, Some(2.0)), SecondSpeedup::Absent);
}

#[test]
fn always_the_same_is_no_verdict() {
    // Right for 19 of 20 where yes would be right for all.
    let pairs = (0..40).map(|at| pair(at, 2.0, if at % 20 == 0 { 0.45 } else { 2.0 }));
    let speedups = Speedups::new(pairs.collect());
    assert_eq!(alone(&speedups, 2.0), Err(NoVerdict::NotRightEnough));
    let errors = speedups.errors().expect("pairs");
    assert_eq!((errors.pays_off.given, errors.does_not.given), (0, 0));
}

#[test]
fn an_interval_holds_ratios_of_nine_in_ten_kernels() {
    // Off by 1 %, 2 %, … 20 %, the doubtful ones by twice as much.
    let pairs = (1..=20).flat_map(|at| {
        [1.0, 2.0].map(|expected_error| LeftOutPair {
            expected_error,
            ..pair(at, 1.5, 1.5 * f64::exp(0.01 * expected_error * at as f64))
        })
    });
    let speedups = Speedups::new(pairs.collect());
    let reach = |expected_error| {
        let interval = speedups
            .interval(2.0, expected_error, 0.9)
            .expect("enough kernels");
        assert_close(interval.low * interval.high, 4.0, 1e-12);
        (interval.high / 2.0).ln()
    };
    assert!((0.18..=0.20).contains(&reach(1.0)), "{}", reach(1.0));
    assert_close(reach(2.0), 2.0 * reach(1.0), 1e-12);
    assert_close(
        speedups.errors().expect("pairs").factor.ln(),
        1.5 * 0.105,
        1e-12,
    );
}

#[test]
fn too_few_kernels_or_ratios_that_are_none_give_nothing() {
    let of = |kernels| {
        let pairs = (0..kernels)
            .flat_map(|at| [pair(at, 2.0, 2.0), pair(at, 0.5, 0.5), pair(at, 3.0, 3.0)]);
        Speedups::new(pairs.collect())
    };
    assert!(of(8).interval(2.0, 1.0, 0.9).is_err());
    assert_eq!(alone(&of(9), 3.0), Err(NoVerdict::NotRightEnough));
    assert_eq!(alone(&of(11), 3.0), Ok(SpeedupVerdict::PaysOff));
    let none = vec![
        pair(0, 0.0, 1.0),
        pair(0, 2.0, -1.0),
        pair(1, f64::NAN, 1.0),
    ];
    for none in [Speedups::new(none), Speedups::new(Vec::new())] {
        assert!(none.errors().is_none());
        assert_eq!(alone(&none, 2.0), Err(NoVerdict::NotValidated));
    }
}
