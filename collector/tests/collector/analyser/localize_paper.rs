//! The faults of Kamiya, Maruyama, Ohno (2013), each of which our rewriting must not have (docs/notebook/localize.md).

use std::{fs, process::Command};

use super::localized::answer;
use serde_json::Value;

/// Writes a kernel's folder and rewrites it: exit status and answer.
fn localize(name: &str, source: &str, launch: &str) -> (i32, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join(name);
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join(format!("{name}.cl")), source).expect("written");
    fs::write(folder.join("launch.toml"), launch).expect("written");
    answer(&folder)
}

fn is_refused(answer: &Value, array: &str, reason: &str) -> bool {
    let mut refusals = answer["refusals"].as_array().into_iter().flatten();
    refusals.any(|it| it["array"] == array && it["reason"] == reason)
}

/// `in` has `length` elements and is read by `out`'s `n` work-items, 16 a work-group.
fn launch(function: &str, length: &str, terms: i64) -> String {
    format!(
        "title = \"t\"\nfamily = \"f\"\n[[sizes]]\nn = 32\nterms = {terms}\n[[sizes]]\nn = 160\nterms = {terms}\n\
         [[arguments]]\nname = \"in\"\nbuffer = \"float\"\nlength = \"{length}\"\nfill = {{ uniform = [-1.0, 1.0] }}\n\
         [[arguments]]\nname = \"out\"\nbuffer = \"float\"\nlength = \"n\"\naccess = \"write\"\n\
         [[arguments]]\nname = \"terms\"\nscalar = \"int\"\nvalue = \"terms\"\n\
         [variants.global]\nfunction = \"{function}\"\nglobal = [\"n\"]\nlocal = [\"16\"]\n"
    )
}

const SMOOTHED: &str = "
// The mean of three.
__kernel void smoothed(__global const float *in, __global float *out, int terms)
{
    const int i = get_global_id(0);
    out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3;
}
";

const CORRELATED: &str = "
__kernel void correlated(__global const float *in, __global float *out, int terms)
{
    const int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < terms; ++k)
        sum += in[k] * in[i + k];
    out[i] = sum;
}
";

/// 5.2: the size of a range of indices is one more than the difference of its ends.
#[test]
fn a_range_has_both_its_ends() {
    let (status, answer) = localize("smoothed", SMOOTHED, &launch("smoothed", "n + 2", 1));
    assert_eq!(status, 0, "{answer}");
    assert_eq!(answer["placed"][0]["extents"], serde_json::json!([18]));
    let source = answer["source"].as_str().expect("a source");
    assert!(source.contains("// The mean of three."), "{source}");
    assert!(
        source.contains("reqd_work_group_size(16, 1, 1)"),
        "{source}"
    );
}

/// Figure 12: its index goes beyond the tile, its last strip beyond the loop, and it fills again while others read.
#[test]
fn strips_have_both_barriers_and_a_remainder() {
    for terms in [1, 16, 37] {
        let launch = launch("correlated", &format!("n + {terms}"), terms);
        let (status, answer) = localize("correlated", CORRELATED, &launch);
        assert_eq!(status, 0, "{terms}: {answer}");
        let source = answer["source"].as_str().expect("a source");
        assert_eq!(
            source.matches("barrier(CLK_LOCAL_MEM_FENCE)").count(),
            2,
            "{source}"
        );
        let equal = answer["checked"]["equal"].as_array().expect("sizes").len();
        assert_eq!(equal, 2, "{answer}");
        let race_free = answer["checked"]["race_free"]
            .as_array()
            .expect("sizes")
            .len();
        assert_eq!(race_free, 1, "{answer}");
    }
}

/// 5.3: what does not fit stays where it is; the paper's test takes just that.
#[test]
fn what_does_not_fit_is_not_taken() {
    let far = SMOOTHED
        .replace("in[i + 2]", "in[i + 20000]")
        .replace("in[i + 1]", "in[i + 10000]");
    let (status, answer) = localize("smoothed", &far, &launch("smoothed", "n + 20000", 1));
    assert_ne!(status, 0, "{answer}");
    assert!(is_refused(&answer, "in", "too_large"), "{answer}");
}

