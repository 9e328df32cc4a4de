//! `kerncast validate`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow};
use clap::Args;
use kerncast_collector::{
    UsageError,
    evaluate::{Files, candidates},
    import::{self, ImportOptions, Source},
};
use kerncast_training::{Candidate, Model, Validations};

/// What was validated is written so often: whoever is interrupted goes on from there.
const PERIOD: Duration = Duration::from_secs(30);

/// Validate what a server would fit to files, so that it need not
///
/// A server takes minutes to leave out one kernel after another of hundreds. What comes of that is the same wherever
/// the same samples are, and a server that is given it (kerncast-server --validations) has their models in seconds.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast validate data/*.jsonl.zst --out data/validations.zst

What the file has already is not validated again, and what no longer belongs to
a fit is dropped.")]
pub(super) struct Arguments {
    /// The files: all that the server will have
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn validate(arguments: &Arguments) -> Result<ExitCode> {
    let (mut files, words) = (Files::default(), ImportOptions::without_server(None));
    for file in &arguments.files {
        files.add(import::read(&Source::new(file.clone()), &[], &words)?)?;
    }
    let out = &arguments.out;
    let known = read(out)?;
    let mut all = Validations::default();
    let mut missing = Vec::new();
    for candidate in candidates(&files) {
        match known.get(&candidate.fingerprint) {
            Some(validation) => all.add(candidate.fingerprint, validation.clone()),
            None => missing.push(candidate),
        }
    }
    let (count, mut written) = (missing.len(), Instant::now());
    for (candidate, number) in missing.iter().zip(1..) {
        say!("{number} of {count}: {}", of(candidate));
        let validation = Model::of(candidate).validation();
        all.add(candidate.fingerprint, validation);
        if written.elapsed() > PERIOD {
            write(out, &all)?;
            written = Instant::now();
        }
    }
    write(out, &all)?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> Result<Validations, UsageError> {
    let Ok(bytes) = fs::read(file) else {
        return Ok(Validations::default());
    };
    Validations::read(&bytes).map_err(|why| UsageError(format!("{}: {why}", file.display())))
}

fn write(file: &Path, all: &Validations) -> Result<()> {
    let bytes = all.write();
    let written = bytes.and_then(|it| fs::write(file, it).map_err(|error| error.to_string()));
    written.map_err(|why| anyhow!("{}: {why}", file.display()))
}

fn of(candidate: &Candidate) -> String {
    let question = &candidate.question;
    let from = question.counted_on;
    let from = from.map_or(String::new(), |it| format!(", counted on device {it}"));
    format!(
        "{} of device {}{from}, {}, by {}",
        question.response,
        question.target,
        question.provider,
        candidate.method.name()
    )
}
