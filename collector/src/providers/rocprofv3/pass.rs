//! One pass: a process of rocprofv3.

use std::{fs, path::Path, process::ExitStatus, time::Duration};

use kerncast_profilers::Launch;

use super::{
    passes::Pass,
    tables,
    tool::{self, Tool},
};
use crate::{
    child::Children,
    replay::{Ended, Through, replay},
    workload::Target,
};

/// What a pass gave.
pub(super) enum Ran {
    /// Of each target its row, or why it was not launched.
    All(Vec<Result<Row, String>>),
    /// The target in this place took rocprofv3 along.
    Fault(usize, String),
}

/// A launch, counted.
#[derive(Debug)]
pub(super) struct Row {
    /// With its counters.
    pub launch: Launch,
    /// What the kernel trace says that it took, in seconds.
    pub traced_s: Option<f64>,
}

/// Where and how long.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub children: &'a Children,
    pub device: usize,
    pub targets: &'a [Target],
    pub limit: Duration,
}

impl Run<'_> {
    /// Launches the targets once under rocprofv3.
    ///
    /// # Errors
    /// What rocprofv3 did not give.
    pub(super) fn pass(self, tool: &Tool, pass: &Pass) -> Result<Ran, String> {
        let folder = self.children.scratch().join(super::NAME);
        let _ = fs::remove_dir_all(&folder); // of the pass before
        let before = tool.command_line(pass, &folder);
        let Run {
            children,
            device,
            targets,
            limit,
        } = self;
        let ended = replay(children, &before, Through::OpenCl, device, targets, limit)
            .map_err(|error| format!("{}: {error}", tool.path.display()))?;
        let how = self.how_it_ended(&ended);
        if let Some((place, fault)) = ended.fault(targets.len(), || how.clone()) {
            return Ok(Ran::Fault(place, fault));
        }
        let launched = ended
            .outcomes
            .iter()
            .filter_map(|it| it.profiled.as_deref());
        let rows = match launched.collect::<Vec<_>>() {
            none if none.is_empty() => Vec::new(),
            functions => rows(&folder, &functions, &how)?,
        };
        let mut rows = rows.into_iter();
        let matched = ended.outcomes.into_iter().map(|outcome| {
            let row = outcome.profiled.and_then(|_| rows.next());
            let unseen = || "it was not launched".to_owned();
            outcome.time_s.and_then(|_| row.ok_or_else(unseen))
        });
        Ok(Ran::All(matched.collect()))
    }

    fn how_it_ended(self, ended: &Ended) -> String {
        let how = match ended.status {
            None => format!(
                "rocprofv3 hung: killed after {} s",
                self.limit.as_secs_f64()
            ),
            Some(status) => format!("rocprofv3 ended with {}", in_words(status)),
        };
        match last_words(&ended.said) {
            Some(words) => format!("{how} (its last words: {words})"),
            None => how,
        }
    }
}

/// The rows of the launches of `functions` in the tables that lie in `folder`.
fn rows(folder: &Path, functions: &[&str], how: &str) -> Result<Vec<Row>, String> {
    let read = |table| {
        let files = tool::tables(folder, table);
        files.iter().find_map(|file| fs::read_to_string(file).ok())
    };
    let counted = read("counter_collection").ok_or_else(|| {
        format!(
            "{how} and wrote no counter_collection.csv: this device has none of the counters, or its \
             OpenCL driver does not go through HSA, which is what rocprofv3 sees"
        )
    })?;
    let launches = tables::counted(&counted, functions)
        .map_err(|problem| format!("{how}; in its counter_collection.csv, {problem}"))?;
    let traced = read("kernel_trace").map(|trace| tables::traced(&trace, functions));
    let traced = traced.unwrap_or_default();
    let rows = launches.into_iter().enumerate().map(|(place, launch)| Row {
        launch,
        traced_s: traced.get(place).copied(),
    });
    Ok(rows.collect())
}

/// `exit status: 0` is how Rust prints it.
fn in_words(status: ExitStatus) -> String {
    status.to_string().replace("exit status: ", "exit status ")
}

/// The line that names an error of the profiler's library, else the last one.
fn last_words(said: &str) -> Option<String> {
    let mut lines = said.lines().rev().map(str::trim);
    let named = lines.clone().find(|line| line.contains("error code"));
    let line = named.or_else(|| lines.find(|line| !line.is_empty()))?;
    Some(line.chars().take(300).collect())
}
