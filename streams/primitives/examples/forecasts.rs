//! Shows how far forecasts of streams are off on this machine: measures its rates, checks them with streams of other
//! lengths in all ways, and compares the verdict (device, one core, all cores) with that of the measured times.
//!
//! Prints one line of JSON with the rates and these checks; the summary goes to standard error.

use std::{
    collections::BTreeMap,
    error::Error,
    io::{Write, stderr, stdout},
    time::Instant,
};

use clap::Parser;
use kerncast_opencl::{DeviceKind, devices};
use kerncast_primitives::{MeasuredLengths, StreamCheck};
use serde_json::json;

#[derive(Parser)]
struct Arguments {
    /// Length of the arrays that go to the device while rates are measured, MiB
    #[arg(long)]
    device_mib: Option<usize>,
    /// Length of the largest array that the host processes, MiB
    #[arg(long)]
    host_mib: Option<usize>,
    /// Lengths of further streams that are forecast and measured, MiB
    #[arg(long, value_delimiter = ',')]
    sizes_mib: Vec<usize>,
    /// Device memory that these may use, MiB
    #[arg(long, default_value_t = 1024)]
    device_memory_mib: u64,
    /// Index of the device among the machine's, from 0; by default the first GPU, or else the first device
    #[arg(long)]
    device: Option<usize>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut devices = devices()?;
    let gpu = devices
        .iter()
        .position(|it| it.facts.kind == DeviceKind::Gpu);
    let index = arguments.device.or(gpu).unwrap_or(0);
    if index >= devices.len() {
        return Err(format!("--device {index}: there are {}", devices.len()).into());
    }
    let device = devices.swap_remove(index);
    let mut lengths = MeasuredLengths::for_device(&device);
    lengths.device_bytes = arguments
        .device_mib
        .map_or(lengths.device_bytes, |it| it << 20);
    if let Some(mib) = arguments.host_mib {
        lengths.host_bytes = vec![1 << 18, 8 << 20, mib << 20];
    }
    let start = Instant::now();
    let rates = kerncast_primitives::measure(&device, &lengths, |what| {
        let _ = writeln!(stderr(), "{:6.1} s  {what}", start.elapsed().as_secs_f64());
    })?;
    // These checks do not correct the rates' forecasts.
    let mut further = Vec::new();
    for mib in arguments.sizes_mib {
        let memory = arguments.device_memory_mib << 20;
        let checks = kerncast_primitives::check(&rates, &device, mib << 20, memory)?;
        let seconds = start.elapsed().as_secs_f64();
        writeln!(stderr(), "{seconds:6.1} s  checks of {mib} MiB")?;
        further.extend(checks);
    }
    summary(&further)?;
    let all = json!({ "rates": rates, "checks": further });
    writeln!(stdout(), "{all}")?;
    Ok(())
}

/// Median and 95th percentile of errors by way and by work, and verdicts.
fn summary(checks: &[StreamCheck]) -> Result<(), Box<dyn Error>> {
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
    let (mut right, mut pairs) = (0, 0);
    for one in checks {
        for other in checks {
            let comparable = (one.work, one.element, one.elements)
                == (other.work, other.element, other.elements);
            // Compare the device with cores.
            if !comparable
                || one.by.ends_with("core")
                || one.by.ends_with("cores")
                || !other.by.contains("core")
            {
                continue;
            }
            let ratio = one.measured_s / other.measured_s;
            // Nobody cares about smaller differences.
            if (1.0 / 1.15..=1.15).contains(&ratio) {
                continue;
            }
            pairs += 1;
            right += usize::from((one.forecast_s < other.forecast_s) == (ratio < 1.0));
        }
    }
    writeln!(
        stderr(),
        "verdicts right: {right} of {pairs} pairs that differ by over 15 %"
    )?;
    Ok(())
}
