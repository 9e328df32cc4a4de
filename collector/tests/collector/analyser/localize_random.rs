//! Random kernels whose accesses are affine, through all that `kerncast localize` proves, writes, runs and compares.
//! `PROPTEST_CASES=1000` tries more, `make localized` hundreds.

use std::{cell::RefCell, collections::BTreeMap, fmt::Write, fs};

use super::localized::answer;
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

const CASES: u32 = 8;
/// Elements of the input beside those that `n` work-items reach.
const MARGIN: i64 = 400;

/// `in[item * i + pass * k + offset]`.
#[derive(Clone, Copy, Debug)]
struct Read {
    item: i64,
    pass: i64,
    offset: i64,
    border: Border,
}

/// What keeps an index within the input.
#[derive(Clone, Copy, Debug)]
enum Border {
    Room,
    Clamp,
    Condition,
}

/// A loop around the reads.
#[derive(Clone, Copy, Debug)]
struct Loop {
    first: i64,
    /// None: as far as an argument says.
    end: Option<i64>,
    step: i64,
    down: bool,
}

#[derive(Clone, Debug)]
struct RandomKernel {
    reads: Vec<Read>,
    around: Loop,
    /// A second loop within.
    within: Option<i64>,
    /// Work-items beyond `n` return first; else no group has such.
    guarded: bool,
    group: i64,
    plane: bool,
}

fn random_kernels() -> impl Strategy<Value = RandomKernel> {
    let border = prop_oneof![
        2 => Just(Border::Room),
        1 => Just(Border::Clamp),
        1 => Just(Border::Condition)
    ];
    let read_strategy =
        (0..3_i64, -2..3_i64, -3..4_i64, border).prop_map(|(item, pass, offset, border)| Read {
            item,
            pass,
            offset,
            border,
        });
    let end = prop_oneof![2 => (1..9_i64).prop_map(Some), 1 => Just(None)];
    let around =
        (0..3_i64, end, 1..3_i64, any::<bool>()).prop_map(|(first, end, step, down)| Loop {
            first,
            end: end.map(|more| first + more),
            step,
            // Down only from a number.
            down: down && end.is_some(),
        });
    (
        prop::collection::vec(read_strategy, 1..4),
        around,
        prop::option::of(2..5_i64),
        any::<bool>(),
        prop::sample::select(vec![8_i64, 16, 32]),
        any::<bool>(),
    )
        .prop_map(
            |(reads, around, within, guarded, group, plane)| RandomKernel {
                reads,
                around,
                within,
                guarded,
                group,
                plane,
            },
        )
}

impl RandomKernel {
    /// Where the index stands in the input.
    fn index(&self, read: &Read) -> String {
        let Read {
            item, pass, offset, ..
        } = read;
        let inner = if self.within.is_some() { " + j" } else { "" };
        let middle = MARGIN / 2 + offset;
        if self.plane {
            let shift = offset.abs();
            format!("({item} * y + {pass} * k + {middle}) * pitch + x{inner} + {shift}")
        } else {
            format!("{item} * i + {pass} * k{inner} + {middle}")
        }
    }

    fn body(&self) -> String {
        let mut body = String::new();
        for read in &self.reads {
            let index = self.index(read);
            let line = match read.border {
                Border::Room => format!("s += in[{index}];"),
                Border::Clamp => format!("s -= 0.5f * in[clamp({index}, 150, last)];"),
                Border::Condition => {
                    format!("if ({index} >= 190 && {index} < last) s += 2 * in[{index}];")
                }
            };
            writeln!(body, "            {line}").expect("a string takes it");
        }
        body
    }

