//! Samples judged by themselves.

use std::{collections::BTreeSet, sync::Arc};

use kerncast_training::gate::{ArrivedSample, Judgement, believable_ceilings, judge};
use kerncast_wire::Ceilings;

use super::{INSTRUCTIONS, LAUNCHES, at, of_known_workload, of_new_workload, quarantined, reason};

#[test]
fn what_the_workload_took_before_is_sound_whatever_the_champion_says() {
    let mut it = of_known_workload(1, 1e-3, 1.2e-3);
    it.forecasts = of_new_workload(1, 1.0, Some((1e-9, 1.1))).forecasts;
    assert_eq!(reason(&it), None);
    // A launch of 5 µs differs by what an event adds.
    assert_eq!(reason(&of_known_workload(1, 5e-6, 7e-6)), None);
    assert_eq!(reason(&of_known_workload(1, 7e-6, 5e-6)), None);
}

#[test]
fn a_time_far_from_the_history_waits() {
    let why = reason(&of_known_workload(1, 1e-3, 1e-6)).expect("a thousandth");
    assert_eq!(
        why,
        "it took 1.00 µs, where the workload took 1.00 ms before: 1000 times as fast"
    );
    for now in [1.5e-3, 0.6e-3, 1e3] {
        assert!(reason(&of_known_workload(1, 1e-3, now)).is_some(), "{now}");
    }
}

#[test]
fn where_times_scatter_they_may_but_not_by_everything() {
    let mut it = of_known_workload(1, 1e-3, 1.5e-3);
    Arc::make_mut(&mut it.history).times_s = vec![1e-3, 1.4e-3, 0.7e-3, 1.2e-3, 0.9e-3];
    assert_eq!(reason(&it), None);
    it.median_s = 3e-3;
    assert!(reason(&it).is_some());
}

#[test]
fn the_newest_three_say_what_is_usual() {
    let mut it = of_known_workload(1, 1.0, 0.8e-3);
    Arc::make_mut(&mut it.history).times_s = vec![0.8e-3, 0.8e-3, 2e-3, 2e-3, 2e-3, 2e-3];
    assert_eq!(reason(&it), None);
    // One new one does not.
    Arc::make_mut(&mut it.history).times_s = vec![0.8e-3, 2e-3, 2e-3, 2e-3, 2e-3];
    assert!(reason(&it).is_some());
    Arc::make_mut(&mut it.history).times_s = vec![0.8e-3, 2e-3];
    assert!(reason(&it).is_some());
}

#[test]
fn counters_zeroed_or_scaled_wait_and_are_named() {
    for value in [0.0, 1e3, 2e6, 1e15, -1e6] {
        let mut it = of_known_workload(1, 1e-3, 1e-3);
        it.counters.insert(INSTRUCTIONS.into(), value);
        assert!(reason(&it).is_some(), "{value}");
    }
    let mut it = of_known_workload(1, 1e-3, 1e-3);
    it.counters.insert(INSTRUCTIONS.into(), 0.0);
    let why = reason(&it).expect("zeroed");
    assert_eq!(why, "oclgrind:instructions is 0, was 1.00e6");
    // Others' traffic is part of what DRAM counts.
    let dram: Arc<str> = "ncu:dram__sectors_read.sum".into();
    it = of_known_workload(1, 1e-3, 1e-3);
    it.counters.insert(dram.clone(), 9000.0);
    Arc::make_mut(&mut it.history)
        .counters
        .insert(dram.clone(), 0.0);
    assert_eq!(reason(&it), None);
    it.counters.insert(dram, 9e6);
    assert!(reason(&it).is_some());
}

#[test]
fn beyond_what_the_device_does_no_second_collection_helps() {
    let why = reason(&of_new_workload(1, 1e-7, None)).expect("a fortieth of the shortest launch");
    assert!(why.contains("100 ns") && why.contains("4.00 µs"), "{why}");
    for time in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(reason(&of_new_workload(1, time, None)).is_some(), "{time}");
    }
    let mut busy = of_new_workload(1, 1e-5, None);
    let adds = "ncu:smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
    busy.counters.insert(adds.into(), 1e12);
    let why = reason(&busy).expect("2e17 operations a second");
    assert!(why.contains("single-precision"), "{why}");
    busy.counters.insert(adds.into(), 1e8);
    assert_eq!(reason(&busy), None);
    let again = [
        of_new_workload(1, 1e-7, None),
        at(24, of_new_workload(1, 1e-7, None)),
    ];
    assert_eq!(quarantined(&again), 2);
    // Of a device without ceilings nothing is known.
    assert_eq!(
        judge(&[of_new_workload(1, 1e-7, None)], None),
        [Judgement::Sound]
    );
}

