//! Models of what ncu counts, where the source alone tells the same of their samples.

use kerncast_training::{Candidate, Model, Question, Response, Samples, Validations};

use super::data::{TARGET, samples};

/// Instructions and loads as ncu counts them, and as they are foreseen: `times` as many. Of one sample nothing is.
fn counted_and_foreseen(times: f64) -> Samples {
    let mut samples = samples(TARGET);
    let names = [
        "ncu:smsp__inst_executed.sum",
        "ncu:dram__sectors_read.sum",
        "launch:work_items",
        "launch:work_groups",
        "analysis:instructions",
        "analysis:dram_read_sectors",
    ];
    samples.counters = names.into_iter().map(str::to_owned).zip(0..).collect();
    for sample in samples.counted.iter_mut().skip(1) {
        for (counted, foreseen) in [(0, 4), (1, 5)] {
            let count = sample.values[&counted];
            sample.values.insert(foreseen, times * count);
        }
    }
    samples
}

fn candidate(samples: &Samples, method: &str) -> Candidate {
    let question = Question {
        target: TARGET,
        counted_on: None,
        provider: "ncu".to_owned(),
        variant: None,
        response: Response::Time,
    };
    let mut all = Candidate::all(&question, samples).into_iter();
    let found = all.find(|it| it.specification.method == method);
    found.expect("a candidate")
}

#[test]
fn a_model_knows_how_far_off_it_is_by_foreseen_counters() {
    let (right, wrong) = (counted_and_foreseen(1.0), counted_and_foreseen(2.0));
    let [right, wrong] = [&right, &wrong].map(|it| Model::of(&candidate(it, "nnls")));
    let off = |model: &Model| model.foreseen.as_ref().expect("foreseen").by;
    assert!(off(&right).errors.mean_ape < 0.05, "{:?}", off(&right));
    assert!(off(&wrong).errors.mean_ape > 0.3, "{:?}", off(&wrong));
    // One sample is not foreseen.
    let rows = right.hold_outs[0].0.forecasts.len();
    assert_eq!(off(&right).errors.n, rows - 1);
    let width = |model: &Model| off(model).coverage.expect("intervals").typical_factor;
    assert!(width(&wrong) > 1.5 && width(&right) < 1.2);
    let own = |model: &Model| model.hold_outs[0].1.overall.expect("errors");
    assert_eq!(own(&right), own(&wrong), "counted ones are as they were");
}

#[test]
fn the_fit_is_the_same_whatever_is_foreseen() {
    let [one, other] = [1.0, 2.0].map(|times| candidate(&counted_and_foreseen(times), "nnls"));
    assert_eq!(one.fit_fingerprint, other.fit_fingerprint);
    assert_ne!(one.fingerprint, other.fingerprint);
    assert_ne!(one.fingerprint, one.fit_fingerprint);
    let mut known = Validations::default();
    known.add(&one, Model::of(&one).validation());
    let given = |it: &Candidate| {
        let known = Validations::read(&known.write().expect("bytes")).expect("what was written");
        known
            .model(it)
            .expect("a model")
            .foreseen
            .expect("foreseen")
            .by
            .errors
            .mean_ape
    };
    // What is known of the one's fit is the other's too, and what it is by foreseen counters is found.
    assert!(given(&one) < 0.05 && given(&other) > 0.3);
    assert!(known.get(&one).expect("known").foreseen.is_some());
    assert!(known.get(&other).expect("known").foreseen.is_none());
}

#[test]
fn what_nobody_foresees_is_not_judged_so() {
    let mut samples = counted_and_foreseen(1.0);
    // A counter of a profiler's own.
    samples
        .counters
        .insert("ncu:idc__requests.sum".to_owned(), 6);
    for (sample, count) in samples.counted.iter_mut().zip(1..) {
        sample.values.insert(6, f64::from(count % 7) * 1e6);
        sample.median_s += f64::from(count % 7) * 1e-5;
    }
    let model = Model::of(&candidate(&samples, "nnls"));
    assert!(model.outcome.is_ok());
    assert!(model.foreseen.is_none());
    let mut none = counted_and_foreseen(1.0);
    none.counters
        .retain(|name, _| !name.starts_with("analysis"));
    let candidate = candidate(&none, "nnls");
    assert_eq!(candidate.fingerprint, candidate.fit_fingerprint);
}
