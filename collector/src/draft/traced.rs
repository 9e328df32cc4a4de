//! Folders of the kernels that a program launches, each with its largest launch.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use kerncast_analysis::draft::TracedArgument;

use super::{Draft, Source, make_folder};
use crate::{
    UsageError,
    clang::{Clang, known_options},
    progress::Activity,
    trace::{Trace, TraceError, TracedKernel},
};

/// A kernel that a program launched, and its draft.
pub struct TracedDraft {
    /// The trace of the kernel.
    pub kernel: TracedKernel,
    /// Its folder, or why there is none.
    pub draft: Result<Draft>,
}

/// Runs a program to its end and drafts a folder in `out` for each kernel that it launches, or for `function` alone.
/// The folders have the contents of buffers where `with_contents`.
///
/// # Errors
/// `out` can't be written, the program can't be traced, or it launched no such kernel.
pub fn draft_traced_kernels(
    clang: &Clang,
    program: &[OsString],
    with_contents: bool,
    function: Option<&str>,
    out: &Path,
) -> Result<Vec<TracedDraft>> {
    // Before the program runs, which may take long.
    let is_writable = fs::create_dir_all(out).and_then(|()| tempfile::tempdir_in(out));
    is_writable.with_context(|| format!("cannot write to {}", out.display()))?;
    let trace = {
        let _activity = Activity::of_another_program();
        let trace = Trace::run(program, with_contents);
        trace.map_err(|why| match why {
            TraceError::Start(..) => UsageError(why.to_string()).into(),
            other => anyhow::Error::from(other),
        })?
    };
    let program = program[0].to_string_lossy();
    let status = trace.status;
    if !status.success() {
        say!("kerncast: {program} ended with {status}; what it launched until then is kept");
    }
    let is_asked = |it: &&TracedKernel| function.is_none_or(|name| name == it.function);
    let kernels: Vec<&TracedKernel> = trace.kernels.iter().filter(is_asked).collect();
    if kernels.is_empty() {
        if let Some(function) = function {
            let others = trace.kernels.iter().map(|it| &*it.function);
            let others = others.collect::<Vec<_>>().join(", ");
            bail!("{program} launched no kernel `{function}`; those that it launched: {others}");
        }
        bail!(
            "{program} launched no kernel as far as its OpenCL loader tells. Loaders that tell are ocl-icd from version \
             2.3 on (Debian's ocl-icd-libopencl1), and Khronos' from 3.0 on"
        );
    }
    let mut sources = Sources::default();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let drafts = kernels.into_iter().map(|kernel| {
        // Kernels of several sources may have one name.
        let count = names.entry(&kernel.function).or_default();
        *count += 1;
        let name = match *count {
            1 => kernel.function.clone(),
            number => format!("{}_{number}", kernel.function),
        };
        TracedDraft {
            kernel: kernel.clone(),
            draft: draft(clang, kernel, &name, out, &mut sources),
        }
    });
    Ok(drafts.collect())
}

/// Sources of the trace by file; each is read once.
#[derive(Default)]
struct Sources(BTreeMap<PathBuf, Result<(PathBuf, Source), String>>);

impl Sources {
    /// Reads the file: with its includes inserted, and as clang parses it.
    fn read(&mut self, clang: &Clang, file: &Path, options: &str) -> Result<&(PathBuf, Source)> {
        let read = || -> Result<(PathBuf, Source)> {
            let options = known_options(options);
            let text = clang.with_includes(file, &options, &env::current_dir()?)?;
            let whole = file.with_extension("whole.cl");
            fs::write(&whole, text)?;
            let folder = file.parent().context("a file of the trace")?;
            let source = Source::read(clang, &whole, &options, folder)?;
            Ok((whole, source))
        };
        let entry = self.0.entry(file.to_owned());
        let source = entry.or_insert_with(|| read().map_err(|why| format!("{why:#}")));
        Ok(source.as_ref().map_err(|why| UsageError(why.clone()))?)
    }
}

/// Drafts the folder of a traced kernel.
fn draft(
    clang: &Clang,
    kernel: &TracedKernel,
    name: &str,
    out: &Path,
    sources: &mut Sources,
) -> Result<Draft> {
    let Some(source) = &kernel.source else {
        bail!(
            "{name}: its program was made of a binary or of SPIR-V; empty the program's cache of kernels"
        );
    };
    if kernel.has_offset {
        bail!("{name}: its ids do not begin at 0, which no launch file can say");
    }
    let mut arguments = kernel.launch.arguments.iter();
    if let Some(place) = arguments.position(|it| *it == TracedArgument::Unknown) {
        bail!(
            "{name}: argument {place} is shared virtual memory, or an image of a kind that no launch file can say"
        );
    }
    let (whole, source) = sources.read(clang, source, &kernel.options)?;
    let file = format!("{name}.cl");
    let (launch_file, contents) =
        source.launch_file(&kernel.function, &file, Some(&kernel.launch))?;
    let mut files = vec![(file, fs::read(whole)?)];
    for numbers in contents {
        let buffer = fs::read(&kernel.contents[&numbers.argument])?;
        files.push((numbers.file, npy(&numbers.dtype, &buffer, numbers.bytes)));
    }
    make_folder(out, name, &launch_file, &files)
}

/// A NumPy file (numpy.lib.format, version 1.0) of one dimension. `element`: NumPy's name of the type; `bytes`: its
/// size.
fn npy(element: &str, numbers: &[u8], bytes: usize) -> Vec<u8> {
    let count = numbers.len() / bytes;
    let numbers = &numbers[..count * bytes];
    let mut header =
        format!("{{'descr': '{element}', 'fortran_order': False, 'shape': ({count},), }}");
    // The numbers begin at a multiple of 64.
    let padding = (10 + header.len() + 1).next_multiple_of(64) - (10 + header.len() + 1);
    header += &" ".repeat(padding);
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap_or(u16::MAX);
    [
        b"\x93NUMPY\x01\x00",
        &length.to_le_bytes()[..],
        header.as_bytes(),
        numbers,
    ]
    .concat()
}
