//! `kerncast init --from-trace`.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use kerncast_analysis::draft::TracedArgument;
use kerncast_collector::{
    UsageError,
    clang::{Clang, known_options},
    trace::{Trace, TraceError, TracedKernel},
};

use super::{Arguments, Source, make_folder};
use crate::cli::{silence::Still, status::Status, table, terminal};

pub(super) fn init(clang: &Clang, arguments: &Arguments) -> Result<ExitCode> {
    // Before the program runs, which may take long.
    let out = &arguments.out;
    let is_writable = fs::create_dir_all(out).and_then(|()| tempfile::tempdir_in(out));
    is_writable.with_context(|| format!("cannot write to {}", out.display()))?;
    let trace = {
        let _quiet = Still::quiet();
        let trace = Trace::run(&arguments.program, arguments.contents);
        trace.map_err(|why| match why {
            TraceError::Start(..) => UsageError(why.to_string()).into(),
            other => anyhow::Error::from(other),
        })?
    };
    let program = arguments.program[0].to_string_lossy();
    if !trace.status.success() {
        let ended = trace.status;
        terminal::say(&format!(
            "kerncast: {program} ended with {ended}; what it launched until then is kept"
        ));
    }
    let only = |it: &&TracedKernel| {
        arguments
            .function
            .as_ref()
            .is_none_or(|name| *name == it.function)
    };
    let kernels: Vec<&TracedKernel> = trace.kernels.iter().filter(only).collect();
    if kernels.is_empty() {
        if let Some(function) = &arguments.function {
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
    let mut rows = table::new([
        "kernel",
        "launches",
        "largest: global",
        "local",
        "guesses",
        "folder",
    ]);
    let (mut names, mut made, mut problems) = (BTreeMap::new(), 0, Vec::new());
    for kernel in kernels {
        let of_name: &mut usize = names.entry(&kernel.function).or_default();
        *of_name += 1;
        let name = match *of_name {
            1 => kernel.function.clone(),
            number => format!("{}_{number}", kernel.function),
        };
        let folder = folder(clang, kernel, &name, &arguments.out, &mut sources);
        let [guesses, shown] = match &folder {
            Ok((guesses, folder)) => [guesses.to_string(), folder.display().to_string()],
            Err(_) => ["–".to_owned(), "none, see below".to_owned()],
        };
        match folder {
            Ok(_) => made += 1,
            Err(why) => problems.push(format!("kerncast: {why:#}")),
        }
        let launches = kernel.launches.map_or("–".to_owned(), |it| it.to_string());
        let local = kernel
            .launch
            .local
            .as_deref()
            .map_or("driver's".to_owned(), sizes);
        let global = sizes(&kernel.launch.global);
        rows.add_row([
            &*kernel.function,
            &*launches,
            &*global,
            &*local,
            &*guesses,
            &*shown,
        ]);
    }
    table::print(&rows.to_string())?;
    problems.iter().for_each(|it| terminal::say(it));
    if made > 0 {
        let out = arguments.out.display();
        table::print(&format!(
            "Guesses are marked `# guess` in each launch.toml.\nnext: kerncast forecast {out} --on DEVICE, or kerncast run \
             --kernels {out} --no-upload"
        ))?;
    }
    Ok(Status::of_done(made > 0).into())
}

fn sizes(of: &[i64]) -> String {
    of.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" × ")
}

/// Sources by their files: each is read once, whole.
#[derive(Default)]
struct Sources(BTreeMap<PathBuf, Result<(PathBuf, Source), String>>);

impl Sources {
    /// The file with what it includes, and what clang reads in it.
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
        source
            .as_ref()
            .map_err(|why| UsageError(why.clone()).into())
    }
}

/// The folder made of a traced kernel, and how many guesses it has.
fn folder(
    clang: &Clang,
    kernel: &TracedKernel,
    name: &str,
    out: &Path,
    sources: &mut Sources,
) -> Result<(usize, PathBuf)> {
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
        let held = fs::read(&kernel.contents[&numbers.argument])?;
        files.push((numbers.file, npy(&numbers.of, &held, numbers.bytes)));
    }
    let folder = make_folder(out, name, &launch_file, &files)?;
    Ok((launch_file.matches("# guess").count(), folder))
}

/// A NumPy file (numpy.lib.format, version 1.0) of one dimension.
fn npy(of: &str, numbers: &[u8], bytes: usize) -> Vec<u8> {
    let count = numbers.len() / bytes;
    let numbers = &numbers[..count * bytes];
    let mut header = format!("{{'descr': '{of}', 'fortran_order': False, 'shape': ({count},), }}");
    // Numbers begin at a multiple of 64.
    let padding = (10 + header.len() + 1).next_multiple_of(64) - (10 + header.len() + 1);
    header += &" ".repeat(padding);
    header.push('\n');
    let length = u16::try_from(header.len())
        .unwrap_or(u16::MAX)
        .to_le_bytes();
    [
        b"\x93NUMPY\x01\x00",
        &length[..],
        header.as_bytes(),
        numbers,
    ]
    .concat()
}
