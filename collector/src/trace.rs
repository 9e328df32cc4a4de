//! Traces how a program launches its OpenCL kernels: a layer of the OpenCL loader (`kerncast_opencl`) writes each
//! launch down.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use kerncast_analysis::draft::{TracedArgument, TracedLaunch};
use kerncast_opencl::{TRACING_LAYER, image_format, sampler_words};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use thiserror::Error;

use crate::{folders, programs::Scratch};

/// The launches of a program's run.
pub struct Trace {
    /// The folder of the sources and contents.
    _scratch: Scratch,
    /// The exit status of the program.
    pub status: ExitStatus,
    /// Every kernel once; kernels of the same source are adjacent.
    pub kernels: Vec<TracedKernel>,
}

/// A kernel that a program launched.
#[derive(Clone, Debug)]
pub struct TracedKernel {
    /// The kernel's function.
    pub function: String,
    /// The file with its source; none where the program was made of a binary or of SPIR-V.
    pub source: Option<PathBuf>,
    /// Build options.
    pub options: String,
    /// Number of launches; none where the program did not end by itself.
    pub launches: Option<u64>,
    /// The largest launch; of several as large, one in the middle.
    pub launch: TracedLaunch,
    /// Whether global ids start at another number than 0.
    pub has_offset: bool,
    /// Files with the contents of buffers before that launch, by argument.
    pub contents: BTreeMap<usize, PathBuf>,
}

/// Why there is no trace.
#[expect(missing_docs, reason = "their messages say it")]
#[derive(Debug, Error)]
pub enum TraceError {
    #[error("cannot start {0}: {1}")]
    Start(String, io::Error),
    #[error("cannot keep the trace: {0}")]
    Io(#[from] io::Error),
    #[error("the trace cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}

/// One line of the layer's file.
#[derive(Deserialize)]
struct Line {
    source: String,
    function: String,
    launches: Option<u64>,
    #[serde(default)]
    options: String,
    #[serde(default)]
    global: Vec<i64>,
    #[serde(default)]
    local: Vec<i64>,
    #[serde(default)]
    offset: Vec<i64>,
    #[serde(default)]
    arguments: Vec<Argument>,
}

#[derive(Deserialize)]
struct Argument {
    value: Option<Vec<u8>>,
    nothing: Option<u64>,
    buffer: Option<u64>,
    contents: Option<PathBuf>,
    image: Option<[u64; 2]>,
    #[serde(default)]
    order: u32,
    #[serde(default)]
    channel: u32,
    sampler: Option<[u32; 3]>,
}

impl Trace {
    /// Runs a program to its end and reads its launches, with the contents of buffers where `with_contents`.
    ///
    /// # Errors
    /// The program can't be started, or the trace can't be stored.
    pub fn run(program: &[OsString], with_contents: bool) -> Result<Self, TraceError> {
        let scratch = Scratch::new()?;
        let folder = scratch.path();
        let layer = folder.join("libkerncast_layer.so");
        fs::write(&layer, TRACING_LAYER)?;
        let layers = before_others(&layer, "OPENCL_LAYERS");
        let (name, arguments) = program
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)
            .map_err(io::Error::from)?;
        let mut command = Command::new(name);
        command
            .args(arguments)
            .env("OPENCL_LAYERS", layers)
            .env("KERNCAST_TRACE", folder)
            // A cached binary has no source.
            .env("PYOPENCL_NO_CACHE", "1");
        if let Some(loader) = loader_with_layers() {
            symlink(&loader, folder.join("libOpenCL.so.1"))?;
            command.env("LD_LIBRARY_PATH", before_others(folder, "LD_LIBRARY_PATH"));
        }
        if with_contents {
            command.env("KERNCAST_TRACE_CONTENTS", "1");
        }
        let cannot_start = |why| TraceError::Start(name.to_string_lossy().into_owned(), why);
        let mut child = command.spawn().map_err(cannot_start)?;
        // Whoever ends the program wants what it launched until then.
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let _ = ctrlc::set_handler(move || {
            pid.map(|it| kill_process(it, Signal::TERM));
        });
        let status = child.wait()?;
        let kernels = read_kernels(folder)?;
        Ok(Self {
            _scratch: scratch,
            status,
            kernels,
        })
    }
}

/// A path before those that an environment variable lists.
fn before_others(path: &Path, variable: &str) -> OsString {
    let mut paths = path.as_os_str().to_owned();
    if let Some(others) = env::var_os(variable).filter(|it| !it.is_empty()) {
        paths.push(":");
        paths.push(others);
    }
    paths
}

/// An OpenCL loader that supports layers. CUDA brings one that does not, and the system prefers it.
fn loader_with_layers() -> Option<PathBuf> {
    let places = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    ];
    let name = b"OPENCL_LAYERS";
    let knows = |it: &PathBuf| {
        let bytes = fs::read(it).unwrap_or_default();
        bytes.windows(name.len()).any(|it| it == name)
    };
    let mut loaders = places.iter().map(|it| Path::new(it).join("libOpenCL.so.1"));
    loaders.find(knows)
}

