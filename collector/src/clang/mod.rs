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

use kerncast_analysis::{
    ast::{Sources, Unit},
    llvm::as_devices_have,
};
use kerncast_suite::Launch;
use kerncast_wire::words::did_you_mean;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use thiserror::Error;

use crate::programs::{Scratch, configured_file, find_on_path, wait_for_group};

/// The largest kernels take half a second.
const TIME: Duration = Duration::from_secs(20);
/// Bytes of address space; OpenCL's own header takes some hundred megabytes.
const MEMORY: u64 = 4 << 30;
/// Bytes of output; the suite's kernels have 0.4 MB each, programs with large headers 700.
const MOST_OUTPUT: u64 = 1 << 30;
/// Longer lines of a source without its macros are taken apart.
const MOST_COLUMNS: usize = 110;
/// Kept of what clang complains of.
const MOST_WORDS: u64 = 4096;

/// Build options that clang may be given: what they begin with.
const OPTIONS: [&str; 6] = ["-D", "-U", "-I", "-cl-", "-W", "-w"];

/// OpenCL C as drivers have it: a plain `inline` function is one that may be called, as in GNU C of 1989; the version;
/// and of extensions only what NVIDIA's and PoCL's drivers both have, since sources ask for others' by their macros.
const DIALECT: &str = "-x cl -cl-std=CL1.2 -fgnu89-inline -D__OPENCL_VERSION__=120 -Xclang \
     -cl-ext=-all,+cl_khr_fp64,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,\
     +cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
     +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_khr_3d_image_writes -fno-color-diagnostics";
/// Built-in functions that a device's compiler puts in place.
const BUILTINS: &str = include_str!("builtins.h");

/// OpenCL's own functions and macros.
const HEADER: &str = "-Xclang -fdeclare-opencl-builtins -Xclang -finclude-default-header";

/// The syntax tree, as JSON.
const TREE: &str = "-target spir64-unknown-unknown -fsyntax-only -Xclang -ast-dump=json";
/// As Oclgrind calls its compiler, as far as that changes what is counted.
const AS_OCLGRIND: &str = "-target spir64-unknown-unknown -g -Oz -fno-builtin -fno-vectorize -fno-slp-vectorize -S \
     -emit-llvm -o -";
/// What a GPU's compiler begins with: nothing optimised yet. Address spaces have SPIR's numbers.
const FOR_A_GPU: &str = "-target nvptx64-nvidia-nvcl -Xclang -ffake-address-space-map -O3 -Xclang -disable-llvm-passes \
     -gline-tables-only -w -S -emit-llvm -o -";
/// How far loops are unrolled, as NVIDIA's compiler does (by ncu counts of the suite between 600 and 900 fit best); and
/// where private arrays are left that are registers if loops are unrolled further.
const UNROLLED: &str = "-unroll-threshold=800";
const UNROLLED_FURTHER: &str = "-unroll-threshold=3000";
/// It sees what becomes known in so many turns, and takes a loop apart for no more than the limit allows.
const UNROLLING: &str = "-mllvm -unroll-max-iteration-count-to-analyze=64 -mllvm \
     -unroll-max-percent-threshold-boost=100";
/// What it makes of that: what does not change taken out of loops, nothing made vectors, no store for several ways.
const AS_A_GPU: &str = "-x ir -target nvptx64-nvidia-nvcl -mllvm -inline-threshold=1000000 -mllvm \
     -disable-vector-combine -mllvm -sink-common-insts=false -w -S -emit-llvm -o -";

