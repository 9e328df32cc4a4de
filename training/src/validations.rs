//! Validations in files. Validating a model takes hundreds of fits beside the one that forecasts. A validation depends
//! on the candidate's fingerprint alone: with it, one fit makes the model again.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{HoldOut, HoldOutKey};
use serde::{Deserialize, Serialize};

use crate::{
    Candidate, Fingerprint, Model,
    validation::{Validation, hold_outs},
};

/// The level of zstd's compression: a file is written once and read often.
const COMPRESSION_LEVEL: i32 = 19;

/// Validations by their candidates' fingerprints; in files JSON Lines, one each, compressed by zstd.
#[derive(Clone, Debug, Default)]
pub struct Validations(BTreeMap<Fingerprint, Validation>);

/// A validation in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The candidate's fingerprint in hexadecimal.
    fingerprint: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    absurd: BTreeSet<usize>,
    hold_outs: Vec<HoldOutLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HoldOutLine {
    key: HoldOutKey,
    /// Forecasts in seconds, seven digits of each.
    forecasts: Vec<f64>,
    /// Expected errors of the forecasts; empty where all are 1.
    #[serde(default, rename = "doubts", skip_serializing_if = "Vec::is_empty")]
    expected_errors: Vec<f64>,
}

impl Validations {
    /// Reads validations from the bytes of a file ([`write`](Self::write)).
    ///
    /// # Errors
    /// Why the bytes are no zstd, or which line is no validation.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = zstd::decode_all(bytes).map_err(|error| error.to_string())?;
        let text = String::from_utf8(text).map_err(|error| error.to_string())?;
        let mut all = BTreeMap::new();
        for (line, number) in text.lines().zip(1..) {
            let one = read_line(line).map_err(|why| format!("line {number}: {why}"))?;
            all.extend([one]);
        }
        Ok(Self(all))
    }

    /// All validations as a file's bytes.
    ///
    /// # Errors
    /// Where there is no memory to compress them in.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let lines: String = self.0.iter().map(write_line).collect();
        zstd::encode_all(lines.as_bytes(), COMPRESSION_LEVEL).map_err(|error| error.to_string())
    }

    /// Adds a validation, or replaces the one with this fingerprint.
    pub fn add(&mut self, fingerprint: Fingerprint, validation: Validation) {
        self.0.insert(fingerprint, validation);
    }

    /// The validation with this fingerprint.
    #[must_use]
    pub fn get(&self, fingerprint: &Fingerprint) -> Option<&Validation> {
        self.0.get(fingerprint)
    }

    /// The fingerprints of all validations.
    pub fn fingerprints(&self) -> impl Iterator<Item = &Fingerprint> {
        self.0.keys()
    }

    /// The model that the candidate makes with its validation; none where that is missing or does not fit it.
    #[must_use]
    pub fn model(&self, candidate: &Candidate) -> Option<Model> {
        let validation = self.get(&candidate.fingerprint)?;
        is_of(validation, candidate).then(|| Model::new(candidate, Some(validation)))
    }
}

fn write_line((fingerprint, validation): (&Fingerprint, &Validation)) -> String {
    let hold_out = |it: &HoldOut| {
        let is_one = |error: &f64| error.to_bits() == 1_f64.to_bits();
        let expected_errors = it.expected_errors.iter().copied().map(seven_digits);
        HoldOutLine {
            key: it.key,
            forecasts: (it.forecasts.iter().flatten().copied())
                .map(seven_digits)
                .collect(),
            expected_errors: if it.expected_errors.iter().all(is_one) {
                Vec::new()
            } else {
                expected_errors.collect()
            },
        }
    };
    let line = Line {
        fingerprint: hex::encode(fingerprint),
        absurd: validation.absurd.clone(),
        hold_outs: validation.hold_outs.iter().map(hold_out).collect(),
    };
    let line = serde_json::to_string(&line).expect("numbers and words have a JSON form");
    format!("{line}\n")
}

fn read_line(line: &str) -> Result<(Fingerprint, Validation), String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut fingerprint = Fingerprint::default();
    hex::decode_to_slice(&line.fingerprint, &mut fingerprint).map_err(|_| {
        let text = &line.fingerprint;
        format!("the fingerprint is {text:?}; expected 64 hexadecimal digits")
    })?;
    let mut hold_outs = Vec::new();
    for it in line.hold_outs {
        let expected_errors = match it.expected_errors[..] {
            [] => vec![1.0; it.forecasts.len()],
            _ => it.expected_errors,
        };
        if expected_errors.iter().any(|&error| error <= 0.0) {
            return Err("a doubt is not above 0".to_owned());
        }
        hold_outs.push(HoldOut {
            key: it.key,
            forecasts: it.forecasts.into_iter().map(Ok).collect(),
            expected_errors,
        });
    }
    let absurd = line.absurd;
    Ok((fingerprint, Validation { absurd, hold_outs }))
}

/// The number rounded to seven digits: later digits differ by processor.
fn seven_digits(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}

/// Whether the validation can be the candidate's: it has the keys of the question's hold-outs, and a row for each of
/// the dataset's.
fn is_of(validation: &Validation, candidate: &Candidate) -> bool {
    let Ok(dataset) = &candidate.training.dataset else {
        return false;
    };
    let own_keys: Vec<HoldOutKey> = validation.hold_outs.iter().map(|it| it.key).collect();
    // Regions are left out only where they are told apart.
    let mut keys = hold_outs(&candidate.question).to_vec();
    keys.retain(|key| *key != HoldOutKey::Region || own_keys.contains(key));
    let rows = dataset.y().len();
    let has_rows = |it: &HoldOut| it.forecasts.len() == rows && it.expected_errors.len() == rows;
    let all = dataset.rows().y.len();
    own_keys == keys
        && validation.hold_outs.iter().all(has_rows)
        && validation.absurd.iter().all(|&row| row < all)
}
