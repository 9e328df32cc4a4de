//! Every file that README.md tells to use is there.

use std::{collections::BTreeSet, fs};

use kerncast_e2e::root;

#[test]
fn files_of_its_commands_exist() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let mut named = BTreeSet::new();
    for block in readme.split("```").skip(1).step_by(2) {
        let words = block.split(|c: char| c.is_whitespace() || "'\"(),;@$".contains(c));
        let is_file = |word: &&str| {
            let endings = [".json", ".csv", ".zst", ".jsonl"];
            let is_ours = !word.starts_with('/') && !word.starts_with('~');
            is_ours
                && (endings.iter().any(|it| word.ends_with(it))
                    || word.starts_with("docs/examples/"))
        };
        named.extend(words.filter(is_file));
    }
    assert!(named.contains("examples/counters.json"), "{named:?}");
    assert!(named.contains("examples/counters-global.json"), "{named:?}");
    for name in named {
        let there = match name.split_once('*') {
            None => root().join(name).exists(),
            Some((start, end)) => {
                let (folder, start) = start.rsplit_once('/').unwrap_or((".", start));
                let entries = fs::read_dir(root().join(folder)).expect("a folder");
                let names = entries.map(|it| it.expect("entry").file_name());
                let mut names = names.map(|it| it.to_string_lossy().into_owned());
                names.any(|it| it.starts_with(start) && it.ends_with(end))
            }
        };
        assert!(there, "README.md names {name}, which is not there");
    }
}
