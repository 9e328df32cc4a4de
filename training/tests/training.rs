//! What a question takes of samples, and what makes another fit of them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use kerncast_models::{Contender, FitError, Fitted, HoldOutKey, Method, Rows, across::Ceilings};
use kerncast_training::{
    Candidate, Device, Fit, Group, Input, Model, Question, Response, Sample, Samples, Timed,
    Training, questions, to_blame,
};
use kerncast_wire::Scope;
use uuid::Uuid;

const TARGET: i64 = 1;
const COUNTED_ON: i64 = 2;
const THIRD: i64 = 3;

const COUNTERS: [&str; 4] = [
    "oclgrind:instructions",
    "oclgrind:load_global_bytes",
    "launch:work_items",
    "launch:work_groups",
];

fn at(day: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(day * 86_400, 0).expect("a date")
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A workload of `global`, at twice its number; of `local` one more.
fn workload(kernel: i32, size: i32) -> i32 {
    2 * (kernel * 4 + size)
}

fn sample(device: i64, kernel: i32, size: i32) -> Sample {
    let number = workload(kernel, size);
    let items = f64::from(256 << (2 * size));
    let work = f64::from(1 + (kernel * 7) % 5 * 3);
    let values = [
        items * work * 20.0,
        items * f64::from(4 + kernel % 4 * 8),
        items,
        items / 64.0,
    ];
    Sample {
        id: id(u128::try_from(1000 * device + i64::from(number)).expect("positive")),
        measured_at: at(1),
        device,
        workload: number,
        kernel: format!("k{kernel}"),
        family: None,
        generated: false,
        variant: "global".to_owned(),
        median_s: 1e-6 + 1e-12 * values[0] + 1e-11 * values[1],
        flags: Vec::new(),
        scope: Scope::Full,
        values: HashMap::from_iter((0..).zip(values)),
    }
}

/// Twelve kernels at four sizes, counted on one device and run on all three, on the target with local memory
/// too.
fn samples(counted_on: i64) -> Samples {
    let mut samples = Samples {
        counters: (COUNTERS.into_iter().map(str::to_owned)).zip(0..).collect(),
        ..Samples::default()
    };
    for kernel in 0..12 {
        for size in 0..4 {
            let counted = sample(counted_on, kernel, size);
            for (device, share) in [(TARGET, 0.5), (COUNTED_ON, 1.0), (THIRD, 2.0)] {
                let ran = &mut samples.devices.entry(device).or_default().ran;
                let timed = |sample: u128, median_s| Timed {
                    sample: id(sample),
                    median_s,
                };
                let number = u128::try_from(device).expect("positive") * 10_000
                    + u128::try_from(counted.workload).expect("positive");
                ran.insert(counted.workload, timed(number, share * counted.median_s));
                ran.insert(
                    counted.workload + 1,
                    timed(number + 1, share * counted.median_s * 0.25),
                );
            }
            samples.local.insert(counted.workload, counted.workload + 1);
            samples.counted.push(counted);
        }
    }
    for (device, copy) in [(TARGET, 2e12), (COUNTED_ON, 1e12), (THIRD, 5e11)] {
        let device: &mut Device = samples.devices.get_mut(&device).expect("there");
        device.ceilings = Some(Ceilings {
            copy_bytes_per_s: Some(copy),
            launch_latency_s: Some(1e-6),
            ..Ceilings::default()
        });
    }
    samples
}

fn question(counted_on: Option<i64>, response: Response) -> Question {
    Question {
        target: TARGET,
        counted_on,
        provider: "oclgrind".to_owned(),
        variant: None,
        response,
    }
}

fn counters() -> Vec<String> {
    COUNTERS.map(str::to_owned).to_vec()
}

#[test]
fn of_each_workload_the_newest_sample_with_all_counters_is_used() {
    let mut samples = samples(TARGET);
    let mut newer = samples.counted[5].clone();
    newer.id = id(77);
    newer.measured_at = at(2);
    newer.median_s *= 3.0;
    // Newer still, but it lacks a counter.
    let mut poorer = newer.clone();
    poorer.id = id(78);
    poorer.measured_at = at(3);
    poorer.values.remove(&0);
    samples.counted.extend([newer.clone(), poorer]);
    let own = question(None, Response::Time);
    let training = Training::new(&own, &samples, &counters(), Input::Counters);
    assert_eq!((training.older, training.lacking), (1, 1));
    assert!(training.sample_ids.contains(&newer.id));
    assert!(!training.sample_ids.contains(&samples.counted[5].id));
    let dataset = training.dataset.expect("a dataset");
    assert_eq!(dataset.y().len(), 48);
    assert!(
        dataset
            .y()
            .iter()
            .any(|time| (time - newer.median_s).abs() < 1e-15)
    );
    let told = training.warnings.join("\n");
    assert!(
        told.contains("1 of 50 samples lack oclgrind:instructions"),
        "{told}"
    );
}

#[test]
fn across_devices_rows_are_the_targets_times_by_the_other_ones_counters() {
    let samples = samples(COUNTED_ON);
    let across = question(Some(COUNTED_ON), Response::Time);
    let training = Training::new(&across, &samples, &counters(), Input::CountersAndTime);
    assert_eq!(
        training.columns.last().map(String::as_str),
        Some("counted_on_time")
    );
    let dataset = training.dataset.expect("a dataset");
    let last = dataset.x().ncols() - 1;
    for (row, &time) in dataset.y().iter().enumerate() {
        assert!((time - 0.5 * dataset.x()[(row, last)]).abs() < 1e-15);
    }
    let counted: Vec<Uuid> = samples.counted.iter().map(|it| it.id).collect();
    assert_eq!(training.counted_sample_ids, Some(counted));
    assert_eq!(training.sample_ids[0], id(10_000));
    assert_eq!(training.global_sample_ids, None);
}

#[test]
fn speedups_join_the_variants_on_the_target() {
    for (counted_on, device) in [(None, TARGET), (Some(COUNTED_ON), COUNTED_ON)] {
        let mut samples = samples(device);
        if counted_on.is_none() {
            // On the target itself what was counted is what was timed.
            for sample in &mut samples.counted {
                sample.median_s *= 0.5;
            }
        }
        let speedups = question(counted_on, Response::Speedup);
        let training = Training::new(&speedups, &samples, &counters(), Input::Counters);
        let dataset = training.dataset.as_ref().expect("a dataset");
        let found = dataset.y();
        assert!(found.iter().all(|speedup| (speedup - 4.0).abs() < 1e-12));
        assert_eq!(training.sample_ids[0], id(10_001), "with local memory");
        let without = training.global_sample_ids.expect("without");
        let expected = match counted_on {
            None => samples.counted[0].id,
            Some(_) => id(10_000),
        };
        assert_eq!(without[0], expected);
        assert_eq!(training.counted_sample_ids.is_some(), counted_on.is_some());
    }
}

#[test]
fn counters_that_few_workloads_have_are_no_default_and_the_response_never_is() {
    let mut samples = samples(TARGET);
    for sample in samples.counted.iter_mut().take(6) {
        sample.values.remove(&1);
    }
    let own = question(None, Response::Time);
    let columns = |question: &Question, method: &str| {
        let all = Candidate::all(question, &samples);
        let found = all.into_iter().find(|it| it.specification.method == method);
        found.expect("a candidate").specification.counters
    };
    assert_eq!(
        columns(&own, "nnls"),
        [
            "oclgrind:instructions",
            "launch:work_items",
            "launch:work_groups"
        ]
    );
    // The paper's are the paper's.
    assert_eq!(
        columns(&own, "ols"),
        ["oclgrind:instructions", "launch:work_groups"]
    );
    let counter = Response::Counter("oclgrind:instructions".to_owned());
    assert_eq!(
        columns(&question(None, counter), "nnls"),
        ["launch:work_items", "launch:work_groups"]
    );
}

#[test]
fn a_device_answers_for_its_times_its_variants_and_its_speedups() {
    let asked = |samples: &Samples, counted_on, provider: &str| -> Vec<(String, Option<String>)> {
        let questions = questions(samples, TARGET, counted_on, provider).into_iter();
        questions
            .map(|it| (it.response.to_string(), it.variant))
            .collect()
    };
    let of =
        |response: &str, variant: Option<&str>| (response.to_owned(), variant.map(str::to_owned));
    assert_eq!(
        asked(&samples(TARGET), None, "oclgrind"),
        [
            of("time", None),
            of("time", Some("global")),
            of("speedup", None)
        ]
    );
    assert_eq!(
        asked(&samples(COUNTED_ON), Some(COUNTED_ON), "oclgrind"),
        [of("time", None), of("speedup", None)]
    );
    // Geometry counts nothing that local memory would change.
    assert_eq!(
        asked(&samples(COUNTED_ON), Some(COUNTED_ON), "launch"),
        [of("time", None)]
    );
}

/// Nothing but its ceilings: the others' times.
fn with_an_unseen_target() -> Samples {
    let mut samples = samples(COUNTED_ON);
    samples.devices.get_mut(&TARGET).expect("there").ran = BTreeMap::new();
    samples
}

#[test]
fn a_target_with_nothing_but_ceilings_is_forecast_by_all_others() {
    let samples = with_an_unseen_target();
    let across = question(Some(COUNTED_ON), Response::Time);
    let candidates = Candidate::all(&across, &samples);
    let [only] = &candidates[..] else {
        panic!("{} candidates", candidates.len());
    };
    assert_eq!(only.specification.method, "across_by_ceilings");
    assert_eq!(only.training.sample_ids.len(), 2 * 48);
    let copies = only.training.ceilings.iter().map(|it| it.copy_bytes_per_s);
    assert_eq!(copies.collect::<Vec<_>>(), [Some(1e12), Some(5e11)]);
    let model = Model::of(only);
    assert!(model.outcome.is_ok(), "{:?}", model.outcome);
    assert_eq!(model.hold_outs[0].0.key, HoldOutKey::Device);
    assert!(model.hold_outs[0].1.overall.is_some());
}

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
            let mut made = sample(TARGET, kernel, size);
            made.kernel = format!("made{kernel}");
            made.generated = true;
            made.median_s *= 3.0;
            // Ids below the others'.
            made.id = id(u128::try_from(4 * kernel + size).expect("positive"));
            own.counted.insert(0, made);
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

    let (before, after) = (Model::of(&before), Model::of(&after));
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

#[test]
fn whatever_changes_a_fit_changes_its_fingerprint() {
    let fingerprints = |samples: &Samples, counted_on| -> Vec<[u8; 32]> {
        let all = Candidate::all(&question(counted_on, Response::Time), samples);
        all.into_iter().map(|it| it.fingerprint).collect()
    };
    let own = samples(TARGET);
    let before = fingerprints(&own, None);
    assert_eq!(before, fingerprints(&own, None), "nothing changed");
    type Change = fn(&mut Samples);
    let changes: [(&str, Change); 4] = [
        ("a time", |it| it.counted[0].median_s *= 1.01),
        ("a counter", |it| {
            *it.counted[0].values.get_mut(&0).expect("there") = 999.0
        }),
        ("a family", |_| ()),
        ("another sample", |it| it.counted[0].id = id(5)),
    ];
    for (what, change) in changes {
        let mut changed = own.clone();
        change(&mut changed);
        if what == "a family" {
            for sample in changed.counted.iter_mut().take(8) {
                sample.family = Some("f".to_owned());
            }
        }
        let after = fingerprints(&changed, None);
        assert!(before.iter().zip(&after).all(|(a, b)| a != b), "{what}");
    }
    // Ceilings of a third device are an input where all others are learned from.
    let unseen = with_an_unseen_target();
    let mut faster = unseen.clone();
    let third = faster.devices.get_mut(&THIRD).expect("there");
    third.ceilings.as_mut().expect("there").copy_bytes_per_s = Some(6e11);
    let from = Some(COUNTED_ON);
    assert_ne!(fingerprints(&unseen, from), fingerprints(&faster, from));
    // Where the target has run, they are none.
    let seen = samples(COUNTED_ON);
    let mut faster = seen.clone();
    let third = faster.devices.get_mut(&THIRD).expect("there");
    third.ceilings.as_mut().expect("there").copy_bytes_per_s = Some(6e11);
    assert_eq!(fingerprints(&seen, from), fingerprints(&faster, from));
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
        candidate.method = Arc::new(PanicsAt(rows));
        let model = Model::of(&candidate);
        let refusal = model.outcome.expect_err("a refusal");
        for word in ["a defect of panics, please report it", "these rows again"] {
            assert!(refusal.contains(word), "{refusal}");
        }
        assert!(model.hold_outs.is_empty() && model.calibration.is_none());
    }
}

