//! Runs one pass: a process of rocprofv3.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::ExitStatus,
    time::Duration,
};

use kerncast_profilers::Launch;

use super::{passes, tables};
use crate::{programs::Tool, providers::BatchResult, replay};

/// The beginning of the names of a pass's files.
const FILES: &str = "pass";

/// The counters and the time of a launch.
#[derive(Debug)]
pub(super) struct Row {
    /// The launch, with its counters.
    pub launch: Launch,
    /// Seconds of the launch according to the kernel trace.
    pub traced_s: Option<f64>,
}

/// Launches a batch once under rocprofv3. Each workload has its row, or why it was not launched.
///
/// # Errors
/// rocprofv3 gave no usable output.
pub(super) fn run(
    tool: &Tool,
    batch: replay::Batch<'_>,
    pass: &passes::Pass,
) -> Result<BatchResult<Result<Row, String>>, String> {
    let folder = batch.children.scratch().join(super::NAME);
    let _ = fs::remove_dir_all(&folder); // of the pass before
    let before = command_line(tool, pass, &folder);
    let finished = replay::replay(batch, &before, replay::Through::OpenCl)
        .map_err(|error| format!("{}: {error}", tool.path.display()))?;
    let ending = how_it_ended(&finished, batch.limit);
    if let Some((place, fault)) = finished.fault(batch.workloads.len(), || ending.clone()) {
        return Ok(BatchResult::Fault(place, fault));
    }
    let functions = finished.outcomes.iter();
    let functions = functions.filter_map(|it| it.profiled.as_deref());
    let rows = match functions.collect::<Vec<_>>() {
        none if none.is_empty() => Vec::new(),
        functions => rows(&folder, &functions, &ending)?,
    };
    let mut rows = rows.into_iter();
    let matched = finished.outcomes.into_iter().map(|outcome| {
        let row = outcome.profiled.and_then(|_| rows.next());
        let unseen = || "it was not launched".to_owned();
        outcome.time_s.and_then(|_| row.ok_or_else(unseen))
    });
    Ok(BatchResult::All(matched.collect()))
}

/// The words before a program's own command line that have rocprofv3 write a pass's tables to `folder`.
fn command_line(tool: &Tool, pass: &passes::Pass, folder: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![tool.path.clone().into(), "--pmc".into()];
    words.extend(passes::names(pass).map(OsString::from));
    words.extend(["--kernel-trace", "--output-format", "csv", "-d"].map(OsString::from));
    words.push(folder.into());
    words.extend(["-o", FILES, "--"].map(OsString::from));
    words
}

/// The possible paths of a pass's table: some versions number even a single pass.
fn files(folder: &Path, table: &str) -> [PathBuf; 2] {
    let file = format!("{FILES}_{table}.csv");
    [folder.join(&file), folder.join("pass_1").join(file)]
}

fn how_it_ended(finished: &replay::FinishedReplay, limit: Duration) -> String {
    let ending = match finished.status {
        None => format!("rocprofv3 hung: killed after {} s", limit.as_secs_f64()),
        Some(status) => format!("rocprofv3 ended with {}", in_words(status)),
    };
    match last_words(&finished.stderr) {
        Some(words) => format!("{ending} (its last words: {words})"),
        None => ending,
    }
}

/// The rows of the launches of `functions` in the tables in `folder`.
fn rows(folder: &Path, functions: &[&str], how: &str) -> Result<Vec<Row>, String> {
    let read = |table| {
        let files = files(folder, table);
        files.iter().find_map(|file| fs::read_to_string(file).ok())
    };
    let counters = read("counter_collection").ok_or_else(|| {
        format!(
            "{how} and wrote no counter_collection.csv: this device has none of the counters, or its \
             OpenCL driver does not go through HSA, which is what rocprofv3 sees"
        )
    })?;
    let launches = tables::read_counters(&counters, functions)
        .map_err(|problem| format!("{how}; in its counter_collection.csv, {problem}"))?;
    let traced = read("kernel_trace").map(|trace| tables::read_times(&trace, functions));
    let traced = traced.unwrap_or_default();
    let rows = launches.into_iter().enumerate().map(|(place, launch)| Row {
        launch,
        traced_s: traced.get(place).copied(),
    });
    Ok(rows.collect())
}

/// An exit status in words. Rust prints `exit status: 0`.
fn in_words(status: ExitStatus) -> String {
    status.to_string().replace("exit status: ", "exit status ")
}

/// The line of the output that names an error of the profiler's library, else the last line.
fn last_words(stderr: &str) -> Option<String> {
    let mut lines = stderr.lines().rev().map(str::trim);
    let error_line = lines.clone().find(|line| line.contains("error code"));
    let line = error_line.or_else(|| lines.find(|line| !line.is_empty()))?;
    Some(line.chars().take(300).collect())
}
