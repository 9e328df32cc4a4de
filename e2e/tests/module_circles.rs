//! No circles of modules, in Rust, Python or TypeScript: what two modules need of each other flows one way.
//!
//! The rule. Where a module names something of another one (in Rust: `use` or a path that starts with `crate`, `self` or
//! `super`; also through a re-export, which counts as the module that it comes from), the one depends on the other. Their
//! paths differ from some level of the tree on; at that level their ancestors are siblings. No level may have siblings
//! that depend on each other in a circle. A parent may use its children, and they may use what it defines itself. Tests
//! (`#[cfg(test)]`) don't count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use cargo_metadata::{MetadataCommand, TargetKind};
use kerncast_e2e::root;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, MetaNameValue, UseTree, visit::Visit};

/// From `crate` on, without `crate`.
type Place = Vec<String>;
/// As it is written.
type Written = Vec<String>;
/// By level, who depends on whom, and a file that says so.
type Levels = BTreeMap<Place, BTreeMap<(String, String), PathBuf>>;

#[test]
fn rust_modules_have_no_circles() {
    let mut command = MetadataCommand::new();
    let metadata = command.manifest_path(root().join("Cargo.toml")).no_deps();
    let mut circles = BTreeMap::new();
    for package in metadata.exec().expect("cargo metadata").packages {
        let kinds = [TargetKind::Lib, TargetKind::Bin, TargetKind::Example];
        let targets = package.targets.iter();
        for target in targets.filter(|it| it.kind.iter().any(|kind| kinds.contains(kind))) {
            let levels = levels(target.src_path.as_std_path());
            circles.extend(circles_of(&package.name, levels));
        }
    }
    assert!(circles.is_empty(), "circles, and where:\n{circles:#?}");
}

#[test]
fn python_modules_have_no_circles() {
    let folder = root().join("python/src/kerncast");
    let imports = |text: &str, place: &[String]| {
        let lines = text.lines().map(str::trim_start);
        let relative = lines.filter_map(|line| line.strip_prefix("from .")?.split_once(" import "));
        let modules = relative.flat_map(|(module, names)| {
            let name = module.trim_start_matches('.');
            let up = 1 + module.len() - name.len();
            let package = &place[..place.len().saturating_sub(up)];
            let inside = |name: &str| {
                [
                    package,
                    &name.split('.').map(str::to_owned).collect::<Place>(),
                ]
                .concat()
            };
            match name {
                "" => names.split(", ").map(inside).collect(),
                _ => vec![inside(name)],
            }
        });
        modules.collect()
    };
    let by_folder = |path: &str| path.split('/').map(str::to_owned).collect();
    let circles = circles_of(
        "python",
        levels_of_files(&folder, &["py"], by_folder, imports),
    );
    assert!(circles.is_empty(), "circles, and where:\n{circles:#?}");
}

/// Imports of types count too. Files count by themselves: folders hold what a page shows, and use each other.
#[test]
fn web_files_have_no_circles() {
    let imports = |text: &str, place: &[String]| {
        let starts = ["from \"", "import \"", "import(\""].map(|start| text.split(start).skip(1));
        let paths = starts.into_iter().flatten();
        let paths = paths.filter_map(|rest| rest.split_once('"').map(|(path, _)| path));
        let resolve = |path: &str| {
            let mut target: Vec<&str> = place[0].split('/').collect();
            target.pop();
            for part in path.trim_end_matches(".ts").split('/') {
                match part {
                    "." => {}
                    ".." => drop(target.pop()),
                    name => target.push(name),
                }
            }
            vec![target.join("/")]
        };
        let relative = paths.filter(|path| path.starts_with('.'));
        relative.map(resolve).collect()
    };
    let one_level = |path: &str| vec![path.to_owned()];
    let levels = levels_of_files(
        &root().join("web/src"),
        &["ts", "svelte"],
        one_level,
        imports,
    );
    let circles = circles_of("web", levels);
    assert!(circles.is_empty(), "circles, and where:\n{circles:#?}");
}

/// Edges that lie on a circle, in words, and a file that has such an import.
fn circles_of(whose: &str, levels: Levels) -> BTreeMap<String, PathBuf> {
    let mut circles = BTreeMap::new();
    for (level, edges) in levels {
        for (edge, file) in edges.iter().filter(|(edge, _)| returns(edge, &edges)) {
            let words = format!("{whose}: {}: {} -> {}", level.join("/"), edge.0, edge.1);
            circles.insert(words, file.clone());
        }
    }
    circles
}