/// As runtimes for CPUs have it before they make vectors of work-items: loops as they are written.
const AS_A_CPU: &str = "-target spir64-unknown-unknown -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops \
     -fno-builtin -gline-tables-only -w -S -emit-llvm -o -";

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
        /// The option.
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
    #[error("{action}: {source}")]
    Io {
        /// What could not be done.
        action: String,
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
            configured_file("clang", "KERNCAST_CLANG").map_err(ClangError::Missing)?
        {
            return Ok(Self { program });
        }
        let others = (11..=30).rev().map(|version| format!("clang-{version}"));
        let mut names = ["clang-15".to_owned(), "clang".to_owned()]
            .into_iter()
            .chain(others);
        if let Some(program) = names.find_map(|name| find_on_path(&name, [])) {
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
        let json = self.run(source, options, folder, &flags(TREE))?;
        Ok(Unit::read(&json, &sources(source, folder)?)?)
    }

    /// The lines of any file, and of what it includes of its folder, with macros as what they stand for; comments stay,
    /// and so do the macros of OpenCL itself.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn without_macros(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<String, ClangError> {
        let all = self.command(source, options, folder, &flags("-E -C -w -cl-no-stdinc"))?;
        let name = source.strip_prefix(folder).unwrap_or(source);
        let all = self.output_of(all, name, source)?;
        let (mut text, mut is_own) = (String::new(), false);
        for line in all.lines() {
            // `# 12 "name" 1`
            let marker = line.strip_prefix("# ");
            let marker = marker.filter(|it| it.starts_with(|c: char| c.is_ascii_digit()));
            match marker.and_then(|it| it.split('"').nth(1)) {
                Some(file) => is_own = !file.starts_with(['<', '/']),
                None if is_own && !(line.is_empty() && text.ends_with("\n\n")) => {
                    text += &one_statement_a_line(line);
                    text += "\n";
                }
                None => {}
            }
        }
        Ok(text)
    }

    /// A source with the files that it includes put in their places; they are found from `folder`, or by the options.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn with_includes(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<String, ClangError> {
        let text = fs::read_to_string(source).map_err(io_error("cannot read the source"))?;
        if !text.contains("include") {
            return Ok(text);
        }
        let once = flags("-E -P -frewrite-includes -w -cl-no-stdinc");
        self.output_of(
            self.command(source, options, folder, &once)?,
            source,
            source,
        )
    }

    /// What clang makes of the source of a launch, as LLVM's text.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn llvm(&self, launch: &Launch, folder: &Path, as_for: Text) -> Result<String, ClangError> {
        let compile =
            |arguments: &[&str]| self.run(&launch.source, &launch.options, folder, arguments);
        let with_builtins = |arguments: &[&str]| {
            let scratch =
                Scratch::new().map_err(io_error("cannot make a folder for clang's input"))?;
            let header = scratch.path().join("builtins.h");
            fs::write(&header, BUILTINS).map_err(io_error("cannot keep clang's input"))?;
            let header = header.to_string_lossy();
            compile(&[&["-include", &*header][..], arguments].concat())
        };
        match as_for {
            Text::Oclgrind => compile(&flags(AS_OCLGRIND)),
            Text::Cpu => with_builtins(&flags(AS_A_CPU)),
            Text::Gpu => {
                let unoptimised = with_builtins(&flags(FOR_A_GPU))?;
                let unoptimised = as_devices_have(&unoptimised);
                let has_arrays = |text: &str| text.contains(" = alloca ");
                let first = self.optimise(&unoptimised, UNROLLED, &launch.source)?;
                if !has_arrays(&first) {
                    return Ok(first);
                }
                let further = self.optimise(&unoptimised, UNROLLED_FURTHER, &launch.source)?;
                Ok(if has_arrays(&further) { first } else { further })
            }
        }
    }

    /// What clang makes of LLVM's text of this source. A second time, it finds what unrolled turns have in common, as
    /// the last steps of NVIDIA's compiler do.
    fn optimise(&self, text: &str, unrolled: &str, source: &Path) -> Result<String, ClangError> {
        let scratch = Scratch::new().map_err(io_error("cannot make a folder for clang's input"))?;
        let name = Path::new("made.ll");
        let compile = |text: &str, arguments: &[&str]| {
            fs::write(scratch.path().join(name), text)
                .map_err(io_error("cannot keep clang's input"))?;
            let mut command = Command::new(&self.program);
            command
                .current_dir(scratch.path())
                .args(flags(AS_A_GPU))
                .arg(name);
            command.args(arguments);
            self.output_of(command, name, source)
        };
        let further = [&["-O3", "-mllvm", unrolled], &flags(UNROLLING)[..]].concat();
        let optimised = compile(text, &further)?;
        compile(&optimised, &["-O3", "-fno-unroll-loops"])
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
        let output = Command::new(&self.program).arg("--version").output();
        let output = output.map_err(io_error(&format!(
            "cannot start {}",
            self.program.display()
        )))?;
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
        let arguments = [&flags(HEADER), arguments].concat();
        self.output_of(
            self.command(source, options, folder, &arguments)?,
            name,
            source,
        )
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
            .args(flags(DIALECT))
            .args(check_options(options)?)
            .args(["-I", "."])
            .args(arguments)
            .arg(source.strip_prefix(folder).unwrap_or(source));
        Ok(command)
    }

    /// What it prints; `name` is what it calls the source.
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
        let mut child = command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?)
            .spawn()
            .map_err(io_error(&format!(
                "cannot start {}",
                self.program.display()
            )))?;
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
        let ended = wait_for_group(&mut child, TIME).map_err(io_error("cannot wait for clang"))?;
        let words = || read_start(&err, MOST_WORDS).unwrap_or_default();
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
                    let message = words().trim_end().replace(&name, &source);
                    ClangError::Refused(message)
                }
                _ => ClangError::Limits(format!(
                    "crashed, or needed too much memory ({status}): {}",
                    words().trim()
                )),
            });
        }
        fs::read_to_string(&out).map_err(io_error("cannot read clang's output"))
    }
}

