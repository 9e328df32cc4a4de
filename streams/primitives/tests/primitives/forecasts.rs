//! Plans are those of the calls, and rates make forecasts of every report.

use std::sync::OnceLock;

use kerncast_primitives::{
    ElementType, MeasuredLengths, Operation, Options, Processor, Sink, Source, StreamJob,
    StreamRates, StreamWay, StreamWork, Streamer,
};

use crate::{device, numbers, streamer};

/// Rates measured with little data: there are forecasts, however bad.
fn rates() -> &'static StreamRates {
    static RATES: OnceLock<StreamRates> = OnceLock::new();
    RATES.get_or_init(|| {
        let lengths = MeasuredLengths {
            device_bytes: 1 << 20,
            host_bytes: vec![1 << 12, 1 << 16],
        };
        kerncast_primitives::measure(&device(), &lengths, |_| {}).expect("rates")
    })
}

#[test]
fn plans_say_what_is_done_whatever_the_length() {
    for length in [0, 1, 4095, 4096, 4097, 40_959, 40_961, 81_920, 300_001] {
        let data: Vec<u32> = numbers(length).map(|it| it as u32).collect();
        let index: Vec<u32> = (0..length as u32).rev().collect();
        for work in StreamWork::ALL
            .into_iter()
            .filter(|it| *it != StreamWork::Sine)
        {
            let mut streamer = streamer();
            streamer.set_rates(rates().clone());
            let mut out = vec![0_u32; length];
            let (from, to) = (Source::slice(&data), Sink::slice(&mut out));
            let add = Operation::new("return a + b;");
            let job = StreamJob::new(work, ElementType::U32, length as u64, StreamWay::Staged);
            let planned = streamer.plan(&job).expect("a plan");
            let report = match work {
                StreamWork::Reduce => streamer.reduce::<u32>(&add, from).expect("reduced").1,
                StreamWork::Scan => streamer.scan(&add, from, to).expect("scanned"),
                StreamWork::Sort => streamer.sort(from, to).expect("sorted"),
                StreamWork::Scatter => streamer
                    .scatter(Source::slice(&index), from, to)
                    .expect("scattered"),
                StreamWork::Transform | StreamWork::Sine => streamer
                    .transform(&Operation::new("return x;"), vec![from], to)
                    .expect("transformed"),
            };
            // A reduction's sums of sums are not worth a plan.
            for (plan, trip) in planned.trips.iter().zip(&report.trips) {
                let (it, actual) = (&plan.plan, &trip.plan);
                assert_eq!(
                    (it.chunks, it.chunk_elements, it.slots, it.threads_in),
                    (
                        actual.chunks,
                        actual.chunk_elements,
                        actual.slots,
                        actual.threads_in
                    ),
                    "{work:?} of {length}"
                );
                assert_eq!(
                    (plan.bytes_in, plan.bytes_out),
                    (trip.bytes_in, trip.bytes_out)
                );
                assert!(plan.forecast.is_some() && trip.forecast.is_some());
            }
            let more = usize::from(work == StreamWork::Reduce || length == 0) * report.trips.len();
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
fn an_offload_names_who_is_fastest_and_where_that_turns() {
    let rates = rates();
    assert!(StreamWork::ALL.iter().all(|&work| {
        let by = ["one core", "all cores"];
        by.iter().all(|by| {
            rates
                .error(work, by, 1 << 20)
                .is_some_and(|it| it.factor >= 1.0)
        })
    }));
    let options = Options::new(1 << 20);
    let answer = rates.offload(StreamWork::Sort, ElementType::U32, 1 << 24, &options);
    let answer = answer.expect("measured");
    let seconds = |by: Processor| {
        let offer = answer.offers.iter().find(|it| it.by == by);
        offer.expect("an offer").seconds
    };
    let least = [Processor::Device, Processor::OneCore, Processor::AllCores].map(seconds);
    let least = least.into_iter().fold(f64::INFINITY, f64::min);
    assert!(seconds(answer.fastest) <= least);
    // Beside a host that is far slower.
    let mut eager = rates.clone();
    let host = eager.one_core.iter_mut().chain(&mut eager.all_cores);
    host.for_each(|timed| timed.seconds *= 1e9);
    let answer = eager.offload(StreamWork::Sort, ElementType::U32, 1 << 24, &options);
    let answer = answer.expect("measured");
    assert_eq!(answer.fastest, Processor::Device);
    let from = (
        answer.pays_beside_one_core_from,
        answer.pays_beside_all_cores_from,
    );
    assert_eq!(from, (Some(1 << 12), Some(1 << 12)));
    assert_eq!(
        rates
            .offload(StreamWork::Sort, ElementType::I8, 1 << 24, &options)
            .map(|it| it.bytes),
        None
    );
    // Rates are kept as JSON.
    let text = serde_json::to_string(rates).expect("JSON");
    let parsed: StreamRates = serde_json::from_str(&text).expect("rates");
    assert_eq!(parsed.device, rates.device);
}

#[test]
fn what_is_done_again_is_forecast_by_its_own_kernel() {
    let device = device();
    let mut streamer = Streamer::new(device, Options::new(1 << 20)).expect("a streamer");
    streamer.set_rates(rates().clone());
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
