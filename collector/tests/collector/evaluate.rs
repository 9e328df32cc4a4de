//! `kerncast evaluate`: methods side by side on a file, without a server.

use std::fmt::Write;

use crate::common::{Place, expect_exit, text};
use serde_json::Value;

/// A tidy table of two devices: on `slow` a time is 2 µs + 1 ns a load + 3 ns a store, on `fast` half of it.
/// What the counters say is all there is, so a non-negative fit of other kernels is exact. Every fifth row
/// has no cycles; one lacks its instructions.
fn table(place: &Place) -> String {
    let mut rows = String::from(
        "device,kernel,family,variant,time_s,param:n,p:load_global,p:store_global,p:instructions,launch:work_items,launch:work_groups,p:cycles\n",
    );
    for (device, share) in [("slow", 1.0), ("fast", 0.5)] {
        for kernel in 0..12 {
            for n in 1..6 {
                let loads = f64::from(1000 * (kernel + 1) * n * n);
                let stores = f64::from(300 * ((7 * kernel) % 5 + 1) * n);
                let time = share * (2e-6 + 1e-9 * loads + 3e-9 * stores);
                let (instructions, items) = (2.0 * (loads + stores), 256 * n);
                let lacks = kernel == 3 && n == 4;
                let instructions = if lacks {
                    String::new()
                } else {
                    instructions.to_string()
                };
                writeln!(
                    rows,
                    "{device},k{kernel},f{},global,{time},{n},{loads},{stores},{instructions},{items},{n},{}",
                    kernel / 2,
                    if n == 1 { String::new() } else { n.to_string() },
                )
                .expect("into a string");
            }
        }
    }
    let path = place.path("kernels.csv");
    std::fs::write(&path, rows).expect("writes");
    path.to_str().expect("a path").to_owned()
}

pub(crate) fn evaluated(place: &Place, arguments: &[&str]) -> Value {
    let all = [&["evaluate", "--json"], arguments].concat();
    let output = expect_exit(place.kerncast(&all), 0);
    serde_json::from_slice(&output.stdout).expect("JSON alone on stdout")
}

#[test]
fn a_fit_that_can_be_exact_is_and_counters_with_gaps_are_left_out() {
    let place = Place::new();
    let file = table(&place);
    let keys = ["--hold-out", "kernel", "--hold-out", "family"];
    let arguments = [&[&*file, "--device", "slow", "--method", "nnls"], &keys[..]].concat();
    let comparisons = evaluated(&place, &arguments);
    let comparisons = comparisons.as_array().expect("one a key");
    assert_eq!(comparisons.len(), 2);
    for (comparison, key) in comparisons.iter().zip(["kernel", "family"]) {
        assert_eq!(comparison["hold_out"], key);
        assert_eq!(
            (&comparison["rows"], &comparison["kernels"]),
            (&59.into(), &12.into())
        );
        assert_eq!(comparison["rows_left_out"], 1);
        assert_eq!(comparison["left_out"], serde_json::json!(["p:cycles"]));
        let method = &comparison["methods"][0];
        let mean_ape = method["errors"]["mean_ape"].as_f64().expect("a number");
        assert!(mean_ape < 0.01, "{mean_ape}");
        assert_eq!(method["kernels"].as_array().expect("all").len(), 12);
    }
}

#[test]
fn each_method_is_named_before_it_is_judged() {
    let place = Place::new();
    let file = table(&place);
    let methods = ["--method", "nnls", "--method", "ols"];
    let arguments = [&["evaluate", &*file, "--device", "slow"], &methods[..]].concat();
    let stderr = text(&expect_exit(place.kerncast(&arguments), 0).stderr);
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{stderr}");
    assert!(lines[0].ends_with("leaving a kernel out"), "{stderr}");
    assert!(
        lines[1].starts_with("[1/2] ") && lines[2].starts_with("[2/2] "),
        "{stderr}"
    );
}

#[test]
fn another_devices_time_forecasts_this_one() {
    let place = Place::new();
    let file = table(&place);
    let comparisons = evaluated(&place, &[&file, "--counted-on", "slow", "--device", "fast"]);
    let methods = comparisons[0]["methods"].as_array().expect("methods");
    let mean_ape = |name: &str| {
        let method = methods.iter().find(|it| it["method"] == name);
        method.expect(name)["errors"]["mean_ape"]
            .as_f64()
            .expect("a number")
    };
    // Half the time, always: the plain baseline knows it too.
    assert!(mean_ape("across_median_ratio") < 1e-9);
    assert!(mean_ape("across_counters_and_time") < 0.02);
}

