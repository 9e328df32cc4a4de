//! Plans are those of the calls, and rates make forecasts of every report.

use std::sync::OnceLock;

use kerncast_primitives::{
    Effort, Job, Operation, Options, Rates, Scan, Sink, Source, Streamer, Type, Unnamed, WORKS,
    Way, Who, Work,
};

use crate::{device, numbers, streamer, two};

/// Of little data: that there are forecasts, and not how good they are.
fn rates() -> &'static Rates {
    static RATES: OnceLock<Rates> = OnceLock::new();
    RATES.get_or_init(|| {
        let effort = Effort {
            device_bytes: 1 << 20,
            host_bytes: vec![1 << 12, 1 << 16],
        };
        kerncast_primitives::measure(&device(), &effort, |_| {}).expect("rates")
    })
}

/// One that leaves nothing to the host's cores.
fn on_device() -> Streamer {
    let options = Options {
        piece_bytes: 12_000,
        lanes: 2,
        map: false,
        cores: false,
        ..Options::new(1 << 20)
    };
    Streamer::new(device(), options).expect("a streamer")
}

#[test]
fn plans_say_what_is_done_whatever_the_length() {
    for length in [0, 1, 4095, 4096, 4097, 40_959, 40_961, 81_920, 300_001] {
        let data: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        let index: Vec<u32> = (0..length as u32).rev().collect();
        for work in WORKS.into_iter().filter(|it| *it != Work::Sine) {
            let mut streamer = on_device();
            streamer.expect(rates().clone());
            let mut out = vec![0_u32; length];
            let (from, to) = (Source::slice(&data), Sink::slice(&mut out));
            let add = Operation::new("return a + b;");
            let job = Job::new(work, Type::U32, length as u64, Way::Staged);
            let planned = streamer.choose(&job).expect("a plan");
            let report = match work {
                Work::Reduce => streamer.reduce::<u32>(&add, from).expect("reduced").1,
                Work::Scan => streamer
                    .scan(&add, Scan::<u32>::Inclusive, from, to)
                    .expect("scanned"),
                Work::Sort => streamer.sort_to(from, to, None).expect("sorted"),
                Work::Scatter => streamer
                    .scatter(Source::slice(&index), from, to, Unnamed::Zero)
                    .expect("scattered"),
                Work::Transform | Work::Sine => streamer
                    .transform(&Operation::new("return x;"), vec![from], to)
                    .expect("transformed"),
            };
            // A reduction's sums of sums are not worth a plan.
            for (plan, done) in planned.trips.iter().zip(&report.trips) {
                let (it, its) = (&plan.plan, &done.plan);
                assert_eq!(
                    (it.chunks, it.chunk_elements, it.slots, it.lanes_in),
                    (its.chunks, its.chunk_elements, its.slots, its.lanes_in),
                    "{work:?} of {length}"
                );
                assert_eq!(
                    (plan.bytes_in, plan.bytes_out),
                    (done.bytes_in, done.bytes_out)
                );
                assert!(plan.forecast.is_some() && done.forecast.is_some());
            }
            let more = usize::from(work == Work::Reduce || length == 0) * report.trips.len();
            assert!(
                planned.trips.len() + more >= report.trips.len(),
                "{work:?} of {length}"
            );
            assert_eq!(report.forecast_s.is_some(), length > 0);
            assert!(
                report
                    .forecast_s
                    .is_none_or(|it| it.is_finite() && it > 0.0)
            );
        }
    }
}

#[test]
fn what_is_forecast_to_be_clearly_faster_by_all_cores_is_theirs() {
    const MANY: usize = 100_000;
    let data: Vec<u32> = numbers(MANY).map(|it| (it >> 32) as u32).collect();
    let mut expected = data.clone();
    expected.sort_unstable();
    let job = Job::new(Work::Sort, Type::U32, MANY as u64, Way::Staged);
    // Cores that are far faster and far slower than these; without rates nothing changes.
    for (factor, is_theirs) in [(1e-6, true), (1e6, false)] {
        let mut rates = rates().clone();
        rates
            .all_cores
            .iter_mut()
            .for_each(|it| it.seconds *= factor);
        for (mut streamer, may) in [(streamer(), true), (on_device(), false), (two(), false)] {
            let unasked = streamer.choose(&job).expect("a plan");
            assert!(!unasked.by_cores && unasked.cores_s.is_none());
            streamer.expect(rates.clone());
            let explained = streamer.choose(&job).expect("a plan");
            assert_eq!(explained.by_cores, is_theirs && may);
            let cores_s = explained.cores_s.expect("they are measured");
            // A sort of one run is the first device's, also beside one of which nothing is known.
            let trips_s = explained.trips_s.expect("and so is the device");
            assert_eq!(cores_s < trips_s, is_theirs);
            assert_eq!(explained.start.is_none(), explained.by_cores);
            let mut sorted = data.clone();
            let report = streamer
                .sort(Sink::slice(&mut sorted), None)
                .expect("sorted");
            assert_eq!(report.by_cores, explained.by_cores);
            assert!(sorted == expected);
            if report.by_cores {
                assert_eq!(report.forecast_s, Some(cores_s));
                assert_eq!(explained.forecast_s, Some(cores_s));
                let [low, high] = explained.interval_s.expect("checked");
                assert!(low <= cores_s && cores_s <= high);
            }
            // It is of this work alone.
            let add = Operation::new("return a + b;").fold_on_host(u32::wrapping_add);
            let (_, report) = streamer
                .reduce::<u32>(&add, Source::slice(&data))
                .expect("reduced");
            assert!(!report.by_cores);
        }
    }
    // Of an operation that is there in Rust, where the job says so; and no longer, where another choice says so.
    let mut rates = rates().clone();
    rates.all_cores.iter_mut().for_each(|it| it.seconds *= 1e-6);
    let mut streamer = streamer();
    streamer.expect(rates.clone());
    let mut out = vec![0.0_f64; MANY];
    let floats = vec![0.5_f64; MANY];
    let one = Operation::new("return 2 * x;").map_on_host(|x: f64, _| 2.0 * x);
    let mut job = Job::new(Work::Sine, Type::F64, MANY as u64, Way::Staged);
    for in_rust in [false, true, false] {
        job.in_rust = in_rust;
        let explained = streamer.choose(&job).expect("a plan");
        let inputs = vec![Source::slice(&floats)];
        let report = streamer.transform(&one, inputs, Sink::slice(&mut out));
        let report = report.expect("transformed");
        assert_eq!((explained.by_cores, report.by_cores), (in_rust, in_rust));
        if in_rust {
            assert_eq!(report.forecast_s, explained.cores_s);
        }
        assert!(out.iter().all(|it| it.to_bits() == 1.0_f64.to_bits()));
    }
}

