//! What is known of a device's streams: its rates, and the runs that these forecast since.

use std::{fs, io};

use anyhow::Result;
use chrono::Utc;
use kerncast_collector::device::sampled;
use kerncast_offload::{NewStreamRun, Run};
use kerncast_opencl::OpenClDevice;
use kerncast_primitives::Rates;
use kerncast_wire::Origin;
use uuid::Uuid;

use super::{
    super::{options::KeepingOptions, terminal, upload},
    device::{self, RUNS},
};

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
            id: device::id(device, &rates),
            rates,
            runs: runs(device).unwrap_or_default(),
        }
    }

    /// The rates, of which runs are checks too.
    pub(in super::super) fn checked(&self) -> Rates {
        self.rates.with_runs(self.id, &self.runs)
    }

    /// Keeps a run for the next forecast, and for the server where somebody wants it there. What was asked for is done, so
    /// that nothing of this fails it.
    pub(super) fn keep(mut self, run: Run, device: &OpenClDevice, options: &KeepingOptions) {
        // Another stream may have ended meanwhile.
        self.runs = runs(device).unwrap_or_default();
        self.runs.insert(0, run.clone());
        self.runs.retain(|it| it.rates == self.id);
        self.runs.truncate(MOST);
        if let Some(path) = device::path(device, RUNS)
            && let Err(why) = device::keep(&self.runs, &path)
        {
            let path = path.display();
            terminal::say(&format!(
                "warning: {path}: {why}; later forecasts do not know of this run"
            ));
        }
        if let Err(why) = send(run, device, options) {
            terminal::say(&format!("warning: {why:#}"));
        }
    }
}

fn runs(device: &OpenClDevice) -> Option<Vec<Run>> {
    let path = device::path(device, RUNS)?;
    let text = fs::read(&path)
        .map_err(|why| (why.kind() != io::ErrorKind::NotFound).then_some(why.to_string()));
    let read =
        text.and_then(|text| serde_json::from_slice(&text).map_err(|why| Some(why.to_string())));
    match read {
        Ok(runs) => Some(runs),
        Err(None) => None,
        Err(Some(why)) => {
            let path = path.display();
            terminal::say(&format!(
                "warning: {path}: {why}; forecasts do not know of the runs in it"
            ));
            None
        }
    }
}

/// By way of the spool. Where no server is named and none is there, nobody wants it.
fn send(run: Run, device: &OpenClDevice, options: &KeepingOptions) -> Result<()> {
    let is_wanted = upload::is_wanted(options)?;
    if !is_wanted && !options.no_upload {
        return Ok(());
    }
    let spool = options.spool.open_to_write()?;
    spool.put_run(&NewStreamRun {
        id: Uuid::now_v7(),
        measured_at: Utc::now(),
        agent: options.agent.agent(),
        device: sampled(&device.facts),
        run,
        origin: Origin::Measured,
    })?;
    if is_wanted {
        upload::deliver(&spool, &options.server.connect()?)?;
    }
    Ok(())
}
