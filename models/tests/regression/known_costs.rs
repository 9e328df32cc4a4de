//! Costs pulled to what is known of NVIDIA's GPUs.

use super::common::{assert_close, forecasts, with_roles};
use kerncast_models::{
    Costs, Dataset, DropReason, FitError, Form, HoldOutKey, KnownCosts, Method, PerWorker, errors,
    hold_out,
};
use ndarray::{Array1, Array2, Axis, s};

const NAMES: [&str; 5] = [
    "ncu:smsp__inst_executed.sum",
    "ncu:smsp__inst_executed_pipe_fp64.sum",
    "ncu:dram__sectors_read.sum",
    "ncu:smsp__warps_launched.sum",
    "ncu:something_else.sum",
];

/// A cycle of 0.5 ns, and eighty multiprocessors.
const CYCLE: f64 = 5e-10;
const ALL: f64 = CYCLE / 80.0;

/// Eight kernels in four sizes whose events cost what the documents say, a fifth more or less, and hide
/// behind each other (p = 2). The last is the only one that computes in double precision.
fn samples() -> Dataset {
    let rows: Vec<(u32, [f64; 5])> = (0..32)
        .map(|row| {
            let (kernel, size) = (row / 4, row % 4);
            let warps = 64.0 * f64::from(8_u32.pow(size));
            let instructions = warps * f64::from(kernel * 5 % 7 + 1) * 40.0;
            let doubles = if kernel == 7 { 0.6 * instructions } else { 0.0 };
            let sectors = warps * f64::from(kernel * 3 % 8 + 1) * 16.0;
            (kernel, [instructions, doubles, sectors, warps, 1e3 * warps])
        })
        .collect();
    let time = |[instructions, doubles, sectors, warps, _]: &[f64; 5]| {
        let chain = CYCLE * (1.2 * 2.0 * instructions + 4.0 * doubles) / warps;
        let busy = [
            1.0 * 0.25 * instructions,
            0.5 * doubles,
            0.9 * 0.8 * sectors,
        ];
        let squares: f64 = busy.iter().map(|cycles| (ALL * cycles).powi(2)).sum();
        4e-6 + (chain.powi(2) + squares).sqrt()
    };
    let y: Array1<f64> = rows.iter().map(|(_, row)| time(row)).collect();
    let x = Array2::from_shape_fn((32, 5), |(row, column)| rows[row].1[column]);
    let kernels = rows.iter().map(|(kernel, _)| format!("k{kernel}"));
    let names = NAMES.map(str::to_owned).to_vec();
    with_roles(Dataset::new(names, kernels.collect(), x, y).expect("a sound dataset"))
}

fn worst_kernel(method: &dyn Method) -> f64 {
    let data = samples();
    let report = errors(&data, &hold_out(&data, HoldOutKey::Kernel, method));
    let of_kernel = report.kernels.iter().filter_map(|it| it.errors);
    of_kernel.map(|it| it.mean_ape).fold(0.0, f64::max)
}

/// No other kernel says what double precision costs: the documents do.
#[test]
fn documents_stand_in_for_kernels_never_seen() {
    let (known, plain) = (worst_kernel(&KnownCosts), worst_kernel(&PerWorker));
    assert!(known < 0.1, "{known}");
    assert!(plain > 2.0 * known, "{plain}");
}

/// A warp's instruction is 32 work-items', and a sector 32 bytes: counters of either say the same.
#[test]
fn work_items_and_bytes_say_the_same_as_warps_and_sectors() {
    let data = samples();
    let mut names = data.counters().to_vec();
    names[0] = "ncu:smsp__thread_inst_executed.sum".to_owned();
    names[1] = "ncu:smsp__sass_thread_inst_executed_op_dfma_pred_on.sum".to_owned();
    names[2] = "ncu:dram__bytes_read.sum".to_owned();
    let mut x = data.x().to_owned();
    x.slice_mut(s![.., ..3])
        .mapv_inplace(|events| 32.0 * events);
    let (kernels, y) = (data.kernels().to_vec(), data.y().to_owned());
    let finer = with_roles(Dataset::new(names, kernels, x, y).expect("a sound dataset"));
    let fit = |data: &Dataset| KnownCosts.fit(&data.rows()).expect("a fit");
    let plain = forecasts(&fit(&data), data.x());
    for (finer, plain) in forecasts(&fit(&finer), finer.x()).iter().zip(plain) {
        assert_close(*finer, plain, 1e-6);
    }
}

