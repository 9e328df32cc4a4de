//! From kernels to a forecast: the collector measures on PoCL and counts with Oclgrind, the server
//! stores, fits and validates, and a posted counter set gets a time.

use std::collections::BTreeSet;

use kerncast_e2e::{Lab, expect_exit, root};
use serde_json::{Value, json};

/// The ten programs of the paper.
const THE_PAPERS: [&str; 10] = [
    "aes_encrypt",
    "binomial_option",
    "dct8x8",
    "dwt_haar_1d",
    "fdtd3d",
    "matmul_float",
    "matmul_float4",
    "median_filter",
    "n_body",
    "sobel_filter",
];

#[test]
fn measured_kernels_become_a_validated_model_that_forecasts() {
    let lab = Lab::set_up();
    let _server = lab.serve();

    // The smallest size of ten kernels, both variants: enough rows to leave a kernel out.
    let mut arguments = vec!["run", "--no-microbenchmark", "--first-sizes", "1"];
    arguments.extend(THE_PAPERS.iter().flat_map(|kernel| ["--kernel", kernel]));
    expect_exit(lab.kerncast(&arguments), 0);
    expect_exit(lab.kerncast(&["models", "--wait", "60s"]), 0);

    let samples = lab.list("/v1/samples");
    let kernels: BTreeSet<&str> = samples
        .iter()
        .filter_map(|sample| sample["workload"]["kernel"].as_str())
        .collect();
    assert_eq!(kernels, BTreeSet::from(THE_PAPERS));
    for sample in &samples {
        has_times_and_counters(sample);
    }
    the_agent_has_reported(&lab, samples.len());
    source_and_analysis_are_there(&lab, &samples[0]);

    // Every device that was measured has said what it can do at most.
    for device in lab.list("/v1/devices") {
        let copy = &device["ceilings"]["copy_bytes_per_s"];
        assert!(copy.as_f64() > Some(0.0), "{device}");
    }

    let model = papers(&lab);
    let id = model["id"].as_str().expect("id");
    let validation = lab.get(&format!("/v1/models/{id}/validation"));
    for hold_out in validation["hold_outs"].as_array().expect("hold-outs") {
        let rows = hold_out["rows"].as_array().expect("rows");
        assert_eq!(
            rows.len() as i64,
            model["samples"].as_i64().expect("samples"),
            "{hold_out}"
        );
    }

    let variant = model["specification"]["variant"].as_str();
    let sample = samples
        .iter()
        .find(|sample| variant.is_none_or(|variant| sample["workload"]["variant"] == variant))
        .expect("a sample of the model's");
    let counters = json!({
        "oclgrind": sample["readings"]["oclgrind"]["counters"],
        "launch": sample["readings"]["launch"]["counters"],
    });
    let request = json!({ "counters": counters, "model": id });
    let forecast = lab.post("/v1/predictions", &request)["predictions"][0].clone();
    let expected = by_hand(&lab.get(&format!("/v1/models/{id}"))["fit"], &counters);
    let time_s = forecast["time_s"].as_f64().expect("a time");
    assert!(
        (time_s - expected).abs() <= 1e-9 * expected.abs(),
        "{time_s} is not {expected}"
    );
    assert_eq!(forecast["missing"], json!([]), "{forecast}");

    the_command_line_answers_alike(&lab, id, &counters, &forecast);
    // Sources of kernels that only other machines have run go with an upload that has nothing else to send.
    let examples = root().join("docs/examples");
    let examples = examples.to_str().expect("UTF-8");
    let sent = expect_exit(
        lab.kerncast(&["upload", "--json", "--kernels", examples]),
        0,
    );
    let sent: Value = serde_json::from_slice(&sent.stdout).expect("JSON");
    assert_eq!(sent["sources"], 8, "{sent}");
    assert_eq!(lab.list("/v1/samples").len(), samples.len());
}

fn has_times_and_counters(sample: &Value) {
    let times = &sample["times"]["repetitions_s"];
    assert!(times[0].as_f64().is_some_and(|time| time > 0.0), "{sample}");
    assert!(sample["readings"]["launch"]["counters"]["work_items"].as_f64() >= Some(1.0));
    let counted = &sample["readings"]["oclgrind"];
    assert!(
        counted["counters"]["instructions"].as_f64() >= Some(1.0),
        "{counted}"
    );
    let local = counted["counters"]["load_local"]
        .as_f64()
        .is_some_and(|loads| loads > 0.0);
    assert_eq!(local, sample["workload"]["variant"] == "local", "{sample}");
}

