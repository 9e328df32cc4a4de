//! `kerncast init`: a kernel's folder of an OpenCL source.

use std::fs;

use crate::common::{Place, expect_exit, text};

/// The launch file that is made of a source's only kernel `k`.
fn generated_launch(place: &Place, source: &str) -> String {
    let file = place.path("all.cl");
    fs::write(&file, source).expect("writes");
    let (file, out) = (
        file.display().to_string(),
        place.path("made").display().to_string(),
    );
    let output = expect_exit(place.kerncast(&["init", &file, "--out", &out]), 0);
    let stdout = text(&output.stdout);
    assert!(!stdout.contains("wrong"), "{stdout}");
    assert!(stdout.contains("kerncast forecast"), "{stdout}");
    fs::read_to_string(place.path("made/k/launch.toml")).expect("a launch file")
}

/// What a launch file says in lines of this key, without their comments.
fn values<'a>(launch_file: &'a str, key: &str) -> Vec<&'a str> {
    let lines = launch_file
        .lines()
        .filter_map(|it| it.strip_prefix(key)?.strip_prefix(" = "));
    lines
        .map(|it| it.split("  #").next().unwrap_or(it))
        .collect()
}

#[test]
fn buffers_are_as_long_as_their_largest_index() {
    let place = Place::new();
    fs::write(place.path("bounds.h"), "#define TAPS 5\n").expect("writes");
    let file = generated_launch(
        &place,
        "#include \"bounds.h\"\n\
         kernel void k(global const float *in, global const int *at, global float *out, const int width, \
         const float by) {\n\
           int x = get_global_id(0), y = get_global_id(1);\n\
           if (x >= width) return;\n\
           float sum = 0;\n\
           for (int i = 0; i < TAPS; i++) sum += in[y * (width + 4) + x + i];\n\
           out[y * width + x] = by * sum * in[at[x]];\n\
         }\n",
    );
    let lengths = ["\"(width + 4) * m\"", "\"width\"", "\"width * m\""];
    assert_eq!(values(&file, "length"), lengths);
    assert_eq!(values(&file, "width"), ["256", "1024"]);
    assert_eq!(values(&file, "access"), ["\"write_partly\""]);
    assert!(
        file.contains("uniform = [0, \"(width + 4) * m - 1\"]"),
        "{file}"
    );
    let whole = fs::read_to_string(place.path("made/k/all.cl")).expect("the source");
    assert!(whole.contains("#define TAPS 5"), "{whole}");
}

#[test]
fn a_made_folder_runs() {
    let place = Place::new();
    let file = generated_launch(
        &place,
        "typedef struct { int from; float part[2]; } edge;\n\
         kernel void k(global const int *starts, global const edge *edges, global const float *x, global float *y, \
         local float *sums, edge one, float4 by, int n) {\n\
           int row = get_global_id(0);\n\
           float sum = by.y + one.part[1];\n\
           if (row < n)\n\
             for (int i = starts[row]; i < starts[row + 1]; i++) sum += edges[i].part[0] * x[edges[i].from];\n\
           sums[get_local_id(0)] = sum;\n\
           barrier(CLK_LOCAL_MEM_FENCE);\n\
           if (row < n) y[row] = sums[get_local_id(0) ^ 1];\n\
         }\n",
    );
    assert_eq!(
        values(&file, "buffer"),
        ["\"int\"", "\"edge\"", "\"float\"", "\"float\""]
    );
    assert_eq!(
        values(&file, "scalar"),
        ["\"edge\"", "\"float4\"", "\"int\""]
    );
    let lengths = values(&file, "length");
    assert_eq!(lengths[..2], ["\"n + 1\"", "\"8 * n\""], "{file}");
    assert!(
        file.contains("fill = { prefix_sum = { uniform = [0, 8] } }  # guess"),
        "{file}"
    );
    assert_eq!(values(&file, "local"), ["\"float\"", "[256]"]);
    let folder = place.path("made/k").display().to_string();
    let run = [
        "run",
        "--kernels",
        &folder,
        "--no-upload",
        "--provider",
        "launch",
        "--timing",
        "1ms",
        "--size",
        "n=262144",
    ];
    let ran = expect_exit(place.kerncast(&run), 0);
    assert!(
        text(&ran.stdout).contains("reference"),
        "{}",
        text(&ran.stdout)
    );
}

#[test]
fn what_cannot_be_made_is_said() {
    let place = Place::new();
    let file = place.path("odd.cl");
    let refused = |source: &str, more: &[&str]| {
        fs::write(&file, source).expect("writes");
        let (file, out) = (
            file.display().to_string(),
            place.path("out").display().to_string(),
        );
        let all = [&["init", &file, "--out", &out], more].concat();
        text(&expect_exit(place.kerncast(&all), 2).stderr)
    };
    let problem = refused("void f(global int *a) { a[0] = TILE; }", &[]);
    assert!(problem.contains("--options '-DNAME=16'"), "{problem}");
    let problem = refused("void f(global int *a) { a[0] = 1; }", &[]);
    assert!(problem.contains("it has no kernel"), "{problem}");
    let good = "kernel void k(global int *a) { a[get_global_id(0)] = 1; }";
    let problem = refused(good, &["--function", "g"]);
    assert!(
        problem.contains("there is no kernel `g`; the source has k"),
        "{problem}"
    );
    let problem = refused("kernel void k() { barrier(0); }", &[]);
    assert!(problem.contains("has no arguments"), "{problem}");
    let problem = refused(
        "typedef union { float f; char c; } u; kernel void k(global u *a) { a[0].c = 1; }",
        &[],
    );
    assert!(problem.contains("`u` is a union"), "{problem}");
    assert!(!place.path("out").exists());
    fs::create_dir_all(place.path("out/k")).expect("a folder");
    let problem = refused(good, &[]);
    assert!(problem.contains("is there already"), "{problem}");
}

#[test]
fn one_kernel_that_cannot_be_described_keeps_no_other_out() {
    let place = Place::new();
    let file = place.path("all.cl");
    let source = "typedef struct { global float *p; } q;\n\
                  kernel void odd(global q *a) { a[0].p[0] = 1; }\n\
                  /* reqd_work_group_size(32,1,1) */ void f(int x) { if (x) return; }\n\
                  __attribute__((reqd_work_group_size(64, 1, 1))) kernel void add_all(global int *a, int width, int height) {\n\
                    int x = get_global_id(0), sum = 0;\n\
                    for (int i = 0; i < width + 3; i++) sum += a[i];\n\
                    if (x > 0 && x < height - 1) a[x] = sum; }\n\
                  kernel void add(global float *a) { local float t[0]; a[get_global_id(0)] = 1; }\n";
    fs::write(&file, source).expect("writes");
    let (file, out) = (
        file.display().to_string(),
        place.path("out").display().to_string(),
    );
    let output = expect_exit(place.kerncast(&["init", &file, "--out", &out]), 1);
    assert!(
        text(&output.stderr).contains("a pointer"),
        "{}",
        text(&output.stderr)
    );
    let launch_file_of = |name: &str| {
        fs::read_to_string(place.path(&format!("out/{name}/launch.toml"))).expect("a launch file")
    };
    let (all, one) = (launch_file_of("add_all"), launch_file_of("add"));
    assert_eq!(values(&all, "local"), ["[64]"]);
    // The sum of two sizes is none of them.
    assert!(values(&all, "length")[0] != "\"height\"", "{all}");
    assert!(!one.contains("local = [64]"), "{one}");
    assert_eq!(values(&one, "access"), ["\"write\""]);
}
