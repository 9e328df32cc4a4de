//! What OpenCL C forbids is said before it is launched, and what may be forbidden is doubted. Real clang and PoCL.

use std::path::Path;

use crate::common::{Place, expect_exit, fixture, rows, text};
use kerncast_collector::{
    clang::Clang,
    source_analysis::accesses::{Reader, Soundness},
    workload::Workload,
};
use kerncast_suite::{Kernel, load};

fn barriers() -> Kernel {
    let mut kernels = load(Path::new(&fixture("unlawful/barriers"))).expect("a kernel");
    kernels.pop().expect("one")
}

const SOME: &str = "a barrier that not all work-items of a work-group reach alike, at barriers.cl:23:9, at n=64: \
                    work-items wait there for others that never come";

const TURNS: &str = "`even` calls itself, at barriers.cl:62:25: OpenCL C has no recursion (OpenCL C 1.2, section 6.9)";

#[test]
fn barriers_that_some_never_reach_and_recursion_are_wrong_and_what_depends_on_data_is_doubtful() {
    let (clang, kernel) = (Clang::find().expect("clang-15 is installed"), barriers());
    let reader = Reader::new(&clang);
    let soundness_of = |variant: &str| {
        let workload = Workload {
            kernel: &kernel,
            variant: kernel.variant(variant).expect("a variant"),
            parameters: kernel.sizes[0].parameters.clone(),
        };
        reader.soundness(&workload).expect("clang reads it")
    };
    let Soundness {
        wrong, doubtful, ..
    } = soundness_of("global");
    assert!(
        wrong.is_empty() && doubtful.is_empty(),
        "{wrong:?} {doubtful:?}"
    );
    assert_eq!(soundness_of("some").wrong, [SOME]);
    for (variant, place) in [("last", "33:5"), ("often", "40:9")] {
        let wrong = soundness_of(variant).wrong;
        let at = format!("reach alike, at barriers.cl:{place}, at n=64");
        assert!(
            wrong.len() == 1 && wrong[0].contains(&at),
            "{variant}: {wrong:?}"
        );
    }
    assert_eq!(soundness_of("turns").wrong, [TURNS]);
    let Soundness {
        wrong, doubtful, ..
    } = soundness_of("data");
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(
        doubtful,
        ["a barrier that not all work-items may reach alike, at barriers.cl:50:9"]
    );
}

#[test]
fn run_neither_launches_nor_keeps_what_is_surely_wrong() {
    let place = Place::new();
    let run = |folder: &str, more: &[&str]| {
        let output = expect_exit(place.times(&fixture(folder), more), 1);
        rows(&output)
    };
    let limit = ["--workload-limit", "60s"];
    let of = |rows: &[serde_json::Value], variant: &str| {
        let row = rows.iter().find(|row| row["variant"] == variant);
        let row = row.unwrap_or_else(|| panic!("no row of {variant}"));
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (row["status"].as_str().expect("status").to_owned(), reason)
    };
    let barriers = run("unlawful/barriers", &limit);
    assert_eq!(of(&barriers, "global").0, "measured");
    let (status, why) = of(&barriers, "some");
    assert_eq!((status.as_str(), why.as_str()), ("failed", SOME));
    let (status, why) = of(&barriers, "turns");
    assert_eq!((status.as_str(), why.as_str()), ("failed", TURNS));
    let edges = run("outside/edges", &limit);
    for (variant, said) in [
        (
            "before",
            "argument `in` is read before its beginning: element -64 of 4096, at edges.cl:13:22",
        ),
        (
            "after",
            "argument `in` is read beyond its buffer: element 4101 of 4096, at edges.cl:22:16",
        ),
        (
            "local",
            "array `row` is written beyond its end: element 8 of 8, at edges.cl:43:5",
        ),
    ] {
        let (status, why) = of(&edges, variant);
        assert_eq!(status, "failed", "{variant}: {why}");
        assert!(why.starts_with(said), "{variant}: {why}");
    }
    let measured = |rows: &[serde_json::Value]| {
        let measured = rows.iter().filter(|row| row["status"] == "measured");
        measured.count()
    };
    assert_eq!(
        place.spooled().len(),
        measured(&barriers) + measured(&edges)
    );
}

#[test]
fn analyse_says_it_first() {
    let place = Place::new();
    let folder = fixture("unlawful/barriers");
    for (variant, said) in [
        (
            "some",
            "!! a barrier that not all work-items of a work-group reach alike, at 23:9",
        ),
        ("turns", "!! `even` calls itself: OpenCL C has no recursion"),
    ] {
        let analyse = place.kerncast(&["analyse", &folder, "--variant", variant]);
        let words = text(&expect_exit(analyse, 1).stdout);
        assert!(words.contains(said), "{words}");
    }
    let analyse = place.kerncast(&["analyse", &folder, "--variant", "data"]);
    let words = text(&expect_exit(analyse, 0).stdout);
    assert!(words.contains("50:9 a barrier that not all"), "{words}");
}