/// The same, but nothing counts warps: every other kernel writes by stores, the others by atomics.
#[test]
fn stores_and_atomics_stand_for_workers() {
    let data = samples();
    let mut names = data.counters().to_vec();
    names[3] = "ncu:smsp__inst_executed_op_global_st.sum".to_owned();
    names[4] = "ncu:lts__t_sectors_op_red.sum".to_owned();
    let mut x = data.x().to_owned();
    for (at, mut row) in x.rows_mut().into_iter().enumerate() {
        let by_atomics = at / 4 % 2 == 1;
        row[4] = if by_atomics { row[3] } else { 0.0 };
        row[3] -= row[4];
    }
    let (kernels, y) = (data.kernels().to_vec(), data.y().to_owned());
    let data = with_roles(Dataset::new(names, kernels, x, y).expect("a sound dataset"));
    let report = errors(&data, &hold_out(&data, HoldOutKey::Kernel, &KnownCosts));
    let overall = report.overall.expect("forecasts");
    assert!(overall.mean_ape < 0.1, "{overall:?}");
    let fit = KnownCosts.fit(&data.rows()).expect("a fit");
    let Form::Costs(Costs { terms, .. }) = &fit.form else {
        panic!("{:?}", fit.form)
    };
    let chain = terms.iter().find(|it| it.column == 0 && it.over == [3, 4]);
    assert_close(chain.expect("a cost").seconds, 1.2 * 2.0 * CYCLE, 0.3);
}

#[test]
fn a_cycle_s_length_and_the_overlap_are_found() {
    let fit = KnownCosts.fit(&samples().rows()).expect("a fit");
    let Form::Costs(Costs { constant, terms, p }) = &fit.form else {
        panic!("{:?}", fit.form)
    };
    assert_close(*p, 2.0, 0.0);
    assert_close(*constant, 4e-6, 0.05);
    for row in samples().x().rows() {
        let shares = fit.attribution(row);
        let sum = shares.rest + shares.shares.iter().map(|share| share.1).sum::<f64>();
        assert_close(sum, fit.predict(row), 1e-9);
    }
    let doubles = terms
        .iter()
        .find(|it| it.column == 1 && !it.over.is_empty());
    assert_close(doubles.expect("a cost").seconds, 4.0 * CYCLE, 0.3);
    let sectors = terms.iter().find(|it| it.column == 2).expect("a cost");
    assert_close(sectors.seconds, 0.9 * 0.8 * ALL, 0.1);
}

/// Every sample two hundred times: more rows than such a fit looks at, and nothing else to see.
#[test]
fn many_rows_are_thinned_evenly() {
    let data = samples();
    let few = KnownCosts.fit(&data.rows()).expect("a fit");
    let rows: Vec<usize> = (0..32).flat_map(|row| [row; 200]).collect();
    let kernels = rows.iter().map(|&row| data.kernels()[row].clone());
    let many = Dataset::new(
        data.counters().to_vec(),
        kernels.collect(),
        data.x().select(Axis(0), &rows),
        data.y().select(Axis(0), &rows),
    );
    let many = with_roles(many.expect("a sound dataset"));
    let many = KnownCosts.fit(&many.rows()).expect("a fit");
    for row in data.x().rows() {
        assert_close(many.predict(row), few.predict(row), 1e-2);
    }
}

#[test]
fn what_is_not_known_is_left_out_or_refused() {
    let data = samples();
    let fit = KnownCosts.fit(&data.rows()).expect("a fit");
    assert_eq!(fit.dropped.len(), 1);
    assert_eq!(fit.dropped[0].column, 4);
    assert_eq!(fit.dropped[0].reason, DropReason::Unknown);
    assert!(KnownCosts.suits(data.roles()));
    let names = (0..5).map(|column| format!("c{column}")).collect();
    let unknown = Dataset::new(
        names,
        data.kernels().to_vec(),
        data.x().to_owned(),
        data.y().to_owned(),
    );
    let refusal = KnownCosts.fit(&unknown.expect("a sound dataset").rows());
    assert!(matches!(
        refusal,
        Err(FitError::NothingKnown { counters: 5 })
    ));
}
