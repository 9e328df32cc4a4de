//! From nothing to a forecast of an own kernel, by the commands of the README.

use std::{fs, path::PathBuf, process::Output};

use kerncast_e2e::{Lab, Server, expect_exit, root};
use serde_json::Value;

/// Kernels of as many families that Oclgrind has counted on the H200: enough for intervals, and quick to fit.
const KERNELS: [&str; 14] = [
    "aes_encrypt",
    "binomial_option",
    "convolve_5x5",
    "dct8x8",
    "dwt_haar_1d",
    "fdtd3d",
    "gemv",
    "matmul_float",
    "median_filter",
    "n_body",
    "sobel_filter",
    "transpose",
    "histogram",
    "stencil_5_point",
];

const SOURCE: &str = "\
__kernel void largest(__global const float *picture, __global float *largest, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float value = -INFINITY;
    for (int j = max(y - 1, 0); j <= min(y + 1, n - 1); j++)
        for (int i = max(x - 1, 0); i <= min(x + 1, n - 1); i++)
            value = fmax(value, picture[j * n + i]);
    largest[y * n + x] = value;
}
";

const LAUNCH: &str = r#"
title = "Largest of 3 x 3 neighbours"

[[sizes]]
n = 64
[[sizes]]
n = 128

[[arguments]]
name = "picture"
buffer = "float"
length = "n * n"
fill = { uniform = [0.0, 1.0] }
[[arguments]]
name = "largest"
buffer = "float"
length = "n * n"
access = "write"
[[arguments]]
name = "n"
scalar = "int"
value = "n"

[variants.global]
function = "largest"
global = ["n", "n"]
local = ["16", "16"]
"#;

/// A folder beside everything of Kerncast's, as docs/kernels.md describes it.
fn own_kernel(lab: &Lab, launch: &str) -> PathBuf {
    let folder = lab.path("my_kernel");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("launch.toml"), launch).expect("writes");
    fs::write(folder.join("my_kernel.cl"), SOURCE).expect("writes");
    folder
}

/// With shipped samples and their models, as `make up` leaves it.
fn server() -> (Lab, Server) {
    let lab = Lab::set_up();
    let server = lab.serve();
    let file = lab.shipped(&["nvidia-h200"], &KERNELS, 2);
    expect_exit(lab.kerncast(&["import", file.to_str().expect("UTF-8")]), 0);
    expect_exit(lab.kerncast(&["models", "--wait", "300s"]), 0);
    (lab, server)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_own_kernel_is_forecast_by_the_readmes_commands() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let (lab, _server) = server();
    let folder = own_kernel(&lab, LAUNCH);
    let folder = folder.to_str().expect("UTF-8");
    let readmes = |command: &str| -> Output {
        assert!(readme.contains(command), "README.md lacks `{command}`");
        let words = command.split(' ').skip(1);
        let words: Vec<&str> = words
            .map(|it| if it == "~/my_kernel" { folder } else { it })
            .collect();
        expect_exit(lab.kerncast(&words), 0)
    };
    let devices = text(&readmes("kerncast devices").stdout);
    assert!(devices.contains("H200"), "{devices}");

    let message = text(&readmes("kerncast forecast ~/my_kernel --on h200").stdout);
    assert!(
        message.starts_with("my_kernel global n=128 on H200\n"),
        "{message}"
    );
    let lines: Vec<&str> = message.lines().collect();
    assert!(
        lines[1].contains("with 90 % probability between"),
        "{message}"
    );
    for part in ["\ntrust: ", "\nlocal memory: ", "where the time goes"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let verbose = lab.kerncast(&["forecast", folder, "--on", "h200", "--verbose"]);
    let verbose = text(&expect_exit(verbose, 0).stdout);
    let counted = "counters of analysis, launch, oclgrind";
    assert!(
        verbose.contains(counted) && !message.contains(counted),
        "{verbose}"
    );

    let json = lab.kerncast(&["forecast", folder, "--on", "h200", "--json"]);
    let answers: Value = serde_json::from_slice(&expect_exit(json, 0).stdout).expect("JSON");
    let answer = &answers[0];
    let seconds = |at: &Value| at.as_f64().expect("seconds");
    let prediction = &answer["prediction"];
    let interval = &prediction["interval"];
    let (time, low, high) = (
        seconds(&prediction["time_s"]),
        seconds(&interval["low_s"]),
        seconds(&interval["high_s"]),
    );
    assert!(0.0 < low && low < time && time < high, "{prediction}");
    assert!(time < 1e-3, "some microseconds: {prediction}");
    assert!(
        prediction["trust"]["why"]
            .as_str()
            .is_some_and(|why| !why.is_empty()),
        "{answer}"
    );
    assert!(prediction.get("pending").is_none(), "{prediction}");
    two_versions_are_compared(&lab, folder);
}

/// With one that looks at 5 x 5 neighbours.
fn two_versions_are_compared(lab: &Lab, old: &str) {
    let new = lab.path("my_kernel_wide");
    fs::create_dir_all(&new).expect("a folder");
    fs::write(new.join("launch.toml"), LAUNCH).expect("writes");
    let wide = SOURCE
        .replace("- 1, 0", "- 2, 0")
        .replace(" + 1, n", " + 2, n");
    fs::write(new.join("my_kernel_wide.cl"), wide).expect("writes");
    let new = new.to_str().expect("UTF-8");
    let compare = |one: &str, other: &str, more: &[&str], code| {
        let arguments = [&["compare", one, other, "--on", "h200"][..], more].concat();
        expect_exit(lab.kerncast(&arguments), code)
    };
    let same = compare(old, old, &["--json"], 0).stdout;
    let same: Value = serde_json::from_slice(&same).expect("JSON");
    assert_eq!(same[0]["speedup"], 1.0, "{same}");
    let words = text(&compare(old, new, &[], 0).stdout);
    for part in [
        "my_kernel global n=128 → my_kernel_wide global n=128 on H200\n",
        "\nspeedup: ×0.",
        "\nverdict: ",
        "all but accesses: ",
        "reads picture[",
    ] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let wrong = compare(&format!("{old}:locl"), new, &[], 2).stderr;
    assert!(text(&wrong).contains("locl"), "{}", text(&wrong));
}

#[test]
fn what_the_launch_file_says_and_the_source_does_not_is_refused_before_anything_is_counted() {
    let lab = Lab::set_up();
    let _server = lab.serve();
    let file = lab.shipped(&["nvidia-h200"], &KERNELS[..2], 1);
    expect_exit(lab.kerncast(&["import", file.to_str().expect("UTF-8")]), 0);
    for (right, wrong, expected) in [
        (
            "scalar = \"int\"",
            "scalar = \"float\"",
            "argument `n` of function `largest`: the launch file gives a scalar of `float`; expected `int` by value",
        ),
        (
            "buffer = \"float\"",
            "buffer = \"double\"",
            "argument `picture` of function `largest`: the launch file gives a buffer of `double`; expected a buffer of \
             `float`",
        ),
    ] {
        let folder = own_kernel(&lab, &LAUNCH.replacen(right, wrong, 1));
        let ask = lab.kerncast(&["forecast", folder.to_str().expect("UTF-8"), "--on", "h200"]);
        let message = text(&expect_exit(ask, 2).stderr);
        assert!(message.contains(expected), "{message}");
    }
}
