//! `kerncast init`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use kerncast_analysis::{ast::Unit, draft::launch_file, localize::required};
use kerncast_collector::{UsageError, accesses::Reader, clang::Clang};
use kerncast_suite::load;
use kerncast_wire::DeviceKind;

use super::{kernels::workloads, status::Status, table, terminal};

/// Make a kernel's folder of an OpenCL source: the source, and a launch file with what can be told from it
///
/// Arguments, their types and what the kernel does with them come from the source; sizes, fills and geometry are guessed,
/// and each guess is marked as one. A buffer is as long as its largest index. Nothing is run: clang reads the source.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast init blur.cl                 # makes a folder a kernel, named as it is
  kerncast init all.cl --function blur --out ~/kernels --options '-DRADIUS=3'
  kerncast forecast ~/kernels/blur --on h200
  kerncast run --kernels ~/kernels/blur --no-upload")]
pub(super) struct Arguments {
    /// The source
    #[arg(value_name = "FILE.cl")]
    file: PathBuf,
    /// Only this kernel of it [default: each]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Where folders are made
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Build options
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        allow_hyphen_values = true
    )]
    options: String,
}

pub(super) fn init(arguments: &Arguments) -> Result<ExitCode> {
    let file = &arguments.file;
    if !file.is_file() {
        let shown = file.display();
        return Err(UsageError(format!("{shown}: expected a file with OpenCL C")).into());
    }
    let beside = match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("."),
    };
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    let unit = clang.read_file(file, &arguments.options, beside);
    let unit = unit.map_err(|why| {
        let why = why.to_string();
        let hint = match why.contains("undeclared identifier") {
            true => "\nA macro that the program defines is named by --options '-DNAME=16'",
            false => "",
        };
        UsageError(format!("{}: {why}{hint}", file.display()))
    })?;
    let expanded = clang.without_macros(file, &arguments.options, beside)?;
    let kernels = unit.functions.iter().filter(|it| it.is_kernel);
    let mut names: Vec<&str> = kernels.map(|it| &*it.name).collect();
    if let Some(function) = &arguments.function {
        names = vec![function];
    }
    if names.is_empty() {
        let problem = format!("{}: it has no kernel (kernel void …)", file.display());
        return Err(UsageError(problem).into());
    }
    let mut problems = Vec::new();
    for name in &names {
        let local = required_local(&expanded, name);
        match made(arguments, (&unit, local), name, beside) {
            Ok(folder) => table::print(&told(&clang, &folder)?)?,
            Err(problem) => problems.push(problem),
        }
    }
    // Of one alone there is nothing else to say.
    if let Some(problem) = problems.pop_if(|_| names.len() == 1) {
        return Err(problem);
    }
    for problem in &problems {
        terminal::say(&format!("kerncast: {problem:#}"));
    }
    Ok(Status::of_done(problems.is_empty()).into())
}

/// A new folder for a kernel of the source.
fn made(
    arguments: &Arguments,
    (unit, local): (&Unit, Option<[i64; 3]>),
    name: &str,
    beside: &Path,
) -> Result<PathBuf> {
    let source = arguments.file.file_name().unwrap_or_default();
    let source = source.to_string_lossy();
    let text = launch_file(unit, name, (&source, &arguments.options), local);
    let text = text.map_err(|why| UsageError(format!("{name}: {why}")))?;
    let folder = arguments.out.join(name);
    if folder.exists() {
        let shown = folder.display();
        let problem = format!("{shown} is there already; name another place by --out");
        return Err(UsageError(problem).into());
    }
    let out = &arguments.out;
    let cannot = || format!("cannot write to {}", out.display());
    fs::create_dir_all(out).with_context(cannot)?;
    // What can't be loaded is not left behind, nor half of it.
    let new = tempfile::tempdir_in(out).with_context(cannot)?;
    let made = new.path().join(name);
    let write = || -> std::io::Result<()> {
        fs::create_dir(&made)?;
        for file in with_headers(&source, beside) {
            fs::copy(beside.join(&file), made.join(&file))?;
        }
        fs::write(made.join("launch.toml"), text)
    };
    write().with_context(cannot)?;
    load(&made).map_err(|why| UsageError(format!("{name}: no launch file describes it: {why}")))?;
    fs::rename(&made, &folder).with_context(cannot)?;
    Ok(folder)
}

/// The work-group's size that a kernel of a source without macros requires.
fn required_local(source: &str, name: &str) -> Option<[i64; 3]> {
    let source = without_comments(source);
    let is_word = |it: char| it == '_' || it.is_ascii_alphanumeric();
    let mut places = source.match_indices(name);
    let (at, _) = places.find(|(at, _)| {
        let (before, after) = (&source[..*at], &source[at + name.len()..]);
        let returns_nothing = before.trim_end().ends_with("void");
        returns_nothing && !before.ends_with(is_word) && after.trim_start().starts_with('(')
    })?;
    let own = source[..at].rsplit(['}', ';']).next()?;
    let mut sizes = own[required(own)?]
        .split(',')
        .map(|it| it.trim().parse().ok());
    let sizes = [sizes.next()??, sizes.next()??, sizes.next()??];
    sizes
        .iter()
        .all(|it| (1..=4096).contains(it))
        .then_some(sizes)
}

fn without_comments(source: &str) -> String {
    let mut parts = source.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    let kept = parts.map(|it| it.split_once("*/").map_or("", |it| it.1));
    let blocks = first + &kept.collect::<String>();
    let lines = blocks
        .lines()
        .map(|it| it.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// A source, and what it includes of its folder.
fn with_headers(source: &str, beside: &Path) -> BTreeSet<String> {
    let (mut all, mut open) = (BTreeSet::new(), vec![source.to_owned()]);
    while let Some(file) = open.pop() {
        let text = fs::read_to_string(beside.join(&file)).unwrap_or_default();
        let included = text.lines().filter_map(|line| {
            let name = line
                .trim()
                .strip_prefix('#')?
                .trim()
                .strip_prefix("include")?;
            name.trim().strip_prefix('"')?.split('"').next()
        });
        let there = included.filter(|it| !it.contains('/') && beside.join(it).is_file());
        open.extend(there.filter(|it| !all.contains(*it)).map(str::to_owned));
        all.insert(file);
    }
    all
}

/// What was made, and what to do next.
fn told(clang: &Clang, folder: &Path) -> Result<String> {
    let kernels = load(folder)?;
    let text = fs::read_to_string(folder.join("launch.toml"))?;
    let guesses = text.matches("# guess").count();
    let shown = folder.display();
    let mut lines = vec![format!(
        "{shown}/launch.toml: {} arguments; {guesses} guesses to look through, each marked `# guess`",
        kernels[0].arguments.len()
    )];
    let reader = Reader::new(clang);
    for workload in workloads(&kernels, &[], &[], DeviceKind::Gpu)? {
        match reader.soundness(&workload) {
            Ok(found) => lines.extend(found.wrong.iter().map(|it| format!("  wrong: {it}"))),
            Err(why) => lines.push(format!("  not checked: {why}")),
        }
    }
    lines.push(format!("  next: kerncast run --kernels {shown} --no-upload, or kerncast forecast {shown} --on DEVICE"));
    Ok(lines.join("\n"))
}
