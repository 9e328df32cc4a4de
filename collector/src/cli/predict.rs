//! `kerncast predict`.

use std::{fs, io, path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use kerncast_wire::{Prediction, PredictionRequest};
use uuid::Uuid;

use super::{
    options::{ServerOptions, UsageError},
    table, units,
};

/// Ask the server how long a kernel with these counters takes
#[derive(Args)]
#[command(after_help = r#"Examples:
  echo '{"oclgrind": {"load_global": 2097152, "instructions": 9437184}}' | kerncast predict --counters -
  kerncast predict --counters counters.json --device 2 --json"#)]
pub(super) struct Arguments {
    /// JSON file, provider → counter → number; - reads standard input
    #[arg(long, value_name = "FILE")]
    counters: PathBuf,
    /// The device's number on the server; may be left out where one device has models
    #[arg(long, value_name = "ID")]
    device: Option<i64>,
    /// The model's id [default: the champion of the device for these counters]
    #[arg(long, value_name = "ID")]
    model: Option<Uuid>,
    /// Print the server's answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerOptions,
}

pub(super) fn predict(arguments: &Arguments) -> Result<ExitCode> {
    let file = arguments.counters.display();
    let text = if arguments.counters.as_os_str() == "-" {
        io::read_to_string(io::stdin())
    } else {
        fs::read_to_string(&arguments.counters)
    };
    let text = text.map_err(|error| UsageError(format!("--counters {file}: {error}")))?;
    let counters = serde_json::from_str(&text).map_err(|error| {
        UsageError(format!(
            "--counters {file}: {error}; expected provider → counter → number, as in \
             {{\"oclgrind\": {{\"load_global\": 2097152}}}}"
        ))
    })?;
    let (model, device) = (arguments.model, arguments.device);
    let prediction = arguments.server.connect()?.predict(&PredictionRequest {
        counters,
        model,
        device,
    })?;
    let answer = if arguments.json {
        serde_json::to_string_pretty(&prediction)?
    } else {
        in_words(&prediction)
    };
    table::print(&answer)?;
    Ok(ExitCode::SUCCESS)
}

fn in_words(prediction: &Prediction) -> String {
    let Prediction {
        time_s,
        model,
        device,
        leave_one_kernel_out_mean_ape,
        missing,
        unknown,
        warnings,
    } = prediction;
    let error = leave_one_kernel_out_mean_ape.map_or_else(
        || "not validated".to_owned(),
        |error| {
            format!(
                "off by {} on average on kernels it had not seen",
                units::percent(error)
            )
        },
    );
    let mut words = format!(
        "{}\nmodel {model} of device {device}: {error}",
        units::time(*time_s)
    );
    if !missing.is_empty() {
        words.push_str(&format!(
            "\nmissing counters, the model's mean stood in: {}",
            missing.join(", ")
        ));
    }
    if !unknown.is_empty() {
        words.push_str(&format!(
            "\ncounters that the model does not use: {}",
            unknown.join(", ")
        ));
    }
    // The server also warns of each missing counter.
    let told = |warning: &&String| missing.iter().any(|counter| warning.starts_with(counter));
    for warning in warnings.iter().filter(|warning| !told(warning)) {
        words.push_str(&format!("\nwarning: {warning}"));
    }
    words
}
