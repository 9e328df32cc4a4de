//! Rates of streams through a device, measured once, and later runs that they forecast.

use std::{fs, thread};

use anyhow::Result;
use chrono::Utc;
use kerncast_offload::{NewStreamRates, StreamRun};
use kerncast_opencl::OpenClDevice;
use kerncast_primitives::{MeasuredLengths, StreamRates, measure};
use kerncast_wire::{Agent, Origin};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::device::{path, write};
use crate::{device::sample_device, progress::say};

/// Extensions of the files with rates and with later runs.
const RATES: &str = "json";
const RUNS: &str = "runs.json";

/// The most runs that are stored, the newest ones.
const MAX_RUNS: usize = 200;

/// The rates of a device, with the runs that they forecast.
pub struct DeviceRates {
    /// The id of the rates for uploads.
    pub(super) id: Uuid,
    rates: StreamRates,
    /// Runs, the newest first.
    runs: Vec<StreamRun>,
}

impl DeviceRates {
    fn new(device: &OpenClDevice, rates: StreamRates) -> Self {
        Self {
            id: rates_id(device, &rates),
            rates,
            runs: read_runs(&device.facts.name).unwrap_or_default(),
        }
    }

    /// The rates, with the runs as additional checks.
    pub fn with_runs(&self) -> StreamRates {
        self.rates.with_runs(self.id, &self.runs)
    }

    /// Stores a run for later forecasts. If that fails it only warns, because the stream itself is done.
    pub(super) fn keep_run(mut self, run: StreamRun, device: &str) {
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

/// The stored runs; none where their file can't be read.
fn read_runs(device: &str) -> Option<Vec<StreamRun>> {
    serde_json::from_slice(&fs::read(path(device, RUNS)?).ok()?).ok()
}

/// The device's rates, from their file or measured now; always measured if `anew`.
pub fn rates(device: &OpenClDevice, anew: bool) -> Result<DeviceRates> {
    if let Some(rates) = stored_rates(device).filter(|_| !anew) {
        return Ok(rates);
    }
    let name = &device.facts.name;
    say!(
        "{name}: measuring once what the way to it, the device, one core and all cores can do, which takes some minutes (five \
         on two cores). The answer comes after that; later ones take seconds"
    );
    let rates = measure(device, &MeasuredLengths::for_device(device), say)?;
    if let Some(path) = path(&device.facts.name, RATES)
        && let Err(why) = write(&rates, &path)
    {
        let path = path.display();
        say!("warning: {path}: {why}; the next time this is measured again");
    }
    Ok(DeviceRates::new(device, rates))
}

/// The rates in the form of an upload, dated by their file. The id is always the same.
pub fn to_upload(device: &OpenClDevice, rates: &DeviceRates, agent: Agent) -> NewStreamRates {
    let modified =
        path(&device.facts.name, RATES).and_then(|it| fs::metadata(it).ok()?.modified().ok());
    NewStreamRates {
        id: rates.id,
        measured_at: modified.map_or_else(Utc::now, Into::into),
        agent,
        device: sample_device(&device.facts),
        rates: rates.rates.clone(),
        origin: Origin::Measured,
    }
}

/// An id made of the rates' content.
fn rates_id(device: &OpenClDevice, rates: &StreamRates) -> Uuid {
    let vendor = sample_device(&device.facts).vendor;
    let content = serde_json::to_vec(&(vendor, rates)).expect("numbers and names");
    let mut id = [0; 16];
    id.copy_from_slice(&Sha256::digest(content)[..16]);
    Uuid::new_v8(id)
}

/// The rates stored for this device, if driver and number of cores are still the same.
pub(super) fn stored_rates(device: &OpenClDevice) -> Option<DeviceRates> {
    let text = fs::read(path(&device.facts.name, RATES)?).ok()?;
    let rates: StreamRates = serde_json::from_slice(&text).ok()?;
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let is_current = (&rates.device, &rates.driver)
        == (&device.facts.name, &device.facts.driver_version)
        && rates.threads == threads
        // An older program did not measure how long streams take to start.
        && !rates.starts.is_empty();
    is_current.then(|| DeviceRates::new(device, rates))
}
