//! docs/settings.md has every variable and option that the programs have, and no others.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use kerncast_e2e::{binary, root};

#[test]
fn every_variable_is_documented() {
    let mut named = BTreeSet::new();
    for entry in fs::read_dir(root()).expect("the root") {
        collect_variables(&entry.expect("entry").path().join("src"), &mut named);
    }
    collect_variables(&root().join("scripts"), &mut named);
    collect_variables(&root().join("Makefile"), &mut named);
    assert!(named.contains("KERNCAST_SERVER"), "{named:?}");
    assert_eq!(variables(&page()), named);
}

#[test]
fn every_option_is_documented() {
    let mut options_of_programs = BTreeSet::new();
    for program in ["kerncast", "kerncast-server"] {
        let help = help(program, &[]);
        for command in commands(&help) {
            let help = self::help(program, &[command]);
            for part in commands(&help) {
                options_of_programs.extend(options(&self::help(program, &[command, part])));
            }
            options_of_programs.extend(options(&help));
        }
        options_of_programs.extend(options(&help));
    }
    options_of_programs.remove("--help");
    options_of_programs.remove("--version");
    let page = page();
    let rows = page.lines().filter(|line| line.starts_with('|'));
    let documented: BTreeSet<String> = rows
        .flat_map(|row| row.split('`').skip(1).step_by(2))
        .filter(|word| word.starts_with("--"))
        .map(str::to_owned)
        .collect();
    assert_eq!(documented, options_of_programs);
}

fn page() -> String {
    fs::read_to_string(root().join("docs/settings.md")).expect("docs/settings.md")
}

/// Adds the `KERNCAST_…` that files in `path` name; nothing where it is not there.
fn collect_variables(path: &Path, into: &mut BTreeSet<String>) {
    if let Ok(entries) = fs::read_dir(path) {
        for entry in entries {
            collect_variables(&entry.expect("entry").path(), into);
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        into.extend(variables(&text));
    }
}

fn variables(text: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let words = text.split(|c| !is_of_name(c));
    let names = words.filter(|word| word.starts_with("KERNCAST_"));
    names.map(str::to_owned).collect()
}

fn help(program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(binary(program));
    let output = command.args(arguments).arg("--help").output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{program} {arguments:?} --help");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The subcommands that a help text lists.
fn commands(help: &str) -> Vec<&str> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        return Vec::new();
    };
    let lines = list.lines().take_while(|line| !line.is_empty());
    // Longer descriptions go on in lines that are indented further.
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

/// The long options that a help text explains.
fn options(help: &str) -> BTreeSet<String> {
    let lines = help.lines().map(str::trim_start);
    let explained = lines.filter(|line| line.starts_with('-'));
    let words = explained.flat_map(|line| line.split_whitespace().take(2));
    // A description may begin a line with an option's name in backticks.
    let is_name = |word: &&str| word.bytes().all(|it| it == b'-' || it.is_ascii_lowercase());
    let long = words.filter(|word| word.starts_with("--") && word.len() > 2 && is_name(word));
    long.map(str::to_owned).collect()
}
