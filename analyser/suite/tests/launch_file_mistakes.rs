//! Every mistake in a launch file is told with its line, what was there and what was expected.

use std::fs;

use kerncast_suite::{SuiteError, load};

const GOOD: &str = include_str!("launch_files/good.toml");

#[derive(serde::Deserialize)]
struct File {
    mistakes: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    replace: String,
    by: String,
    /// The text of the line at fault, if that is another one.
    at: Option<String>,
    expect: Vec<String>,
}

#[test]
fn each_mistake_is_told_at_its_line() {
    let cases: File = toml::from_str(include_str!("launch_files/mistakes.toml")).expect("cases");
    for Case {
        replace,
        by,
        at,
        expect,
    } in cases.mistakes
    {
        assert!(GOOD.contains(&replace), "{replace} is not in the good file");
        let bad = GOOD.replacen(&replace, &by, 1);
        let mistake = mistake(&bad);
        let message = mistake.to_string();
        let SuiteError::Mistake(mistake) = mistake else {
            panic!("{by}: {message}")
        };
        let (start, at) = match &at {
            Some(at) => (bad.find(at.as_str()), at),
            None => (GOOD.find(&replace), &by),
        };
        let start = start.unwrap_or_else(|| panic!("{at} is not there"));
        let first = bad[..start].matches('\n').count() + 1;
        let lines = first..=first + at.matches('\n').count();
        assert!(
            lines.contains(&mistake.line),
            "{by}: line {}\n{message}",
            mistake.line
        );
        let place = format!("launch.toml:{}:{}", mistake.line, mistake.column);
        assert!(message.contains(&place), "{by}: {message}");
        for part in expect {
            assert!(message.contains(&part), "{by}: no `{part}` in\n{message}");
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
            GOOD.replace(
                "scalar = \"int\"\nvalue = \"n\"",
                "image = \"r_float\"\nwidth = \"n\"\nfill = { values = [1] }",
            ),
            "argument `n` has no height",
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
        let kernels = load(folder.path()).expect("loads");
        assert_eq!((kernels.len(), kernels[0].name.as_str()), (1, "good"));
        kernels[0].source_hash.clone()
    };
    let (first, again, other) = (hash("// 1"), hash("// 1"), hash("// 2"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_eq!(first.len(), 64);
}

#[test]
fn of_data_a_line_is_shown_and_all_of_it_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), GOOD, "");
    let mut hashes = Vec::new();
    for data in [[0xFF_u8, 1], [0xFF, 2]] {
        fs::write(folder.path().join("good/taps.npy"), data).expect("data");
        let kernel = load(folder.path()).expect("loads").remove(0);
        let files = kernel.files.expect("text alone");
        let line = files["taps.npy"].clone();
        assert!(line.starts_with("2 bytes of data, SHA-256 "), "{line}");
        assert_eq!(files["launch.toml"], GOOD);
        hashes.push((line, kernel.source_hash));
    }
    assert_ne!(hashes[0].0, hashes[1].0);
    assert_ne!(hashes[0].1, hashes[1].1);
}

#[test]
fn a_folder_without_kernels_says_what_was_expected() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = load(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains("holds no kernel; expected a folder with a launch.toml"),
        "{message}"
    );
    let message = load(&folder.path().join("absent")).unwrap_err().to_string();
    assert!(
        message.contains("cannot read") && message.contains("absent"),
        "{message}"
    );
}

fn mistake(text: &str) -> SuiteError {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), text, "");
    load(folder.path()).expect_err(text)
}

fn write(folder: &std::path::Path, launch: &str, source: &str) {
    let kernel = folder.join("good");
    fs::create_dir_all(&kernel).expect("folder");
    fs::write(kernel.join("launch.toml"), launch).expect("launch file");
    fs::write(kernel.join("good.cl"), source).expect("source");
}
