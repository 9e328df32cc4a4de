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
    evaluate::{Files, server_candidates},
    import::{self, ImportOptions, Source},
};
use kerncast_training::{Candidate, Model, Validations};

/// How often the file is written: an interrupted command continues from there.
const WRITE_INTERVAL: Duration = Duration::from_secs(30);

/// Validate a server's fits of these files beforehand
///
/// A server takes minutes to leave out hundreds of kernels one by one. The result depends only on the samples, so a
/// server that is given it (kerncast-server --validations) has its models in seconds.
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast validate data/*.jsonl.zst --out data/validations.zst

Fits that the file already has are not validated again; those that no longer
belong to a fit are dropped.")]
pub(super) struct Arguments {
    /// All files that the server will have
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn validate(arguments: &Arguments) -> Result<ExitCode> {
    let (mut files, options) = (Files::default(), ImportOptions::without_server(None));
    for file in &arguments.files {
        files.add(import::read(&Source::new(file.clone()), &[], &options)?)?;
    }
    let out = &arguments.out;
    let earlier = read_validations(out)?;
    let mut validations = Validations::default();
    let mut missing = Vec::new();
    for candidate in server_candidates(&files) {
        match earlier.get(&candidate.fingerprint) {
            Some(validation) => validations.add(candidate.fingerprint, validation.clone()),
            None => missing.push(candidate),
        }
    }
    let (count, mut last_write) = (missing.len(), Instant::now());
    for (candidate, number) in missing.iter().zip(1..) {
        say!("{number} of {count}: {}", in_words(candidate));
        let validation = Model::fit_and_validate(candidate).validation();
        validations.add(candidate.fingerprint, validation);
        if last_write.elapsed() > WRITE_INTERVAL {
            write(out, &validations)?;
            last_write = Instant::now();
        }
    }
    write(out, &validations)?;
    Ok(ExitCode::SUCCESS)
}

/// The validations in the file, where there is one.
fn read_validations(file: &Path) -> Result<Validations, UsageError> {
    let Ok(bytes) = fs::read(file) else {
        return Ok(Validations::default());
    };
    Validations::read(&bytes).map_err(|why| UsageError(format!("{}: {why}", file.display())))
}

fn write(file: &Path, validations: &Validations) -> Result<()> {
    let bytes = validations.write();
    let result = bytes.and_then(|it| fs::write(file, it).map_err(|error| error.to_string()));
    result.map_err(|why| anyhow!("{}: {why}", file.display()))
}

fn in_words(candidate: &Candidate) -> String {
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
