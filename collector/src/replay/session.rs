//! Starts a replaying process and reads its outcomes.

use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use super::{Batch, Outcome, ReplayRequest, SUBCOMMAND, Through};
use crate::programs::wait_for_group;

/// A replay that ended.
#[derive(Debug)]
pub struct FinishedReplay {
    /// The exit status; none if it was killed after its time limit.
    pub status: Option<ExitStatus>,
    /// An outcome for each workload, in order; fewer where a workload ended the process or made it give up.
    pub outcomes: Vec<Outcome>,
    /// The end of its standard error, mostly the profiler's output.
    pub stderr: String,
}

impl FinishedReplay {
    /// The index of the workload at which the replay of `workloads` workloads ended, and why; `how` gives the reason where
    /// that workload ended the process. None if all were replayed.
    pub fn fault(&self, workloads: usize, how: impl FnOnce() -> String) -> Option<(usize, String)> {
        let replayed = self.outcomes.len();
        if replayed == workloads {
            return None;
        }
        let gave_up = self.status.is_some_and(|status| status.success());
        match self.outcomes.last().map(|outcome| &outcome.time_s) {
            Some(Err(reason)) if gave_up => Some((replayed - 1, reason.clone())),
            _ => Some((replayed, how())),
        }
    }
}

/// Bytes kept of the standard error.
const STDERR_BYTES: u64 = 64 << 10;

/// Replays a batch in a process of its own, started by the command line `before` (a profiler; may be empty). Waits
/// until it ends or its time is over.
///
/// # Errors
/// The process can't be started.
pub fn replay(
    batch: Batch<'_>,
    before: &[OsString],
    through: Through,
) -> io::Result<FinishedReplay> {
    let [request, outcomes, stderr] =
        ["replay.json", "replayed.jsonl", "said"].map(|file| batch.children.scratch().join(file));
    let _ = fs::remove_file(&outcomes); // of the time before
    let content = ReplayRequest {
        parent: std::process::id(),
        outcomes: outcomes.clone(),
        through,
        device: batch.device,
        workloads: batch.workloads.to_vec(),
    };
    fs::write(&request, serde_json::to_vec(&content)?)?;
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
        .envs(batch.children.environment().iter().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        // Into a file: a pipe stays open as long as anything that was left behind.
        .stderr(File::create(&stderr)?)
        // Killed as a group: a profiler's child outlives it.
        .process_group(0);
    let status = wait_for_group(&mut command.spawn()?, batch.limit)?;
    Ok(FinishedReplay {
        status,
        outcomes: read_outcomes(&outcomes),
        stderr: end_of(&stderr).unwrap_or_default(),
    })
}

/// Reads the complete lines of outcomes: a killed process may have left half of one.
fn read_outcomes(path: &PathBuf) -> Vec<Outcome> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines();
    lines
        .map_while(|line| serde_json::from_str(line).ok())
        .collect()
}

fn end_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(STDERR_BYTES)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(String::from_utf8_lossy(&end).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_stopped_a_replay_is_at_fault() {
        let outcome = |time_s: Result<f64, &str>| Outcome {
            profiled: None,
            time_s: time_s.map_err(str::to_owned),
        };
        let finished = |status, outcomes| FinishedReplay {
            status,
            outcomes,
            stderr: String::new(),
        };
        let (good, bad) = (|| outcome(Ok(1e-6)), || outcome(Err("bad access")));
        let success = Some(ExitStatus::default());
        let fault = |finished: FinishedReplay| finished.fault(2, || "it hung".to_owned());
        assert_eq!(fault(finished(success, vec![bad(), good()])), None);
        assert_eq!(
            fault(finished(success, vec![bad()])),
            Some((0, "bad access".to_owned()))
        );
        // The first had failed, and the second took the process along.
        assert_eq!(
            fault(finished(None, vec![bad()])),
            Some((1, "it hung".to_owned()))
        );
    }
}
