//! LLVM's text of a kernel's source from Oclgrind's compiler.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use kerncast_opencl::OpenClDevice;
use kerncast_suite::load;
use rustix::{fs::OFlags, process::getuid};

use crate::{
    prepared_launch::{RunError, build, find_launch},
    workload::WorkloadKey,
};

/// The folder where Oclgrind puts its dumps, whatever TMPDIR says.
const DUMPS: &str = "/tmp";

/// Compiles a workload's source by Oclgrind to LLVM's text and launches nothing.
///
/// Oclgrind writes its input and output into files beside one another. A mark in the source shows which files are ours.
/// Oclgrind names them by the time, so two processes may take the same name: a lock lets one at a time compile.
///
/// # Errors
/// The source can't be read or compiled.
pub(super) fn compile(oclgrind: &OpenClDevice, workload: &WorkloadKey) -> Result<String, RunError> {
    let kernel = load(&workload.folder)?.remove(0);
    let (_, launch) = find_launch(&kernel, &workload.variant, &workload.parameters)?;
    let _lock =
        lock().map_err(|error| RunError::Llvm(format!("{DUMPS} can't be used: {error}")))?;
    let mark = format!("\n// kerncast {}\n", uuid::Uuid::now_v7());
    let built = build(&oclgrind.context()?, &launch, &kernel.folder, &mark);
    let mut text = None;
    for dump in dumps(&mark) {
        text = fs::read_to_string(dump.with_extension("ll")).ok().or(text);
        for extension in ["cl", "bc", "ll"] {
            let _ = fs::remove_file(dump.with_extension(extension));
        }
    }
    built?;
    text.ok_or_else(|| RunError::Llvm("Oclgrind has left no LLVM text".to_owned()))
}

/// A lock that one process of this user holds at a time.
fn lock() -> io::Result<File> {
    let name = format!("kerncast-oclgrind-{}.lock", getuid().as_raw());
    let lock = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .mode(0o600)
        // Whoever has put a link there would have a file made elsewhere.
        .custom_flags(i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or_default())
        .open(Path::new(DUMPS).join(name))?;
    lock.lock()?;
    Ok(lock)
}

/// Dumped sources with this mark.
fn dumps(mark: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(DUMPS).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let source = (name.starts_with("oclgrind_") && name.ends_with(".cl"))
            .then(|| fs::read_to_string(path).ok());
        source
            .flatten()
            .is_some_and(|source| source.trim_end_matches('\0').ends_with(mark))
    };
    entries.map(|entry| entry.path()).filter(is_ours).collect()
}