/// The fit of a device's own times by a method.
fn own(samples: &Samples, method: &str) -> Candidate {
    let all = Candidate::all(&question(None, Response::Time), samples);
    let found = all.into_iter().find(|it| it.specification.method == method);
    found.expect("a candidate")
}

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
    for method in ["nnls", "per_worker", "pnorm"] {
        let mut spoilt = honest.clone();
        let absurd = &mut spoilt.counted[9];
        absurd.median_s /= 1000.0;
        let id = absurd.id;
        let candidate = own(&spoilt, method);
        let model = Model::of(&candidate);
        let told = model.warnings.join("\n");
        assert!(
            told.contains("1 of 48 samples are not fitted"),
            "{method}: {told}"
        );
        assert!(told.contains(&id.to_string()), "{method}: {told}");
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
            let told = Model::of(&own(&samples, method)).warnings.join("\n");
            assert!(!told.contains("not fitted"), "{factor} {method}: {told}");
        }
    }
}

/// The smallest number above 0 made every fit of a device fail, and a time without end a validation overflow.
#[test]
fn times_at_the_ends_of_what_numbers_reach_leave_a_model_or_a_refusal() {
    for time in [5e-324, 1e-300, 1e300, f64::MAX] {
        let mut samples = samples(TARGET);
        samples.counted[9].median_s = time;
        for candidate in Candidate::all(&question(None, Response::Time), &samples) {
            let method = candidate.method.name();
            let model = Model::of(&candidate);
            match &model.outcome {
                Err(why) => assert!(!why.contains("a defect"), "{time} {method}: {why}"),
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

#[test]
fn the_upload_without_which_errors_do_not_explode_is_to_blame() {
    let mut samples = samples(TARGET);
    let kernels = (0..12).map(|kernel| (format!("k{kernel}"), Some(0.01)));
    let before = Contender {
        all_variants: true,
        complete: true,
        complexity: 0,
        error: Some(0.01),
        kernels: kernels.collect(),
    };
    let group = |name: &str, samples: &[Sample]| Group {
        name: name.to_owned(),
        samples: samples.iter().map(|it| it.id).collect::<BTreeSet<Uuid>>(),
    };
    let groups = [
        group("honest", &samples.counted[..4]),
        group("wrong", &samples.counted[20..32]),
        group("elsewhere", &[]),
    ];
    for (at, sample) in samples.counted[20..32].iter_mut().enumerate() {
        sample.median_s *= if at % 2 == 0 { 7.0 } else { 0.15 };
    }
    let candidate = own(&samples, "nnls");
    let found = to_blame(&candidate, &samples, &groups, &before).expect("one");
    assert_eq!(found.name, "wrong");
    // Where no single upload is enough.
    samples.counted[40].median_s *= 50.0;
    samples.counted[41].median_s *= 50.0;
    samples.counted[6].median_s *= 50.0;
    let halves = [
        group("one", &samples.counted[20..26]),
        group("honest", &samples.counted[..4]),
    ];
    let candidate = own(&samples, "nnls");
    assert!(to_blame(&candidate, &samples, &halves, &before).is_none());
}
