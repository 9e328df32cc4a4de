//! clang, run in a child with limits of time and memory. Here: a source as a syntax tree; `llvm` has LLVM's text,
//! `preprocessed` sources without macros.

use std::{
    fs,
    fs::File,
    io::{self, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use kerncast_analysis::ast::{Sources, Unit};
use kerncast_suite::Launch;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use thiserror::Error;

mod llvm;
mod options;
mod preprocessed;

pub use llvm::LlvmTarget;
use options::check_options;
pub use options::{known_options, without_includes};

use crate::programs::{Scratch, configured_file, find_on_path, wait_for_group};

/// Time limit; the largest kernels take half a second.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Limit of address space, bytes; OpenCL's own header takes some hundred megabytes.
const MEMORY_LIMIT: u64 = 4 << 30;
/// Limit of output, bytes; the suite's kernels have 0.4 MB each, programs with large headers 700.
const OUTPUT_LIMIT: u64 = 1 << 30;
/// Bytes kept of clang's standard error.
const MOST_ERROR_BYTES: u64 = 4096;

/// Flags for OpenCL C as drivers take it: plain `inline` as in GNU C of 1989, the version, and only the extensions that
/// NVIDIA's and PoCL's drivers share, because sources ask for others by their macros.
const DIALECT_FLAGS: &str = "-x cl -cl-std=CL1.2 -fgnu89-inline -D__OPENCL_VERSION__=120 -Xclang \
     -cl-ext=-all,+cl_khr_fp64,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,\
     +cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
     +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes -fno-color-diagnostics";
/// Flags that declare OpenCL's own functions and macros.
const HEADER_FLAGS: &str = "-Xclang -fdeclare-opencl-builtins -Xclang -finclude-default-header";

/// Flags that print the syntax tree as JSON.
const TREE_FLAGS: &str = "-target spir64-unknown-unknown -fsyntax-only -Xclang -ast-dump=json";

/// The program clang.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
}

/// Why clang gave no tree or text.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum ClangError {
    #[error("{0}")]
    Missing(String),
    #[error("the build option `{option}` is not understood here{likely}")]
    Option {
        option: String,
        /// A name that was probably meant.
        likely: String,
    },
    #[error("clang refuses the source:\n{0}")]
    Refused(String),
    /// clang took too long or too much memory, or printed too much.
    #[error("clang {0}")]
    Limits(String),
    #[error("{action}: {source}")]
    Io { action: String, source: io::Error },
    /// The output is no syntax tree.
    #[error(transparent)]
    Unreadable(#[from] kerncast_analysis::ast::Unreadable),
}

impl Clang {
    /// The clang that KERNCAST_CLANG or the configuration file names, else `clang-15`, else `clang`, else any `clang-N`
    /// of PATH.
    ///
    /// # Errors
    /// There is no clang; the message says how to get one.
    pub fn find() -> Result<Self, ClangError> {
        let configured = configured_file("clang", "KERNCAST_CLANG");
        if let Some(program) = configured.map_err(ClangError::Missing)? {
            return Ok(Self { program });
        }
        let others = (11..=30).rev().map(|version| format!("clang-{version}"));
        let names = ["clang-15".to_owned(), "clang".to_owned()];
        let mut names = names.into_iter().chain(others);
        if let Some(program) = names.find_map(|name| find_on_path(&name, [])) {
            return Ok(Self { program });
        }
        Err(ClangError::Missing(
            "clang reads the sources, and is not installed: install Debian's package clang-15 (or any clang from \
             version 11 on), or name the program in KERNCAST_CLANG"
                .to_owned(),
        ))
    }

    /// Reads the source of a launch as a syntax tree, with its build options; headers are found in `folder`.
    ///
    /// # Errors
    /// clang refuses it, or goes beyond its limits.
    pub fn read(&self, launch: &Launch, folder: &Path) -> Result<Unit, ClangError> {
        self.read_file(&launch.source, &launch.options, folder)
    }

    /// Reads any file as a syntax tree; headers are found in `folder`.
    ///
    /// # Errors
    /// See [`Self::read`].
    pub fn read_file(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<Unit, ClangError> {
        let json = self.run(source, options, folder, &flags(TREE_FLAGS))?;
        Ok(Unit::read(&json, &sources(source, folder)?)?)
    }

    /// The version, as clang prints it.
    ///
    /// # Errors
    /// clang does not run.
    pub fn version(&self) -> Result<String, ClangError> {
        let output = Command::new(&self.program).arg("--version").output();
        let program = self.program.display();
        let output = output.map_err(io_error(&format!("cannot start {program}")))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().next().unwrap_or_default().trim().to_owned())
    }

    fn run(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
        arguments: &[&str],
    ) -> Result<String, ClangError> {
        let name = source.strip_prefix(folder).unwrap_or(source);
        let arguments = [&flags(HEADER_FLAGS), arguments].concat();
        let command = self.command(source, options, folder, &arguments)?;
        self.output_of(command, name, source)
    }

    fn command(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
        arguments: &[&str],
    ) -> Result<Command, ClangError> {
        let mut command = Command::new(&self.program);
        // Files are then called as their folder calls them.
        command
            .current_dir(folder)
            .args(flags(DIALECT_FLAGS))
            .args(check_options(options)?)
            .args(["-I", "."])
            .args(arguments)
            .arg(source.strip_prefix(folder).unwrap_or(source));
        Ok(command)
    }

    /// Runs `command` and returns its standard output; `name` is what clang calls the source.
    fn output_of(
        &self,
        mut command: Command,
        name: &Path,
        source: &Path,
    ) -> Result<String, ClangError> {
        let scratch =
            Scratch::new().map_err(io_error("cannot make a folder for clang's output"))?;
        let (out, err) = (scratch.path().join("made"), scratch.path().join("words"));
        let create =
            |path: &Path| File::create(path).map_err(io_error("cannot keep clang's output"));
        let program = self.program.display();
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?)
            .spawn()
            .map_err(io_error(&format!("cannot start {program}")))?;
        limit_resources(&child);
        let status =
            wait_for_group(&mut child, TIME_LIMIT).map_err(io_error("cannot wait for clang"))?;
        let complaints = || read_start(&err, MOST_ERROR_BYTES).unwrap_or_default();
        let Some(status) = status else {
            let seconds = TIME_LIMIT.as_secs();
            return Err(ClangError::Limits(format!("took longer than {seconds} s")));
        };
        if !status.success() {
            return Err(match status.code() {
                Some(_) if complaints().contains("error:") => {
                    let [name, source] = [name, source].map(|it| format!("{}:", it.display()));
                    ClangError::Refused(complaints().trim_end().replace(&name, &source))
                }
                _ => ClangError::Limits(format!(
                    "crashed, or needed too much memory ({status}): {}",
                    complaints().trim()
                )),
            });
        }
        fs::read_to_string(&out).map_err(io_error("cannot read clang's output"))
    }
}