/// Levels of files with these endings below `folder`. `place` makes a place of a file's path without `.py` or `.ts`;
/// `imports` gives the places that its text imports, of which those that are no such file don't count.
fn levels_of_files(
    folder: &Path,
    endings: &[&str],
    place: impl Fn(&str) -> Place,
    imports: impl Fn(&str, &[String]) -> Vec<Place>,
) -> Levels {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if endings
                .iter()
                .any(|it| path.extension().is_some_and(|own| own == *it))
            {
                let name = path.strip_prefix(folder).expect("below the folder");
                let name = name.to_str().expect("UTF-8");
                let name = name.trim_end_matches(".py").trim_end_matches(".ts");
                files.insert(place(name), path);
            }
        }
    }
    let mut levels = Levels::new();
    for (from, file) in &files {
        let text = fs::read_to_string(file).expect("source");
        for to in imports(&text, from)
            .iter()
            .filter(|it| files.contains_key(*it))
        {
            add_edge(&mut levels, from, to, file);
        }
    }
    levels
}

/// Adds that `from` depends on `to`, at the level where their ancestors are siblings.
fn add_edge(levels: &mut Levels, from: &[String], to: &[String], file: &Path) {
    let level = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    if let (Some(a), Some(b)) = (from.get(level), to.get(level)) {
        let edges = levels.entry(from[..level].to_vec()).or_default();
        edges.insert((a.clone(), b.clone()), file.to_owned());
    }
}

#[test]
fn a_circle_is_seen_through_re_exports_macros_and_bodies() {
    let folder = tempfile::tempdir().expect("a folder");
    let write =
        |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("written");
    write(
        "lib.rs",
        "mod a; mod b; mod c; mod d; pub use b::B; pub struct Own;",
    );
    write(
        "a.rs",
        "use crate::{B, Own}; #[cfg(test)] mod tests { use crate::d::D; }",
    );
    write(
        "b.rs",
        "pub struct B; fn b() { format!(\"{}\", crate::c::C); }",
    );
    write("c.rs", "/// [`crate::d`]\npub const C: u8 = super::a::A;");
    write(
        "d.rs",
        "mod inner { use super::D; } use inner::Inner; use crate::a; pub struct D;",
    );
    let levels = levels(&folder.path().join("lib.rs"));
    assert_eq!(levels.len(), 1, "{levels:?}");
    let edges = &levels[&Vec::new()];
    let circle: Vec<_> = edges.keys().filter(|edge| returns(edge, edges)).collect();
    let edge = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    assert_eq!(circle, [&edge("a", "b"), &edge("b", "c"), &edge("c", "a")]);
    assert!(edges.contains_key(&edge("d", "a")), "{edges:?}");
}

/// Whether a way leads from the edge's end to its start.
fn returns((start, end): &(String, String), edges: &BTreeMap<(String, String), PathBuf>) -> bool {
    let mut reached = BTreeSet::from([end]);
    let mut next = vec![end];
    while let Some(at) = next.pop() {
        let onward = edges.keys().filter(|(from, _)| from == at);
        next.extend(onward.map(|(_, to)| to).filter(|to| reached.insert(*to)));
    }
    reached.contains(start)
}

/// Of the crate whose first file is `file`.
fn levels(file: &Path) -> Levels {
    let mut modules = Modules::default();
    let text = fs::read_to_string(file).expect("source");
    let items = syn::parse_file(&text).expect("Rust").items;
    let folder = file.parent().expect("a folder");
    modules.read(Vec::new(), &items, file, folder);
    let mut levels = Levels::new();
    for (from, module) in &modules.0 {
        for to in module
            .named
            .iter()
            .filter_map(|written| modules.resolve(from, written))
        {
            add_edge(&mut levels, from, &to, &module.file);
        }
    }
    levels
}

#[derive(Default)]
struct Modules(BTreeMap<Place, Module>);

/// The file that `#[path]` names.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|it| match &it.meta {
        Meta::NameValue(MetaNameValue {
            path,
            value:
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }),
            ..
        }) if path.is_ident("path") => Some(text.value()),
        _ => None,
    })
}

/// What a module says.
#[derive(Default)]
struct Module {
    file: PathBuf,
    /// Names that it imports, and whence.
    imports: BTreeMap<String, Written>,
    /// All that it names.
    named: BTreeSet<Written>,
}

