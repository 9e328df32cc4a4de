//! Ordinary least squares against the certified values of the Statistical Reference Datasets, National
//! Institute of Standards and Technology, <https://www.itl.nist.gov/div898/strd/>, linear regression.

use super::common::{assert_close, coefficients, dataset, linear};
use kerncast_models::{
    Attribution, Dataset, Fitted, Form, HoldOutKey, Linear, Method, OrdinaryLeastSquares, hold_out,
    warnings,
};
use kerncast_wire::Warning;
use ndarray::{Array1, array};

/// Norris: "lower level of difficulty", y against x, 36 rows.
#[rustfmt::skip]
const NORRIS: [(f64, f64); 36] = [
    (0.1, 0.2), (338.8, 337.4), (118.1, 118.2), (888.0, 884.6), (9.2, 10.1), (228.1, 226.5),
    (668.5, 666.3), (998.5, 996.3), (449.1, 448.6), (778.9, 777.0), (559.2, 558.2), (0.3, 0.4),
    (0.1, 0.6), (778.1, 775.5), (668.8, 666.9), (339.3, 338.0), (448.9, 447.5), (10.8, 11.6),
    (557.7, 556.0), (228.3, 228.1), (998.0, 995.8), (888.8, 887.6), (119.6, 120.2), (0.3, 0.3),
    (0.6, 0.3), (557.6, 556.8), (339.3, 339.1), (888.0, 887.2), (998.5, 999.0), (778.9, 779.0),
    (10.2, 11.1), (117.6, 118.3), (228.9, 229.2), (668.4, 669.1), (449.2, 448.9), (0.2, 0.5),
];

/// Longley: "higher level of difficulty", highly collinear. Response, then six predictors.
const LONGLEY: [(f64, [f64; 6]); 16] = [
    (60323.0, [83.0, 234289.0, 2356.0, 1590.0, 107608.0, 1947.0]),
    (61122.0, [88.5, 259426.0, 2325.0, 1456.0, 108632.0, 1948.0]),
    (60171.0, [88.2, 258054.0, 3682.0, 1616.0, 109773.0, 1949.0]),
    (61187.0, [89.5, 284599.0, 3351.0, 1650.0, 110929.0, 1950.0]),
    (63221.0, [96.2, 328975.0, 2099.0, 3099.0, 112075.0, 1951.0]),
    (63639.0, [98.1, 346999.0, 1932.0, 3594.0, 113270.0, 1952.0]),
    (64989.0, [99.0, 365385.0, 1870.0, 3547.0, 115094.0, 1953.0]),
    (63761.0, [100.0, 363112.0, 3578.0, 3350.0, 116219.0, 1954.0]),
    (66019.0, [101.2, 397469.0, 2904.0, 3048.0, 117388.0, 1955.0]),
    (67857.0, [104.6, 419180.0, 2822.0, 2857.0, 118734.0, 1956.0]),
    (68169.0, [108.4, 442769.0, 2936.0, 2798.0, 120445.0, 1957.0]),
    (66513.0, [110.8, 444546.0, 4681.0, 2637.0, 121950.0, 1958.0]),
    (68655.0, [112.6, 482704.0, 3813.0, 2552.0, 123366.0, 1959.0]),
    (69564.0, [114.2, 502601.0, 3931.0, 2514.0, 125368.0, 1960.0]),
    (69331.0, [115.7, 518173.0, 4806.0, 2572.0, 127852.0, 1961.0]),
    (70551.0, [116.9, 554894.0, 4007.0, 2827.0, 130081.0, 1962.0]),
];

#[test]
fn norris() {
    let fit = fit(&norris_data());
    assert_close(slope(&fit, 0), 1.002_116_818_020_45, 1e-12);
    // The constant is small against the y that it is the difference of: fewer digits survive.
    assert_close(constant(&fit), -0.262_323_073_774_029, 1e-10);
}

#[test]
fn longley() {
    let data = longley_data();
    let fit = fit(&data);
    assert!(fit.dropped.is_empty(), "{:?}", fit.dropped);
    let certified = [
        15.061_872_271_373_3,
        -0.035_819_179_292_591_0,
        -2.020_229_803_816_83,
        -1.033_226_867_173_59,
        -0.051_104_105_653_580_7,
        1_829.151_464_613_55,
    ];
    for (at, expected) in certified.into_iter().enumerate() {
        assert_close(slope(&fit, at), expected, 1e-9);
    }
    assert_close(constant(&fit), -3_482_258.634_595_82, 1e-9);
}

