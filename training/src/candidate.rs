use std::sync::Arc;

use kerncast_models::{DatasetError, HoldOutKey, METHODS, Method, Rows};
use kerncast_wire::ModelSpecification;
use sha2::{Digest, Sha256};

use crate::{
    Approach, Input, Question, Samples, Training,
    approaches::{self, ACROSS_METHODS, approaches},
    defect::catch_defect,
};

/// SHA-256 of all that a fit comes from: specification, code, method, samples and their numbers. Numbers that a
/// database gives to devices are not in it: the same samples have the same fingerprint everywhere.
pub type Fingerprint = [u8; 32];

/// A fit that can be made.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The question that the fit answers.
    pub question: Question,
    /// The specification, with the counters that are fitted.
    pub specification: ModelSpecification,
    /// The method's place among all that answer such a question, the simplest first.
    pub complexity: i16,
    /// Revisions of the method and of how fits are validated. Kerncast's version is not in it: a release that fits as
    /// the one before makes no model anew.
    pub code_version: String,
    /// The candidate's fingerprint: models with the same one are the same.
    pub fingerprint: Fingerprint,
    /// The rows that are fitted.
    pub training: Arc<Training>,
    /// The method that fits.
    pub method: &'static dyn Method,
    pub(crate) input: Input,
}

impl Candidate {
    /// Every fit that answers the question, those that take longest first. If preparing them panics, the baseline
    /// alone: its [`Model`](crate::Model) is refused, with the panic as the reason.
    #[must_use]
    pub fn all(question: &Question, samples: &Samples) -> Vec<Self> {
        let baseline = approaches::baseline(question);
        Self::or_refused(question, baseline, || Self::prepared(question, samples))
    }

    /// The result of `prepare`, or a refusal of `approach` where it panics.
    fn or_refused(
        question: &Question,
        approach: Approach,
        prepare: impl FnOnce() -> Vec<Self>,
    ) -> Vec<Self> {
        catch_defect("the choice of rows and counters", prepare).unwrap_or_else(|defect| {
            let training = Training::without_rows(question, &approach.counters, defect);
            vec![Self::new(question, approach, Arc::new(training))]
        })
    }

    fn prepared(question: &Question, samples: &Samples) -> Vec<Self> {
        let mut candidates: Vec<Self> = Vec::new();
        for approach in approaches(question, samples) {
            // Methods with the same counters share it.
            let mut others = candidates.iter();
            let same = others
                .find(|it| it.input == approach.input && it.training.counters == approach.counters);
            let training = match same {
                Some(other) => Arc::clone(&other.training),
                None => Arc::new(Training::new(
                    question,
                    samples,
                    &approach.counters,
                    approach.input,
                )),
            };
            candidates.push(Self::new(question, approach, training));
        }
        candidates
    }

    /// The method from counters alone across devices, fitted on one device: it shows what counters that are the same on
    /// every device are worth.
    #[must_use]
    pub fn from_counters(question: &Question, samples: &Samples) -> Self {
        let approach = approaches::from_counters(question, samples);
        let training = Training::new(question, samples, &approach.counters, approach.input);
        Self::new(question, approach, Arc::new(training))
    }

    fn new(question: &Question, approach: Approach, training: Arc<Training>) -> Self {
        let specification =
            question.specification(approach.method.name(), training.columns.clone());
        let code_version = version_of(approach.method);
        let mut candidate = Self {
            question: question.clone(),
            specification,
            complexity: approach.complexity,
            code_version,
            fingerprint: Fingerprint::default(),
            training,
            method: approach.method,
            input: approach.input,
        };
        candidate.fingerprint = candidate.fingerprint();
        candidate
    }

    /// SHA-256 of whatever may change the model.
    fn fingerprint(&self) -> Fingerprint {
        let Training {
            columns: _,
            counters: _,
            dataset,
            sample_ids,
            counted_sample_ids,
            kernels: _,
            generated: _,
            older: _,
            lacking: _,
            warnings,
            borrowed: _,
        } = &*self.training;
        let ModelSpecification {
            device: _,
            counted_on,
            provider,
            method,
            counters,
            variant,
            response,
        } = &self.specification;
        // Validations that are shipped are found by the texts.
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        let parts = (
            (provider, method, counters, variant, response),
            counted_on.is_some(),
            // These three stand where older versions had more: shipped validations are found by this hash.
            true,
            &self.code_version,
            format!("{:?}", self.method),
            sample_ids,
            counted_sample_ids,
            (),
            warnings,
        );
        let parts = serde_json::to_vec(&parts).expect("names and ids have a JSON form");
        let mut hash = Sha256::new_with_prefix(parts);
        if let Err(DatasetError::Defect(defect)) = dataset {
            hash.update(defect);
        }
        if let Ok(dataset) = dataset {
            let Rows { x, y, .. } = dataset.rows();
            for &number in x.iter().chain(y) {
                hash.update(number.to_bits().to_le_bytes());
            }
            if dataset.generated() > 0 {
                hash.update(dataset.generated().to_le_bytes());
            }
            let folds = [
                dataset.folds(HoldOutKey::Family),
                vec![0; dataset.y().len()],
            ];
            let names = (dataset.kernels(), folds);
            hash.update(serde_json::to_vec(&names).expect("names have a JSON form"));
        }
        hash.finalize().into()
    }
}

/// Revision of how fits are validated. 2: intervals come from regions left out. 3: intervals of speedups too.
const VALIDATION_REVISION: u32 = 3;

/// Revision of how a question becomes rows and counters. It changes only with a change that makes other fits, not with
/// each release.
const ROWS_REVISION: &str = "0.2.0";

fn version_of(method: &dyn Method) -> String {
    let (name, revision) = (method.name(), method.revision());
    format!("{ROWS_REVISION} ({name} {revision}, validation {VALIDATION_REVISION})")
}

/// The code versions of all methods today. Fits with another code version come from other code.
#[must_use]
pub fn code_versions() -> Vec<String> {
    let own = METHODS.iter().map(|it| version_of(*it));
    let across = ACROSS_METHODS.iter().map(|(it, _)| version_of(*it));
    own.chain(across).collect()
}

#[cfg(test)]
mod tests {
    use kerncast_wire::provider::NCU;

    use super::*;
    use crate::{Model, Response};

    #[test]
    fn a_panic_before_a_fit_is_a_refusal_with_its_reason() {
        for counted_on in [None, Some(2)] {
            let question = Question {
                target: 1,
                counted_on,
                provider: NCU.to_owned(),
                variant: None,
                response: Response::Time,
            };
            let refused = |message: &'static str| {
                let approach = approaches::baseline(&question);
                let mut all = Candidate::or_refused(&question, approach, || panic!("{message}"));
                assert_eq!(all.len(), 1);
                all.remove(0)
            };
            let candidate = refused("no such row");
            let reason = Model::fit_and_validate(&candidate)
                .outcome
                .expect_err("a refusal");
            assert_eq!(
                reason.to_string(),
                "a defect of the choice of rows and counters, please report it: no such row"
            );
            // What answered before is not to make way for it.
            assert!(candidate.training.has_rows());
            assert_ne!(candidate.fingerprint, refused("another").fingerprint);
            let training = &candidate.training;
            assert_eq!(training.counted_sample_ids.is_some(), counted_on.is_some());
        }
    }
}
