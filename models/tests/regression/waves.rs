use kerncast_models::{
    ByWaves, Dataset, DropReason, FitError, Fitted, Form, HoldOutKey, KnownCosts, Method, Resource,
    Waves, errors, hold_out,
};
use kerncast_wire::{Facts, Holds, PerCycle};
use ndarray::{Array1, Array2, Axis, s};

use super::common::{assert_close, forecasts, with_roles};

const NAMES: [&str; 10] = [
    "ncu:smsp__inst_executed.sum",
    "ncu:smsp__warps_launched.sum",
    "ncu:sm__ctas_launched.sum",
    "ncu:smsp__sass_inst_executed_op_global_ld.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
    "ncu:launch__occupancy_limit_warps",
    "ncu:launch__occupancy_limit_registers",
    "ncu:launch__waves_per_multiprocessor",
    "ncu:something_else.sum",
];

/// A cycle of 0.5 ns, eighty multiprocessors.
const CYCLE: f64 = 5e-10;
const MULTIPROCESSORS: f64 = 80.0;

/// Ten kernels in six sizes, work-groups of 8 warps, from one work-group to many waves. Loads that miss L1 wait
/// half as long again as documented, everything else costs what the documents say.
fn rows() -> Vec<(String, [f64; 10], f64)> {
    rows_of(MULTIPROCESSORS, CYCLE)
}

/// The same on another GPU.
fn rows_of(multiprocessors: f64, cycle: f64) -> Vec<(String, [f64; 10], f64)> {
    let mut rows = Vec::new();
    for kernel in 0..10_u32 {
        for groups in [1.0, 8.0, 40.0, 240.0, 1600.0, 9000.0] {
            let resident = f64::from(2 + kernel % 3 * 3);
            let warps = 8.0 * groups;
            let instructions = warps * f64::from(kernel * 5 % 7 + 1) * 300.0;
            let loads = warps * f64::from(kernel * 3 % 5 + 1) * 20.0;
            let sectors = 4.0 * loads;
            let misses = sectors * f64::from(kernel % 4) / 4.0;
            let fullest = (groups / multiprocessors).ceil();
            let waves = (fullest / fullest.min(resident)).ceil();
            let turns = fullest.min(resident) * 2.0;
            let waits = [
                3.0 * instructions,
                0.5 * instructions * turns,
                10.0 * loads,
                1.5 * 60.0 * misses / 4.0,
                sectors,
                2.0 * misses,
            ];
            let waits = waits.iter().sum::<f64>() * waves / warps;
            let active = groups / fullest;
            let each = |cycles: f64| (cycles / active).powi(3);
            let shared = |cycles: f64| (cycles / multiprocessors).powi(3);
            let busy = each(0.25 * instructions)
                + each(0.25 * sectors)
                + shared(100.0 * groups)
                + shared(25.0 * warps);
            let time = 4e-6 + cycle * waits.hypot(busy.cbrt());
            let counted = [
                instructions,
                warps,
                groups,
                loads,
                sectors,
                misses,
                16.0,
                resident,
                (groups / resident / multiprocessors * 100.0).round() / 100.0,
                1e3 * warps,
            ];
            rows.push((format!("k{kernel}"), counted, time));
        }
    }
    rows
}

/// Sizes of each kernel.
pub(crate) const SPLIT: usize = 6;

/// The same with other times (row, time).
pub(crate) fn times(time: impl Fn(usize, f64) -> f64) -> Dataset {
    let data = samples();
    let y = data
        .y()
        .indexed_iter()
        .map(|(row, &it)| time(row, it))
        .collect();
    let (names, kernels) = (data.counters().to_vec(), data.kernels().to_vec());
    with_roles(Dataset::new(names, kernels, data.x().to_owned(), y).expect("a sound dataset"))
}

pub(crate) fn samples() -> Dataset {
    let rows = rows();
    let names = NAMES.map(str::to_owned).to_vec();
    let kernels = rows.iter().map(|row| row.0.clone()).collect();
    let x = Array2::from_shape_fn((rows.len(), 10), |(row, column)| rows[row].1[column]);
    let y = rows.iter().map(|row| row.2).collect();
    with_roles(Dataset::new(names, kernels, x, y).expect("a sound dataset"))
}

/// The same with some columns replaced: (column, another name, factor).
fn with_others(data: &Dataset, others: &[(usize, &str, f64)]) -> Dataset {
    let mut names = data.counters().to_vec();
    let mut x = data.x().to_owned();
    for &(column, name, factor) in others {
        names[column] = name.to_owned();
        x.column_mut(column).mapv_inplace(|it| factor * it);
    }
    let (kernels, y) = (data.kernels().to_vec(), data.y().to_owned());
    with_roles(Dataset::new(names, kernels, x, y).expect("a sound dataset"))
}

fn fit(data: &Dataset) -> Fitted {
    ByWaves.fit(&data.rows()).expect("a fit")
}

