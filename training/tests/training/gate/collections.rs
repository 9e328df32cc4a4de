//! Collections judged as a whole, and confirmed by later ones.

use std::sync::Arc;

use kerncast_training::gate::ArrivedSample;

use super::{INSTRUCTIONS, at, hour, of_known_workload, of_new_workload, quarantined, reasons};

/// Twenty workloads from 20 µs up, all `factor` times as long as before.
fn collection(hours: i64, factor: f64) -> Vec<ArrivedSample> {
    let times = (0..20).map(|it| (it, 1e-4 * f64::from(it + 1)));
    times
        .map(|(it, time_s)| at(hours, of_known_workload(it, time_s, factor * time_s)))
        .collect()
}

#[test]
fn a_collection_that_is_shifted_throughout_waits_as_a_whole() {
    assert_eq!(quarantined(&collection(0, 1.02)), 0);
    let mut shifted = collection(0, 1.1);
    shifted.push(of_new_workload(99, 1e-3, None));
    let reasons = reasons(&shifted);
    for reason in &reasons {
        let why = reason.as_ref().expect("quarantined");
        assert!(why.contains("10 % longer"), "{why}");
    }
    // Another agent's are its own.
    let mut other = of_known_workload(50, 1e-3, 1e-3);
    other.agent = "another".to_owned();
    shifted.push(other);
    assert_eq!(quarantined(&shifted), 21);
}

#[test]
fn another_machine_of_the_same_name_may_differ_throughout_but_not_by_everything() {
    let of_another_machine = |hours, factor| {
        let mut arrived = collection(hours, factor);
        for it in &mut arrived {
            Arc::make_mut(&mut it.history).is_shipped = true;
        }
        arrived
    };
    for factor in [0.5, 1.08, 2.0] {
        assert_ne!(quarantined(&collection(0, factor)), 0);
        assert_eq!(quarantined(&of_another_machine(0, factor)), 0);
    }
    let arrived = of_another_machine(0, 5.0);
    assert_eq!(quarantined(&arrived), arrived.len());
}

#[test]
fn a_collection_that_scatters_waits_too() {
    let mut scattered = collection(0, 1.2);
    for it in scattered.iter_mut().step_by(2) {
        it.median_s /= 1.44;
    }
    assert_eq!(quarantined(&scattered), 20);
    // New workloads that are all as far from their forecasts as few honest ones are.
    let unlike = |off: f64| -> Vec<ArrivedSample> {
        (0..20)
            .map(|it| {
                of_new_workload(
                    it,
                    if it % 2 == 0 { off } else { 1.0 / off },
                    Some((1.0, 1.34)),
                )
            })
            .collect()
    };
    assert_eq!(quarantined(&unlike(1.5)), 0);
    assert_eq!(quarantined(&unlike(1.6)), 20);
}

/// A new driver.
#[test]
fn a_moderate_change_is_sound_once_a_later_collection_says_the_same() {
    let mut both = collection(0, 0.8);
    assert_eq!(quarantined(&both), 20);
    both.extend(collection(24, 0.81));
    assert_eq!(quarantined(&both), 0);
}

#[test]
fn what_comes_too_soon_or_says_otherwise_confirms_nothing() {
    let mut soon = collection(0, 0.8);
    soon.extend(collection(6, 0.8));
    assert_eq!(quarantined(&soon), 40);
    let mut otherwise = collection(0, 0.7);
    otherwise.extend(collection(24, 1.4));
    assert_eq!(quarantined(&otherwise), 40);
    // Measured long apart, as they say, but sent together.
    let mut claimed = collection(0, 0.8);
    claimed.extend(collection(24, 0.8).into_iter().map(|it| ArrivedSample {
        received_at: hour(0),
        ..it
    }));
    assert_eq!(quarantined(&claimed), 40);
    // Too much for machines to decide.
    let mut large = collection(0, 2.0);
    large.extend(collection(24, 2.0));
    assert_eq!(quarantined(&large), 40);
}

/// A compiler that makes one kernel three times as fast, with other counts.
#[test]
fn one_kernels_change_is_confirmed_by_itself() {
    let mut first = collection(0, 1.0);
    first[3].median_s /= 3.0;
    first[3].counters.insert(INSTRUCTIONS.into(), 2e5);
    assert_eq!(quarantined(&first), 1);
    let mut second = collection(24, 1.0);
    second[3].median_s /= 3.0;
    second[3].counters.insert(INSTRUCTIONS.into(), 2e5);
    let both: Vec<ArrivedSample> = first.iter().chain(&second).cloned().collect();
    assert_eq!(quarantined(&both), 0);
    // A hundred times as fast is for an admin.
    let by_much = [
        of_known_workload(3, 1e-2, 1e-4),
        at(24, of_known_workload(3, 1e-2, 1e-4)),
    ];
    assert_eq!(quarantined(&by_much), 2);
}
