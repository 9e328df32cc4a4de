//! `kerncast init`.

mod trace;

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use kerncast_analysis::{
    ast::Unit,
    draft::{Contents, TracedLaunch, launch_file},
    localize::required,
};
use kerncast_collector::{
    UsageError,
    clang::{Clang, without_includes},
    source_analysis::accesses::Reader,
};
use kerncast_suite::load;
use kerncast_wire::DeviceKind;

use super::{kernels::workloads, status::Status, table, terminal};

/// Make kernels' folders: of an OpenCL source, or of a program that runs
///
/// Arguments, their types and what the kernel does with them come from the source. Sizes, values and geometry are guessed,
/// and marked as guesses: a buffer is as long as its largest index. With --from-trace they are those of a launch.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast init blur.cl                 # makes a folder a kernel, named as it is
  kerncast init all.cl --function blur --out ~/kernels --options '-DRADIUS=3'
  kerncast init --from-trace --out traced -- ./program --its arguments
  kerncast forecast ~/kernels/blur --on h200
  kerncast run --kernels ~/kernels/blur --no-upload")]
pub(super) struct Arguments {
    /// The source
    #[arg(value_name = "FILE.cl", required_unless_present = "from_trace")]
    file: Option<PathBuf>,
    /// Run PROGRAM, and make folders of the kernels that it launches: each with its largest launch
    #[arg(long, conflicts_with_all = ["file", "options"], requires = "program")]
    from_trace: bool,
    /// Keep what buffers hold before that launch
    #[arg(long, requires = "from_trace")]
    contents: bool,
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
    /// The program to trace, and its arguments
    #[arg(last = true, value_name = "PROGRAM", requires = "from_trace")]
    program: Vec<OsString>,
}

pub(super) fn init(arguments: &Arguments) -> Result<ExitCode> {
    let clang = Clang::find().map_err(|why| anyhow!("{why}"))?;
    let Some(file) = &arguments.file else {
        return trace::init(&clang, arguments);
    };
    if !file.is_file() {
        let shown = file.display();
        return Err(UsageError(format!("{shown}: expected a file with OpenCL C")).into());
    }
    let folder = match file.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("."),
    };
    let source = Source::read(&clang, file, &arguments.options, folder)?;
    let kernels = source.unit.functions.iter().filter(|it| it.is_kernel);
    let mut names: Vec<&str> = kernels.map(|it| &*it.name).collect();
    if let Some(function) = &arguments.function {
        names = vec![function];
    }
    if names.is_empty() {
        let problem = format!("{}: it has no kernel (kernel void …)", file.display());
        return Err(UsageError(problem).into());
    }
    let own = file.file_name().unwrap_or_default().to_string_lossy();
    let whole = clang.with_includes(file, &arguments.options, folder)?;
    let files = [(own.to_string(), whole.into_bytes())];
    let mut problems = Vec::new();
    for name in &names {
        let launch = source.launch_file(name, &own, None).map(|it| it.0);
        let folder = launch.and_then(|it| make_folder(&arguments.out, name, &it, &files));
        match folder {
            Ok(folder) => table::print(&next_steps(&clang, &folder)?)?,
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

/// A source that was read.
struct Source {
    unit: Unit,
    /// The same without macros.
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
        // What it includes is in it.
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
        let local = required_local(&self.text, function);
        let made = launch_file(&self.unit, function, (file, &self.options), local, traced);
        Ok(made.map_err(|why| UsageError(format!("{function}: {why}")))?)
    }
}

/// A new folder for a kernel: its launch file, and files by their names there.
fn make_folder(
    out: &Path,
    name: &str,
    launch_file: &str,
    files: &[(String, Vec<u8>)],
) -> Result<PathBuf> {
    let folder = out.join(name);
    if folder.exists() {
        let shown = folder.display();
        let problem = format!("{shown} is there already; name another place by --out");
        return Err(UsageError(problem).into());
    }
    let cannot = || format!("cannot write to {}", out.display());
    fs::create_dir_all(out).with_context(cannot)?;
    // What can't be loaded is not left behind, nor half of it.
    let new = tempfile::tempdir_in(out).with_context(cannot)?;
    let made = new.path().join(name);
    let write = || -> std::io::Result<()> {
        fs::create_dir(&made)?;
        for (file, contents) in files {
            fs::write(made.join(file), contents)?;
        }
        fs::write(made.join("launch.toml"), launch_file)
    };
    write().with_context(cannot)?;
    load(&made).map_err(|why| {
        let why = why.to_string().replace(&*made.to_string_lossy(), name);
        UsageError(format!("{name}: no launch file describes it: {why}"))
    })?;
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

/// What was made, and what to do next.
fn next_steps(clang: &Clang, folder: &Path) -> Result<String> {
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
