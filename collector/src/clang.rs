//! Sources as clang's syntax tree: OpenCL C in, [`Unit`]s out. clang runs in a child with limits of time and memory.

use std::{
    fs,
    fs::File,
    io::{self, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use kerncast_analysis::ast::{Sources, Unit};
use kerncast_suite::Launch;
use kerncast_wire::words::did_you_mean;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use thiserror::Error;

use crate::{scratch::Scratch, tool, wait::wait};

/// The largest kernels take half a second.
const TIME: Duration = Duration::from_secs(20);
/// Bytes of address space; OpenCL's own header takes some hundred megabytes.
const MEMORY: u64 = 4 << 30;
/// Bytes of output; the suite's kernels have 0.4 MB each.
const MOST_OUTPUT: u64 = 256 << 20;
/// Kept of what clang complains of.
const MOST_WORDS: u64 = 4096;

/// Build options that clang may be given: what they begin with.
const OPTIONS: [&str; 6] = ["-D", "-U", "-I", "-cl-", "-W", "-w"];

/// The syntax tree, as JSON.
const TREE: [&str; 5] = [
    "-target",
    "spir64-unknown-unknown",
    "-fsyntax-only",
    "-Xclang",
    "-ast-dump=json",
];
/// As Oclgrind calls its compiler, as far as that changes what is counted.
const AS_OCLGRIND: [&str; 11] = [
    "-target",
    "spir64-unknown-unknown",
    "-g",
    "-Oz",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
];
/// As compilers for GPUs do: loops unrolled, what does not change taken out of them, nothing made vectors.
const AS_A_GPU: [&str; 9] = [
    "-target",
    "nvptx64-nvidia-nvcl",
    "-O3",
    "-gline-tables-only",
    "-w",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
];

/// As runtimes for CPUs have it before they make vectors of work-items: loops as they are written.
const AS_A_CPU: [&str; 12] = [
    "-target",
    "spir64-unknown-unknown",
    "-O2",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-gline-tables-only",
    "-w",
    "-S",
    "-emit-llvm",
    "-o",
    "-",
];

/// Whose text LLVM's is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// What Oclgrind executes.
    Oclgrind,
    /// What a GPU executes.
    Gpu,
    /// What a CPU executes, but for its vectors.
    Cpu,
}

/// A clang.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
}

/// Why there is no tree.
#[derive(Debug, Error)]
pub enum ClangError {
    /// There is no clang.
    #[error("{0}")]
    Missing(String),
    /// A build option that is none of OpenCL's.
    #[error("the build option `{option}` is not understood here{likely}")]
    Option {
        /// Which.
        option: String,
        /// What it may have been meant to be.
        likely: String,
    },
    /// What clang says of the source.
    #[error("clang refuses the source:\n{0}")]
    Refused(String),
    /// It took too long, too much memory, or made too much.
    #[error("clang {0}")]
    Limits(String),
    /// A file can't be read, or clang can't be started.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
    /// Its output is no tree.
    #[error(transparent)]
    Unreadable(#[from] kerncast_analysis::ast::Unreadable),
}

impl Clang {
    /// What KERNCAST_CLANG or the configuration file names, else `clang-15`, else `clang`, else any `clang-N` of PATH.
    ///
    /// # Errors
    /// There is none; the message says how to get one.
    pub fn find() -> Result<Self, ClangError> {
        if let Some(program) =
            tool::named("clang", "KERNCAST_CLANG").map_err(ClangError::Missing)?
        {
            return Ok(Self { program });
        }
        let others = (11..=30).rev().map(|version| format!("clang-{version}"));
        let mut names = ["clang-15".to_owned(), "clang".to_owned()]
            .into_iter()
            .chain(others);
        if let Some(program) = names.find_map(|name| tool::first(&name, [])) {
            return Ok(Self { program });
        }
        Err(ClangError::Missing(
            "clang reads the sources, and is not installed: install Debian's package clang-15 (or any clang from \
             version 11 on), or name the program in KERNCAST_CLANG"
                .to_owned(),
        ))
    }

    /// The source of a launch, with its build options; headers are found in `folder`.
    ///
    /// # Errors
    /// clang refuses it, or goes beyond its limits.
    pub fn read(&self, launch: &Launch, folder: &Path) -> Result<Unit, ClangError> {
        self.read_file(&launch.source, &launch.options, folder)
    }

    /// The same, of any file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_file(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<Unit, ClangError> {
        let json = self.run(source, options, folder, &TREE)?;
        Ok(Unit::read(&json, &sources(source, folder)?)?)
    }