fn flags(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Limits memory and output of a process that has just started.
fn limit_resources(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    for (resource, most) in [
        (Resource::As, MEMORY_LIMIT),
        (Resource::Fsize, OUTPUT_LIMIT),
        (Resource::Core, 0),
    ] {
        let (current, maximum) = (Some(most), Some(most));
        // It has ended where this fails.
        let _ = prlimit(pid, resource, Rlimit { current, maximum });
    }
}

/// The source and the headers beside it, by the names that clang gives them.
fn sources(source: &Path, folder: &Path) -> Result<Sources, ClangError> {
    let mut sources = Sources::new();
    let mut add = |path: &Path| {
        let name = path.strip_prefix(folder).unwrap_or(path);
        let name = name.to_string_lossy().into_owned();
        // Where it is no UTF-8, components of vectors are not told apart in it.
        if let Ok(text) = fs::read_to_string(path) {
            sources.insert(format!("./{name}"), text.clone());
            sources.insert(name, text);
        }
    };
    add(source);
    let entries =
        fs::read_dir(folder).map_err(io_error(&format!("cannot read {}", folder.display())))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().and_then(|it| it.to_str());
        if matches!(extension, Some("h" | "cl" | "clh")) {
            add(&path);
        }
    }
    Ok(sources)
}

fn read_start(path: &Path, bytes: u64) -> io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn io_error(action: &str) -> impl FnOnce(io::Error) -> ClangError {
    let action = action.to_owned();
    |source| ClangError::Io { action, source }
}
