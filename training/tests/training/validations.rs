//! Models by validations that were made before.

use std::collections::BTreeMap;

use kerncast_training::{Candidate, Model, Response, Samples, Validation, Validations, questions};

use super::data::{COUNTED_ON, TARGET, question, samples};

/// Written and read again.
fn by_file(validations: &Validations) -> Validations {
    Validations::read(&validations.write().expect("bytes")).expect("what was written")
}

fn of(candidate: &Candidate) -> Validations {
    let mut validations = Validations::default();
    validations.add(
        candidate.fingerprint,
        Model::fit_and_validate(candidate).validation(),
    );
    by_file(&validations)
}

/// A time that no fit learns from is among them.
fn spoilt() -> Samples {
    let mut samples = samples(TARGET);
    samples.counted[9].median_s /= 1000.0;
    samples
}

#[test]
fn a_model_by_a_validation_is_the_one_that_was_validated() {
    let (own, across) = (spoilt(), samples(COUNTED_ON));
    let own_questions = questions(&own, TARGET, None, "oclgrind");
    let candidates = own_questions.iter().flat_map(|it| Candidate::all(it, &own));
    let mut candidates: Vec<Candidate> = candidates.collect();
    for question in questions(&across, TARGET, Some(COUNTED_ON), "oclgrind") {
        candidates.extend(Candidate::all(&question, &across));
    }
    let mut absurd = 0;
    for candidate in &candidates {
        let specification = format!("{:?}", candidate.specification);
        let validated = Model::fit_and_validate(candidate);
        let restored = of(candidate).model(candidate);
        let complete = validated.hold_outs.iter().flat_map(|it| &it.0.forecasts);
        if validated.outcome.is_err() || !complete.clone().all(Result::is_ok) {
            assert!(restored.is_none(), "{specification}");
            continue;
        }
        let restored = restored.unwrap_or_else(|| panic!("none of {specification}"));
        absurd += validated.absurd.len();
        let fitted = |model: &Model| model.outcome.clone().expect("a fit").fitted;
        assert_eq!(fitted(&validated), fitted(&restored), "{specification}");
        assert_eq!(validated.absurd, restored.absurd, "{specification}");
        assert_eq!(
            validated.warnings.len(),
            restored.warnings.len(),
            "{specification}"
        );
        assert_eq!(
            validated.ranking_key, restored.ranking_key,
            "{specification}"
        );
        let errors = |model: &Model| -> Vec<f64> {
            let all = model.hold_outs.iter().filter_map(|it| it.1.overall);
            let numbers = all.flat_map(|it| [it.mean_ape, it.median_ape, it.factor.unwrap_or(1.0)]);
            let covered = model.coverage.map_or(0.0, |it| it.typical_factor);
            numbers.chain([covered]).collect()
        };
        for (one, other) in errors(&validated).into_iter().zip(errors(&restored)) {
            assert!(
                (one - other).abs() <= 1e-6 + 1e-5 * one.abs(),
                "{specification}: {one} {other}"
            );
        }
        let keys =
            |model: &Model| -> Vec<_> { model.hold_outs.iter().map(|it| it.0.key).collect() };
        assert_eq!(keys(&validated), keys(&restored), "{specification}");
    }
    assert!(absurd > 0, "{absurd}");
}

/// Numbers of devices, workloads and counters are a database's own.
#[test]
fn the_same_samples_have_the_same_fingerprints_in_every_database() {
    let own_samples = samples(COUNTED_ON);
    let renumbered = Samples {
        borrowed: BTreeMap::new(),
        lender: None,
        counters: own_samples
            .counters
            .iter()
            .map(|(name, it)| (name.clone(), it + 50))
            .collect(),
        counted: own_samples
            .counted
            .iter()
            .cloned()
            .map(|mut it| {
                it.device += 70;
                it.workload += 900;
                it.values = it
                    .values
                    .into_iter()
                    .map(|(number, value)| (number + 50, value))
                    .collect();
                it
            })
            .collect(),
        devices: own_samples
            .devices
            .iter()
            .map(|(number, ran)| {
                let ran = ran.iter().map(|(it, timed)| (it + 900, *timed));
                (number + 70, ran.collect())
            })
            .collect(),
    };
    let own_question = question(Some(COUNTED_ON), Response::Time);
    let mut renumbered_question = own_question.clone();
    renumbered_question.target += 70;
    renumbered_question.counted_on = Some(COUNTED_ON + 70);
    let fingerprints = |question, samples| -> BTreeMap<String, _> {
        let all = Candidate::all(question, samples).into_iter();
        all.map(|it| (it.specification.method, it.fingerprint))
            .collect()
    };
    let (one, other) = (
        fingerprints(&own_question, &own_samples),
        fingerprints(&renumbered_question, &renumbered),
    );
    assert!(!one.is_empty());
    assert_eq!(one, other);
}

#[test]
fn what_cannot_be_a_candidates_validation_makes_no_model_of_it() {
    let own = samples(TARGET);
    let question = question(None, Response::Time);
    let find = |samples: &Samples, method: &str| {
        let mut all = Candidate::all(&question, samples).into_iter();
        all.find(|it| it.specification.method == method)
            .expect("a candidate")
    };
    let candidate = find(&own, "nnls");
    let good = Model::fit_and_validate(&candidate).validation();
    let make = |validation: &Validation| {
        let mut validations = Validations::default();
        validations.add(candidate.fingerprint, validation.clone());
        by_file(&validations).model(&candidate)
    };
    assert!(make(&good).is_some());
    let mut short = good.clone();
    short.hold_outs[0].forecasts.pop();
    let mut reversed = good.clone();
    reversed.hold_outs.reverse();
    let mut partial = good.clone();
    partial.hold_outs.pop();
    let mut beyond = good.clone();
    beyond.absurd.insert(48);
    for wrong in [short, reversed, partial, beyond] {
        assert!(make(&wrong).is_none(), "{wrong:?}");
    }
    // Another method's, or other samples', is another's.
    assert!(of(&find(&own, "ols")).model(&candidate).is_none());
    assert!(of(&find(&spoilt(), "nnls")).model(&candidate).is_none());
}

#[test]
fn a_file_that_is_none_is_refused_with_its_line() {
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 1).expect("bytes");
    let digits = "0".repeat(64);
    let good = format!(r#"{{"fingerprint":"{digits}","hold_outs":[]}}"#);
    assert!(Validations::read(&zstd(&good)).is_ok());
    assert!(Validations::read(b"no zstd").is_err());
    let doubt = r#"{"key":"row","forecasts":[1.0],"doubts":[0.0]}"#;
    for wrong in [
        "{}".to_owned(),
        good.replace('0', "g"),
        good.replace(&digits, "00"),
        good.replace("[]", &format!("[{doubt}]")),
        good.replace("[]", r#"[{"key":"row","forecasts":[null]}]"#),
        good.replace("hold_outs", "more"),
    ] {
        let why = Validations::read(&zstd(&format!("{good}\n{wrong}"))).expect_err("refused");
        assert!(why.starts_with("line 2: "), "{wrong}: {why}");
    }
}
