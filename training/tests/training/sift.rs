//! Times that no fit should learn from.

use kerncast_training::{Candidate, Fit, Input, Model, Samples, Training};

use super::data::{TARGET, own, samples, text};

/// What a fit makes of the samples of `honest`, ÷ what they took.
fn off(fit: &Fit, candidate: &Candidate, honest: &Samples) -> Vec<f64> {
    let training = Training::new(
        &candidate.question,
        honest,
        &candidate.training.counters,
        Input::Counters,
    );
    let dataset = training.dataset.expect("a dataset");
    let rows = dataset.x();
    let forecasts = rows.rows().into_iter().map(|row| fit.fitted.predict(row));
    forecasts.zip(dataset.y()).map(|(a, b)| a / b).collect()
}

#[test]
fn an_absurdly_short_time_is_not_fitted_but_named_and_judged_by() {
    let honest = samples(TARGET);
    for method in ["nnls", "per_worker"] {
        let mut spoilt = honest.clone();
        let absurd = &mut spoilt.counted[9];
        absurd.median_s /= 1000.0;
        let id = absurd.id;
        let candidate = own(&spoilt, method);
        let model = Model::fit_and_validate(&candidate);
        let warnings = text(&model.warnings);
        assert!(
            warnings.contains("1 of 48 samples are not fitted"),
            "{method}: {warnings}"
        );
        assert!(warnings.contains(&id.to_string()), "{method}: {warnings}");
        let fit = model.outcome.expect("a fit");
        let off = off(&fit, &candidate, &honest);
        assert!(
            off.iter().all(|it| (it - 1.0).abs() < 0.1),
            "{method}: {off:?}"
        );
        for (hold_out, report) in &model.hold_outs {
            assert_eq!(hold_out.forecasts.len(), 48);
            let errors = report.overall.expect("errors");
            assert_eq!((errors.n, errors.unpredicted), (48, 0));
            // Off by a thousand times, of 48 rows and 12 kernels.
            assert!(errors.mean_ape > 10.0, "{method}: {}", errors.mean_ape);
        }
    }
}

#[test]
fn what_is_merely_hard_to_forecast_is_fitted() {
    for factor in [0.2, 5.0, 1000.0] {
        let mut samples = samples(TARGET);
        samples.counted[9].median_s *= factor;
        for method in ["nnls", "per_worker"] {
            let warnings = text(&Model::fit_and_validate(&own(&samples, method)).warnings);
            assert!(
                !warnings.contains("not fitted"),
                "{factor} {method}: {warnings}"
            );
        }
    }
}

/// Where counters explain each kernel that was seen, and no other, a kernel that is fast is no more absurd than others
/// are slow.
#[test]
fn what_others_are_off_is_known_from_kernels_that_are_left_out() {
    let mut samples = samples(TARGET);
    let calls = |kernel: usize| i32::try_from(4 + kernel).expect("small");
    for kernel in 0..12 {
        let name = format!("oclgrind:call_f{kernel}");
        samples.counters.insert(name, calls(kernel));
    }
    for (place, it) in samples.counted.iter_mut().enumerate() {
        let is_slow = place / 4 >= 4;
        it.median_s = it.values[&0] * if is_slow { 1e-8 } else { 1e-9 };
        for kernel in 0..12 {
            let is_own = is_slow && kernel == place / 4;
            let count = if is_own { 1e9 * it.median_s } else { 0.0 };
            it.values.insert(calls(kernel), count);
        }
    }
    samples.counted[9].median_s /= 20.0;
    for method in ["nnls", "per_worker"] {
        let warnings = text(&Model::fit_and_validate(&own(&samples, method)).warnings);
        assert!(!warnings.contains("not fitted"), "{method}: {warnings}");
    }
}

/// Whoever may upload can call a kernel generated.
#[test]
fn a_generated_kernels_absurd_time_is_not_fitted_either() {
    let honest = samples(TARGET);
    for method in ["nnls", "per_worker"] {
        let mut spoilt = honest.clone();
        for it in &mut spoilt.counted[..4] {
            it.kernel = "generated".to_owned();
            it.generated = true;
        }
        let warnings = text(&Model::fit_and_validate(&own(&spoilt, method)).warnings);
        assert!(!warnings.contains("not fitted"), "{method}: {warnings}");
        let absurd = &mut spoilt.counted[1];
        absurd.median_s /= 1000.0;
        let id = absurd.id.to_string();
        let candidate = own(&spoilt, method);
        let model = Model::fit_and_validate(&candidate);
        let warnings = text(&model.warnings);
        assert!(
            warnings.contains("1 of 48 samples are not fitted") && warnings.contains(&id),
            "{method}: {warnings}"
        );
        let off = off(&model.outcome.expect("a fit"), &candidate, &honest);
        assert!(
            off.iter().all(|it| (it - 1.0).abs() < 0.1),
            "{method}: {off:?}"
        );
    }
}
