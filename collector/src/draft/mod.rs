//! Drafts of kernels' folders with launch files, made from a source or from a program's launches.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use kerncast_analysis::{
    ast::Unit,
    draft::{Contents, TracedLaunch, launch_file},
    localize::required_group_size,
};
use kerncast_suite::load;
use kerncast_wire::DeviceKind;

use crate::{
    UsageError,
    clang::{Clang, without_includes},
    kernels::workloads,
    source_analysis::accesses::Reader,
    units::joined,
};

mod traced;

pub use traced::{TracedDraft, draft_traced_kernels};

/// A new folder with a draft.
pub struct Draft {
    /// The folder.
    pub folder: PathBuf,
    /// The number of the kernel's arguments.
    pub arguments: usize,
    /// The number of values in the launch file that are guesses.
    pub guesses: usize,
}

/// Drafts a folder in `out` for each kernel of a source, or for `function` alone. Each result is a folder, or why there
/// is none.
///
/// # Errors
/// The source can't be read, or has no kernel.
pub fn draft_kernels(
    clang: &Clang,
    file: &Path,
    options: &str,
    function: Option<&str>,
    out: &Path,
) -> Result<Vec<Result<Draft>>> {
    if !file.is_file() {
        let file = file.display();
        return Err(UsageError(format!("{file}: expected a file with OpenCL C")).into());
    }
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let source = Source::read(clang, file, options, folder)?;
    let kernels = source.unit.functions.iter().filter(|it| it.is_kernel);
    let names: Vec<&str> = match function {
        Some(function) => vec![function],
        None => kernels.map(|it| &*it.name).collect(),
    };
    if names.is_empty() {
        let problem = format!("{}: it has no kernel (kernel void …)", file.display());
        return Err(UsageError(problem).into());
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let whole = clang.with_includes(file, options, folder)?;
    let files = [(name.to_string(), whole.into_bytes())];
    let drafts = names.into_iter().map(|function| {
        let (launch_file, _) = source.launch_file(function, &name, None)?;
        make_folder(out, function, &launch_file, &files)
    });
    Ok(drafts.collect())
}

/// Faults of a draft's launches, as far as the source tells.
pub fn check_draft(clang: &Clang, draft: &Draft) -> Result<Vec<String>> {
    let kernels = load(&draft.folder)?;
    let reader = Reader::new(clang);
    let mut problems = Vec::new();
    for workload in workloads(&kernels, &[], &[], DeviceKind::Gpu)? {
        match reader.soundness(&workload) {
            Ok(soundness) => {
                problems.extend(soundness.wrong.iter().map(|it| format!("wrong: {it}")));
            }
            Err(why) => problems.push(format!("not checked: {why}")),
        }
    }
    Ok(problems)
}

/// A source with its syntax tree.
struct Source {
    unit: Unit,
    /// Its text, with macros expanded.
    text: String,
    options: String,
}

impl Source {
    fn read(clang: &Clang, file: &Path, options: &str, folder: &Path) -> Result<Self> {
        let unit = clang.read_file(file, options, folder).map_err(|why| {
            let why = why.to_string();
            let hint = if why.contains("undeclared identifier") {
                "\nA macro that the program defines is named by --options '-DNAME=16'"
            } else {
                ""
            };
            UsageError(format!("{}: {why}{hint}", file.display()))
        })?;
        let text = clang.without_macros(file, options, folder)?;
        // The text has what it includes.
        let options = without_includes(options);
        Ok(Self {
            unit,
            text,
            options,
        })
    }

    fn launch_file(
        &self,
        function: &str,
        file: &str,
        traced: Option<&TracedLaunch>,
    ) -> Result<(String, Vec<Contents>)> {
        let local = required_work_group(&self.text, function);
        let draft = launch_file(&self.unit, function, (file, &self.options), local, traced);
        Ok(draft.map_err(|why| UsageError(format!("{function}: {why}")))?)
    }
}

/// Makes a kernel's folder with its launch file and `files`, each with its name.
fn make_folder(
    out: &Path,
    name: &str,
    launch_file: &str,
    files: &[(String, Vec<u8>)],
) -> Result<Draft> {
    let folder = out.join(name);
    if folder.exists() {
        let folder = folder.display();
        let problem = format!("{folder} is there already; name another place by --out");
        return Err(UsageError(problem).into());
    }
    let cannot = || format!("cannot write to {}", out.display());
    fs::create_dir_all(out).with_context(cannot)?;
    // A folder that can't be loaded is not left behind, nor half of one.
    let new = tempfile::tempdir_in(out).with_context(cannot)?;
    let unchecked = new.path().join(name);
    let write = || -> std::io::Result<()> {
        fs::create_dir(&unchecked)?;
        for (file, contents) in files {
            fs::write(unchecked.join(file), contents)?;
        }
        fs::write(unchecked.join("launch.toml"), launch_file)
    };
    write().with_context(cannot)?;
    let kernels = load(&unchecked).map_err(|why| {
        let why = why.to_string().replace(&*unchecked.to_string_lossy(), name);
        UsageError(format!("{name}: no launch file describes it: {why}"))
    })?;
    fs::rename(&unchecked, &folder).with_context(cannot)?;
    Ok(Draft {
        folder,
        arguments: kernels[0].arguments.len(),
        guesses: launch_file.matches("# guess").count(),
    })
}

/// The work-group size that a kernel requires in a source with expanded macros; none where it requires none.
fn required_work_group(source: &str, name: &str) -> Option<[i64; 3]> {
    let source = without_comments(source);
    let is_word = |it: char| it == '_' || it.is_ascii_alphanumeric();
    let mut places = source.match_indices(name);
    let (at, _) = places.find(|(at, _)| {
        let (before, after) = (&source[..*at], &source[at + name.len()..]);
        let returns_nothing = before.trim_end().ends_with("void");
        returns_nothing && !before.ends_with(is_word) && after.trim_start().starts_with('(')
    })?;
    let qualifiers = source[..at].rsplit(['}', ';']).next()?;
    let sizes = qualifiers[required_group_size(qualifiers)?].split(',');
    let mut sizes = sizes.map(|it| it.trim().parse().ok());
    let sizes = [sizes.next()??, sizes.next()??, sizes.next()??];
    let are_usual = sizes.iter().all(|it| (1..=4096).contains(it));
    are_usual.then_some(sizes)
}

fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|it| it.split_once("*/").map_or("", |it| it.1));
    let without_blocks = first + &rest.collect::<String>();
    let lines = without_blocks.lines();
    joined(
        lines.map(|it| it.split("//").next().unwrap_or_default()),
        "\n",
    )
}