/// A command line's arguments.
fn flags(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A line that a macro has made of several, as one for each statement.
fn one_statement_a_line(line: &str) -> String {
    let is_text = line.contains(['"', '#']) || line.contains("//") || line.contains("/*");
    if line.len() <= MOST_COLUMNS || is_text {
        return line.to_owned();
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let (mut text, mut own, mut depth, mut brackets) = (String::new(), String::new(), 0_usize, 0);
    for sign in line.trim_start().chars() {
        if own.is_empty() && sign == ' ' {
            continue;
        }
        if sign == '}' && brackets == 0 {
            depth = depth.saturating_sub(1);
        }
        if own.is_empty() {
            let more = "    ".repeat(depth);
            text += &format!("{}{indent}{more}", if text.is_empty() { "" } else { "\n" });
        }
        own.push(sign);
        text.push(sign);
        match sign {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            '{' if brackets == 0 => depth += 1,
            _ => {}
        }
        if brackets == 0 && matches!(sign, ';' | '{' | '}') {
            own.clear();
        }
    }
    text
}

/// Of a driver's build options those that clang understands.
pub fn known_options(options: &str) -> String {
    // Braces are a launch file's own.
    filter_options(options, |option| !option.contains(['{', '}']))
}

/// The build options but those that say where to find includes.
pub fn without_includes(options: &str) -> String {
    filter_options(options, |option| !option.starts_with("-I"))
}

fn filter_options(options: &str, keeps: fn(&str) -> bool) -> String {
    let mut kept_options = Vec::new();
    let mut words = options.split_whitespace();
    while let Some(option) = words.next() {
        let value = matches!(option, "-D" | "-U" | "-I").then(|| words.next());
        if keeps(option) && check_options(option).is_ok() {
            kept_options.extend([Some(option), value.flatten()].into_iter().flatten());
        }
    }
    kept_options.join(" ")
}

/// The build options, one by one.
fn check_options(options: &str) -> Result<Vec<&str>, ClangError> {
    let mut understood = Vec::new();
    let mut is_value = false;
    for option in options.split_whitespace() {
        if !is_value && !OPTIONS.iter().any(|prefix| option.starts_with(prefix)) {
            return Err(ClangError::Option {
                option: option.to_owned(),
                likely: did_you_mean(
                    option,
                    ["-D", "-I", "-w", "-cl-std=CL1.2", "-cl-fast-relaxed-math"],
                ),
            });
        }
        // OpenCL C 1.2 has all that earlier ones have, and what is declared here for all sources.
        if matches!(option, "-cl-std=CL1.0" | "-cl-std=CL1.1") {
            continue;
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
    let entries =
        fs::read_dir(folder).map_err(io_error(&format!("cannot read {}", folder.display())))?;
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

fn read_start(path: &Path, bytes: u64) -> io::Result<String> {
    let mut text = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn io_error(action: &str) -> impl FnOnce(io::Error) -> ClangError {
    let action = action.to_owned();
    |source| ClangError::Io { action, source }
}
