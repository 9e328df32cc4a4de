//! What becomes of a candidate.

use kerncast_models::{FitError, Fitted, HoldOutKey, Method, Rows};
use kerncast_training::{Candidate, Model, Response, Samples};

use super::data::{TARGET, id, question, sample, samples};

/// Their rows come last, and change the fit; judged are the others, as often as without them.
#[test]
fn generated_kernels_are_learned_from_and_not_judged() {
    let question = question(None, Response::Time);
    let mut own = samples(TARGET);
    own.counted
        .retain(|it| it.kernel != "k0" && it.kernel != "k1");
    let nnls = |samples: &Samples| {
        let all = Candidate::all(&question, samples).into_iter();
        let mut nnls = all.filter(|it| it.method.name() == "nnls");
        nnls.next().expect("nnls is asked")
    };
    let before = nnls(&own);
    for kernel in 0..2 {
        for size in 0..4 {
            let mut generated_sample = sample(TARGET, kernel, size);
            generated_sample.kernel = format!("made{kernel}");
            generated_sample.generated = true;
            generated_sample.median_s *= 3.0;
            // Ids below the others'.
            generated_sample.id = id(u128::try_from(4 * kernel + size).expect("positive"));
            own.counted.insert(0, generated_sample);
        }
    }
    let after = nnls(&own);
    assert_eq!((after.training.kernels, after.training.generated), (10, 8));
    assert_eq!(before.training.sample_ids, after.training.sample_ids[..40]);
    assert_ne!(before.fingerprint, after.fingerprint);
    let mut of_people = own.clone();
    of_people
        .counted
        .iter_mut()
        .for_each(|it| it.generated = false);
    assert_ne!(nnls(&of_people).fingerprint, after.fingerprint);

    let (before, after) = (
        Model::fit_and_validate(&before),
        Model::fit_and_validate(&after),
    );
    let kernels = |model: &Model| -> Vec<Vec<String>> {
        let reports = model.hold_outs.iter().map(|(_, report)| &report.kernels);
        let names = reports.map(|kernels| kernels.iter().map(|it| it.kernel.clone()).collect());
        names.collect()
    };
    assert_eq!(kernels(&before), kernels(&after));
    let errors = |model: &Model| model.hold_outs[0].1.overall.expect("errors");
    assert_eq!(errors(&before).n, errors(&after).n);
    assert!(
        errors(&before).mean_ape < errors(&after).mean_ape,
        "it learned from the slower ones"
    );
    assert_eq!(
        after
            .calibration
            .expect("kernels were left out")
            .scores
            .len(),
        10
    );
}

/// Intervals come from regions with forty kernels and more, whatever was generated beside them; with fewer from
/// kernels.
#[test]
fn intervals_come_from_regions_where_kernels_can_be_told_apart() {
    let of = |kernels: i32, generated: i32| {
        let mut own = samples(TARGET);
        own.counted.clear();
        for kernel in 0..kernels + generated {
            for size in 0..4 {
                let mut it = sample(TARGET, kernel, size);
                it.generated = kernel >= kernels;
                // No method is right about all of them.
                it.median_s *= 1.0 + 0.1 * f64::from(kernel % 7);
                own.counted.push(it);
            }
        }
        let all = Candidate::all(&question(None, Response::Time), &own).into_iter();
        let mut nnls = all.filter(|it| it.method.name() == "nnls");
        let model = Model::fit_and_validate(&nnls.next().expect("nnls is asked"));
        let keys: Vec<HoldOutKey> = model.hold_outs.iter().map(|(it, _)| it.key).collect();
        let calibration = model.calibration.expect("something was left out");
        (keys, calibration.scores.len(), model.coverage.is_some())
    };
    use HoldOutKey::{Family, Kernel, Region, Row};
    assert_eq!(of(40, 12), (vec![Kernel, Family, Region, Row], 20, true));
    assert_eq!(of(39, 12), (vec![Kernel, Family, Row], 39, true));
}

/// A method that panics where it is given as many rows as this, all of them or those without a fold.
#[derive(Debug)]
struct PanicsAt(usize);

impl Method for PanicsAt {
    fn name(&self) -> &'static str {
        "panics"
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        assert_ne!(rows.y.len(), self.0, "these rows again");
        kerncast_models::METHODS[0].fit(rows)
    }
}

#[test]
fn a_panic_in_a_fit_or_its_validation_is_a_refusal_with_its_reason() {
    let samples = samples(TARGET);
    let own = question(None, Response::Time);
    let mut candidate = Candidate::all(&own, &samples).remove(0);
    let all = candidate.training.sample_ids.len();
    // Twelve kernels with as many samples each: without one of them the validation fits.
    for rows in [all, all - all / 12] {
        candidate.method = Box::leak(Box::new(PanicsAt(rows)));
        let model = Model::fit_and_validate(&candidate);
        let refusal = model.outcome.expect_err("a refusal").to_string();
        for word in ["a defect of panics, please report it", "these rows again"] {
            assert!(refusal.contains(word), "{refusal}");
        }
        assert!(model.hold_outs.is_empty() && model.calibration.is_none());
    }
}

/// The smallest number above 0 made every fit of a device fail, and a time without end a validation
/// overflow.
#[test]
fn times_at_the_ends_of_what_numbers_reach_leave_a_model_or_a_refusal() {
    for time in [5e-324, 1e-300, 1e300, f64::MAX] {
        let mut samples = samples(TARGET);
        samples.counted[9].median_s = time;
        for candidate in Candidate::all(&question(None, Response::Time), &samples) {
            let method = candidate.method.name();
            let model = Model::fit_and_validate(&candidate);
            match &model.outcome {
                Err(why) => {
                    let why = why.to_string();
                    assert!(!why.contains("a defect"), "{time} {method}: {why}");
                }
                Ok(_) => {
                    let reports = model.hold_outs.iter().filter_map(|(_, it)| it.overall);
                    for errors in reports {
                        let numbers = [errors.mean_ape, errors.factor.unwrap_or(1.0)];
                        let finite = numbers.iter().all(|it| it.is_finite());
                        assert!(finite, "{time} {method}: {errors:?}");
                    }
                }
            }
        }
    }
}
