//! Counts a batch of workloads in several passes.

use std::{collections::VecDeque, iter, path::PathBuf};

use kerncast_profilers::{Launch, catalogue::amd::DURATION};
use kerncast_wire::Reading;

use super::{
    NAME,
    pass::{self, Row},
    passes::{CHECK, Pass, passes},
};
use crate::{
    device::AMD,
    programs::{Tool, versioned_folders},
    providers::{BatchResult, Profiler, batched::MOST_WORKLOADS, refuse},
    replay::Batch,
};

/// ROCm's packages link one version here; each version has a folder `rocm-VERSION` beside it.
const ROCM_LINK: &str = "/opt/rocm";

/// rocprofv3, and the sets of counters that this machine's device can count together.
pub struct Rocprof {
    tool: Tool,
    passes: Vec<Pass>,
    /// Whether the passes have been tried on a workload.
    settled: bool,
}

impl Rocprof {
    /// Finds rocprofv3: the file or folder that KERNCAST_ROCPROFV3 names, PATH, and ROCm's folders. The device's passes
    /// are still untried.
    ///
    /// # Errors
    /// rocprofv3 is not there or does not run; the message says what to do.
    pub fn find() -> Result<Self, String> {
        let installed = iter::once(ROCM_LINK.into()).chain(versioned_folders("/opt", "rocm"));
        let folders = installed.map(|folder: PathBuf| folder.join("bin"));
        let missing = format!(
            "no `{NAME}` on PATH or in {ROCM_LINK}*/bin. It comes with ROCm 6.2 and later (package rocprofiler-sdk)"
        );
        Tool::find(NAME, "KERNCAST_ROCPROFV3", folders, &missing, version).map(Self::by)
    }

    /// The program at `path`.
    ///
    /// # Errors
    /// The program does not run, or prints no version.
    pub fn at(path: PathBuf) -> Result<Self, String> {
        Tool::at(path, version).map(Self::by)
    }

    fn by(tool: Tool) -> Self {
        Self {
            tool,
            passes: passes(),
            settled: false,
        }
    }

    /// Tries all passes on a batch. A failing pass is halved until it works or has a single counter left, which is then
    /// given up.
    ///
    /// rocprofv3 aborts, or on some versions hangs, where a pass asks too much of a chip (error 38).
    fn settle(&mut self, batch: Batch<'_>, rows: &[Result<Row, String>], readings: &mut [Reading]) {
        let mut open = VecDeque::from(std::mem::take(&mut self.passes));
        while let Some(mut pass) = open.pop_front() {
            if let Ok(BatchResult::All(more)) = pass::run(&self.tool, batch, &pass) {
                add_pass(rows, &more, &pass, readings);
                self.passes.push(pass);
            } else if pass.len() > 1 {
                open.push_front(pass.split_off(pass.len() / 2));
                open.push_front(pass);
            }
        }
        self.settled = true;
    }
}

impl Profiler for Rocprof {
    const NAME: &'static str = NAME;
    const VENDOR: &'static str = AMD;

    fn version(&self) -> &str {
        &self.tool.version
    }

    /// One workload until the passes have been tried, because a failing pass may use up its whole limit.
    fn most(&self) -> usize {
        if self.settled { MOST_WORKLOADS } else { 1 }
    }

    fn count(&mut self, batch: Batch<'_>) -> Result<BatchResult, String> {
        // The check alone: where that fails, it is not for a counter's sake.
        let rows = match pass::run(&self.tool, batch, &Pass::new())? {
            BatchResult::Fault(place, fault) => return Ok(BatchResult::Fault(place, fault)),
            BatchResult::All(rows) => rows,
        };
        let mut readings: Vec<Reading> = rows.iter().map(first_reading).collect();
        if readings.iter().all(|reading| reading.refusal.is_some()) {
            return Ok(BatchResult::All(readings));
        }
        if !self.settled {
            self.settle(batch, &rows, &mut readings);
            return Ok(BatchResult::All(readings));
        }
        for pass in &self.passes {
            // What a failed pass would have counted is absent.
            if let Ok(BatchResult::All(more)) = pass::run(&self.tool, batch, pass) {
                add_pass(&rows, &more, pass, &mut readings);
            }
        }
        Ok(BatchResult::All(readings))
    }
}

/// The reading of the first pass.
fn first_reading(row: &Result<Row, String>) -> Reading {
    let row = match row {
        Ok(row) => row,
        Err(reason) => return refuse(reason),
    };
    let Some(waves) = value(&row.launch, CHECK) else {
        return refuse(format!(
            "rocprofv3 did not count {CHECK}, which every device has"
        ));
    };
    let mut reading = Reading::default();
    let duration = row.traced_s.map(|seconds| (DURATION, seconds * 1e9));
    let counters = [(CHECK, waves)].into_iter().chain(duration);
    let counters = counters.map(|(name, value)| (name.to_owned(), value));
    reading.counters.extend(counters);
    reading
}

/// Adds the counters of a further pass, where it saw the same launches as the first.
fn add_pass(
    first: &[Result<Row, String>],
    more: &[Result<Row, String>],
    pass: &Pass,
    readings: &mut [Reading],
) {
    for ((reading, first), more) in readings.iter_mut().zip(first).zip(more) {
        let (None, Ok(first), Ok(more)) = (&reading.refusal, first, more) else {
            continue;
        };
        let waves = [first, more].map(|row| value(&row.launch, CHECK));
        if waves[0] != waves[1] {
            let [one, other] = waves.map(|it| it.map_or("missing".to_owned(), |n| n.to_string()));
            *reading = refuse(format!(
                "{CHECK} is {one} in one pass and {other} in another: they did not see the same \
                 launch, or another process used the device"
            ));
            continue;
        }
        for counter in pass {
            let value = value(&more.launch, &counter.name);
            let counter_value = value.map(|it| (counter.name.clone(), it));
            reading.counters.extend(counter_value);
        }
    }
}

fn value(launch: &Launch, counter: &str) -> Option<f64> {
    launch.counters.get(NAME)?.get(counter).copied()
}

/// The version as `1.0.0 (ROCm 7.0.2)`, from lines like `    version: 1.0.0` and `    rocm_version: 7.0.2`.
fn version(output: &str) -> Option<String> {
    let value = |key: &str| {
        let mut entries = output.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = entries.find(|(name, _)| name.trim() == key)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    };
    let own = value("version")?;
    Some(match value("rocm_version") {
        Some(rocm) => format!("{own} (ROCm {rocm})"),
        None => own.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version() {
        // As the tool's source prints them.
        let output = "             version: 1.0.0\n        git_revision: 1b1610fc\n         system_name: \
                    Linux\n        rocm_version: 7.0.2\n";
        assert_eq!(version(output).as_deref(), Some("1.0.0 (ROCm 7.0.2)"));
        let older = "             version: 0.4.0\n      system_version: 6.8.0\n";
        assert_eq!(version(older).as_deref(), Some("0.4.0"));
        assert_eq!(version("usage: rocprofv3 [-h]"), None);
    }
}
