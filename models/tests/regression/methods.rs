//! The methods beside the paper's: answers known by construction, guards, and what holds for all.

use super::common::{assert_close, dataset, forecasts};
use kerncast_models::{
    Attribution, ColumnRange, Cost, Costs, Dataset, DropReason, FitError, Fitted, Forest, Form,
    METHODS, Method, Node, NonNegativeLeastSquares, PerWorker, Rows, Split, Tree,
};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2, Axis, array};

/// Loads and floating-point operations of ten kernels, in two sizes each; nothing like each other.
fn volumes() -> Vec<(String, [f64; 2])> {
    let sizes = (1..=10_u32).flat_map(|kernel| [(kernel, 1.0), (kernel, 16.0)]);
    let row = |(kernel, size): (u32, f64)| {
        let loads = size * f64::from(kernel * 7 % 11 + 1) * 1e6;
        let flops = size * f64::from(kernel * 5 % 13 + 1) * 1e7;
        (format!("k{kernel}"), [loads, flops])
    };
    sizes.map(row).collect()
}

fn with_times(time: impl Fn([f64; 2]) -> f64) -> Dataset {
    let volumes = volumes();
    let rows: Vec<_> = volumes
        .iter()
        .map(|(kernel, x)| (kernel.as_str(), *x, time(*x)))
        .collect();
    dataset(&rows)
}

fn fit(method: &dyn Method, data: &Dataset) -> Fitted {
    method.fit(&data.rows()).expect("a fit")
}

fn costs(fit: &Fitted) -> &Costs {
    let Form::Costs(costs) = &fit.form else {
        panic!("{:?}", fit.form)
    };
    costs
}

/// T = 5 µs + 2 ps a load + 0.1 ps an operation, exactly.
#[test]
fn non_negative_costs_are_found_again() {
    let data = with_times(|[loads, flops]| 5e-6 + 2e-12 * loads + 1e-13 * flops);
    let fit = fit(&NonNegativeLeastSquares, &data);
    let costs = costs(&fit);
    assert_close(costs.constant, 5e-6, 1e-4);
    assert_close(costs.terms[0].seconds, 2e-12, 1e-4);
    assert_close(costs.terms[1].seconds, 1e-13, 1e-4);
}

/// T falls with the operations: least squares would give them a cost below 0.
#[test]
fn what_would_cost_less_than_nothing_costs_nothing() {
    let data = with_times(|[loads, flops]| 1e-11 * loads + 1e-3 / flops.sqrt());
    let fit = fit(&NonNegativeLeastSquares, &data);
    assert_eq!(costs(&fit).terms.len(), 1);
    assert_eq!(fit.dropped.len(), 1);
    assert_eq!(fit.dropped[0].column, 1);
    assert_eq!(fit.dropped[0].reason, DropReason::NoCost);
}

/// 3-4-5: (3² + 4²)^½ = 5, of which 9 and 16 of 25 parts are theirs.
#[test]
fn a_norm_is_shared_out_by_powers() {
    let cost = |column| Cost {
        column,
        over: Vec::new(),
        seconds: 1.0,
    };
    let fit = of(Form::Costs(Costs {
        constant: 0.0,
        terms: vec![cost(0), cost(1)],
        p: 2.0,
    }));
    let row = array![3.0, 4.0];
    assert_close(fit.predict(row.view()), 5.0, 1e-15);
    let Attribution { rest, shares } = fit.attribution(row.view());
    assert_close(rest, 0.0, 0.0);
    assert_eq!(
        shares.iter().map(|share| share.0).collect::<Vec<_>>(),
        [0, 1]
    );
    assert_close(shares[0].1, 5.0 * 9.0 / 25.0, 1e-14);
    assert_close(shares[1].1, 5.0 * 16.0 / 25.0, 1e-14);
}

/// Sixteen kernels whose time is what one work-item does after the other, however many there are; what
/// all do together takes no time. Roles tell which counter counts the work-items.
#[test]
fn latency_is_told_from_throughput() {
    let rows: Vec<(u32, [f64; 2])> = (0..48_u32)
        .map(|row| {
            let items = f64::from(1 << (row % 3 * 4)) * 64.0;
            let each = f64::from(row / 3 * 7 % 17 + 1) * 10.0;
            (row / 3, [items, items * each])
        })
        .collect();
    let x = Array2::from_shape_fn((48, 2), |(row, column)| rows[row].1[column]);
    let y: Array1<f64> = rows
        .iter()
        .map(|(_, [items, loads])| 4e-6 + 1e-7 * loads / items)
        .collect();
    let kernels: Vec<usize> = (0..48).map(|row| row / 3).collect();
    let named = |items: &str| {
        let counters = [items.to_owned(), "ncu:loads".to_owned()];
        PerWorker
            .fit(&Rows {
                counters: &counters,
                roles: &roles(&counters),
                x: x.view(),
                y: y.view(),
                kernels: &kernels,
                generated: 0,
                weights: None,
            })
            .expect("a fit")
    };
    let with_workers = named("launch:work_items");
    let latency = costs(&with_workers)
        .terms
        .iter()
        .find(|term| term.over == [0] && term.column == 1);
    assert_close(latency.expect("latency").seconds, 1e-7, 0.1);
    let error = |fit: &Fitted| {
        let ratios = forecasts(fit, x.view()) / &y;
        ratios
            .mapv(|ratio| (ratio - 1.0).abs())
            .mean()
            .expect("rows")
    };
    assert!(error(&with_workers) < 0.05, "{}", error(&with_workers));
    assert!(
        error(&named("launch:something")) > 0.1,
        "{}",
        error(&named("launch:something"))
    );
}