impl Modules {
    /// Reads a module and those inside it; files of the latter are in `folder`.
    fn read(&mut self, place: Place, items: &[Item], file: &Path, folder: &Path) {
        let mut module = Module {
            file: file.to_owned(),
            ..Module::default()
        };
        for item in items.iter().filter(|item| !is_test(item)) {
            match item {
                Item::Use(item) => module.import(&item.tree, Vec::new()),
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let inside = [place.clone(), vec![name.clone()]].concat();
                    let folder = folder.join(&name);
                    if let Some((_, items)) = &item.content {
                        self.read(inside, items, file, &folder);
                    } else {
                        let beside = file.parent().expect("a folder");
                        let elsewhere = path_attribute(&item.attrs).map(|path| beside.join(path));
                        let usual = [folder.with_extension("rs"), folder.join("mod.rs")];
                        let mut candidates = elsewhere.into_iter().chain(usual);
                        let file = candidates.find(|file| file.exists()).expect("a file");
                        let text = fs::read_to_string(&file).expect("source");
                        let items = syn::parse_file(&text).expect("Rust").items;
                        self.read(inside, &items, &file, &folder);
                    }
                }
                item => module.visit_item(item),
            }
        }
        self.0.insert(place, module);
    }

    /// The module that has what is `written` in the module `at`; none where that is another crate's.
    fn resolve(&self, at: &[String], written: &[String]) -> Option<Place> {
        let mut place = at.to_vec();
        for (index, name) in written.iter().enumerate() {
            let inside = [place.clone(), vec![name.clone()]].concat();
            match name.as_str() {
                "crate" => place.clear(),
                "self" => {}
                "super" => drop(place.pop()),
                _ if self.0.contains_key(&inside) => place = inside,
                _ => match self.0[&place].imports.get(name) {
                    // (`use anyhow::anyhow` is another crate's.)
                    Some(import) if import.first() != Some(name) => {
                        let import = [import, &written[index + 1..]].concat();
                        return self.resolve(&place, &import).or(Some(place));
                    }
                    // An item, or another crate.
                    _ if index > 0 => break,
                    _ => return None,
                },
            }
        }
        Some(place)
    }
}

impl Module {
    fn import(&mut self, tree: &UseTree, mut before: Written) {
        let (name, last) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                return self.import(&path.tree, before);
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                return trees.for_each(|tree| self.import(tree, before.clone()));
            }
            UseTree::Glob(_) => {
                self.named.insert(before);
                return;
            }
            UseTree::Name(name) => (&name.ident, &name.ident),
            UseTree::Rename(rename) => (&rename.rename, &rename.ident),
        };
        // `use a::{self}` is `use a`.
        let name = if name == "self" {
            before.last().cloned()
        } else {
            Some(name.to_string())
        };
        if last != "self" {
            before.push(last.to_string());
        }
        self.imports.extend(name.map(|name| (name, before.clone())));
        self.named.insert(before);
    }

    /// Paths in what a macro is given, which is no syntax tree.
    fn read_words(&mut self, words: &[String]) {
        let continues = |at: usize| words.get(at..at + 2).is_some_and(|next| next == [":", ":"]);
        for start in (0..words.len()).filter(|&start| start < 2 || !continues(start - 2)) {
            let mut path = vec![words[start].clone()];
            for at in (start + 1..words.len()).step_by(3) {
                match words.get(at + 2).filter(|_| continues(at)) {
                    Some(word) => path.push(word.clone()),
                    None => break,
                }
            }
            self.name(path);
        }
    }

    fn name(&mut self, path: Written) {
        if path
            .first()
            .is_some_and(|first| ["crate", "self", "super"].contains(&&**first))
        {
            self.named.insert(path);
        }
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        self.name(names.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, Vec::new());
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        self.read_words(&words(item.tokens.clone()));
    }
}

fn words(tokens: TokenStream) -> Vec<String> {
    let words = |token| match token {
        TokenTree::Group(group) => [vec![String::new()], words(group.stream())].concat(),
        token => vec![token.to_string()],
    };
    tokens.into_iter().flat_map(words).collect()
}

fn is_test(item: &Item) -> bool {
    let attributes: &[Attribute] = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => &[],
    };
    let is_test = |attribute: &Attribute| {
        let list = attribute.meta.require_list();
        list.is_ok_and(|list| list.path.is_ident("cfg") && list.tokens.to_string() == "test")
    };
    attributes.iter().any(is_test)
}
