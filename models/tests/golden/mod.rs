//! Fits as servers have stored them are read for ever. Each `.json` here is what a server wrote.

mod data;

use std::{collections::BTreeMap, fs, path::Path};

use kerncast_models::{
    ByWaves, Calibration, ExtraTrees, Fitted, Form, HoldOutKey, METHODS, Method,
    OrdinaryLeastSquares, PerWorker, WavesForest,
    across::{ByMedianRatio, FromCounters, FromCountersAndTime},
    hold_out,
};
use ndarray::ArrayView1;
use serde_json::Value;

const ROW: usize = 7;

fn golden(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    text.trim_end().to_owned()
}

fn read(text: &str) -> Fitted {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn write(fitted: &Fitted) -> String {
    serde_json::to_string(fitted).expect("names and numbers")
}

/// The fits that the files hold, made anew. Of forests three trees.
fn fits() -> BTreeMap<&'static str, Fitted> {
    let dataset = data::dataset();
    let methods: [&dyn Method; 6] = [
        &OrdinaryLeastSquares,
        &PerWorker,
        &ExtraTrees,
        &FromCounters,
        &FromCountersAndTime,
        &ByMedianRatio,
    ];
    let fit = |method: &dyn Method| {
        let mut fit = method.fit(&dataset.rows()).expect("a fit");
        truncate(&mut fit);
        (method.name(), fit)
    };
    let mut fits: BTreeMap<&str, Fitted> = methods.into_iter().map(fit).collect();
    for method in [&ByWaves as &dyn Method, &WavesForest] {
        let fitted = method.fit(&data::counted_by_hardware().rows());
        let mut fitted = fitted.expect("a fit");
        truncate(&mut fitted);
        fits.insert(method.name(), fitted);
    }
    fits
}

fn truncate(fit: &mut Fitted) {
    match &mut fit.form {
        Form::Forest(forest) => forest.trees.truncate(3),
        Form::Corrected(corrected) => {
            corrected.corrections.truncate(3);
            corrected.error_trees.truncate(3);
        }
        _ => {}
    }
}

/// The same but for numbers that differ in their last digits: how sums are rounded hangs on the processor.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|it| it.as_f64().expect("a number"));
            (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-12)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && (one.iter())
                    .all(|(key, one)| other.get(key).is_some_and(|other| alike(one, other)))
        }
        (one, other) => one == other,
    }
}

#[test]
fn what_a_server_stored_is_read_and_written_as_it_was() {
    let forecasts: BTreeMap<String, f64> =
        serde_json::from_str(&golden("forecasts")).expect("forecasts by method");
    let dataset = data::dataset();
    for (name, expected) in forecasts {
        let text = golden(&name);
        let fitted = read(&text);
        assert_eq!(write(&fitted), text, "{name}");
        let forecast = fitted.predict(dataset.x().row(ROW));
        let off = (forecast / expected - 1.0).abs();
        assert!(off < 1e-12, "{name}: {forecast} in place of {expected}");
    }
}

#[test]
fn today_s_fits_are_written_like_those() {
    let stored: BTreeMap<String, f64> =
        serde_json::from_str(&golden("forecasts")).expect("forecasts by method");
    let fits = fits();
    assert!(fits.keys().copied().eq(stored.keys().map(String::as_str)));
    for (name, fitted) in fits {
        let (found, expected) = (write(&fitted), golden(name));
        let [one, other] = [&found, &expected].map(|it| serde_json::from_str(it).expect("JSON"));
        assert!(alike(&one, &other), "{name}:\n{found}\n{expected}");
    }
}

#[test]
fn every_method_s_fit_comes_back_bit_for_bit() {
    let dataset = data::dataset();
    let suited = METHODS.iter().filter(|it| it.suits(dataset.rows().roles));
    let fits = suited.map(|it| (it.name(), it.fit(&dataset.rows()).expect("a fit")));
    for (name, fitted) in fits.chain(self::fits()) {
        let back = read(&write(&fitted));
        assert_eq!(back, fitted, "{name}");
        let bits = |it: &Fitted| -> Vec<u64> {
            let forecast = |row: ArrayView1<'_, f64>| it.predict(row).to_bits();
            dataset.x().rows().into_iter().map(forecast).collect()
        };
        assert_eq!(bits(&back), bits(&fitted), "{name}");
    }
}

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    for (text, refusal) in [
        (
            golden("forest").replacen("[-11.39901511285072,", "[", 1),
            "a tree of 10 nodes has 11 splits",
        ),
        (
            golden("across_counters_and_time").replacen("\"weights\":[", "\"weights\":[1.0,", 1),
            "do not fill 19 rows of 6",
        ),
    ] {
        let error = serde_json::from_str::<Fitted>(&text).expect_err("no fit");
        assert!(error.to_string().contains(refusal), "{error}");
    }
}

#[test]
fn a_calibration_keeps_what_is_infinitely_far_off() {
    let stored: Calibration = serde_json::from_str(&golden("calibration")).expect("scores");
    assert!(stored.scores.concat().contains(&f64::INFINITY));
    let written = serde_json::to_string(&stored).expect("scores");
    assert_eq!(written, golden("calibration"));
    let dataset = data::dataset();
    let mut held_out = hold_out(&dataset, HoldOutKey::Kernel, &OrdinaryLeastSquares);
    held_out.forecasts[0] = Ok(-1.0);
    let today = Calibration::new(&dataset, &held_out);
    let today = serde_json::to_value(today).expect("scores");
    let stored = serde_json::from_str(&golden("calibration")).expect("JSON");
    assert!(alike(&today, &stored), "{today}\n{stored}");
}
