//! What takes long about a model: its validation, hundreds of fits beside the one that forecasts. It is a function of
//! the candidate's fingerprint, so that who has it makes the model again by one fit.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{HoldOut, HoldOutKey};
use serde::{Deserialize, Serialize};

use crate::{
    Candidate, Fingerprint, Model,
    validation::{Validation, hold_outs},
};

/// Of zstd: a file is written once and read often.
const LEVEL: i32 = 19;

/// Validations by their candidates' fingerprints; in files JSON Lines, one each, compressed by zstd.
#[derive(Clone, Debug, Default)]
pub struct Validations(BTreeMap<Fingerprint, Validation>);

/// One as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Hexadecimal.
    fingerprint: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    absurd: BTreeSet<usize>,
    hold_outs: Vec<Written>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    key: HoldOutKey,
    /// Seconds, seven digits of each.
    forecasts: Vec<f64>,
    /// Empty where all are 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<f64>,
}

impl Validations {
    /// What [`write`](Self::write) has written.
    ///
    /// # Errors
    /// Why it is no zstd, or which line is no validation.
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

    /// All as a file's bytes.
    ///
    /// # Errors
    /// Where there is no memory to compress them in.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let lines: String = self.0.iter().map(write_line).collect();
        zstd::encode_all(lines.as_bytes(), LEVEL).map_err(|error| error.to_string())
    }

    /// Keeps one more.
    pub fn add(&mut self, fingerprint: Fingerprint, validation: Validation) {
        self.0.insert(fingerprint, validation);
    }

    /// The one with this fingerprint.
    #[must_use]
    pub fn get(&self, fingerprint: &Fingerprint) -> Option<&Validation> {
        self.0.get(fingerprint)
    }

    /// Whose they are.
    pub fn fingerprints(&self) -> impl Iterator<Item = &Fingerprint> {
        self.0.keys()
    }

    /// The model that the candidate makes, where its validation is here and fits it.
    #[must_use]
    pub fn model(&self, candidate: &Candidate) -> Option<Model> {
        let validation = self.get(&candidate.fingerprint)?;
        can_be(validation, candidate).then(|| Model::validated(candidate, validation))
    }
}

fn write_line((fingerprint, validation): (&Fingerprint, &Validation)) -> String {
    let written = |it: &HoldOut| Written {
        key: it.key,
        forecasts: it.forecasts.iter().flatten().copied().map(short).collect(),
        doubts: match it
            .doubts
            .iter()
            .all(|doubt| doubt.to_bits() == 1_f64.to_bits())
        {
            true => Vec::new(),
            false => it.doubts.iter().copied().map(short).collect(),
        },
    };
    let line = Line {
        fingerprint: hex::encode(fingerprint),
        absurd: validation.absurd.clone(),
        hold_outs: validation.hold_outs.iter().map(written).collect(),
    };
    let line = serde_json::to_string(&line).expect("numbers and words have a JSON form");
    format!("{line}\n")
}

fn read_line(line: &str) -> Result<(Fingerprint, Validation), String> {
    let Line {
        fingerprint,
        absurd,
        hold_outs,
    } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let mut bytes = Fingerprint::default();
    hex::decode_to_slice(&fingerprint, &mut bytes).map_err(|_| {
        format!("the fingerprint is {fingerprint:?}; expected 64 hexadecimal digits")
    })?;
    let mut read = Vec::new();
    for it in hold_outs {
        let doubts = match it.doubts[..] {
            [] => vec![1.0; it.forecasts.len()],
            _ => it.doubts,
        };
        if doubts.iter().any(|&doubt| doubt <= 0.0) {
            return Err("a doubt is not above 0".to_owned());
        }
        read.push(HoldOut {
            key: it.key,
            forecasts: it.forecasts.into_iter().map(Ok).collect(),
            doubts,
        });
    }
    let validation = Validation {
        absurd,
        hold_outs: read,
    };
    Ok((bytes, validation))
}

/// With seven digits: what is not the same on every processor is not written down.
fn short(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}

/// Whether it can be a validation of this candidate's at all: it leaves out what such a question's does, and has a row for
/// each of the dataset's.
fn can_be(validation: &Validation, of: &Candidate) -> bool {
    let Ok(dataset) = &of.training.dataset else {
        return false;
    };
    let made: Vec<HoldOutKey> = validation.hold_outs.iter().map(|it| it.key).collect();
    // Regions are left out only where they are told apart.
    let mut keys = hold_outs(&of.question).to_vec();
    keys.retain(|key| *key != HoldOutKey::Region || made.contains(key));
    let rows = dataset.y().len();
    let has_rows = |it: &HoldOut| it.forecasts.len() == rows && it.doubts.len() == rows;
    let all = dataset.rows().y.len();
    made == keys
        && validation.hold_outs.iter().all(has_rows)
        && validation.absurd.iter().all(|&row| row < all)
}