    /// What clang makes of the source of a launch, as LLVM's text.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn llvm(&self, launch: &Launch, folder: &Path, as_for: Text) -> Result<String, ClangError> {
        let arguments = match as_for {
            Text::Oclgrind => &AS_OCLGRIND[..],
            Text::Gpu => &AS_A_GPU[..],
            Text::Cpu => &AS_A_CPU[..],
        };
        self.run(&launch.source, &launch.options, folder, arguments)
    }

    /// The clang of this path.
    pub fn at(program: PathBuf) -> Self {
        Self { program }
    }

    /// Its path.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// As it calls itself.
    ///
    /// # Errors
    /// It does not run.
    pub fn version(&self) -> Result<String, ClangError> {
        let said = Command::new(&self.program).arg("--version").output();
        let said = said.map_err(io(&format!("cannot start {}", self.program.display())))?;
        let text = String::from_utf8_lossy(&said.stdout);
        Ok(text.lines().next().unwrap_or_default().trim().to_owned())
    }

    fn run(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
        arguments: &[&str],
    ) -> Result<String, ClangError> {
        let scratch = Scratch::new().map_err(io("cannot make a folder for clang's output"))?;
        let (out, err) = (scratch.path().join("made"), scratch.path().join("words"));
        let create = |path: &Path| File::create(path).map_err(io("cannot keep clang's output"));
        let name = source.strip_prefix(folder).unwrap_or(source);
        let mut command = Command::new(&self.program);
        // Files are then called as their folder calls them.
        command
            .current_dir(folder)
            .args(["-x", "cl", "-cl-std=CL1.2"])
            .args(understood(options)?)
            .args(["-I", "."])
            .args([
                "-Xclang",
                "-fdeclare-opencl-builtins",
                "-Xclang",
                "-finclude-default-header",
            ])
            .arg("-fno-color-diagnostics")
            .args(arguments)
            .arg(name)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?);
        let mut child = command
            .spawn()
            .map_err(io(&format!("cannot start {}", self.program.display())))?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        for (resource, most) in [
            (Resource::As, MEMORY),
            (Resource::Fsize, MOST_OUTPUT),
            (Resource::Core, 0),
        ] {
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            // It has ended where this fails.
            let _ = prlimit(pid, resource, limit);
        }
        let ended = wait(&mut child, TIME).map_err(io("cannot wait for clang"))?;
        let words = || first(&err, MOST_WORDS).unwrap_or_default();
        let Some(status) = ended else {
            return Err(ClangError::Limits(format!(
                "took longer than {} s",
                TIME.as_secs()
            )));
        };
        if !status.success() {
            return Err(match status.code() {
                Some(_) if words().contains("error:") => {
                    let (name, source) = (
                        format!("{}:", name.display()),
                        format!("{}:", source.display()),
                    );
                    let said = words().trim_end().replace(&name, &source);
                    ClangError::Refused(said)
                }
                _ => ClangError::Limits(format!(
                    "crashed, or needed too much memory ({status}): {}",
                    words().trim()
                )),
            });
        }
        fs::read_to_string(&out).map_err(io("cannot read clang's output"))
    }
}

/// The build options, one by one.
fn understood(options: &str) -> Result<Vec<&str>, ClangError> {
    let mut understood = Vec::new();
    let mut is_value = false;
    for option in options.split_whitespace() {
        if !is_value && !OPTIONS.iter().any(|known| option.starts_with(known)) {
            return Err(ClangError::Option {
                option: option.to_owned(),
                likely: did_you_mean(
                    option,
                    ["-D", "-I", "-w", "-cl-std=CL1.2", "-cl-fast-relaxed-math"],
                ),
            });
        }
        // `-D NAME`.
        is_value = !is_value && matches!(option, "-D" | "-U" | "-I");
        understood.push(option);
    }
    Ok(understood)
}

/// The source and the headers beside it, by the names that clang gives them.
fn sources(source: &Path, folder: &Path) -> Result<Sources, ClangError> {
    let mut sources = Sources::new();
    let mut add = |path: &Path| {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned();
        // Where it is no UTF-8, components of vectors are not told apart in it.
        if let Ok(text) = fs::read_to_string(path) {
            sources.insert(format!("./{name}"), text.clone());
            sources.insert(name, text);
        }
    };
    add(source);
    let entries = fs::read_dir(folder).map_err(io(&format!("cannot read {}", folder.display())))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if matches!(
            path.extension().and_then(|it| it.to_str()),
            Some("h" | "cl" | "clh")
        ) {
            add(&path);
        }
    }
    Ok(sources)
}

fn first(path: &Path, bytes: u64) -> io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn io(what: &str) -> impl FnOnce(io::Error) -> ClangError {
    let what = what.to_owned();
    |source| ClangError::Io { what, source }
}
