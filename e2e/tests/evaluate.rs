//! `kerncast evaluate` and the server give the same figures on the same samples.

use std::{collections::BTreeMap, fs};

use kerncast_e2e::{Lab, expect_exit};
use serde_json::Value;

/// Enough for a fit by Oclgrind's counters, and quick.
const KERNELS: [&str; 10] = [
    "aes_encrypt",
    "binomial_option",
    "convolve_5x5",
    "dct8x8",
    "dwt_haar_1d",
    "fdtd3d",
    "gemv",
    "median_filter",
    "n_body",
    "transpose",
];
const SIZES: usize = 2;

/// What a figure is of: device, device counted on, response, method, key.
type FigureKey = (String, Option<String>, String, String, String);

/// Mean APE and factor, and of a champion's speedups the factor and the verdicts.
type Figures = [Option<f64>; 4];

fn figures(errors: &Value, speedups: &Value) -> Figures {
    [
        errors["mean_ape"].as_f64(),
        errors["factor"].as_f64(),
        speedups["factor"].as_f64(),
        speedups["pays_off"]["given"].as_f64(),
    ]
}

fn evaluated(lab: &Lab, file: &str, more: &[&str]) -> BTreeMap<FigureKey, Figures> {
    let mut command = lab.kerncast(&["evaluate", file, "--json", "--provider", "oclgrind"]);
    command.args(more);
    let output = expect_exit(command, 0);
    let comparisons: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut figures_by_key = BTreeMap::new();
    for comparison in comparisons.as_array().expect("a list") {
        for method in comparison["methods"].as_array().expect("methods") {
            let figure_key = (
                text(&comparison["device"]).expect("a device"),
                text(&comparison["counted_on"]),
                text(&comparison["response"]).expect("a response"),
                text(&method["method"]).expect("a method"),
                text(&comparison["hold_out"]).expect("a key"),
            );
            figures_by_key.insert(figure_key, figures(&method["errors"], &method["speedups"]));
        }
    }
    figures_by_key
}

fn served(lab: &Lab) -> BTreeMap<FigureKey, Figures> {
    let devices: BTreeMap<i64, String> = (lab.list("/v1/devices").iter())
        .map(|it| {
            let name = it["name"].as_str().expect("a name").to_owned();
            (it["id"].as_i64().expect("an id"), name)
        })
        .collect();
    let mut speedups = BTreeMap::new();
    for model in lab.get("/v1/speedups")["items"].as_array().expect("a list") {
        speedups.insert(model["model"].to_string(), model["errors"].clone());
    }
    let mut figures_by_key = BTreeMap::new();
    for model in lab.list("/v1/models") {
        let specification = &model["specification"];
        if specification["provider"] != "oclgrind" || specification.get("variant").is_some() {
            continue;
        }
        let device = |key: &str| specification[key].as_i64().map(|id| devices[&id].clone());
        let keys = [
            ("kernel", "leave_one_kernel_out"),
            ("family", "leave_one_family_out"),
            ("row", "leave_one_row_out"),
        ];
        for (key, field) in keys {
            let figure_key = (
                device("device").expect("a device"),
                device("counted_on"),
                specification["response"]
                    .as_str()
                    .unwrap_or("time")
                    .to_owned(),
                specification["method"]
                    .as_str()
                    .expect("a method")
                    .to_owned(),
                key.to_owned(),
            );
            let none = Value::Null;
            let speedups = match key {
                "kernel" => speedups.get(&model["id"].to_string()).unwrap_or(&none),
                _ => &none,
            };
            let figures = figures(&model[field], speedups);
            if figures[0].is_some() {
                figures_by_key.insert(figure_key, figures);
            }
        }
    }
    figures_by_key
}

#[test]
fn evaluate_and_the_server_give_the_same_numbers() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let path = lab.shipped(&["amd-epyc-pocl", "intel-xeon-pocl"], &KERNELS, SIZES);
    let file = path.to_str().expect("UTF-8");
    expect_exit(lab.kerncast(&["import", file]), 0);
    expect_exit(lab.kerncast(&["models", "--wait", "600s"]), 0);
    let served = served(&lab);

    let keys = [
        "--hold-out",
        "kernel",
        "--hold-out",
        "family",
        "--hold-out",
        "row",
    ];
    let mut evaluated = evaluated(&lab, file, &keys);
    let devices: Vec<String> = evaluated
        .keys()
        .map(|figure_key| figure_key.0.clone())
        .collect();
    for device in &devices {
        evaluated.extend(self::evaluated(&lab, file, &["--counted-on", device]));
    }
    // An extra of evaluate's.
    evaluated.retain(|figure_key, _| figure_key.1.is_some() || figure_key.3 != "across_counters");
    let mut own_times = 0;
    let mut across = 0;
    let mut speedups = 0;
    for (figure_key, figures) in &served {
        let (_, counted_on, ..) = figure_key;
        let same = evaluated
            .get(figure_key)
            .unwrap_or_else(|| panic!("evaluate lacks {figure_key:?}"));
        // The server says of champions alone how far off their speedups are.
        let of_champion = figures[2].and(same[2]);
        let verdicts = figures[3].and(same[3]);
        assert_eq!(
            &[same[0], same[1], of_champion, verdicts],
            figures,
            "{figure_key:?}"
        );
        speedups += usize::from(of_champion.is_some());
        match counted_on {
            Some(_) => across += 1,
            None => own_times += 1,
        }
    }
    assert!(
        own_times >= 2 * 3 * 4,
        "{own_times} of a device's own times"
    );
    assert!(across >= 2 * 5, "{across} across devices");
    assert!(speedups >= 4, "{speedups} of speedups");
    the_same_by_validations(&lab, file, &served);
}

/// A server that is given what was found out by leaving out makes the same models, and leaves nothing out.
fn the_same_by_validations(lab: &Lab, file: &str, validated: &BTreeMap<FigureKey, Figures>) {
    let out = lab.path("validations.zst");
    let path = out.to_str().expect("UTF-8");
    expect_exit(lab.kerncast(&["validate", file, "--out", path]), 0);
    let other_lab = Lab::set_up();
    let _server = other_lab.serve_with_validations(&out);
    expect_exit(other_lab.kerncast(&["import", file]), 0);
    expect_exit(other_lab.kerncast(&["models", "--wait", "600s"]), 0);
    let served = served(&other_lab);
    assert_eq!(served.len(), validated.len());
    for (figure_key, figures) in &served {
        for (one, other) in figures.iter().zip(validated[figure_key]) {
            let (one, other) = (one.unwrap_or(-1.0), other.unwrap_or(-1.0));
            let is_same = (one - other).abs() <= 1e-6 + 1e-5 * one.abs();
            assert!(is_same, "{figure_key:?}: {one} and {other}");
        }
    }
    let log = fs::read_to_string(other_lab.path("log")).expect("a log");
    let (mut all, mut others) = (0, 0);
    // By so few kernels' analysis a fit has no forecast of a row that is left out, which no validation says.
    let is_sure = |it: &&str| it.contains("models: ") && !it.contains("provider=\"analysis\"");
    for line in log.lines().filter(is_sure) {
        let words: Vec<&str> = line.split(' ').collect();
        let before = |word: &str| {
            let place = words.iter().position(|it| it.trim_end_matches(',') == word);
            let number = words[place.expect("there") - 1].parse::<usize>();
            number.expect("a number")
        };
        all += before("with");
        others += before("validated");
    }
    assert!(all >= 30, "{all} with a validation that was given: {log}");
    // Whatever their numbers in the database are.
    assert_eq!(others, 0, "{log}");
}
