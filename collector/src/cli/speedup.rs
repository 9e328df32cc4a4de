//! `kerncast speedup`.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_wire::{DeviceSummary, SpeedupForecast, SpeedupRequest};

use super::{lab, options::ServerOptions, predict::counters, prose::wrapped, table, units};

/// Ask the server how much faster local memory would make a kernel with these counters
///
/// The speedup is the time without local memory ÷ the time with it: above 1, it pays off.
#[derive(Args)]
#[command(after_help = r#"Examples:
  kerncast speedup --counted-on 1 --counters counters.json
  kerncast speedup --counted-on h200 --counters counters.json --time 2.3ms \
      --device h200 --device 2"#)]
pub(super) struct Arguments {
    /// The server's device that the kernel was counted on, by name, short name or id (kerncast devices)
    #[arg(long, value_name = "NAME|ID")]
    counted_on: String,
    /// JSON file of the kernel without local memory, provider → counter → number; - reads standard input
    #[arg(long, value_name = "FILE")]
    counters: PathBuf,
    /// How long it took there, as 2.3ms
    #[arg(long, value_parser = units::seconds, value_name = "DURATION")]
    time: Option<f64>,
    /// The device to ask of, also several times [default: each that there is a model for]
    #[arg(long = "device", value_name = "NAME|ID")]
    devices: Vec<String>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn speedup(arguments: &Arguments) -> Result<ExitCode> {
    let server = arguments.server.connect()?;
    let devices = lab::ids(&server, &arguments.devices)?;
    let forecasts = server.speedups(&SpeedupRequest {
        counted_on: lab::id(&server, &arguments.counted_on)?,
        counters: counters(&arguments.counters)?,
        time_s: arguments.time,
        devices: Some(devices).filter(|devices| !devices.is_empty()),
        level: None,
    })?;
    let known = match arguments.json {
        true => Vec::new(),
        false => server.devices()?,
    };
    table::print_as(arguments.json, &forecasts, || in_words(&forecasts, &known))?;
    Ok(ExitCode::SUCCESS)
}

fn in_words(forecasts: &[SpeedupForecast], devices: &[DeviceSummary]) -> String {
    let mut rows = table::new([
        "device",
        "local memory",
        "speedup",
        "interval",
        "without",
        "with",
        "sign right",
        "always the same",
        "model",
    ]);
    let mut below = Said::default();
    for forecast in forecasts {
        let interval = forecast.interval;
        let interval = interval.map(|it| format!("×{:.2} – ×{:.2}", it.low, it.high));
        let signs = forecast.signs;
        let device = lab::name(devices, forecast.device);
        let always = signs.map(|it| it.pays_off.max(1.0 - it.pays_off));
        let says = match forecast.pays_off {
            Some(true) => "pays off",
            Some(false) => "does not",
            None => "cannot tell",
        };
        rows.add_row([
            (&device).into(),
            says.into(),
            table::number(format!("×{:.2}", forecast.speedup)),
            table::maybe(interval),
            table::maybe(forecast.global_s.map(units::time)),
            table::maybe(forecast.local_s.map(units::time)),
            table::maybe(signs.map(|it| units::percent(it.right))),
            table::maybe(always.map(units::percent)),
            format!("{} on {}", forecast.method, forecast.provider).into(),
        ]);
        let reasons = [
            ("cannot tell", &forecast.cannot_tell),
            ("no interval", &forecast.no_interval),
        ];
        for (of, why) in reasons {
            if let Some(why) = why {
                below.add(&device, of, why);
            }
        }
        for why in &forecast.warnings.0 {
            below.add(&device, "warning", &why.to_string());
        }
    }
    let mut lines = vec![
        rows.to_string(),
        "speedup: time without local memory ÷ time with it. Sign right: how often such forecasts say rightly \
         whether it pays off, of kernels left out; always the same: how often one answer for all would."
            .to_owned(),
    ];
    lines.extend(below.lines());
    wrapped(&lines.join("\n"))
}

/// What is said of devices below the table: each reason once, with what it is the reason of, and of which devices.
#[derive(Default)]
struct Said(Vec<Reason>);

struct Reason {
    why: String,
    /// What it is the reason of, and of which devices.
    all: Vec<(&'static str, Vec<String>)>,
}

impl Said {
    /// `of`: what `why` is the reason of; a device's first counts.
    fn add(&mut self, device: &str, of: &'static str, why: &str) {
        let place = self.0.iter().position(|it| it.why == why);
        let place = place.unwrap_or_else(|| {
            self.0.push(Reason {
                why: why.to_owned(),
                all: Vec::new(),
            });
            self.0.len() - 1
        });
        let all = &mut self.0[place].all;
        let is_device = |it: &String| it == device;
        if all.iter().any(|(_, devices)| devices.iter().any(is_device)) {
            return;
        }
        match all.iter_mut().find(|(it, _)| *it == of) {
            Some((_, devices)) => devices.push(device.to_owned()),
            None => all.push((of, vec![device.to_owned()])),
        }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|Reason { why, all }| {
            let each = all.iter();
            let each = each.map(|(of, devices)| format!("{}: {of}", devices.join(", ")));
            format!("{}: {why}", each.collect::<Vec<_>>().join("; "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_is_said_once() {
        let mut said = Said::default();
        said.add("H200", "cannot tell", "an extrapolation");
        said.add("H200", "warning", "an extrapolation");
        said.add("Xeon", "cannot tell", "that may be chance");
        said.add("Xeon", "warning", "an extrapolation");
        said.add("EPYC", "cannot tell", "an extrapolation");
        let lines: Vec<String> = said.lines().collect();
        assert_eq!(
            lines,
            [
                "H200, EPYC: cannot tell; Xeon: warning: an extrapolation",
                "Xeon: cannot tell: that may be chance",
            ]
        );
    }
}