fn waves(fit: &Fitted) -> &Waves {
    let Form::Waves(waves) = &fit.form else {
        panic!("{:?}", fit.form)
    };
    waves
}

fn mean_error(data: &Dataset, method: &dyn Method) -> f64 {
    let held_out = hold_out(data, HoldOutKey::Kernel, method);
    errors(data, &held_out).overall.expect("forecasts").mean_ape
}

#[test]
fn costs_the_cycle_and_the_multiprocessors_are_found() {
    let fit = fit(&samples());
    let waves = waves(&fit);
    assert_close(waves.workers.multiprocessors, MULTIPROCESSORS, 0.0);
    assert_close(waves.constant, 4e-6, 0.05);
    let cost = |column: usize, resource: Resource, in_loads: bool| {
        let same = |it: &&kerncast_models::EventCost| {
            it.column == column && it.resource == resource && it.conversion.is_some() == in_loads
        };
        waves.terms.iter().find(same).expect("a cost").seconds
    };
    assert_close(cost(0, Resource::Multiprocessor, false), 0.25 * CYCLE, 0.2);
    assert_close(cost(0, Resource::Warp, false), 3.0 * CYCLE, 0.2);
    assert_close(cost(5, Resource::Warp, true), 90.0 * CYCLE, 0.2);
    let shared = cost(2, Resource::Device, false);
    assert_close(shared, 100.0 * CYCLE / MULTIPROCESSORS, 0.3);
}

/// As data sheets say it.
fn gpu(multiprocessors: u32, clock_mhz: f64) -> Facts {
    Facts {
        name: "a GPU".to_owned(),
        architecture: "9.0".to_owned(),
        multiprocessors,
        clock_mhz,
        dram_gb_per_s: 1000.0,
        l2_kib: 50 << 10,
        memory_gib: 80,
        watts: 300.0,
        source: "a data sheet".to_owned(),
        per_cycle: PerCycle {
            fp32: 128.0,
            fp64: 64.0,
            int32: 64.0,
            special: 16.0,
        },
        holds: Holds {
            warps: 64,
            work_groups: 32,
            local_kib: 228,
            l1_kib: 256,
        },
    }
}

#[test]
fn a_fit_transferred_to_another_gpu_forecasts_its_times() {
    let data = samples();
    let fit = fit(&data);
    let (own, other) = (gpu(80, 2000.0), gpu(30, 800.0));
    let transferred = fit
        .for_other_gpu(data.roles(), &own, &other)
        .expect("costs");
    let mut worst: f64 = 0.0;
    for (_, counted, time) in rows_of(30.0, 1.0 / 800e6) {
        let row = Array1::from(counted.to_vec());
        worst = worst.max((transferred.predict(row.view()) / time).ln().abs());
        // Not transferred it is off by what lies between the two.
        assert!(fit.predict(row.view()) < time);
    }
    assert!(worst < 0.15, "{worst}");
    // Transferred to its own GPU it is the same.
    let same = fit.for_other_gpu(data.roles(), &own, &own).expect("costs");
    assert_eq!(same, fit);
    let by_sums = KnownCosts.fit(&data.rows()).expect("a fit");
    assert!(by_sums.for_other_gpu(data.roles(), &own, &other).is_none());
}

#[test]
fn kernels_left_out_are_forecast_better_than_without_waves() {
    let data = samples();
    let (by_waves, known) = (mean_error(&data, &ByWaves), mean_error(&data, &KnownCosts));
    assert!(by_waves < 0.03, "{by_waves}");
    assert!(known > 2.0 * by_waves, "{known} and {by_waves}");
}

/// Twice the work-groups, each as before: twice as long where the device is full, as long where it is not.
#[test]
fn a_chain_counts_once_for_each_wave() {
    let data = samples();
    let fit = fit(&data);
    let twice = |row: usize| {
        let mut row = data.x().row(row).to_owned();
        let once = fit.predict(row.view()) - 4e-6;
        row.slice_mut(s![..6]).mapv_inplace(|it| 2.0 * it);
        (fit.predict(row.view()) - 4e-6) / once
    };
    for kernel in 0..10 {
        assert_close(twice(6 * kernel), 1.0, 0.05);
        assert_close(twice(6 * kernel + 5), 2.0, 0.05);
    }
}

/// A warp's instruction is 32 work-items', and a sector 32 bytes.
#[test]
fn work_items_and_bytes_say_the_same_as_warps_and_sectors() {
    let data = samples();
    let finer = [
        (1, "launch:work_items", 32.0),
        (9, "ncu:lts__t_bytes.sum", 0.0),
    ];
    let coarse = [(9, "ncu:lts__t_bytes.sum", 0.0)];
    // Launching a warp has a cost, launching a work-item none.
    let (finer, coarse) = (with_others(&data, &finer), with_others(&data, &coarse));
    let by_warps = forecasts(&fit(&coarse), coarse.x());
    for (finer, coarse) in forecasts(&fit(&finer), finer.x()).iter().zip(by_warps) {
        assert_close(*finer, coarse, 0.02);
    }
    let bytes = [
        (0, "ncu:smsp__thread_inst_executed.sum", 32.0),
        (4, "ncu:l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", 32.0),
    ];
    assert!(mean_error(&with_others(&data, &bytes), &ByWaves) < 0.1);
}

