//! Fits to counted counters, asked by foreseen ones.

use std::collections::BTreeSet;

use super::common::{assert_close, dataset};
use kerncast_models::{
    Calibration, Dataset, Foreseen, HoldOutKey, NonNegativeLeastSquares, errors, hold_out,
};
use ndarray::{Array2, array};

/// T = 2·x on eight kernels, two of which are siblings.
fn lines() -> Dataset {
    let rows = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|kernel| {
        let x = f64::from(kernel.as_bytes()[0] - b'a') + 1.0;
        (kernel, [x], 2.0 * x)
    });
    let siblings = |row: usize| (row < 2).then(|| "siblings".to_owned());
    let families: Vec<_> = (0..rows.len()).map(siblings).collect();
    dataset(&rows).with_families(&families).expect("families")
}

fn of_all(dataset: &Dataset, times: f64) -> Foreseen {
    let x: Array2<f64> = &dataset.x() * times;
    Foreseen::new((0..dataset.y().len()).collect(), vec![true], x)
}

#[test]
fn what_is_foreseen_as_it_is_counted_is_forecast_the_same() {
    let (data, method) = (lines(), &NonNegativeLeastSquares);
    for key in [HoldOutKey::Kernel, HoldOutKey::Family, HoldOutKey::Region] {
        let counted = hold_out(&data, key, method);
        let foreseen = of_all(&data, 1.0);
        let by_foreseen = foreseen.hold_out(&data, &BTreeSet::new(), key, method);
        for (one, other) in counted.forecasts.iter().zip(&by_foreseen.forecasts) {
            let [one, other] = [one, other].map(|it| *it.as_ref().expect("a forecast"));
            assert_close(one, other, 1e-9);
        }
        let rows = foreseen.judged(&data);
        assert_eq!(rows.folds(key), data.folds(key));
    }
}

/// Half as many again are foreseen as are counted, and so the forecast is half as long again.
#[test]
fn errors_and_intervals_are_those_of_what_was_foreseen() {
    let (data, method) = (lines(), &NonNegativeLeastSquares);
    let foreseen = of_all(&data, 1.5);
    let held_out = foreseen.hold_out(&data, &BTreeSet::new(), HoldOutKey::Kernel, method);
    let rows = foreseen.judged(&data);
    let overall = errors(&rows, &held_out).overall.expect("forecasts");
    assert_close(overall.mean_ape, 0.5, 1e-6);
    let calibration = Calibration::new(&rows, &held_out);
    assert_close(calibration.factor(0.5).expect("an interval"), 1.5, 1e-6);
    let counted = errors(&data, &hold_out(&data, HoldOutKey::Kernel, method));
    assert!(counted.overall.expect("forecasts").mean_ape < 1e-6);
}

#[test]
fn rows_that_nobody_foresees_are_fitted_and_not_judged() {
    let (data, method) = (lines(), &NonNegativeLeastSquares);
    // b and d alone: b's family leaves with a, as in the whole.
    let some = Foreseen::new(vec![1, 3], vec![true], array![[2.0], [8.0]]);
    let held_out = some.hold_out(&data, &BTreeSet::new(), HoldOutKey::Family, method);
    let forecasts = held_out.forecasts.iter();
    let forecasts: Vec<f64> = forecasts.map(|it| *it.as_ref().expect("one")).collect();
    assert_eq!(forecasts.len(), 2);
    assert_close(forecasts[0], 4.0, 1e-6);
    assert_close(forecasts[1], 16.0, 1e-6);
    assert_eq!(some.judged(&data).kernels(), ["b", "d"]);
    // A fit that asks for what is not foreseen can't be asked.
    let fitted = kerncast_models::Method::fit(method, &data.rows()).expect("a fit");
    assert!(some.suffices(&fitted));
    let none = Foreseen::new(vec![1], vec![false], array![[0.0]]);
    assert!(!none.suffices(&fitted));
}
