//! Starts a child process, gives it a job and reads its report.

use std::{
    collections::VecDeque,
    ffi::OsString,
    io::{self, Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{ChildJob, ChildRequest, Report, SUBCOMMAND};
use crate::programs::wait_for_group;

/// The answer of a child.
#[derive(Debug)]
pub struct Answer<T> {
    /// The result of its job.
    pub value: T,
    /// The end of what was printed on its standard output, by drivers and tools.
    pub stdout: String,
}

/// Why a child gave no usable answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// The device can't do it; why. It is no fault of the kernel: the workload is skipped.
    #[error("{0}")]
    Beyond(String),
    /// It was tried and failed; why.
    #[error("{0}")]
    Refused(String),
    /// There is no OpenCL device at all; why, and what to do.
    #[error("{0}")]
    NoOpenCl(String),
    /// The child ran past its time limit and was killed.
    #[error("hung: killed after {} s{}", limit.as_secs_f64(), last_words(last_line))]
    Hung {
        /// The time limit.
        limit: Duration,
        /// The last line of its standard error; empty where it has none.
        last_line: String,
    },
    /// The child was ended by a signal or an exit status.
    #[error("crashed: {}{}", ended(*status), last_words(last_line))]
    Crashed {
        /// The signal or the exit status.
        status: ExitStatus,
        /// The last line of its standard error; empty where it has none.
        last_line: String,
    },
    /// The child could not be started, or its report could not be read.
    #[error("the child process failed: {0}")]
    Process(#[from] io::Error),
}

/// The path of this program; it works even after an upgrade has replaced the file.
const SELF: &str = "/proc/self/exe";
/// Bytes kept of a child's output: enough for Oclgrind's table, bounded for kernels that print.
const KEPT_BYTES: usize = 1 << 20;

/// Starts this program as a child, has it do `job`, and waits until it ends or `limit` is over.
pub(super) fn ask<T: DeserializeOwned>(
    job: ChildJob,
    scratch: &Path,
    environment: &[(&str, OsString)],
    limit: Duration,
) -> Result<Answer<T>, Failure> {
    let report = scratch.join("report.json");
    let _ = std::fs::remove_file(&report);
    let request = ChildRequest {
        parent: std::process::id(),
        report,
        job,
    };
    let mut child = Command::new(SELF)
        .arg0("kerncast")
        .arg(SUBCOMMAND)
        // A panic's message is then its last words.
        .env("RUST_BACKTRACE", "0")
        .envs(environment.iter().cloned())
        // A group of its own, so that a limit also ends what a driver has started (PoCL's linker).
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = tail(child.stdout.take());
    let stderr = tail(child.stderr.take());
    let stdin = child.stdin.take();
    let sent = stdin.map(|mut it| it.write_all(&serde_json::to_vec(&request)?));
    let status = wait_for_group(&mut child, limit)?;
    let (stdout, stderr) = (text(stdout), text(stderr));
    let is_word = |line: &&str| !line.trim().is_empty() && !line.starts_with("note: ");
    let last_line = stderr.lines().rfind(is_word).unwrap_or_default();
    let last_line = last_line.trim().to_owned();
    let Some(status) = status else {
        return Err(Failure::Hung { limit, last_line });
    };
    if !status.success() {
        return Err(Failure::Crashed { status, last_line });
    }
    sent.unwrap_or(Ok(()))?;
    let report = std::fs::read(&request.report)?;
    match serde_json::from_slice(&report).map_err(io::Error::from)? {
        Report::Found(value) => Ok(Answer { value, stdout }),
        Report::NoOpenCl(reason) => Err(Failure::NoOpenCl(reason)),
        Report::Beyond(reason) => Err(Failure::Beyond(reason)),
        Report::Refused(reason) => Err(Failure::Refused(reason)),
    }
}

/// Reads a stream to its end on a thread of its own and keeps the last [`KEPT_BYTES`].
fn tail(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut tail = VecDeque::new();
        let mut chunk = [0; 8192];
        let Some(mut stream) = stream else {
            return Vec::new();
        };
        while let Ok(read) = stream.read(&mut chunk) {
            if read == 0 {
                break;
            }
            tail.extend(&chunk[..read]);
            tail.drain(..tail.len().saturating_sub(KEPT_BYTES));
        }
        tail.into()
    })
}

fn text(tail: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&tail.join().unwrap_or_default()).into_owned()
}

fn last_words(line: &str) -> String {
    if line.is_empty() {
        String::new()
    } else {
        format!("; its last words: {line}")
    }
}

fn ended(status: ExitStatus) -> String {
    let Some(signal) = status.signal() else {
        return status.to_string();
    };
    match signal {
        4 => "SIGILL (illegal instruction)".to_owned(),
        6 => "SIGABRT (aborted)".to_owned(),
        7 => "SIGBUS (bad memory access)".to_owned(),
        8 => "SIGFPE (arithmetic error)".to_owned(),
        9 => "SIGKILL (by the kernel: out of memory?)".to_owned(),
        11 => "SIGSEGV (invalid memory access)".to_owned(),
        _ => format!("signal {signal}"),
    }
}