    fn source(&self) -> String {
        let Loop {
            first,
            end,
            step,
            down,
        } = self.around;
        let last = end.map_or_else(|| "terms".to_owned(), |end| end.to_string());
        let head = if down {
            format!("for (int k = {last}; k > {first}; k -= {step})")
        } else {
            format!("for (int k = {first}; k < {last}; k += {step})")
        };
        let within = self.within.map_or_else(String::new, |passes| {
            format!("        for (int j = 0; j < {passes}; ++j)\n")
        });
        let place = if self.plane {
            "const int x = get_global_id(0), y = get_global_id(1), i = y * n + x;\n    const int pitch = n + 16;"
        } else {
            "const int i = get_global_id(0);"
        };
        let guard = match (self.guarded, self.plane) {
            (false, _) => "",
            (true, true) => "    if (x >= n)\n        return;\n",
            (true, false) => "    if (i >= n)\n        return;\n",
        };
        format!(
            "kernel void tried(global const float *in, global float *out, int n, int terms, int last)\n{{\n    {place}\n\
             {guard}    float s = 0;\n    {head}\n{within}        {{\n{}        }}\n    out[i] = s;\n}}\n",
            self.body()
        )
    }

    fn launch(&self) -> String {
        let group = self.group;
        // Sizes that a group divides, but for those of which work-items return.
        let (small, large) = if self.guarded {
            (2 * group - 3, 3 * group + 5)
        } else {
            (2 * group, 4 * group)
        };
        let length = if self.plane {
            format!("(3 * 16 + {MARGIN}) * (n + 16)")
        } else {
            format!("3 * n + {MARGIN}")
        };
        let (global, local, outputs) = if self.plane {
            (
                format!("[\"ceil_div(n, {group}) * {group}\", \"16\"]"),
                format!("[\"{group}\", \"4\"]"),
                "16 * n",
            )
        } else {
            (
                format!("[\"ceil_div(n, {group}) * {group}\"]"),
                format!("[\"{group}\"]"),
                "n",
            )
        };
        format!(
            r#"
title = "t"
family = "f"
[[sizes]]
n = {small}
terms = 5
[[sizes]]
n = {large}
terms = 11
[[arguments]]
name = "in"
buffer = "float"
length = "{length}"
fill = {{ uniform = [-1.0, 1.0] }}
[[arguments]]
name = "out"
buffer = "float"
length = "{outputs}"
access = "write"
[[arguments]]
name = "n"
scalar = "int"
value = "n"
[[arguments]]
name = "terms"
scalar = "int"
value = "terms"
[[arguments]]
name = "last"
scalar = "int"
value = "{length} - 1"
[variants.global]
function = "tried"
global = {global}
local = {local}
[tolerance]
absolute = 1e-4
"#
        )
    }
}

/// Proofs leave nothing for the runs to find: a rewritten kernel does the same, without a race (status 5 says that one
/// does not), at sizes that no tile divides too.
#[test]
fn random_kernels_are_rewritten_without_a_mistake() {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|it| it.parse().ok()).unwrap_or(CASES);
    let statuses: RefCell<BTreeMap<i32, u32>> = RefCell::default();
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 40,
        ..Config::default()
    };
    // The same ones each time: more are for whoever asks for more.
    let seeded = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, seeded);
    let ran = runner.run(&random_kernels(), |kernel| {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().join("tried");
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("tried.cl"), kernel.source()).expect("written");
        fs::write(folder.join("launch.toml"), kernel.launch()).expect("written");
        let (status, answer_text) = answer(&folder);
        *statuses.borrow_mut().entry(status).or_default() += 1;
        prop_assert!(
            [0, 3, 4].contains(&status),
            "{status}: {answer_text}\n{}{}",
            kernel.source(),
            kernel.launch()
        );
        Ok(())
    });
    let statuses = statuses.into_inner();
    eprintln!("exit status: kernels: {statuses:?}");
    if let Err(why) = ran {
        panic!("{why}");
    }
    let rewritten = statuses.get(&0).copied().unwrap_or_default();
    assert!(
        5 * rewritten >= cases,
        "hardly any is rewritten: {statuses:?}"
    );
}