/// Without waves the multiprocessors are learnt, without limits all runs in one wave, without misses loads have
/// one latency: worse, but not much.
#[test]
fn counters_may_be_missing() {
    let data = samples();
    let unknown = ["ncu:u0.sum", "ncu:u1.sum", "ncu:u2.sum"];
    let without = |columns: &[usize]| {
        let named = columns.iter().zip(unknown);
        let others: Vec<_> = named.map(|(&column, name)| (column, name, 1.0)).collect();
        with_others(&data, &others)
    };
    let learnt = without(&[8]);
    let count = waves(&fit(&learnt)).workers.multiprocessors;
    assert_close(count, MULTIPROCESSORS, 0.2);
    assert!(mean_error(&learnt, &ByWaves) < 0.06);
    for columns in [&[6, 7, 8][..], &[5], &[2], &[3]] {
        let error = mean_error(&without(columns), &ByWaves);
        assert!(error < 0.35, "without {columns:?}: {error}");
    }
}

#[test]
fn who_does_the_work_must_be_counted() {
    let data = samples();
    assert!(ByWaves.suits(data.roles()));
    let nobody = with_others(&data, &[(1, "ncu:u1.sum", 1.0)]);
    assert!(!ByWaves.suits(nobody.roles()));
    let refusal = ByWaves.fit(&nobody.rows());
    assert!(matches!(
        refusal,
        Err(FitError::NothingKnown { counters: 10 })
    ));
    let dropped = fit(&data).dropped;
    let unknown = |column| kerncast_models::Dropped {
        column,
        reason: DropReason::Unknown,
    };
    assert_eq!(dropped, [unknown(8), unknown(9)]);
}

#[test]
fn shares_add_up() {
    let data = samples();
    let fit = fit(&data);
    for row in data.x().rows() {
        let shares = fit.attribution(row);
        let sum = shares.rest + shares.shares.iter().map(|it| it.1).sum::<f64>();
        assert_close(sum, fit.predict(row), 1e-9);
    }
}

/// Times a million times as long are those of a slower cycle.
#[test]
fn the_unit_of_time_does_not_matter() {
    let data = samples();
    let slower = Dataset::new(
        data.counters().to_vec(),
        data.kernels().to_vec(),
        data.x().to_owned(),
        data.y().mapv(|it| 1e6 * it),
    );
    let slower = with_roles(slower.expect("a sound dataset"));
    let plain = forecasts(&fit(&data), data.x());
    for (slower, plain) in forecasts(&fit(&slower), data.x()).iter().zip(plain) {
        assert_close(*slower, 1e6 * plain, 1e-3);
    }
}

/// One row, one kernel, columns that never vary, zeros, huge counts: a time above 0 or a refusal.
#[test]
fn forecasts_are_times_whatever_comes() {
    let data = samples();
    let fit = fit(&data);
    for value in [0.0, 1e-300, 1.0, 1e18, 1e300, f64::MAX] {
        let all = Array1::from_elem(10, value);
        let mut rows = vec![all];
        for column in 0..10 {
            let mut row = data.x().row(7).to_owned();
            row[column] = value;
            rows.push(row);
        }
        for row in rows {
            let forecast = fit.predict(row.view());
            assert!(forecast.is_finite() && forecast > 0.0, "{row}: {forecast}");
            let shares = fit.attribution(row.view()).shares;
            assert!(shares.iter().all(|it| it.1.is_finite()), "{row}");
        }
    }
    let of = |rows: &[usize], factor: f64| {
        let sub = Dataset::new(
            data.counters().to_vec(),
            rows.iter()
                .map(|&row| data.kernels()[row].clone())
                .collect(),
            data.x().select(Axis(0), rows).mapv(|it| factor * it),
            data.y().select(Axis(0), rows),
        );
        ByWaves.fit(&with_roles(sub.expect("a sound dataset")).rows())
    };
    assert!(of(&[0], 1.0).is_err());
    assert!(of(&[3, 3, 3], 1.0).is_err());
    for (rows, factor) in [
        (&[0, 1][..], 1.0),
        (&[0, 1, 2, 3, 4, 5], 1.0),
        (&[0, 1, 2, 9, 10], 1e250),
        (&[0, 1, 2, 9, 10], 1e-250),
    ] {
        let fit = of(rows, factor).expect("a fit");
        for forecast in forecasts(&fit, data.x()) {
            assert!(
                forecast.is_finite() && forecast > 0.0,
                "{rows:?}: {forecast}"
            );
        }
    }
}
