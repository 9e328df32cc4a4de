//! The asking side.

use std::{
    env,
    ffi::OsString,
    fs, io,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Outcome, Request, SUBCOMMAND, Target};
use crate::child::Children;

/// A replay that ended.
#[derive(Debug)]
pub struct Ended {
    /// How; none if it was killed because its time was over.
    pub status: Option<ExitStatus>,
    /// One for each target, in order; fewer where one of them ended the process.
    pub outcomes: Vec<Outcome>,
}

/// Replays `targets` on a device in a process of its own, started by the command line `before` (a
/// profiler; may be empty), and waits until it ends or `limit` is over.
///
/// # Errors
/// The process can't be started.
pub fn replay(
    children: &Children,
    before: &[OsString],
    device: usize,
    targets: &[Target],
    limit: Duration,
) -> io::Result<Ended> {
    let [request, outcomes] =
        ["replay.json", "replayed.jsonl"].map(|file| children.scratch().join(file));
    let _ = fs::remove_file(&outcomes); // of the time before
    let wanted = Request {
        parent: std::process::id(),
        outcomes: outcomes.clone(),
        device,
        targets: targets.to_vec(),
    };
    fs::write(&request, serde_json::to_vec(&wanted)?)?;
    let own = [
        env::current_exe()?.into(),
        SUBCOMMAND.into(),
        request.into(),
    ];
    let words = [before, &own].concat();
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .env("LC_ALL", "C")
        .env("RUST_BACKTRACE", "0")
        .envs(children.environment().iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Killed as a group: a profiler's child outlives it.
        .process_group(0);
    let status = run(command, limit)?;
    let outcomes = read_outcomes(&outcomes);
    Ok(Ended { status, outcomes })
}

/// Whole lines only: a process that was killed may have left half of one.
fn read_outcomes(path: &PathBuf) -> Vec<Outcome> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines();
    lines
        .map_while(|line| serde_json::from_str(line).ok())
        .collect()
}

/// None if it was killed because `limit` was over.
fn run(mut command: Command, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            kill(&mut child)?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn kill(child: &mut Child) -> io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        kill_process_group(group, Signal::KILL)?;
    }
    child.wait().map(|_| ())
}
