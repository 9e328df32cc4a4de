//! Every mistake in a launch file is told with its line, what was there and what was expected.

use std::fs;

use kerncast_collector::suite::{self, SuiteError};

const GOOD: &str = r#"title = "A good one"
family = "tests"

[[sizes]]
n = 64
radius = 2
[[sizes]]
n = 128
radius = 2
on = ["gpu"]

[[arguments]]
name = "a"
buffer = "float"
length = "n * n"
fill = { uniform = [-1.0, 1.0] }
[[arguments]]
name = "bytes"
buffer = "uchar4"
length = "n"
fill = { values = [0, 255] }
[[arguments]]
name = "b"
buffer = "int"
length = "n - radius"
access = "write"
[[arguments]]
name = "n"
scalar = "int"
value = "n"
[[arguments]]
name = "tile"
local = "float"
length = "16"
variants = ["local"]

[variants.global]
function = "good_global"
global = ["n", "n"]
local = ["16", "4"]
[variants.local]
function = "good_local"
options = "-DTILE=16"
global = ["n", "n"]
local = ["16", "4"]

[tolerance]
absolute = 1e-4
"#;

/// What to replace in the good file, by what, and what the message must hold.
const MISTAKES: &[(&str, &str, &[&str])] = &[
    (
        "title = \"A good one\"",
        "title = \"\"",
        &["empty text", "expected some words"],
    ),
    (
        "title = \"A good one\"",
        "title = 3",
        &["integer `3`", "expected a string"],
    ),
    (
        "family = \"tests\"",
        "famly = \"tests\"",
        &["unknown field `famly`", "`family`"],
    ),
    (
        "family = \"tests\"",
        "family = \"tests",
        &["invalid basic string"],
    ),
    (
        "n = 64",
        "n = \"64\"",
        &["`n` is string", "expected a whole number"],
    ),
    (
        "n = 64",
        "i = 64",
        &["`i` is no parameter's name", "the index in fills"],
    ),
    (
        "n = 64",
        "n = 63",
        &[
            "`variants.global.local` is 16 where n=63 radius=2",
            "a divisor of the global size 63",
        ],
    ),
    (
        "n = 64",
        "n = 2",
        &[
            "`arguments.b.length` is 0 where n=2 radius=2",
            "expected 1 or more",
        ],
    ),
    (
        "n = 64",
        "n = 4294967296",
        &["`4294967296 * 4294967296` needs more than 64 bits"],
    ),
    (
        "on = [\"gpu\"]",
        "on = [\"gpus\"]",
        &["`on` is", "[\"cpu\", \"gpu\", \"accelerator\"]"],
    ),
    (
        "name = \"a\"",
        "name = \"a b\"",
        &["`a b` is no argument's name"],
    ),
    (
        "name = \"bytes\"",
        "name = \"a\"",
        &["two arguments are called `a`"],
    ),
    (
        "buffer = \"float\"",
        "buffer = \"float3\"",
        &[
            "`float3` is no element type",
            "a vector of 3 takes the room of 4",
        ],
    ),
    (
        "length = \"n * n\"",
        "lenght = \"n * n\"",
        &["unknown field `lenght`", "`length`"],
    ),
    (
        "length = \"n * n\"",
        "length = \"n * m\"",
        &[
            "`arguments.a.length` is no expression",
            "expected one of the parameters: n, radius",
        ],
    ),
    (
        "length = \"n * n\"",
        "length = \"n *\"",
        &["expected a number, a parameter, a function or `(`"],
    ),
    (
        "length = \"n * n\"",
        "length = \"n / (radius - 2)\"",
        &["`64 / 0` divides by zero"],
    ),
    (
        "length = \"n * n\"",
        "length = \"n - 100\"",
        &[
            "`arguments.a.length` is -36 where n=64",
            "expected 1 or more",
        ],
    ),
    (
        "length = \"n * n\"",
        "length = 64",
        &["integer `64`", "expected a string"],
    ),
    (
        "length = \"n * n\"",
        "length = \"pow(n, 8)\"",
        &["expected at most 1 TiB"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "access = \"writes\"",
        &["unknown variant `writes`", "`read_write`"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "access = \"write\"\nfill = { values = [1] }",
        &["`a` is written only, and has a fill"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "fill = { uniform = [1.0, -1.0] }",
        &["low < high"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "fill = { uniform = [1.0] }",
        &["expected an array of length 2"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "fill = { uniform = [0, inf] }",
        &["both finite numbers"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "fill = { expression = \"i\" }",
        &["an expression fills whole-number types"],
    ),
    (
        "fill = { uniform = [-1.0, 1.0] }",
        "fill = { zeros = true }",
        &["unknown variant `zeros`", "`uniform`"],
    ),
    (
        "fill = { values = [0, 255] }",
        "fill = { values = [0, 256] }",
        &["whole numbers that uchar can hold"],
    ),
    (
        "fill = { values = [0, 255] }",
        "fill = { values = [] }",
        &["expected one value or more"],
    ),
    (
        "scalar = \"int\"",
        "scalar = \"int4\"",
        &["`int4` is no scalar type", "expected int, or a buffer"],
    ),
    (
        "scalar = \"int\"",
        "scalar = \"char\"\nlength = \"1\"",
        &["`n` has a length"],
    ),
    (
        "value = \"n\"",
        "value = 0.5",
        &[
            "`arguments.n.value` is 0.5",
            "expected an expression in quotes",
        ],
    ),
    (
        "value = \"n\"",
        "value = \"n * 100000000\"",
        &["is 6400000000 where", "a number that int can hold"],
    ),
    (
        "variants = [\"local\"]",
        "variants = [\"locale\"]",
        &[
            "there is no variant `locale`",
            "expected one of global, local",
        ],
    ),
    (
        "function = \"good_local\"",
        "function = \"good local\"",
        &["`good local` is no function's name"],
    ),
    (
        "function = \"good_local\"",
        "function = \"good_local\"\nfile = \"absent.cl\"",
        &["absent.cl is not there"],
    ),
    (
        "local = [\"16\", \"4\"]",
        "local = [\"16\"]",
        &[
            "`local` has 1 dimensions",
            "expected 2, as many as `global`",
        ],
    ),
    (
        "local = [\"16\", \"4\"]",
        "local = []",
        &["`local` has 0 dimensions", "1 to 3 expressions"],
    ),
    (
        "absolute = 1e-4",
        "absolute = -1.0",
        &["a tolerance of -1", "a number of 0 or more"],
    ),
    ("absolute = 1e-4", "absolute = nan", &["a tolerance of NaN"]),
];

#[test]
fn each_mistake_is_told_at_its_line() {
    for (good, bad, expected) in MISTAKES {
        let at = GOOD
            .find(good)
            .unwrap_or_else(|| panic!("{good} is not in the good file"));
        let mistake = mistake(&GOOD.replacen(good, bad, 1));
        let first = GOOD[..at].matches('\n').count() + 1;
        let lines = first..=first + bad.matches('\n').count();
        let message = mistake.to_string();
        let SuiteError::Mistake(mistake) = mistake else {
            panic!("{bad}: {message}")
        };
        // What comes out wrong for some sizes is told where the expression is.
        let elsewhere = good.starts_with("n = ") && message.contains("where n=");
        let elsewhere = elsewhere || message.contains("needs more than 64 bits");
        assert!(
            elsewhere || lines.contains(&mistake.line),
            "{bad}: line {}\n{message}",
            mistake.line
        );
        let place = format!("launch.toml:{}:{}", mistake.line, mistake.column);
        assert!(message.contains(&place), "{bad}: {message}");
        for part in *expected {
            assert!(message.contains(part), "{bad}: no `{part}` in\n{message}");
        }
    }
}

#[test]
fn mistakes_look_like_a_compilers() {
    let message = mistake(&GOOD.replacen("n * n", "n * m", 1)).to_string();
    let folder = message
        .split("--> ")
        .nth(1)
        .and_then(|rest| rest.split("good/").next());
    let message = message.replace(folder.expect("a path"), "");
    assert_eq!(
        message,
        "\
error: `arguments.a.length` is no expression
  --> good/launch.toml:15:15
   |
15 | length = \"n * m\"
   |               ^ expected one of the parameters: n, radius"
    );
}

#[test]
fn what_speaks_of_the_whole_file_is_told_too() {
    let arguments = GOOD.find("[[arguments]]").expect("arguments");
    let sizes = GOOD.find("[[sizes]]").expect("sizes");
    for (text, expected) in [
        (
            GOOD.replace("access = \"write\"", "fill = { values = [1] }"),
            "has no output",
        ),
        (
            GOOD.replace("radius = 2\n[[", "[["),
            "these sizes have other parameters (n, radius) than the first",
        ),
        (
            GOOD.replace("n = 128\n", "n = 64\n"),
            "these sizes are there twice",
        ),
        (
            GOOD.replace("buffer = \"float\"\n", ""),
            "argument `a` is of no kind",
        ),
        (
            GOOD.replace("scalar = \"int\"", "scalar = \"int\"\nlocal = \"int\""),
            "argument `n` is of two kinds",
        ),
        (
            GOOD.replace("value = \"n\"\n", ""),
            "argument `n` has no value",
        ),
        (
            GOOD.replace("length = \"16\"\n", ""),
            "argument `tile` has no length",
        ),
        (
            GOOD.replace("fill = { values = [0, 255] }\n", ""),
            "argument `bytes` is read, and has no fill",
        ),
        (
            format!("{}{}", &GOOD[..sizes], &GOOD[arguments..]),
            "missing field `sizes`",
        ),
        (
            format!("{}sizes = []\n{}", &GOOD[..sizes], &GOOD[arguments..]),
            "no sizes",
        ),
        (String::new(), "missing field"),
    ] {
        let message = mistake(&text).to_string();
        assert!(message.contains(expected), "no `{expected}` in\n{message}");
    }
}

#[test]
fn the_good_file_is_good_and_the_hash_tells_sources_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let hash = |source: &str| {
        write(folder.path(), GOOD, source);
        let kernels = suite::load(folder.path()).expect("loads");
        assert_eq!((kernels.len(), kernels[0].name.as_str()), (1, "good"));
        kernels[0].source_hash.clone()
    };
    let (first, again, other) = (hash("// 1"), hash("// 1"), hash("// 2"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_eq!(first.len(), 64);
}

#[test]
fn a_folder_without_kernels_says_what_was_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = suite::load(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains("holds no kernel; expected a folder with a launch.toml"),
        "{message}"
    );
    let message = suite::load(&folder.path().join("absent"))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("cannot read") && message.contains("absent"),
        "{message}"
    );
}

fn mistake(text: &str) -> SuiteError {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), text, "");
    suite::load(folder.path()).expect_err(text)
}

fn write(folder: &std::path::Path, launch: &str, source: &str) {
    let kernel = folder.join("good");
    fs::create_dir_all(&kernel).expect("folder");
    fs::write(kernel.join("launch.toml"), launch).expect("launch file");
    fs::write(kernel.join("good.cl"), source).expect("source");
}
