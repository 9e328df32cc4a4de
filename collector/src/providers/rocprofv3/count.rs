//! All passes over a batch of workloads.

use std::collections::VecDeque;

use kerncast_profilers::{Launch, catalogue::amd::DURATION};
use kerncast_wire::Reading;

use super::{
    NAME,
    pass::Row,
    passes::{CHECK, Pass, passes},
    tool::Tool,
};
use crate::{
    device::AMD,
    providers::{Counted, Profiler, ahead::BATCH, refuse},
    replay::Batch,
};

/// rocprofv3, and what this machine's device can count together.
pub struct Rocprof {
    tool: Tool,
    passes: Vec<Pass>,
    /// Whether the passes were tried on a workload.
    settled: bool,
}

impl Rocprof {
    /// Nothing is known of the device yet.
    pub fn new(tool: Tool) -> Self {
        Self {
            tool,
            passes: passes(),
            settled: false,
        }
    }

    /// Counts everything but the check, and halves a pass that fails until it works or a single
    /// counter is to blame, which is then given up.
    ///
    /// rocprofv3 aborts, and on some versions hangs, where a pass asks too much of a chip (error 38).
    fn settle(&mut self, batch: Batch<'_>, rows: &[Result<Row, String>], readings: &mut [Reading]) {
        let mut open = VecDeque::from(std::mem::take(&mut self.passes));
        while let Some(mut pass) = open.pop_front() {
            if let Ok(Counted::All(more)) = self.tool.pass(batch, &pass) {
                add(rows, &more, &pass, readings);
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

    /// One, until it is known which passes work: those that don't may cost their whole limit.
    fn most(&self) -> usize {
        if self.settled { BATCH } else { 1 }
    }

    fn count(&mut self, batch: Batch<'_>) -> Result<Counted, String> {
        // The check alone: where that fails, it is not for a counter's sake.
        let rows = match self.tool.pass(batch, &Pass::new())? {
            Counted::Fault(place, fault) => return Ok(Counted::Fault(place, fault)),
            Counted::All(rows) => rows,
        };
        let mut readings: Vec<Reading> = rows.iter().map(first).collect();
        if readings.iter().all(|reading| reading.refusal.is_some()) {
            return Ok(Counted::All(readings));
        }
        if !self.settled {
            self.settle(batch, &rows, &mut readings);
            return Ok(Counted::All(readings));
        }
        for pass in &self.passes {
            // What a failed pass would have counted is absent.
            if let Ok(Counted::All(more)) = self.tool.pass(batch, pass) {
                add(&rows, &more, pass, &mut readings);
            }
        }
        Ok(Counted::All(readings))
    }
}

/// The first pass's reading.
fn first(row: &Result<Row, String>) -> Reading {
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

/// Adds what one more pass counted, where it saw the same launches as the first.
fn add(
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
            let found = value(&more.launch, &counter.name);
            let counted = found.map(|found| (counter.name.clone(), found));
            reading.counters.extend(counted);
        }
    }
}

fn value(launch: &Launch, counter: &str) -> Option<f64> {
    launch.counters.get(NAME)?.get(counter).copied()
}
