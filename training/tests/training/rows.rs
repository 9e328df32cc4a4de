//! What a question takes of samples.

use kerncast_training::{Candidate, Input, Question, Response, Training};
use uuid::Uuid;

use super::data::{COUNTED_ON, TARGET, at, counters, id, question, samples, text};

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
    let warnings = text(&training.warnings);
    assert!(
        warnings.contains("1 of 50 samples lack oclgrind:instructions"),
        "{warnings}"
    );
}

#[test]
fn of_several_launches_nothing_is_learnt() {
    let mut samples = samples(TARGET);
    samples.counters.insert("launch:launches".to_owned(), 4);
    for (sample, launches) in samples.counted.iter_mut().zip([1.0, 2.0, 10.0]) {
        sample.values.insert(4, launches);
    }
    let own = question(None, Response::Time);
    let training = Training::new(&own, &samples, &counters(), Input::Counters);
    assert_eq!(training.sample_ids.len(), 46);
    for (place, is_in) in [(0, true), (1, false), (2, false), (3, true)] {
        let sample = samples.counted[place].id;
        assert_eq!(training.sample_ids.contains(&sample), is_in, "{place}");
    }
    let warnings = text(&training.warnings);
    assert!(
        warnings.contains("2 samples are of several launches, and are left out"),
        "{warnings}"
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
    // In the order of kernels' names.
    let mut counted: Vec<_> = samples.counted.iter().collect();
    counted.sort_by(|one, other| one.kernel.cmp(&other.kernel));
    let counted: Vec<Uuid> = counted.iter().map(|it| it.id).collect();
    assert_eq!(training.counted_sample_ids, Some(counted));
    assert_eq!(training.sample_ids[0], id(10_000));
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
        let candidate = all.into_iter().find(|it| it.specification.method == method);
        candidate.expect("a candidate").specification.counters
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
