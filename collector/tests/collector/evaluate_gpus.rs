//! `kerncast evaluate` across GPUs, which differ by their data sheets: one that is left out, and one with few kernels.

use std::fmt::Write;

use serde_json::Value;

use crate::{
    common::{Place, expect_exit, text},
    evaluate::evaluated,
};

/// A row for each kernel and size: what ncu would count, and the time of a GPU of so many multiprocessors and MHz.
fn of_gpu(name: &str, kernels: std::ops::Range<u32>, units: u32, clock: f64) -> String {
    let mut rows = String::new();
    for kernel in kernels {
        for groups in [1_u32, 100, 800, 4000] {
            let warps = 8.0 * f64::from(groups);
            let instructions = warps * f64::from(kernel * 5 % 7 + 1) * 300.0;
            let loads = warps * f64::from(kernel * 3 % 5 + 1) * 20.0;
            let fullest = f64::from(groups.div_ceil(units));
            let wait = 3.0 * instructions / warps * (fullest / 8.0).ceil();
            let busy = 0.25 * instructions * fullest / f64::from(groups);
            let time = 5e-6 + wait.hypot(busy) / clock / 1e6;
            writeln!(
                rows,
                "{name},k{kernel},global,{time},{groups},{instructions},{warps},{groups},{loads},{},8",
                4.0 * loads
            )
            .expect("into a string");
        }
    }
    rows
}

/// The columns of [`of_gpu`].
const OF_GPU: &str = "device,kernel,variant,time_s,param:groups,ncu:smsp__inst_executed.sum,\
                      ncu:smsp__warps_launched.sum,ncu:sm__ctas_launched.sum,\
                      ncu:smsp__sass_inst_executed_op_global_ld.sum,\
                      ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,ncu:launch__occupancy_limit_warps\n";

#[test]
fn a_gpu_that_is_left_out_is_forecast_by_the_one_that_is_most_like_it() {
    let place = Place::new();
    let gpus = [
        ("H200", 132, 1980.0),
        ("H100 PCIe", 114, 1755.0),
        ("T4", 40, 1590.0),
    ];
    let rows = gpus.map(|(name, units, clock)| of_gpu(name, 0..8, units, clock));
    let file = place.path("gpus.csv");
    std::fs::write(&file, OF_GPU.to_owned() + &rows.concat()).expect("writes");
    let file = file.to_str().expect("a path");
    let error = |comparison: &Value| {
        comparison["methods"][0]["errors"]["mean_ape"]
            .as_f64()
            .expect("a number")
    };
    let ask = |more: &[&str]| evaluated(&place, &[&[file, "--method", "waves"], more].concat());

    let comparisons = ask(&["--hold-out", "gpu", "--hold-out", "gpu+kernel"]);
    let comparisons = comparisons.as_array().expect("two a GPU");
    let likes: Vec<(&str, &str)> = comparisons
        .iter()
        .map(|it| {
            (
                it["device"].as_str().expect("a name"),
                it["like"].as_str().expect("a name"),
            )
        })
        .collect();
    assert_eq!(likes[0], ("H100 PCIe", "H200"));
    assert_eq!(likes[2], ("H200", "H100 PCIe"));
    // Both are of other architectures: its bandwidth is nearer to the slower one's.
    assert_eq!(likes[4], ("T4", "H100 PCIe"));
    for it in &comparisons[..4] {
        assert_eq!(
            (&it["rows"], &it["kernels"]),
            (&Value::from(32), &Value::from(8))
        );
        assert!(error(it) < 0.1, "{it}");
    }
    // With the kernel left out there too, fits know less.
    assert!(error(&comparisons[1]) > error(&comparisons[0]));
    // Eight kernels are too few to say how far off fits are.
    assert!(comparisons[0]["methods"][0]["no_intervals"].is_string());

    let from = ask(&[
        "--hold-out",
        "gpu+kernel",
        "--counted-on",
        "H200",
        "--device",
        "H100",
    ]);
    assert_eq!(from[0]["counted_on"], "H200");
    assert!(error(&from[0]) < error(&comparisons[1]), "{from}");

    std::fs::write(
        file,
        OF_GPU.to_owned() + &rows[0] + &of_gpu("another", 0..8, 40, 1590.0),
    )
    .expect("writes");
    let refused = place.kerncast(&["evaluate", file, "--hold-out", "gpu"]);
    let stderr = text(&expect_exit(refused, 2).stderr);
    assert!(stderr.contains("no GPU can be left out"), "{stderr}");
}

#[test]
fn a_gpu_with_few_kernels_borrows_anothers() {
    let place = Place::new();
    let path = place.path("gpus.csv");
    let lender = of_gpu("NVIDIA H200", 0..45, 132, 1980.0);
    let own = of_gpu("NVIDIA H100 PCIe", 45..48, 114, 1755.0);
    std::fs::write(&path, format!("{OF_GPU}{lender}{own}")).expect("writes");
    let path = path.to_str().expect("a path");
    let comparisons = evaluated(&place, &[path, "--device", "H100", "--method", "waves"]);
    assert_eq!(
        (&comparisons[0]["kernels"], &comparisons[0]["rows"]),
        (&Value::from(48), &Value::from(192))
    );
    let error = comparisons[0]["methods"][0]["errors"]["mean_ape"].as_f64();
    assert!(error.is_some_and(|it| it < 0.1), "{error:?}");
    // One without a data sheet has what it ran.
    let other = of_gpu("another", 45..48, 114, 1755.0);
    std::fs::write(path, format!("{OF_GPU}{lender}{other}")).expect("writes");
    let comparisons = evaluated(&place, &[path, "--device", "another", "--method", "waves"]);
    assert_eq!(comparisons[0]["kernels"], 3);
}