/// 110.544 is √(4.603377 ÷ 0.000376708), from the largest and smallest eigenvalue of the predictors'
/// correlation matrix (NumPy's `eigvalsh(corrcoef(x))`).
#[test]
fn longley_is_nearly_collinear() {
    let data = longley_data();
    let warnings = warnings(&data, &fit(&data));
    let [
        Warning::NearlyCollinear {
            condition: Some(condition),
        },
    ] = warnings[..]
    else {
        panic!("{warnings:?}");
    };
    assert_close(condition, 110.544, 1e-5);
}

/// Leaving one row out of a straight line has a closed form, residual ÷ (1 − leverage) with leverage
/// 1/n + (x − x̄)² / Σ(x − x̄)² (Allen, Technometrics 16, 1974): refitting must equal it.
#[test]
fn leaving_one_row_out_equals_the_closed_form() {
    let data = norris_data();
    let fit = fit(&data);
    let x = data.x().column(0).to_owned();
    let mean = x.sum() / 36.0;
    let spread = x.mapv(|x| (x - mean).powi(2)).sum();
    let held_out = hold_out(&data, HoldOutKey::Row, &OrdinaryLeastSquares);
    assert_eq!(held_out.forecasts.len(), 36);
    for (row, forecast) in held_out.forecasts.iter().enumerate() {
        let measured = data.y()[row];
        let residual = measured - fit.predict(data.x().row(row));
        let leverage = 1.0 / 36.0 + (x[row] - mean).powi(2) / spread;
        let expected = measured - residual / (1.0 - leverage);
        assert_close(*forecast.as_ref().expect("a forecast"), expected, 1e-9);
    }
}

/// A stored fit forecasts without the method that made it.
#[test]
fn a_fit_is_its_parts() {
    let data = longley_data();
    let fit = fit(&data);
    let rebuilt = Fitted {
        ranges: fit.ranges.clone(),
        dropped: Vec::new(),
        form: Form::Linear(Linear {
            intercept: linear(&fit).intercept,
            coefficients: coefficients(&fit).to_vec(),
        }),
    };
    for row in data.x().rows() {
        assert_eq!(rebuilt.predict(row).to_bits(), fit.predict(row).to_bits());
    }
    let inside = data.x().row(3).to_owned();
    assert!(fit.outside(inside.view()).is_empty());
    let beyond: Array1<f64> = array![83.0, 234_288.9, 2356.0, 1590.0, 107_608.0, 1962.1];
    let outside = fit.outside(beyond.view());
    let columns: Vec<usize> = outside.iter().map(|it| it.column).collect();
    assert_eq!(columns, [1, 5]);
    // 234,288.9 of at least 234,289, 1962.1 of at most 1962.
    assert_close(outside[0].times(), 234_288.9 / 234_289.0, 1e-15);
    assert_close(outside[1].times(), 1962.1 / 1962.0, 1e-15);
}

fn fit(data: &Dataset) -> Fitted {
    OrdinaryLeastSquares.fit(&data.rows()).expect("a fit")
}

fn norris_data() -> Dataset {
    dataset(&NORRIS.map(|(y, x)| ("norris", [x], y)))
}

fn longley_data() -> Dataset {
    // Sixteen kernels, so that only the collinearity is worth a warning.
    let years: Vec<String> = (1947..1963).map(|year| year.to_string()).collect();
    let rows: Vec<_> = years
        .iter()
        .zip(LONGLEY)
        .map(|(year, (y, x))| (year.as_str(), x, y))
        .collect();
    dataset(&rows)
}

/// In the data's own units.
fn slope(fit: &Fitted, at: usize) -> f64 {
    coefficients(fit)[at].weight / coefficients(fit)[at].scale
}

/// The response where every counter is 0.
fn constant(fit: &Fitted) -> f64 {
    let shift: f64 = (0..coefficients(fit).len())
        .map(|at| slope(fit, at) * coefficients(fit)[at].mean)
        .sum();
    linear(fit).intercept - shift
}

/// The shares are slope times value; the certified constant is what they leave.
#[test]
fn shares_add_up_to_the_forecast() {
    let data = longley_data();
    let fit = fit(&data);
    for row in data.x().rows() {
        let Attribution { rest, shares } = fit.attribution(row);
        assert_close(rest, -3_482_258.634_595_82, 1e-9);
        let sum = rest + shares.iter().map(|share| share.1).sum::<f64>();
        assert_close(sum, fit.predict(row), 1e-9);
    }
}
