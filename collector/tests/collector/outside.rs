//! What leaves its buffers is said, and nothing else is.

use std::{collections::BTreeSet, fs, path::Path};

use crate::common::{Place, expect_exit, fixture, text};
use kerncast_collector::{
    clang::Clang,
    source_analysis::accesses::{Reader, outside},
    workload::Workload,
};
use kerncast_suite::{Kernel, load};

fn edges() -> Kernel {
    let mut kernels = load(Path::new(&fixture("outside/edges"))).expect("a kernel");
    kernels.pop().expect("one")
}

#[test]
fn what_leaves_its_buffer_is_named_with_element_and_place() {
    let (clang, kernel) = (Clang::find().expect("clang-15 is installed"), edges());
    let faults = |variant: &str| {
        let workload = Workload {
            kernel: &kernel,
            variant: kernel.variant(variant).expect("a variant"),
            parameters: kernel.sizes[0].parameters.clone(),
        };
        outside(&clang, &workload).expect("clang reads it")
    };
    for sound in ["global", "data"] {
        assert!(faults(sound).is_empty(), "{sound}: {:?}", faults(sound));
    }
    for (variant, expected) in [
        (
            "before",
            "argument `in` is read before its beginning: element -64 of 4096, at edges.cl:13:22, at n=64",
        ),
        (
            "after",
            "argument `in` is read beyond its buffer: element 4101 of 4096, at edges.cl:22:16, at n=64",
        ),
        (
            "stores",
            "argument `out` is written beyond its buffer: element 4159 of 4096, at edges.cl:29:5, at n=64",
        ),
        (
            "wraps",
            "argument `in` is read beyond its buffer: element 4607 of 4096, at edges.cl:36:22, at n=64",
        ),
        (
            "local",
            "array `row` is written beyond its end: element 8 of 8, at edges.cl:43:5, at n=64",
        ),
    ] {
        assert_eq!(faults(variant), [expected], "{variant}");
    }
}

#[test]
fn nothing_of_the_suite_leaves_its_buffers_or_is_unlawful() {
    let clang = Clang::find().expect("clang-15 is installed");
    let reader = Reader::new(&clang);
    let (mut wrong, mut doubted) = (Vec::new(), BTreeSet::new());
    let folders = [
        "../kernels",
        "../docs/examples",
        "../streams/primitives/kernels",
        "tests/kernels",
    ];
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for kernel in load(&folder).expect("kernels") {
            let ends = [kernel.sizes.first(), kernel.sizes.last()];
            for size in ends.into_iter().flatten() {
                for variant in &kernel.variants {
                    let workload = Workload {
                        kernel: &kernel,
                        variant,
                        parameters: size.parameters.clone(),
                    };
                    // Those that hold on purpose what is no OpenCL C are not read.
                    let soundness = reader.soundness(&workload).unwrap_or_default();
                    let name = |it: String| format!("{} {}: {it}", kernel.name, variant.name);
                    wrong.extend(soundness.wrong.into_iter().map(name));
                    if !soundness.doubtful.is_empty() {
                        doubted.insert((kernel.name.clone(), variant.name.clone()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(doubted.is_empty(), "{doubted:?}");
}

#[test]
fn analyse_says_it_and_localize_blames_the_launch_file() {
    let place = Place::new();
    let folder = fixture("outside/edges");
    let analysed = expect_exit(
        place.kerncast(&["analyse", &folder, "--variant", "after"]),
        1,
    );
    let words = text(&analysed.stdout);
    assert!(
        words.contains("!! argument `in` is read beyond its buffer: element 4101 of 4096"),
        "{words}"
    );
    expect_exit(
        place.kerncast(&["analyse", &folder, "--variant", "global"]),
        0,
    );
    let wrong = tempfile::tempdir().expect("a folder");
    let wrong = wrong.path().join("edges");
    fs::create_dir(&wrong).expect("made");
    for file in ["edges.cl", "launch.toml"] {
        let text = fs::read_to_string(Path::new(&folder).join(file)).expect("it is there");
        let text = text.replace("\"guarded\"", "\"tile\"");
        fs::write(wrong.join(file), text).expect("written");
    }
    let wrong = wrong.to_str().expect("UTF-8");
    let localized = expect_exit(place.kerncast(&["localize", wrong]), 2);
    let words = text(&localized.stderr);
    assert!(
        words.contains("array `row` is written beyond its end: element 8 of 8"),
        "{words}"
    );
    assert!(words.contains("mend that first"), "{words}");
}
