//! `kerncast evaluate` and the server give the same figures on the same samples.

use std::{collections::BTreeMap, fs, path::PathBuf};

use kerncast_e2e::{Lab, expect_exit, root};
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

/// What two shipped devices measured of these kernels at their first sizes, and their ceilings.
fn shipped(lab: &Lab) -> PathBuf {
    let mut lines = String::new();
    for name in ["amd-epyc-pocl", "intel-xeon-pocl"] {
        let file = fs::read(root().join(format!("data/{name}.jsonl.zst"))).expect("shipped");
        let text = zstd::decode_all(file.as_slice()).expect("zstd");
        let mut sizes: BTreeMap<(String, String), usize> = BTreeMap::new();
        for line in String::from_utf8(text).expect("UTF-8").lines() {
            let value: Value = serde_json::from_str(line).expect("JSON");
            let workload = &value["workload"];
            let [kernel, variant] = ["kernel", "variant"].map(|it| workload[it].as_str());
            let kernel = kernel.unwrap_or_default();
            let is_small = KERNELS.contains(&kernel) && {
                let variant = variant.unwrap_or_default().to_owned();
                let of_kernel = sizes.entry((kernel.to_owned(), variant)).or_default();
                *of_kernel += 1;
                *of_kernel <= SIZES
            };
            if is_small || value.get("ceilings").is_some() {
                lines.push_str(line);
                lines.push('\n');
            }
        }
    }
    let path = lab.path("shipped.jsonl");
    fs::write(&path, lines).expect("writes");
    path
}

/// What a figure is of: device, device counted on, response, method, key.
type Of = (String, Option<String>, String, String, String);

/// Mean APE and factor, and how often a speedup's sign was right.
type Figures = [Option<f64>; 3];

fn figures(errors: &Value, signs: &Value) -> Figures {
    [
        errors["mean_ape"].as_f64(),
        errors["factor"].as_f64(),
        signs["right"].as_f64(),
    ]
}

fn evaluated(lab: &Lab, file: &str, more: &[&str]) -> BTreeMap<Of, Figures> {
    let mut command = lab.kerncast(&["evaluate", file, "--json", "--provider", "oclgrind"]);
    command.args(more);
    let output = expect_exit(command, 0);
    let comparisons: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut found = BTreeMap::new();
    for comparison in comparisons.as_array().expect("a list") {
        for method in comparison["methods"].as_array().expect("methods") {
            let of = (
                text(&comparison["device"]).expect("a device"),
                text(&comparison["counted_on"]),
                text(&comparison["response"]).expect("a response"),
                text(&method["method"]).expect("a method"),
                text(&comparison["hold_out"]).expect("a key"),
            );
            found.insert(of, figures(&method["errors"], &method["signs"]));
        }
    }
    found
}

fn served(lab: &Lab) -> BTreeMap<Of, Figures> {
    let devices: BTreeMap<i64, String> = (lab.list("/v1/devices").iter())
        .map(|it| {
            let name = it["name"].as_str().expect("a name").to_owned();
            (it["id"].as_i64().expect("an id"), name)
        })
        .collect();
    let mut signs = BTreeMap::new();
    for group in lab.get("/v1/speedups")["items"].as_array().expect("a list") {
        for model in group["models"].as_array().expect("models") {
            signs.insert(model["model"].clone().to_string(), model["signs"].clone());
        }
    }
    let mut found = BTreeMap::new();
    for model in lab.list("/v1/models") {
        let asked = &model["specification"];
        if asked["provider"] != "oclgrind" || asked.get("variant").is_some() {
            continue;
        }
        let device = |key: &str| asked[key].as_i64().map(|id| devices[&id].clone());
        let keys = [
            ("kernel", "leave_one_kernel_out"),
            ("family", "leave_one_family_out"),
            ("row", "leave_one_row_out"),
        ];
        for (key, field) in keys {
            let of = (
                device("device").expect("a device"),
                device("counted_on"),
                asked["response"].as_str().unwrap_or("time").to_owned(),
                asked["method"].as_str().expect("a method").to_owned(),
                key.to_owned(),
            );
            let none = Value::Null;
            let signs = match key {
                "kernel" => signs.get(&model["id"].to_string()).unwrap_or(&none),
                _ => &none,
            };
            let figures = figures(&model[field], signs);
            if figures[0].is_some() {
                found.insert(of, figures);
            }
        }
    }
    found
}

#[test]
fn evaluate_and_the_server_give_the_same_numbers() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let path = shipped(&lab);
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
    let devices: Vec<String> = evaluated.keys().map(|of| of.0.clone()).collect();
    for device in &devices {
        evaluated.extend(self::evaluated(&lab, file, &["--counted-on", device]));
    }
    // An extra of evaluate's.
    evaluated.retain(|of, _| of.1.is_some() || of.3 != "across_counters");
    let mut own_times = 0;
    let mut across = 0;
    let mut speedups = 0;
    for (of, figures) in &served {
        let (_, counted_on, response, ..) = of;
        let same = evaluated
            .get(of)
            .unwrap_or_else(|| panic!("evaluate lacks {of:?}"));
        // What serve and evaluate judge by signs is of kernels left out.
        let same = match of.4.as_str() {
            "kernel" => *same,
            _ => [same[0], same[1], None],
        };
        assert_eq!(&same, figures, "{of:?}");
        match (counted_on, response.as_str()) {
            (_, "speedup") => speedups += 1,
            (Some(_), _) => across += 1,
            (None, _) => own_times += 1,
        }
    }
    assert!(
        own_times >= 2 * 3 * 6,
        "{own_times} of a device's own times"
    );
    assert!(across >= 2 * 5, "{across} across devices");
    assert!(speedups >= 4, "{speedups} of speedups");
}