#[test]
fn of_new_workloads_only_what_is_very_far_off_waits() {
    let forecast = Some((1e-3, 1.34));
    for now in [4e-3, 0.55e-3, 1e-3] {
        assert_eq!(reason(&of_new_workload(1, now, forecast)), None, "{now}");
    }
    for now in [5e-3, 0.4e-3, 1e3] {
        assert!(
            reason(&of_new_workload(1, now, forecast)).is_some(),
            "{now}"
        );
    }
    // Where forecasts are usually far off, more is believed; of a new device everything.
    assert_eq!(reason(&of_new_workload(1, 2e-2, Some((1e-3, 3.0)))), None);
    assert_eq!(reason(&of_new_workload(1, 1e3, None)), None);
    // What is no forecast says nothing.
    assert_eq!(reason(&of_new_workload(1, 1e-3, Some((0.0, 1.3)))), None);
    assert_eq!(
        reason(&of_new_workload(1, 1e-3, Some((f64::NAN, 1.3)))),
        None
    );
}

#[test]
fn a_history_without_a_champions_counters_spares_nobody_its_question() {
    let mut it = of_known_workload(1, 1e-3, 1e-3);
    it.forecasts = of_new_workload(1, 1.0, Some((1e-9, 1.1))).forecasts;
    assert_eq!(reason(&it), None);
    Arc::make_mut(&mut it.history).counted_by = BTreeSet::from(["launch".to_owned()]);
    let why = reason(&it).expect("a million times");
    assert!(
        why.contains("is forecast from counters of oclgrind"),
        "{why}"
    );
    // Nor a whole collection.
    let unlike: Vec<ArrivedSample> = (0..20)
        .map(|at| {
            let mut it = of_known_workload(at, 1.6, 1.6);
            Arc::make_mut(&mut it.history).counted_by.clear();
            it.forecasts = of_new_workload(at, 1.6, Some((1.0, 1.34))).forecasts;
            it
        })
        .collect();
    assert_eq!(quarantined(&unlike), 20);
}

#[test]
fn of_several_launches_no_champion_is_asked_and_they_spare_none_of_one() {
    let with = |launches: f64, mut it: ArrivedSample| {
        it.counters.insert(LAUNCHES.into(), launches);
        it
    };
    let far_off = || of_new_workload(1, 1e-3, Some((1e-6, 1.1)));
    assert_eq!(reason(&with(10.0, far_off())), None);
    assert!(reason(&with(1.0, far_off())).is_some());
    // Who comes after such a sample and says nothing of launches is asked as if there had been none.
    let mut after = far_off();
    after.history = of_known_workload(1, 1e-3, 1e-3).history;
    assert_eq!(reason(&after), None);
    Arc::make_mut(&mut after.history)
        .counters
        .insert(LAUNCHES.into(), 10.0);
    let why = reason(&after).expect("a thousand times");
    assert!(why.contains("is forecast from counters"), "{why}");
    // And who says that it is one differs.
    let why = reason(&with(1.0, after)).expect("another number");
    assert!(why.contains("launch:launches is 1.00, was 10.0"), "{why}");
}

#[test]
fn what_one_agent_says_of_a_device_switches_no_limit_off() {
    let of = |launch_s: f64, bytes_per_s: f64| Ceilings {
        launch_latency_s: Some(launch_s),
        copy_bytes_per_s: Some(bytes_per_s),
        ..Ceilings::default()
    };
    let lie = of(1e-2, 1.0);
    let both = believable_ceilings(&[of(4e-6, 4e12), lie]);
    assert_eq!(
        (both.launch_latency_s, both.copy_bytes_per_s),
        (Some(4e-6), Some(4e12))
    );
    // From three on, those far from the median are not heard either way.
    let many = [of(4e-6, 4e12), of(1e-9, 1e20), of(5e-6, 3e12)];
    let many = believable_ceilings(&many);
    assert_eq!(
        (many.launch_latency_s, many.copy_bytes_per_s),
        (Some(4e-6), Some(4e12))
    );
    // Who leaves it out takes nothing away.
    let without = Ceilings {
        launch_latency_s: None,
        ..of(1.0, 1.0)
    };
    assert_eq!(
        believable_ceilings(&[without, of(4e-6, 4e12)]).launch_latency_s,
        Some(4e-6)
    );
    assert_eq!(believable_ceilings(&[]), Ceilings::default());
    // And where nobody knows better, no more than a third of what is usual is the launch's.
    let judgements = judge(&[of_known_workload(1, 12e-6, 2e-3)], Some(&lie));
    assert!(matches!(judgements[0], Judgement::Quarantined { .. }));
}

#[test]
fn nothing_is_judged_where_nothing_arrived() {
    assert_eq!(judge(&[], None), []);
}