/// Reads what all processes wrote: for each function the largest launch.
fn read_kernels(folder: &Path) -> Result<Vec<TracedKernel>, TraceError> {
    let mut lines: Vec<Line> = Vec::new();
    for file in folders::paths(folder)? {
        if file.extension().is_none_or(|it| it != "jsonl") {
            continue;
        }
        // A process that was killed may have left half a line.
        let text = fs::read_to_string(file)?;
        for line in text.split_inclusive('\n').filter(|it| it.ends_with('\n')) {
            lines.push(serde_json::from_str(line)?);
        }
    }
    let (counts, launches): (Vec<Line>, Vec<Line>) =
        lines.into_iter().partition(|it| it.launches.is_some());
    let mut kernels: BTreeMap<(String, String), TracedKernel> = BTreeMap::new();
    for line in launches {
        let key = (line.source.clone(), line.function.clone());
        let kernel = traced_kernel(folder, line);
        let before = kernels.get(&key);
        if before.is_none_or(|it| work_items(it) <= work_items(&kernel)) {
            kernels.insert(key, kernel);
        }
    }
    for line in counts {
        if let Some(kernel) = kernels.get_mut(&(line.source, line.function)) {
            *kernel.launches.get_or_insert(0) += line.launches.unwrap_or(0);
        }
    }
    Ok(kernels.into_values().collect())
}

fn work_items(kernel: &TracedKernel) -> i64 {
    kernel.launch.global.iter().product()
}

fn traced_kernel(folder: &Path, line: Line) -> TracedKernel {
    let contents = line.arguments.iter().enumerate();
    let contents = contents.filter_map(|(at, it)| Some((at, folder.join(it.contents.as_ref()?))));
    TracedKernel {
        source: (!line.source.is_empty()).then(|| folder.join(&line.source)),
        function: line.function,
        options: line.options,
        launches: None,
        has_offset: line.offset.iter().any(|it| *it != 0),
        contents: contents.collect(),
        launch: TracedLaunch {
            global: line.global,
            // PoCL takes 0 for the driver's choice.
            local: Some(line.local).filter(|it| !it.is_empty() && !it.contains(&0)),
            arguments: line.arguments.into_iter().map(traced_argument).collect(),
        },
    }
}

fn traced_argument(argument: Argument) -> TracedArgument {
    let has_contents = argument.contents.is_some();
    let image = argument
        .image
        .zip(image_format(argument.order, argument.channel));
    let sampler = argument
        .sampler
        .and_then(|[normalized, addressing, filter]| {
            let [addressing, filter] = sampler_words(addressing, filter)?;
            let normalized = if normalized == 0 {
                ""
            } else {
                "normalized = true, "
            };
            Some(format!(
                "{{ {normalized}addressing = \"{addressing}\", filter = \"{filter}\" }}"
            ))
        });
    let buffer = argument.buffer.map(|bytes| TracedArgument::Buffer {
        bytes,
        has_contents,
    });
    buffer
        .or(argument.value.map(TracedArgument::Value))
        .or(argument.nothing.map(TracedArgument::Nothing))
        .or(image.map(|(size, format)| TracedArgument::Image(size, format)))
        .or(sampler.map(TracedArgument::Sampler))
        .unwrap_or(TracedArgument::Unknown)
}