/// The agent has said how it is, and what it measured.
fn the_agent_has_reported(lab: &Lab, samples: usize) {
    let agents = lab.list("/v1/agents");
    assert_eq!(agents[0]["state"], "well", "{agents:?}");
    assert_eq!(agents[0]["run"]["measured"], samples);
    assert_eq!(agents[0]["spool"], 0);
    // A mistake of the command line is whose it is; what the timer calls was right once.
    for (command, state) in [("run", "well"), ("agent", "failing")] {
        let own = &["agent", "run", "--device", "a GPU"][usize::from(command == "run")..];
        expect_exit(lab.kerncast(own), 2);
        assert_eq!(lab.list("/v1/agents")[0]["state"], state, "{command}");
    }
}

/// The server has the sample's source, and what its accesses do, for the kernel's page.
fn source_and_analysis_are_there(lab: &Lab, sample: &Value) {
    let hash = &sample["provenance"]["source_hash"];
    let source = lab.get(&format!("/v1/sources/{}", hash.as_str().expect("hash")));
    let kernel = sample["workload"]["kernel"].as_str().expect("kernel");
    let on_disk = kerncast_e2e::root().join(format!("kernels/{kernel}/launch.toml"));
    let on_disk = std::fs::read_to_string(on_disk).expect("launch file");
    assert_eq!(source["files"]["launch.toml"], on_disk);
    let analysis = lab.get(&format!(
        "/v1/sources/{}/analysis",
        hash.as_str().expect("hash")
    ));
    let variant = &analysis["analysis"]["variants"][0];
    assert_eq!(variant["variant"], "global", "{analysis}");
    let sectors = &variant["accesses"][0]["sectors"];
    assert!(sectors.as_f64() >= Some(1.0), "{analysis}");
    let counted = &variant["counters"]["analysis"]["global_load_sectors"];
    assert!(counted.as_f64() >= Some(1.0), "{analysis}");
}

/// The same counters give the same time through the command line.
fn the_command_line_answers_alike(lab: &Lab, model: &str, counters: &Value, forecast: &Value) {
    let file = lab.path("counters.json");
    std::fs::write(&file, counters.to_string()).expect("write");
    let file = file.to_str().expect("UTF-8");
    let printed = expect_exit(
        lab.kerncast(&["predict", "--json", "--model", model, "--counters", file]),
        0,
    );
    let printed: Value = serde_json::from_slice(&printed.stdout).expect("JSON on stdout alone");
    assert_eq!(printed["predictions"][0]["time_s"], forecast["time_s"]);
}

/// The paper's model of all variants and Oclgrind's counters; some model answers when none is named.
fn papers(lab: &Lab) -> Value {
    let models = lab.list("/v1/models");
    let of_oclgrind = |model: &&Value| {
        let specification = &model["specification"];
        specification["provider"] == "oclgrind" && specification.get("response").is_none()
    };
    let champion = |model: &Value| model["champion"] == true;
    assert_eq!(
        models
            .iter()
            .filter(of_oclgrind)
            .filter(|it| champion(it))
            .count(),
        1
    );
    let papers = |model: &&Value| {
        let specification = &model["specification"];
        specification["method"] == "ols" && specification.get("variant").is_none()
    };
    let mut matching = models.iter().filter(of_oclgrind).filter(papers);
    matching
        .next()
        .unwrap_or_else(|| panic!("none among {models:#?}"))
        .clone()
}

/// The paper's sum, a0 + Σ ai·pi, from the published coefficients.
fn by_hand(fit: &Value, counters: &Value) -> f64 {
    let number = |value: &Value| value.as_f64().expect("a number");
    fit["coefficients"]
        .as_array()
        .expect("coefficients")
        .iter()
        .fold(number(&fit["intercept"]), |time, coefficient| {
            let (provider, name) = coefficient["counter"]
                .as_str()
                .and_then(|counter| counter.split_once(':'))
                .expect("PROVIDER:NAME");
            let scaled = (number(&counters[provider][name]) - number(&coefficient["mean"]))
                / number(&coefficient["scale"]);
            time + number(&coefficient["weight"]) * scaled
        })
}
