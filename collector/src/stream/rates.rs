//! The rates of streams through a device, measured once, and the runs that they forecast since.

use std::{fs, thread};

use anyhow::Result;
use chrono::Utc;
use kerncast_offload::{NewStreamRates, Run};
use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{Effort, Rates, measure};
use kerncast_wire::{Agent, Origin};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::device::{path, write};
use crate::{device::sampled, progress::say};

/// Extensions of the files with rates, and with the runs since.
const RATES: &str = "json";
const RUNS: &str = "runs.json";

/// The newest runs are remembered, so many.
const MAX_RUNS: usize = 200;

/// A device's rates with the runs that they forecast.
pub struct DeviceRates {
    /// The id under which they are uploaded.
    pub(super) id: Uuid,
    rates: Rates,
    /// The newest first.
    runs: Vec<Run>,
}

impl DeviceRates {
    fn new(device: &OpenClDevice, rates: Rates) -> Self {
        Self {
            id: rates_id(device, &rates),
            rates,
            runs: read_runs(&device.facts.name).unwrap_or_default(),
        }
    }

    /// The rates, with the runs as further checks of them.
    pub fn with_runs(&self) -> Rates {
        self.rates.with_runs(self.id, &self.runs)
    }

    /// Keeps a run for the next forecast. The stream itself is done: where this fails, it only warns.
    pub(super) fn keep_run(mut self, run: Run, device: &str) {
        // Another stream may have ended meanwhile.
        self.runs = read_runs(device).unwrap_or_default();
        self.runs.insert(0, run);
        self.runs.retain(|it| it.rates == self.id);
        self.runs.truncate(MAX_RUNS);
        if let Some(path) = path(device, RUNS)
            && let Err(why) = write(&self.runs, &path)
        {
            let path = path.display();
            say!("warning: {path}: {why}; later forecasts do not know of this run");
        }
    }
}

/// The runs that are remembered; none where their file can't be read.
fn read_runs(device: &str) -> Option<Vec<Run>> {
    serde_json::from_slice(&fs::read(path(device, RUNS)?).ok()?).ok()
}

/// The device's rates, from their file or measured now; with `anew` always measured.
pub fn rates(device: &OpenClDevice, anew: bool) -> Result<DeviceRates> {
    if let Some(rates) = stored_rates(device).filter(|_| !anew) {
        return Ok(rates);
    }
    let name = &device.facts.name;
    say!(
        "{name}: measuring once what the way to it, the device, one core and all cores can do, which takes some minutes (five \
         on two cores). The answer comes after that; later ones take seconds"
    );
    let rates = measure(device, &Effort::of(device), say)?;
    if let Some(path) = path(&device.facts.name, RATES)
        && let Err(why) = write(&rates, &path)
    {
        let path = path.display();
        say!("warning: {path}: {why}; the next time this is measured again");
    }
    Ok(DeviceRates::new(device, rates))
}

/// The rates as they are uploaded: measured when their file was written, always with the same id.
pub fn to_upload(device: &OpenClDevice, rates: &DeviceRates, agent: Agent) -> NewStreamRates {
    let modified =
        path(&device.facts.name, RATES).and_then(|it| fs::metadata(it).ok()?.modified().ok());
    NewStreamRates {
        id: rates.id,
        measured_at: modified.map_or_else(Utc::now, Into::into),
        agent,
        device: sampled(&device.facts),
        rates: rates.rates.clone(),
        origin: Origin::Measured,
    }
}

/// An id made of the rates themselves.
fn rates_id(device: &OpenClDevice, rates: &Rates) -> Uuid {
    let vendor = sampled(&device.facts).vendor;
    let content = serde_json::to_vec(&(vendor, rates)).expect("numbers and names");
    let mut id = [0; 16];
    id.copy_from_slice(&Sha256::digest(content)[..16]);
    Uuid::new_v8(id)
}

/// The rates that were measured before, with this driver and as many cores.
pub(super) fn stored_rates(device: &OpenClDevice) -> Option<DeviceRates> {
    let text = fs::read(path(&device.facts.name, RATES)?).ok()?;
    let rates: Rates = serde_json::from_slice(&text).ok()?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let is_current = (&rates.device, &rates.driver)
        == (&device.facts.name, &device.facts.driver_version)
        && rates.threads == threads
        // An older program did not measure how long streams take to start.
        && !rates.starts.is_empty();
    is_current.then(|| DeviceRates::new(device, rates))
}
