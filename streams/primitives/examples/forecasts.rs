//! How far forecasts of streams are off on this machine: measures its rates, checks them by streams of other sizes, in all
//! ways, and whether the verdict (device, one core, all cores) is that of the measured times.
//!
//! Prints a line of JSON: the rates, and these checks; the summary goes to standard error.

use std::{
    collections::BTreeMap,
    error::Error,
    io::{Write, stderr, stdout},
    time::Instant,
};

use clap::Parser;
use kerncast_opencl::{DeviceKind, devices};
use kerncast_primitives::{Check, Effort};
use serde_json::json;

#[derive(Parser)]
struct Arguments {
    /// Of an array that goes to the device while rates are measured, MiB
    #[arg(long)]
    device_mib: Option<usize>,
    /// Of the largest array that the host is given, MiB
    #[arg(long)]
    host_mib: Option<usize>,
    /// Further streams of so many MiB each are forecast and measured
    #[arg(long, value_delimiter = ',')]
    sizes_mib: Vec<usize>,
    /// Device memory that these may use, MiB
    #[arg(long, default_value_t = 1024)]
    device_memory_mib: u64,
    /// The device's place among the machine's, from 0; else the first GPU, or the first
    #[arg(long)]
    device: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut found = devices()?;
    let gpu = found.iter().position(|it| it.facts.kind == DeviceKind::Gpu);
    let index = arguments.device.or(gpu).unwrap_or(0);
    if index >= found.len() {
        return Err(format!("--device {index}: there are {}", found.len()).into());
    }
    let device = found.swap_remove(index);
    let mut effort = Effort::of(&device);
    effort.device_bytes = arguments
        .device_mib
        .map_or(effort.device_bytes, |it| it << 20);
    if let Some(mib) = arguments.host_mib {
        effort.host_bytes = vec![1 << 18, 8 << 20, mib << 20];
    }
    let start = Instant::now();
    let rates = kerncast_primitives::measure(&device, &effort, |what| {
        let _ = writeln!(stderr(), "{:6.1} s  {what}", start.elapsed().as_secs_f64());
    })?;
    // Not among the rates' own, by which forecasts are corrected.
    let mut judged = Vec::new();
    for mib in arguments.sizes_mib {
        let memory = arguments.device_memory_mib << 20;
        let checks = kerncast_primitives::check(&rates, &device, mib << 20, memory)?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(stderr(), "{seconds:6.1} s  checks of {mib} MiB")?;
        judged.extend(checks);
    }
    summary(&judged)?;
    let all = json!({ "rates": rates, "checks": judged });
    writeln!(stdout(), "{all}")?;
    Ok(())
}

/// Median and 95th percentile of errors by way and by work, and verdicts.
fn summary(checks: &[Check]) -> Result<(), Box<dyn Error>> {
    let mut errors: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for check in checks {
        let error = (check.forecast_s / check.measured_s - 1.0).abs();
        let work = format!("{:?}", check.work).to_lowercase();
        for group in [
            format!("by {}", check.by),
            format!("{work} by {}", check.by),
        ] {
            errors.entry(group).or_default().push(error);
        }
    }
    for (group, mut errors) in errors {
        errors.sort_by(f64::total_cmp);
        let at = |share: usize| 100.0 * errors[(errors.len() - 1) * share / 100];
        let (median, most, n) = (at(50), at(95), errors.len());
        writeln!(
            stderr(),
            "{group:28} median {median:6.1} %, 95th percentile {most:6.1} %, n = {n}"
        )?;
    }
    let (mut right, mut told) = (0, 0);
    for one in checks {
        for other in checks {
            let comparable = (one.work, one.element, one.elements)
                == (other.work, other.element, other.elements);
            // The device, and cores.
            if !comparable
                || one.by.ends_with("core")
                || one.by.ends_with("cores")
                || !other.by.contains("core")
            {
                continue;
            }
            let ratio = one.measured_s / other.measured_s;
            // Closer than this nobody cares.
            if (1.0 / 1.15..=1.15).contains(&ratio) {
                continue;
            }
            told += 1;
            right += usize::from((one.forecast_s < other.forecast_s) == (ratio < 1.0));
        }
    }
    writeln!(
        stderr(),
        "verdicts right: {right} of {told} pairs that differ by over 15 %"
    )?;
    Ok(())
}
