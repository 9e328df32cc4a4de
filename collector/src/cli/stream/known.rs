//! What is known of a device's streams: its rates, and the runs that these forecast since.

use std::{fs, thread};

use anyhow::Result;
use chrono::Utc;
use kerncast_collector::device::sampled;
use kerncast_offload::{NewStreamRates, Run};
use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Effort, Rates, measure};
use kerncast_wire::{Agent, Origin};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    super::terminal,
    device::{keep, path},
};

/// Ends of files: of rates, and of runs since.
const WHOLE: &str = "json";
const RUNS: &str = "runs.json";

/// So many runs are remembered, the newest.
const MOST: usize = 200;

/// Rates with the runs that were done by them.
pub(in super::super) struct Known {
    /// As they are uploaded.
    pub(super) id: Uuid,
    /// As they were measured.
    pub(super) rates: Rates,
    /// The newest first.
    runs: Vec<Run>,
}

impl Known {
    pub(super) fn new(device: &OpenClDevice, rates: Rates) -> Self {
        Self {
            id: id(device, &rates),
            rates,
            runs: runs(device).unwrap_or_default(),
        }
    }

    /// The rates, of which runs are checks too.
    pub(in super::super) fn checked(&self) -> Rates {
        self.rates.with_runs(self.id, &self.runs)
    }

    /// Keeps a run for the next forecast. What was asked for is done, so that nothing of this fails it.
    pub(super) fn keep(mut self, run: Run, device: &OpenClDevice) {
        // Another stream may have ended meanwhile.
        self.runs = runs(device).unwrap_or_default();
        self.runs.insert(0, run);
        self.runs.retain(|it| it.rates == self.id);
        self.runs.truncate(MOST);
        if let Some(path) = path(device, RUNS)
            && let Err(why) = keep(&self.runs, &path)
        {
            let path = path.display();
            terminal::say(&format!(
                "warning: {path}: {why}; later forecasts do not know of this run"
            ));
        }
    }
}

/// The runs that are remembered; a file that can't be read is as good as none.
fn runs(device: &OpenClDevice) -> Option<Vec<Run>> {
    serde_json::from_slice(&fs::read(path(device, RUNS)?).ok()?).ok()
}

/// What was measured of the device, now or before; `anew` measures in any case.
pub(in super::super) fn rates(device: &OpenClDevice, anew: bool) -> Result<Known> {
    if let Some(known) = kept(device).filter(|_| !anew) {
        return Ok(known);
    }
    let name = &device.facts.name;
    terminal::say(&format!(
        "{name}: measuring once what the way to it, the device, one core and all cores can do, which takes some minutes (five \
         on two cores). The answer comes after that; later ones take seconds"
    ));
    let rates = measure(device, &Effort::of(device), terminal::say)?;
    if let Some(path) = path(device, WHOLE)
        && let Err(why) = keep(&rates, &path)
    {
        let path = path.display();
        terminal::say(&format!(
            "warning: {path}: {why}; the next time this is measured again"
        ));
    }
    Ok(Known::new(device, rates))
}

/// The rates as they are uploaded: measured when their file was written, and the same id whenever they are sent.
pub(in super::super) fn upload(
    device: &OpenClDevice,
    known: &Known,
    agent: Agent,
) -> NewStreamRates {
    let written = path(device, WHOLE).and_then(|it| fs::metadata(it).ok()?.modified().ok());
    NewStreamRates {
        id: known.id,
        measured_at: written.map_or_else(Utc::now, Into::into),
        agent,
        device: sampled(&device.facts),
        rates: known.rates.clone(),
        origin: Origin::Measured,
    }
}

/// Of rates, by what they are.
fn id(device: &OpenClDevice, rates: &Rates) -> Uuid {
    let vendor = sampled(&device.facts).vendor;
    let content = serde_json::to_vec(&(vendor, rates)).expect("numbers and names");
    let mut id = [0; 16];
    id.copy_from_slice(&Sha256::digest(content)[..16]);
    Uuid::new_v8(id)
}

/// What was measured before, by this driver and on as many cores.
pub(super) fn kept(device: &OpenClDevice) -> Option<Known> {
    let text = fs::read(path(device, WHOLE)?).ok()?;
    let rates: Rates = serde_json::from_slice(&text).ok()?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let same = (&rates.device, &rates.driver) == (&device.facts.name, &device.facts.driver_version);
    // An older program did not measure how long streams take to start.
    let same = same && rates.threads == threads && !rates.starts.is_empty();
    same.then(|| Known::new(device, rates))
}