/// exp(1 + 1): e s without the counter, e² with it.
#[test]
fn a_tree_is_walked_and_its_steps_are_shared_out() {
    let leaf = |value| Node { value, split: None };
    let split = Split {
        column: 1,
        threshold: 10.0,
        low: 1,
        high: 2,
    };
    let root = Node {
        value: 1.0,
        split: Some(split),
    };
    let forest = Forest {
        trees: vec![Tree {
            nodes: vec![root, leaf(0.0), leaf(2.0)],
        }],
    };
    let fit = of(Form::Forest(forest));
    let e = std::f64::consts::E;
    assert_close(fit.predict(array![0.0, 10.0].view()), 1.0, 1e-15);
    assert_close(fit.predict(array![0.0, 10.5].view()), e * e, 1e-15);
    let Attribution { rest, shares } = fit.attribution(array![0.0, 11.0].view());
    assert_close(rest, e, 1e-15);
    assert_eq!(shares.len(), 1);
    assert_close(shares[0].1, e * e - e, 1e-14);
}

#[test]
fn every_method_is_deterministic_and_its_shares_add_up() {
    let data = with_times(|[loads, flops]| 5e-6 + 2e-12 * loads + 1e-16 * flops.powf(1.2));
    for method in any_counters() {
        let fit = fit(*method, &data);
        assert_eq!(fit, self::fit(*method, &data), "{}", method.name());
        for row in data.x().rows() {
            let Attribution { rest, shares } = fit.attribution(row);
            let sum = rest + shares.iter().map(|share| share.1).sum::<f64>();
            assert_close(sum, fit.predict(row), 1e-9);
        }
    }
}

/// Methods that take counters for counts say so.
#[test]
fn counts_and_times_are_checked() {
    for method in METHODS.iter().filter(|method| method.name() != "ols") {
        let refusal = super::common::fit(
            *method,
            &array![[1.0], [-2.0], [3.0]],
            &array![1.0, 2.0, 3.0],
            None,
        );
        let refusal = refusal.expect_err("a refusal");
        assert!(
            matches!(
                refusal,
                FitError::NegativeCounter {
                    row: 1,
                    column: 0,
                    ..
                }
            ),
            "{refusal:?}"
        );
        let refusal = super::common::fit(
            *method,
            &array![[1.0], [2.0], [3.0]],
            &array![1.0, 0.0, 3.0],
            None,
        );
        assert!(matches!(refusal, Err(FitError::NoTime { row: 1, .. })));
        let refusal = super::common::fit(*method, &array![[1.0]], &array![1.0], None);
        assert!(matches!(refusal, Err(FitError::TooFewRows { rows: 1, .. })));
        let refusal = super::common::fit(
            *method,
            &array![[1.0], [1.0], [1.0]],
            &array![1.0, 2.0, 3.0],
            None,
        );
        assert!(
            matches!(refusal, Err(FitError::NothingVaries { .. })),
            "{refusal:?}"
        );
    }
}

/// More counters than rows, all of them the same up to a unit: nothing explodes.
#[test]
fn repeated_counters_do_no_harm() {
    let base = with_times(|[loads, flops]| 5e-6 + 2e-12 * loads + 1e-13 * flops);
    let x = Array2::from_shape_fn((20, 40), |(row, column)| {
        base.x()[(row, column % 2)] * (column + 1) as f64
    });
    for method in any_counters().filter(|method| method.name() != "ols") {
        let fit = super::common::fit(*method, &x, &base.y().to_owned(), None).expect("a fit");
        for row in x.axis_iter(Axis(0)) {
            let time = fit.predict(row);
            assert!(time > 0.0 && time < 1.0, "{}: {time}", method.name());
        }
    }
}

const METHODS_OF_HARDWARE: [&str; 5] = [
    "known_costs",
    "waves",
    "waves_forest",
    "waves_forest_metrics",
    "waves_forest_sections",
];

/// The methods that ask nothing of the counters' names.
fn any_counters() -> impl Iterator<Item = &'static &'static dyn Method> {
    METHODS
        .iter()
        .filter(|method| !METHODS_OF_HARDWARE.contains(&method.name()))
}

fn of(form: Form) -> Fitted {
    let ranges = ColumnRange {
        mean: 1.0,
        min: 0.0,
        max: 100.0,
    };
    Fitted {
        ranges: vec![ranges; 2],
        dropped: Vec::new(),
        form,
    }
}