/// What the author's conditions keep from being read is not read to fill a tile either.
#[test]
fn a_tile_is_filled_no_further_than_conditions_go() {
    let inside = SMOOTHED.replace("    out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3;", INSIDE);
    let launch = launch("smoothed", "n", 1)
        .replace("value = \"terms\"", "value = \"n\"")
        .replace("access = \"write\"", "access = \"write_partly\"")
        .replace(
            "global = [\"n\"]",
            "global = [\"ceil_div(n, 16) * 16 + 16\"]",
        )
        .replace("n = 32", "n = 37");
    let (status, answer) = localize("smoothed", &inside, &launch);
    assert_eq!(status, 0, "{answer}");
    assert_eq!(answer["placed"][0]["extents"], serde_json::json!([18]));
    let source = answer["source"].as_str().expect("a source");
    assert!(
        source.contains(">= 1") && source.contains("< terms + 1"),
        "{source}"
    );
}

const INSIDE: &str = "
    if (i > 0 && i < terms - 1)
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
";

/// Figures 12 and 17: a barrier that only some work-items reach. A guard goes into the loop, where no barrier is behind
/// it; a loop that some run longer is refused.
#[test]
fn no_barrier_stands_where_work_items_part() {
    let launch = launch("correlated", "n + 40", 40);
    let parted = CORRELATED.replace("    for (", "    if (i < 5) for (");
    let (status, answer) = localize("correlated", &parted, &launch);
    assert_eq!(status, 0, "{answer}");
    let source = answer["source"].as_str().expect("a source");
    let mut barriers = source.match_indices("barrier(");
    assert!(
        barriers.all(|(at, _)| {
            let line = source[..at].rfind('\n').expect("not the first line") + 1;
            source[line..at].trim().is_empty() && !source[..line].trim_end().ends_with(')')
        }),
        "{source}"
    );
    assert!(source.contains("if (is_in)"), "{source}");
    assert_eq!(
        answer["checked"]["race_free"],
        serde_json::json!(["n=32 terms=40"])
    );

    let longer = CORRELATED.replace("k < terms", "k < terms - i % 2");
    let (status, answer) = localize("correlated", &longer, &launch);
    assert_eq!(status, 4, "{answer}");
    assert!(is_refused(&answer, "in", "loop_differs"), "{answer}");
}

/// Figures 18 and 19: blocks that add to one result. Here a result is its work-group's own, or is not touched.
#[test]
fn no_work_group_writes_what_another_sees() {
    let added = SMOOTHED.replace("out[i] =", "out[i % 16] +=");
    let launch =
        launch("smoothed", "n + 2", 1).replace("access = \"write\"", "access = \"write_partly\"");
    let (status, answer) = localize("smoothed", &added, &launch);
    let placed = answer["placed"].as_array().cloned().unwrap_or_default();
    assert!(
        placed.iter().all(|it| it["array"] != "out"),
        "{status} {answer}"
    );
    assert!(is_refused(&answer, "out", "written"), "{answer}");
}

/// A variant is written beside the others, and made anew where it is there.
#[test]
fn a_written_variant_runs_beside_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("correlated");
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("correlated.cl"), CORRELATED).expect("written");
    fs::write(
        folder.join("launch.toml"),
        launch("correlated", "n + 37", 37),
    )
    .expect("written");
    for _ in 0..2 {
        let ran = Command::new(env!("CARGO_BIN_EXE_kerncast"))
            .args(["localize", "--write"])
            .arg(&folder)
            .output()
            .expect("kerncast runs");
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    let text = fs::read_to_string(folder.join("launch.toml")).expect("there");
    assert_eq!(
        text.matches("[variants.local_generated]").count(),
        1,
        "{text}"
    );
    let kernel = kerncast_suite::load(&folder).expect("a kernel").remove(0);
    assert!(kernel.variant("local_generated").is_some());
    assert!(folder.join("correlated.generated.cl").exists());
}
