//! Speedups: ratios of two forecasts.

use kerncast_models::{LeftOutPair, SpeedupVerdict, Speedups};

use super::common::assert_close;

fn pair(kernel: &str, measured: f64, forecast: f64) -> LeftOutPair {
    LeftOutPair {
        kernel: kernel.to_owned(),
        measured,
        forecast,
        second: None,
    }
}

/// Of twenty kernels: forecasts of 1.05 are right for every second one, those of 2 and of ½ always.
fn twenty() -> Vec<LeftOutPair> {
    (0..20)
        .flat_map(|at| {
            let name = format!("k{at}");
            let close = if at % 2 == 0 { 1.2 } else { 0.9 };
            [(close, 1.05), (2.2, 2.0), (0.4, 0.5)]
                .map(|(measured, forecast)| pair(&name, measured, forecast))
        })
        .collect()
}

#[test]
fn a_verdict_is_given_where_kernels_left_out_were_right_often_enough() {
    let speedups = Speedups::new(twenty());
    assert_eq!(speedups.verdict(2.0, None), SpeedupVerdict::PaysOff);
    assert_eq!(speedups.verdict(0.4, None), SpeedupVerdict::DoesNot);
    for close in [0.97, 1.0, 1.05, 1.9] {
        assert_eq!(
            speedups.verdict(close, None),
            SpeedupVerdict::TooClose,
            "{close}"
        );
    }
    // Which of the two was before makes no difference.
    assert_eq!(speedups.verdict(1.0 / 2.01, None), SpeedupVerdict::DoesNot);
    let errors = speedups.errors().expect("pairs");
    assert_eq!((errors.n, errors.kernels), (60, 20));
    assert_close(errors.right, 50.0 / 60.0, 1e-12);
    // All are off 1 by more than a tenth but those measured at 0.9, which is more than a tenth too: 1 ÷ 0.9 is 1.11.
    assert_close(errors.clear_right.expect("clear ones"), 50.0 / 60.0, 1e-12);
    assert_close(errors.verdicts, 2.0 / 3.0, 1e-12);
    assert_close(errors.verdicts_right.expect("verdicts"), 1.0, 1e-12);
}

#[test]
fn a_second_opinion_has_to_say_the_same() {
    let speedups = Speedups::new(twenty());
    assert_eq!(speedups.verdict(3.0, Some(2.5)), SpeedupVerdict::PaysOff);
    for second in [0.9, 1.0, 1.04] {
        assert_eq!(
            speedups.verdict(3.0, Some(second)),
            SpeedupVerdict::TooClose,
            "{second}"
        );
    }
    assert_eq!(speedups.verdict(0.4, Some(0.45)), SpeedupVerdict::DoesNot);
    // Where it corrects the first, the verdict may begin closer to 1.
    let mut seconded = twenty();
    for (at, it) in seconded.iter_mut().enumerate() {
        it.second = Some(if at % 2 == 0 && at % 3 == 0 {
            it.forecast
        } else {
            it.measured
        });
    }
    let seconded = Speedups::new(seconded);
    assert_eq!(seconded.verdict(1.05, Some(1.05)), SpeedupVerdict::PaysOff);
}

#[test]
fn an_interval_holds_ratios_of_nine_in_ten_kernels() {
    // Off by 1 %, 2 %, … 20 %.
    let pairs =
        (1..=20).map(|at| pair(&format!("k{at}"), 1.5, 1.5 * f64::exp(0.01 * f64::from(at))));
    let speedups = Speedups::new(pairs.collect());
    let interval = speedups.interval(2.0, 0.9).expect("enough kernels");
    let reach = (interval.high / 2.0).ln();
    assert!((0.18..=0.20).contains(&reach), "{reach}");
    assert_close(interval.low * interval.high, 4.0, 1e-12);
    assert_close(speedups.errors().expect("pairs").factor.ln(), 0.105, 1e-12);
}

#[test]
fn too_few_kernels_or_ratios_that_are_none_give_nothing() {
    let few = Speedups::new((0..8).map(|at| pair(&format!("k{at}"), 2.0, 2.0)).collect());
    assert!(few.interval(2.0, 0.9).is_err());
    // One wrong one more would be more than a tenth.
    assert_eq!(few.verdict(2.0, None), SpeedupVerdict::TooClose);
    let none = Speedups::new(vec![
        pair("a", 0.0, 1.0),
        pair("a", 2.0, -1.0),
        pair("b", f64::NAN, 1.0),
    ]);
    assert!(none.errors().is_none());
    assert_eq!(none.verdict(2.0, None), SpeedupVerdict::TooClose);
    let nothing = Speedups::new(Vec::new());
    assert!(nothing.errors().is_none());
}
