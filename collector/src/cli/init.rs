//! `kerncast init`.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_collector::{
    clang::Clang,
    draft::{Draft, TracedDraft, check_draft, draft_kernels, draft_traced_kernels},
};

use super::{exit, table, units};

/// Make kernels' folders from an OpenCL source, or from a running program
///
/// Arguments, their types and their access come from the source. Sizes, values and geometry are guesses, and marked as
/// such; a buffer is long enough for its largest index. With --from-trace they come from a launch.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast init blur.cl    # one folder per kernel, with the kernel's name
  kerncast init all.cl --function blur --out ~/kernels --options '-DRADIUS=3'
  kerncast init --from-trace --out traced -- ./program --its arguments
  kerncast forecast ~/kernels/blur --on h200
  kerncast run --kernels ~/kernels/blur --no-upload")]
pub(super) struct Arguments {
    /// The OpenCL source
    #[arg(value_name = "FILE.cl", required_unless_present = "from_trace")]
    file: Option<PathBuf>,
    /// Run PROGRAM, and make a folder for each kernel that it launches, with its largest launch
    #[arg(long, conflicts_with_all = ["file", "options"], requires = "program")]
    from_trace: bool,
    /// Save the buffers' contents before that launch
    #[arg(long, requires = "from_trace")]
    contents: bool,
    /// Only this kernel [default: all]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Folder to make the kernels' folders in
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Build options, as '-DTILE=16'
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
    let (function, out) = (arguments.function.as_deref(), &*arguments.out);
    let Some(file) = &arguments.file else {
        let (program, contents) = (&arguments.program, arguments.contents);
        let drafts = draft_traced_kernels(&clang, program, contents, function, out)?;
        return report_traced(drafts, out);
    };
    let drafts = draft_kernels(&clang, file, &arguments.options, function, out)?;
    let is_only = drafts.len() == 1;
    let mut problems = Vec::new();
    for draft in drafts {
        match draft {
            Ok(draft) => table::print(&next_steps(&clang, &draft)?)?,
            Err(problem) => problems.push(problem),
        }
    }
    // For a single kernel there is nothing else to say.
    if let Some(problem) = problems.pop_if(|_| is_only) {
        return Err(problem);
    }
    for problem in &problems {
        say!("kerncast: {problem:#}");
    }
    Ok(exit(problems.is_empty()))
}

/// Says what was made, and what to do next.
fn next_steps(clang: &Clang, draft: &Draft) -> Result<String> {
    let (folder, guesses) = (draft.folder.display(), draft.guesses);
    let mut lines = vec![format!(
        "{folder}/launch.toml: {} arguments; {guesses} guesses to look through, each marked `# guess`",
        draft.arguments
    )];
    let problems = check_draft(clang, draft)?.into_iter();
    lines.extend(problems.map(|it| format!("  {it}")));
    lines.push(format!("  next: kerncast run --kernels {folder} --no-upload, or kerncast forecast {folder} --on DEVICE"));
    Ok(lines.join("\n"))
}

/// Prints a table of the kernels that the program launched, and what to do next. Good if at least one has a folder.
fn report_traced(drafts: Vec<TracedDraft>, out: &Path) -> Result<ExitCode> {
    let mut rows =
        table::new("kernel, launches, largest: global, local, guesses, folder".split(", "));
    let (mut folders, mut problems) = (0, Vec::new());
    for TracedDraft { kernel, draft } in drafts {
        let [guesses, folder] = match &draft {
            Ok(draft) => [
                draft.guesses.to_string(),
                draft.folder.display().to_string(),
            ],
            Err(_) => ["–".to_owned(), "none, see below".to_owned()],
        };
        match draft {
            Ok(_) => folders += 1,
            Err(why) => problems.push(format!("kerncast: {why:#}")),
        }
        let local = kernel.launch.local.as_deref();
        rows.add_row([
            kernel.function,
            table::or_dash(kernel.launches.map(|it| it.to_string())),
            dimensions(&kernel.launch.global),
            local.map_or("driver's".to_owned(), dimensions),
            guesses,
            folder,
        ]);
    }
    table::print(&rows.to_string())?;
    problems.iter().for_each(|it| say!("{it}"));
    if folders > 0 {
        let out = out.display();
        table::print(&format!(
            "Guesses are marked `# guess` in each launch.toml.\nnext: kerncast forecast {out} --on DEVICE, or kerncast run \
             --kernels {out} --no-upload"
        ))?;
    }
    Ok(exit(folders > 0))
}

fn dimensions(sizes: &[i64]) -> String {
    units::joined(sizes, " × ")
}
