#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

use kerncast_models::{
    Dataset, Fitted, Form, GAIN_METHODS, HoldOutKey, METHODS, Method,
    across::{
        ByMedianRatio, ByNearestCeiling, Ceilings, Demands, FromCounters, FromCountersAndTime,
        SOURCE_TIME,
    },
    hold_out,
};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2};
use sqlx::PgPool;

use super::*;

/// Twelve kernels of four sizes, with work-items among the counters, a constant and a collinear one.
fn dataset() -> Dataset {
    let counters = [
        "a",
        "ncu:smsp__inst_executed.sum",
        "same",
        "twice_a",
        "launch:work_items",
    ]
    .map(str::to_owned);
    let x = Array2::from_shape_fn((48, 5), |(row, column)| {
        let (kernel, size) = ((row / 4) as f64, (row % 4) as f64);
        let a = (kernel + 1.3) * 10_f64.powf(size + 2.1);
        match column {
            0 => a,
            1 => (7.0 * kernel).rem_euclid(5.0) * 1e3 * (size + 0.1),
            2 => 4.0,
            3 => 2.0 * a,
            _ => 64.0 * 4_f64.powf(size),
        }
    });
    let y: Array1<f64> = x
        .rows()
        .into_iter()
        .map(|row| 1e-9 * row[0] + 3e-9 * row[1] + 1e-5)
        .collect();
    let kernels = (0..48).map(|row| format!("kernel_{}", row / 4)).collect();
    with_roles(Dataset::new(counters.to_vec(), kernels, x, y).unwrap())
}

fn with_roles(dataset: Dataset) -> Dataset {
    let roles = roles(dataset.counters());
    dataset.with_roles(roles).unwrap()
}

async fn through_the_database(pool: &PgPool, text: &str) -> String {
    let query = "SELECT fit::text FROM (SELECT $1::text::json AS fit) AS stored";
    sqlx::query_scalar(query)
        .bind(text)
        .fetch_one(pool)
        .await
        .unwrap()
}

fn bits(fitted: &Fitted, dataset: &Dataset) -> Vec<u64> {
    let rows = dataset.x();
    let forecasts = rows
        .rows()
        .into_iter()
        .map(|row| fitted.predict(row).to_bits());
    forecasts.collect()
}

#[sqlx::test(migrations = "../migrations")]
async fn every_method_s_fit_comes_back_bit_for_bit(pool: PgPool) {
    let dataset = dataset();
    let mut forms = Vec::new();
    for method in METHODS.iter().chain(GAIN_METHODS) {
        let fitted = method.fit(&dataset.rows()).unwrap();
        let text = through_the_database(&pool, &write(&fitted).unwrap()).await;
        let back = read(&text).unwrap();
        assert_eq!(back, fitted, "{}", method.name());
        assert_eq!(
            bits(&back, &dataset),
            bits(&fitted, &dataset),
            "{}",
            method.name()
        );
        forms.push(std::mem::discriminant(&fitted.form));
    }
    forms.dedup();
    assert!(forms.len() >= 4, "a form is never made here: {forms:?}");
}

/// From before events could be shared out over several columns.
#[test]
fn costs_shared_out_over_one_column_are_still_read() {
    let text = r#"{"seen": [], "dropped": [], "form": {"costs": {"constant": 1e-6, "p": 1.0, "terms": [
        {"column": 0, "over": 2, "seconds": 1e-9}, {"column": 1, "over": null, "seconds": 2e-9}]}}}"#;
    let Form::Costs(costs) = read(text).unwrap().form else {
        panic!("another form");
    };
    let over: Vec<&[usize]> = costs.terms.iter().map(|it| &it.over[..]).collect();
    assert_eq!(over, [&[2][..], &[]]);
}

#[sqlx::test(migrations = "../migrations")]
async fn numbers_at_the_edges_come_back_bit_for_bit(pool: PgPool) {
    for number in [
        -0.0,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        0.1 + 0.2,
        1.0 / 3.0,
    ] {
        let fitted = Fitted {
            seen: Vec::new(),
            dropped: Vec::new(),
            form: Form::Linear(Linear {
                intercept: number,
                coefficients: Vec::new(),
            }),
        };
        let text = through_the_database(&pool, &write(&fitted).unwrap()).await;
        let Form::Linear(back) = read(&text).unwrap().form else {
            panic!("another form");
        };
        assert_eq!(back.intercept.to_bits(), number.to_bits());
    }
}

#[test]
fn a_fit_with_what_is_no_number_is_not_stored() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let fitted = Fitted {
            seen: vec![Seen {
                mean: number,
                min: 0.0,
                max: 0.0,
            }],
            dropped: Vec::new(),
            form: Form::Forest(Forest {
                trees: Vec::new(),
                worker: None,
            }),
        };
        assert_eq!(write(&fitted), None);
    }
}

#[test]
fn a_calibration_keeps_what_is_infinitely_far_off() {
    let dataset = dataset();
    let mut held_out = hold_out(&dataset, HoldOutKey::Kernel, METHODS[0]);
    held_out.forecasts[0] = Ok(-1.0);
    let calibration = Calibration::new(&dataset, &held_out);
    assert!(calibration.scores.concat().contains(&f64::INFINITY));
    let text = write_calibration(&calibration).unwrap();
    assert_eq!(read_calibration(&text).unwrap(), calibration);
}

/// Eight kernels of four sizes with a source's time; one feature never varies, so its scale is infinite.
#[sqlx::test(migrations = "../migrations")]
async fn fits_across_devices_come_back_bit_for_bit(pool: PgPool) {
    let counters = [
        "p:instructions",
        "launch:work_items",
        "p:load_local_bytes",
        SOURCE_TIME,
    ];
    let x = Array2::from_shape_fn((32, 4), |(row, column)| {
        let (kernel, size) = ((row / 4) as f64, (row % 4) as f64);
        let items = 4_f64.powf(size + 4.0);
        let instructions = items * 20.0 * (1.0 + kernel * kernel);
        [instructions, items, 64.0, 5e-6 + 1e-12 * instructions][column]
    });
    let y: Array1<f64> = x
        .rows()
        .into_iter()
        .map(|row| 0.3 * row[3] + 1e-9 * row[1])
        .collect();
    let kernels = (0..32).map(|row| format!("kernel_{}", row / 4)).collect();
    let counters = counters.map(str::to_owned).to_vec();
    let dataset = with_roles(Dataset::new(counters, kernels, x, y).unwrap());
    let ceilings = Ceilings {
        copy_bytes_per_s: Some(1e12),
        local_bytes_per_s: Some(3e13),
        ..Ceilings::default()
    };
    let nearest = ByNearestCeiling {
        source: ceilings,
        target: ceilings,
        demands: Demands::default(),
    };
    let methods: [&dyn Method; 4] = [
        &FromCounters,
        &FromCountersAndTime,
        &ByMedianRatio,
        &nearest,
    ];
    for method in methods {
        let fitted = method.fit(&dataset.rows()).unwrap();
        let text = through_the_database(&pool, &write(&fitted).unwrap()).await;
        let back = read(&text).unwrap();
        assert_eq!(back, fitted, "{}", method.name());
        assert_eq!(
            bits(&back, &dataset),
            bits(&fitted, &dataset),
            "{}",
            method.name()
        );
    }
}
