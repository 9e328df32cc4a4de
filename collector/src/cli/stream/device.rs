//! Which device streams go through, and what was measured of it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::Result;
use chrono::Utc;
use kerncast_collector::{UsageError, child::Failure, device::sampled, folders};
use kerncast_offload::NewStreamRates;
use kerncast_opencl::{DeviceFacts, OpenClDevice, OpenClError};
use kerncast_primitives::{Effort, Rates, SoFar, Told, measure_on};
use kerncast_wire::{Agent, Origin};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use uuid::Uuid;

use super::{
    super::{choose, terminal},
    known::Known,
};

/// Ends of files: of rates, of a measurement that has begun, and of runs since.
const WHOLE: &str = "json";
const BEGUN: &str = "begun.json";
pub(super) const RUNS: &str = "runs.json";

/// By name or number, or the first that is no simulator.
pub(in super::super) fn choose(asked: Option<&str>) -> Result<OpenClDevice> {
    let mut all = kerncast_opencl::devices().map_err(absent)?;
    let facts: Vec<DeviceFacts> = all.iter().map(|it| it.facts.clone()).collect();
    let asked: Vec<String> = asked.map(str::to_owned).into_iter().collect();
    let chosen = choose::no_simulators(&facts, &asked)?;
    let chosen = chosen.first();
    let chosen =
        chosen.ok_or_else(|| Failure::NoOpenCl("there is no device but a simulator".to_owned()))?;
    Ok(all.swap_remove(chosen.index))
}

/// All that are no simulators.
pub(super) fn all() -> Result<Vec<OpenClDevice>> {
    let all = kerncast_opencl::devices().map_err(absent)?;
    let facts: Vec<DeviceFacts> = all.iter().map(|it| it.facts.clone()).collect();
    let chosen = choose::no_simulators(&facts, &[])?;
    let chosen: Vec<usize> = chosen.iter().map(|it| it.index).collect();
    let kept = all
        .into_iter()
        .filter(|it| chosen.contains(&it.facts.index));
    let kept: Vec<OpenClDevice> = kept.collect();
    match kept.is_empty() {
        true => Err(Failure::NoOpenCl("there is no device but a simulator".to_owned()).into()),
        false => Ok(kept),
    }
}

fn absent(why: OpenClError) -> anyhow::Error {
    match why.is_absence() {
        true => Failure::NoOpenCl(why.to_string()).into(),
        false => why.into(),
    }
}

/// Bytes of the device's memory that may be used: as asked, or three quarters.
pub(in super::super) fn memory(device: &OpenClDevice, asked: Option<u64>) -> Result<u64> {
    let has = device.facts.global_memory_bytes;
    let memory = asked.or_else(|| Some(has? / 4 * 3));
    let memory = memory.ok_or_else(|| {
        let name = &device.facts.name;
        UsageError(format!(
            "--device-memory is missing; expected bytes, as {name} does not say how many it has"
        ))
    })?;
    match has {
        Some(has) if memory > has => Err(UsageError(format!(
            "--device-memory {memory}: {} has {has} bytes; expected no more",
            device.facts.name
        ))
        .into()),
        _ => Ok(memory),
    }
}

/// What was measured of the device, now or before; `anew` measures in any case.
pub(in super::super) fn rates(device: &OpenClDevice, anew: bool) -> Result<Known> {
    if let Some(known) = kept(device).filter(|_| !anew) {
        return Ok(known);
    }
    let name = &device.facts.name;
    let before = begun(device).filter(|_| !anew);
    let long = match before {
        Some(_) => "on from where that was ended",
        None => "which takes some minutes (five on two cores)",
    };
    terminal::say(&format!(
        "{name}: measuring once what the way to it, the device, one core and all cores can do, {long}. The answer comes \
         after that; later ones take seconds. Ctrl-C loses nothing: each step is kept"
    ));
    let of = Of::this(device);
    let rates = measure_on(
        device,
        &Effort::of(device),
        before.unwrap_or_default(),
        |told| match told {
            Told::Next {
                what,
                number,
                of,
                left,
            } => {
                let left = left.map_or_else(String::new, |left| format!("; {}", rest(left)));
                terminal::say(&format!("[{number}/{of}] {what}{left}"));
            }
            // What can't be kept is said at the end, and once.
            Told::Done(so_far) => {
                let _ = path(device, BEGUN).map(|path| keep(&(&of, so_far), &path));
            }
        },
    )?;
    if let Some(path) = path(device, WHOLE)
        && let Err(why) = keep(&rates, &path)
    {
        let path = path.display();
        terminal::say(&format!(
            "warning: {path}: {why}; the next time this is measured again"
        ));
    }
    let _ = path(device, BEGUN).map(fs::remove_file);
    Ok(Known::new(device, rates))
}

/// How long the rest takes, about, for a person.
fn rest(left: Duration) -> String {
    match left.as_secs() {
        0..=59 => "less than a minute left".to_owned(),
        seconds => format!("about {} min left", (seconds + 30) / 60),
    }
}

/// What rates are of: where any of it has changed, they are measured again.
#[derive(PartialEq, Serialize, Deserialize)]
struct Of {
    device: String,
    driver: String,
    threads: usize,
    version: String,
}

impl Of {
    fn this(device: &OpenClDevice) -> Self {
        Self {
            device: device.facts.name.clone(),
            driver: device.facts.driver_version.clone(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// What a measurement that was ended has left.
fn begun(device: &OpenClDevice) -> Option<SoFar> {
    let text = fs::read(path(device, BEGUN)?).ok()?;
    let (of, so_far): (Of, SoFar) = serde_json::from_slice(&text).ok()?;
    (of == Of::this(device)).then_some(so_far)
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
pub(super) fn id(device: &OpenClDevice, rates: &Rates) -> Uuid {
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

pub(super) fn keep(rates: &impl Serialize, path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let file = NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&file, rates)?;
    file.persist(path)?;
    Ok(())
}

pub(super) fn path(device: &OpenClDevice, kind: &str) -> Option<PathBuf> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = device.facts.name.chars().map(plain).collect();
    let folder = folders::cache()?.join("streams");
    Some(folder.join(format!("{name}.{kind}")))
}