/// AIWC's counters are the same on every device: what forecasts from another device's does from these.
#[test]
fn counters_of_no_device_forecast_as_those_of_a_device_counted_on_do() {
    let place = Place::new();
    let file = table(&place);
    let method = ["--method", "across_counters"];
    let own = evaluated(
        &place,
        &[&[&*file, "--device", "slow"], &method[..]].concat(),
    );
    let from = evaluated(&place, &[&file, "--counted-on", "fast", "--device", "slow"]);
    let methods = from[0]["methods"].as_array().expect("methods");
    let across = methods.iter().find(|it| it["method"] == method[1]);
    let [own, from] = [&own[0]["methods"][0], across.expect("the method")]
        .map(|it| it["errors"]["mean_ape"].as_f64().expect("a number"));
    assert!((own - from).abs() < 1e-9, "{own}, {from}");
}

#[test]
fn one_kernel_alone_is_told_what_to_do() {
    let place = Place::new();
    let rows = "device,kernel,variant,time_s,p:loads\nd,k,one,1e-3,5\nd,k,two,2e-3,9\n";
    let path = place.path("one.csv");
    std::fs::write(&path, rows).expect("writes");
    let output = expect_exit(
        place.kerncast(&["evaluate", path.to_str().expect("a path")]),
        0,
    );
    let printed = text(&output.stdout);
    assert!(printed.contains("try --hold-out row"), "{printed}");
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let place = Place::new();
    let file = table(&place);
    for (arguments, expected) in [
        (
            ["--device", "other"],
            "no device `other`; the file has: fast, slow",
        ),
        (
            ["--provider", "ncu"],
            "counters of `ncu`; the file has: launch, p",
        ),
        (["--method", "guess"], "no method `guess`; expected one of"),
    ] {
        let all = [&["evaluate", &*file], &arguments[..]].concat();
        let output = expect_exit(place.kerncast(&all), 2);
        let stderr = text(&output.stderr);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

/// On `slow` local memory pays off where a work-item loads much, on `fast` never; only the former is counted.
fn variants(place: &Place) -> String {
    let mut rows = String::from(
        "device,kernel,variant,time_s,param:n,p:load_global,p:instructions,launch:work_items\n",
    );
    for (device, kernel, n) in ["slow", "fast"]
        .into_iter()
        .flat_map(|device| (0..12).flat_map(move |kernel| (1..4).map(move |n| (device, kernel, n))))
    {
        let loads = f64::from(1 + kernel % 4 * 16);
        let items = f64::from(n * (1000 + 10 * kernel));
        let time = 2e-6 + 1e-9 * loads * items;
        let speedup = if device == "slow" && loads > 1.0 {
            2.0
        } else {
            0.8
        };
        for (variant, seconds) in [("global", time), ("local", time / speedup)] {
            let (loads, instructions) = (loads * items, 2.0 * loads * items);
            writeln!(
                rows,
                "{device},k{kernel},{variant},{seconds},{n},{loads},{instructions},{items}"
            )
            .expect("into a string");
        }
    }
    let path = place.path("variants.csv");
    std::fs::write(&path, rows).expect("writes");
    path.to_str().expect("a path").to_owned()
}

#[test]
fn speedups_are_ratios_of_a_method_s_forecasts() {
    let place = Place::new();
    let file = variants(&place);
    let speedups = |arguments: &[&str]| {
        let comparisons = evaluated(&place, &[&[&*file, "--provider", "p"], arguments].concat());
        comparisons[0]["methods"][0]["speedups"].clone()
    };
    let own = speedups(&["--device", "slow", "--method", "nnls"]);
    assert_eq!((&own["n"], &own["kernels"]), (&36.into(), &12.into()));
    let across = ["--counted-on", "slow", "--device", "fast"];
    let across = speedups(&[&across[..], &["--method", "across_median_ratio"]].concat());
    // There local memory makes all slower by a quarter, and what it makes of the other device's is no measure of that.
    assert!(
        across["factor"].as_f64().expect("a number") > 1.5,
        "{across}"
    );
    assert_eq!(across["pays_off"]["right"], 0, "{across}");
    // Rows are no kernels that are left out.
    let of_rows = speedups(&["--device", "slow", "--hold-out", "row"]);
    assert_eq!(of_rows, Value::Null);

    let output = place.kerncast(&["evaluate", &file, "--device", "slow"]);
    let printed = text(&expect_exit(output, 0).stdout);
    assert!(
        printed.contains("speedups of local memory (36 pairs of 12 kernels) off by"),
        "{printed}"
    );
    let one_variant = evaluated(
        &place,
        &[&table(&place), "--device", "slow", "--provider", "p"],
    );
    assert_eq!(one_variant[0]["methods"][0].get("speedups"), None);
}

/// Samples of two chips that have another name for the same counter.
#[test]
fn a_counter_under_another_chips_name_is_the_same_column() {
    let place = Place::new();
    let mut lines = String::new();
    for kernel in 0..6 {
        let name = ["dram__sectors_read.sum", "dram__sectors_op_read.sum"][kernel % 2];
        for n in 1..4 {
            let sectors = (1000 * (kernel + 1) * n * n) as f64;
            let sample = serde_json::json!({
                "id": uuid::Uuid::from_u128((16 * kernel + n) as u128),
                "measured_at": "2026-11-01T12:00:00Z",
                "agent": { "name": "lab-3", "version": "0.1.0" },
                "device": { "vendor": "Vendor", "name": "GPU", "kind": "gpu" },
                "workload": { "kernel": format!("k{kernel}"), "variant": "global", "parameters": { "n": n } },
                "times": { "repetitions_s": [2e-6 + 1e-9 * sectors] },
                "readings": { "ncu": { "counters": { name: sectors } } },
            });
            writeln!(lines, "{sample}").expect("into a string");
        }
    }
    let path = place.path("samples.jsonl");
    std::fs::write(&path, lines).expect("writes");
    let path = path.to_str().expect("a path");
    let comparisons = evaluated(&place, &[path, "--method", "nnls"]);
    assert_eq!(
        comparisons[0]["counters"],
        serde_json::json!(["ncu:dram__sectors_read.sum"])
    );
    assert_eq!(comparisons[0]["rows"], 18);
}

/// Ten kernels are fitted, the other two judged: nothing that is judged was fitted, so a time that only the
/// judged have changes no fit.
#[test]
fn other_samples_are_judged_by_a_fit_that_saw_none_of_them() {
    let place = Place::new();
    let all = std::fs::read_to_string(table(&place)).expect("its table");
    let (head, rows) = all.split_once('\n').expect("a header");
    let is_tested = |row: &&str| ["k10,", "k11,"].iter().any(|it| row.contains(it));
    let (tested, learned): (Vec<&str>, Vec<&str>) = rows
        .lines()
        .filter(|it| it.starts_with("slow"))
        .partition(is_tested);
    let write = |name: &str, rows: &[&str]| {
        let path = place.path(name);
        std::fs::write(&path, format!("{head}\n{}\n", rows.join("\n"))).expect("writes");
        path.to_str().expect("a path").to_owned()
    };
    let (train, test) = (write("train.csv", &learned), write("test.csv", &tested));
    let arguments = ["--train", &train, "--test", &test, "--method", "nnls"];
    let comparison = &evaluated(&place, &arguments)[0];
    assert_eq!(comparison["hold_out"], "other samples", "{comparison}");
    let nnls = &comparison["methods"][0];
    assert_eq!(nnls["rows"], 10, "{nnls}");
    assert_eq!(nnls["kernels"].as_array().expect("kernels").len(), 2);
    assert!(
        nnls["errors"]["mean_ape"].as_f64().expect("errors") < 1e-6,
        "{nnls}"
    );

    // Twice as slow: none of the fit knows.
    let twice: Vec<String> = tested
        .iter()
        .map(|row| {
            let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
            let time: f64 = cells[4].parse().expect("a time");
            cells[4] = (2.0 * time).to_string();
            cells.join(",")
        })
        .collect();
    let twice: Vec<&str> = twice.iter().map(String::as_str).collect();
    let test = write("twice.csv", &twice);
    let arguments = ["--train", &train, "--test", &test, "--method", "nnls"];
    let method = &evaluated(&place, &arguments)[0]["methods"][0];
    let ape = method["errors"]["mean_ape"].as_f64().expect("errors");
    assert!((ape - 0.5).abs() < 1e-6, "{method}");
    assert_eq!(method["intervals"]["covered"], 0.0, "{method}");

    let others: Vec<&str> = rows.lines().filter(|it| !it.starts_with("slow")).collect();
    let others = write("others.csv", &others);
    let further = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../data/older/nvidia-h200-further.jsonl.zst"
    );
    for (arguments, expected) in [
        (vec!["--train", &*train], "--test"),
        (vec!["--train", &train, "--test", &others], "no device"),
        (
            vec!["--train", further, "--test", further],
            "is in a file of --train and in one of --test",
        ),
    ] {
        let arguments = [vec!["evaluate"], arguments].concat();
        let stderr = text(&expect_exit(place.kerncast(&arguments), 2).stderr);
        assert!(stderr.contains(expected), "{stderr}");
    }
}