#[test]
fn several_devices_are_forecast_by_the_rates_of_each() {
    let mut first = streamer();
    first.expect(rates().clone());
    let job = |work| Job::new(work, Type::U32, 300_001, Way::File);
    let works = WORKS.into_iter().filter(|it| *it != Work::Sine);
    let works: Vec<(Work, Option<f64>)> = works
        .map(|work| (work, first.choose(&job(work)).expect("a plan").trips_s))
        .collect();
    let (mut alike, unknown) = (streamer(), streamer());
    alike.expect(rates().clone());
    let name = &device().facts.name;
    first.join(alike);
    for (work, alone) in works {
        let both = first.choose(&job(work)).expect("a plan");
        assert!(!both.by_cores);
        let ratio = both.trips_s.zip(alone).map(|(both, alone)| both / alone);
        // A sort of one run is one device's, as a scatter is.
        let is_shared = !matches!(work, Work::Scatter | Work::Sort);
        let right = if is_shared { 0.5 } else { 1.0 };
        assert!(
            ratio.is_some_and(|it| (it - right).abs() < 1e-9),
            "{work:?}: {ratio:?}"
        );
        // Nobody has checked two.
        assert_eq!(both.interval_s.is_none(), is_shared, "{work:?}");
        let by = if is_shared {
            format!("file, with {name}")
        } else {
            "file".to_owned()
        };
        assert_eq!(first.named(&job(work)), by);
    }
    first.join(unknown);
    let all = first.choose(&job(Work::Scan)).expect("a plan");
    assert_eq!((all.trips_s, all.forecast_s), (None, None));
}

#[test]
fn an_offload_names_who_is_fastest_and_where_that_turns() {
    let rates = rates();
    assert!(WORKS.iter().all(|&work| {
        let by = ["one core", "all cores"];
        by.iter().all(|by| {
            rates
                .error(work, by, 1 << 20)
                .is_some_and(|it| it.factor >= 1.0)
        })
    }));
    let options = Options::new(1 << 20);
    let answer = rates.offload(Work::Sort, Type::U32, 1 << 24, &options);
    let answer = answer.expect("measured");
    let seconds = |by: Who| {
        let its = answer.offers.iter().find(|it| it.by == by);
        its.expect("an offer").seconds
    };
    let least = [Who::Device, Who::OneCore, Who::AllCores].map(seconds);
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    assert!(seconds(answer.fastest) <= least);
    // Of a host that is far slower.
    let mut eager = rates.clone();
    let host = eager.one_core.iter_mut().chain(&mut eager.all_cores);
    host.for_each(|timed| timed.seconds *= 1e9);
    let answer = eager.offload(Work::Sort, Type::U32, 1 << 24, &options);
    let answer = answer.expect("measured");
    assert_eq!(answer.fastest, Who::Device);
    let from = (
        answer.pays_beside_one_core_from,
        answer.pays_beside_all_cores_from,
    );
    assert_eq!(from, (Some(1 << 12), Some(1 << 12)));
    assert_eq!(
        rates
            .offload(Work::Sort, Type::I8, 1 << 24, &options)
            .map(|it| it.bytes),
        None
    );
    // Rates are kept as JSON.
    let kept = serde_json::to_string(rates).expect("JSON");
    let read: Rates = serde_json::from_str(&kept).expect("rates");
    assert_eq!(read.device, rates.device);
}

#[test]
fn what_is_done_again_is_forecast_by_its_own_kernel() {
    let device = device();
    let mut streamer = Streamer::new(device, Options::new(1 << 20)).expect("a streamer");
    streamer.expect(rates().clone());
    let data = vec![0.5_f32; 200_000];
    let mut out = vec![0.0_f32; data.len()];
    let slow = Operation::new("for (int k = 0; k < 200; ++k) x = sin(x);\nreturn x;");
    let mut forecasts = Vec::new();
    for _ in 0..2 {
        let report = streamer.transform(&slow, vec![Source::slice(&data)], Sink::slice(&mut out));
        forecasts.push(
            report.expect("done").trips[0]
                .forecast
                .clone()
                .expect("a forecast")
                .device,
        );
    }
    assert!(forecasts[1] > 5.0 * forecasts[0], "{forecasts:?}");
}
