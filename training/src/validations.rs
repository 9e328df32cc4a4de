//! What takes long about a model: its validation, hundreds of fits beside the one that forecasts. It is a function of
//! the candidate's fingerprint, so that who has it makes the model again by one fit.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{HoldOut, HoldOutKey};
use serde::{Deserialize, Serialize};

use crate::{
    Candidate, Fingerprint, Model,
    validation::{Validation, hold_outs as hold_outs_of},
};

/// Of zstd: a file is written once and read often.
const LEVEL: i32 = 19;

/// Validations by fingerprints; in files JSON Lines, one each, compressed by zstd. A candidate has one by that of its fit,
/// and where its counters are foreseen another one by its own, of forecasts from these: so none is made anew because of
/// the other.
#[derive(Clone, Debug, Default)]
pub struct Validations(BTreeMap<Fingerprint, Part>);

/// What is found by one fingerprint.
#[derive(Clone, Debug)]
struct Part {
    /// Rows of the dataset that no fit learns from.
    absurd: BTreeSet<usize>,
    hold_outs: Vec<HoldOut>,
}

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

    /// Keeps a candidate's.
    pub fn add(&mut self, candidate: &Candidate, validation: Validation) {
        let Validation {
            absurd,
            hold_outs,
            foreseen,
        } = validation;
        let part = Part { absurd, hold_outs };
        self.0.insert(candidate.fit_fingerprint, part);
        if let (Some(hold_outs), true) = (foreseen, has_foreseen(candidate)) {
            let part = Part {
                absurd: BTreeSet::new(),
                hold_outs,
            };
            self.0.insert(candidate.fingerprint, part);
        }
    }

    /// What is known of a candidate; none where nothing is, or not how its fit does on what was counted.
    #[must_use]
    pub fn get(&self, candidate: &Candidate) -> Option<Validation> {
        let Part { absurd, hold_outs } = self.0.get(&candidate.fit_fingerprint)?.clone();
        let foreseen = match has_foreseen(candidate) {
            true => self
                .0
                .get(&candidate.fingerprint)
                .map(|it| it.hold_outs.clone()),
            false => Some(Vec::new()),
        };
        Some(Validation {
            absurd,
            hold_outs,
            foreseen,
        })
    }

    /// Whose they are.
    pub fn fingerprints(&self) -> impl Iterator<Item = &Fingerprint> {
        self.0.keys()
    }

    /// The model that the candidate makes, where its validation is here and fits it. What is not known of foreseen
    /// counters is found.
    #[must_use]
    pub fn model(&self, candidate: &Candidate) -> Option<Model> {
        let mut validation = self.get(candidate)?;
        if !can_be(&validation, candidate) {
            return None;
        }
        let foreseen = validation.foreseen.take();
        validation.foreseen = foreseen.filter(|it| can_be_foreseen(it, candidate));
        Some(Model::validated(candidate, &validation))
    }
}

/// Whether there is more to know of a candidate than of its fit.
fn has_foreseen(candidate: &Candidate) -> bool {
    candidate.fingerprint != candidate.fit_fingerprint
}

fn write_line((fingerprint, part): (&Fingerprint, &Part)) -> String {
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
        absurd: part.absurd.clone(),
        hold_outs: part.hold_outs.iter().map(written).collect(),
    };
    let line = serde_json::to_string(&line).expect("numbers and words have a JSON form");
    format!("{line}\n")
}

fn read_line(line: &str) -> Result<(Fingerprint, Part), String> {
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
    let part = Part {
        absurd,
        hold_outs: read,
    };
    Ok((bytes, part))
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
    let mut keys = hold_outs_of(&of.question, of.input).to_vec();
    keys.retain(|key| *key != HoldOutKey::Region || made.contains(key));
    let rows = dataset.y().len();
    let has_rows = |it: &HoldOut| it.forecasts.len() == rows && it.doubts.len() == rows;
    let all = dataset.rows().y.len();
    made == keys
        && validation.hold_outs.iter().all(has_rows)
        && validation.absurd.iter().all(|&row| row < all)
}

/// Whether they can be the candidate's by foreseen counters: none, where its fit asks for others, or each with the rows
/// that are foreseen.
fn can_be_foreseen(hold_outs: &[HoldOut], of: &Candidate) -> bool {
    let rows = of
        .training
        .foreseen
        .as_ref()
        .map_or(0, |it| it.rows().len());
    let keys = hold_outs_of(&of.question, of.input);
    hold_outs
        .iter()
        .all(|it| keys.contains(&it.key) && it.forecasts.len() == rows && it.doubts.len() == rows)
}
