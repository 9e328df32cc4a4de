//! Runs: streams that were measured, each with the forecast that was given before. A run validates that forecast and is one
//! more check for later ones.

use kerncast_wire::TrustWord;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{
    ElementType, ExplainedStream, FirstCallRun, ForecastAndTime, StreamCheck, StreamRates,
    StreamWork, trip_count,
};

/// A measured stream and its forecast. Times in seconds.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamRun {
    /// The id of the rates that gave the forecast.
    pub rates: Uuid,
    /// The primitive, as `kerncast stream` names it.
    pub primitive: String,
    /// The work, where rates are measured for it; absent for other operations, and for primitives without rates.
    #[serde(default)]
    pub work: Option<StreamWork>,
    /// Type of the input's elements.
    pub element: ElementType,
    /// Length of the input.
    pub elements: u64,
    /// The way of the arrays to the device: `file`.
    pub by: String,
    /// How many times the data went to the device.
    #[serde(rename = "passes")]
    pub trip_count: usize,
    /// Bytes of the device's memory that it was allowed to use.
    pub device_memory: u64,
    /// Its trips: the unstretched forecast, and the measured time.
    pub trips: ForecastAndTime,
    /// Whether [`call`](Self::call) includes what a first call takes besides its trips.
    pub with_start: bool,
    /// Forecast of that part; absent where it is not included, and in runs from before it was stored.
    #[serde(default)]
    pub start_s: Option<f64>,
    /// Whether the start is forecast to be less than a tenth of the call, even if the driver has to compile. Otherwise the
    /// trips are longer than those of later calls, as devices put work off until then, and check no forecast of trips.
    pub is_long: bool,
    /// The forecast that was given before the call, and the measured time.
    // Files of older programs have this name.
    #[serde(rename = "told")]
    pub call: ForecastAndTime,
    /// The interval that was given; absent where nothing like it had been checked.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
    /// The trust that was given.
    pub trust: TrustWord,
}

/// Measured times of a run, seconds.
#[derive(Clone, Copy, Debug)]
pub struct RunTimes {
    /// From the call to its return.
    pub call: f64,
    /// Its trips alone.
    pub trips: f64,
}

/// The largest share of a long run that its start takes.
const SHORT_START_SHARE: f64 = 0.1;

/// How many of the runs that are alike count as checks: the newest.
const MOST_RUNS_ALIKE: usize = 5;

/// A stream that was requested.
#[derive(Clone, Debug)]
pub struct StreamRequest<'a> {
    /// The primitive, as `kerncast stream` names it.
    pub primitive: &'a str,
    /// The work, where rates are measured for it.
    pub work: Option<StreamWork>,
    /// Type of the input's elements.
    pub element: ElementType,
    /// Length of the input.
    pub elements: u64,
    /// The way of the arrays to the device.
    pub by: &'a str,
    /// Bytes of the device's memory that may be used.
    pub device_memory: u64,
}

impl StreamRun {
    /// The run of a request that `rates` with this id forecast as `explained`. None without a forecast of all trips.
    #[must_use]
    pub fn new(
        request: &StreamRequest,
        explained: &ExplainedStream,
        (id, rates): (Uuid, &StreamRates),
        measured: RunTimes,
    ) -> Option<Self> {
        let trip_count = trip_count(&explained.trips);
        let trips_s = explained.trips_s?;
        let stretch = |work| rates.stretch(work, request.by, trip_count);
        let with_start = explained.forecast_s.is_some();
        let programs = rates.starts.iter().find(|it| Some(it.work) == request.work);
        let start_s =
            explained.start.map_or(0.0, |it| it.seconds) + programs.map_or(0.0, |it| it.new_s);
        let call = ForecastAndTime {
            forecast_s: explained.forecast_s.unwrap_or(trips_s),
            measured_s: if with_start {
                measured.call
            } else {
                measured.trips
            },
        };
        Some(Self {
            trip_count,
            trips: ForecastAndTime {
                forecast_s: trips_s / request.work.map_or(1.0, stretch),
                measured_s: measured.trips,
            },
            with_start,
            start_s: explained.start.filter(|_| with_start).map(|it| it.seconds),
            is_long: start_s < SHORT_START_SHARE * (start_s + trips_s),
            rates: id,
            primitive: request.primitive.to_owned(),
            work: request.work,
            element: request.element,
            elements: request.elements,
            by: request.by.to_owned(),
            device_memory: request.device_memory,
            call,
            interval_s: explained.interval_s,
            trust: explained.trust.word,
        })
    }

    /// The run as a check of the rates that forecast it; none of a short run.
    fn check(&self) -> Option<StreamCheck> {
        if !self.is_long {
            return None;
        }
        Some(StreamCheck {
            work: self.work?,
            element: self.element,
            elements: self.elements,
            by: self.by.clone(),
            trip_count: self.trip_count,
            forecast_s: self.trips.forecast_s,
            measured_s: self.trips.measured_s,
            first: None,
        })
    }

    /// The run as a first call; none where the forecast was of the trips alone. `rates`: those that gave it.
    fn first_call(&self, rates: &StreamRates) -> Option<FirstCallRun> {
        if !self.with_start {
            return None;
        }
        let work = self.work?;
        // Older runs have no `start_s`; only their trips were stretched.
        let trips_s = self.trips.forecast_s * rates.stretch(work, &self.by, self.trip_count);
        let start_s = || (self.call.forecast_s - trips_s).max(0.0);
        Some(FirstCallRun {
            work,
            by: self.by.clone(),
            elements: self.elements,
            trip_count: self.trip_count,
            trips_s: self.trips.forecast_s,
            start_s: self.start_s.unwrap_or_else(start_s),
            measured_s: self.call.measured_s,
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        let key = |it: &Self| {
            (
                it.work,
                it.element,
                it.elements,
                it.trip_count,
                it.device_memory,
            )
        };
        key(self) == key(other) && self.by == other.by
    }
}

impl StreamRates {
    /// These rates, whose id is `id`, with `runs` as further checks: those that these rates forecast, and of runs that are
    /// alike the newest five. `runs`: the newest first.
    #[must_use]
    pub fn with_runs(&self, id: Uuid, runs: &[StreamRun]) -> Self {
        let mut with_runs = self.clone();
        let own: Vec<&StreamRun> = runs.iter().filter(|it| it.rates == id).collect();
        for (place, run) in own.iter().enumerate() {
            let newer = own[..place].iter().filter(|it| it.is_like(run)).count();
            if newer < MOST_RUNS_ALIKE && run.work.is_some() {
                with_runs.checks.extend(run.check());
                with_runs.first_runs.extend(run.first_call(self));
            }
        }
        with_runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, PlannedTrip, StreamPlan, StreamStart};

    fn run(elements: u64, parts_s: f64, took_s: f64) -> StreamRun {
        StreamRun {
            rates: Uuid::nil(),
            primitive: "sort".to_owned(),
            work: Some(StreamWork::Sort),
            element: ElementType::U32,
            elements,
            by: "file".to_owned(),
            trip_count: 1,
            device_memory: 1 << 30,
            trips: ForecastAndTime {
                forecast_s: parts_s,
                measured_s: took_s,
            },
            with_start: true,
            start_s: Some(0.0),
            is_long: true,
            call: ForecastAndTime {
                forecast_s: parts_s,
                measured_s: took_s,
            },
            interval_s: Some([parts_s / 1.5, parts_s * 1.5]),
            trust: TrustWord::High,
        }
    }

    #[test]
    fn a_run_stretches_later_forecasts_and_says_how_far_they_are_off() {
        let rates = StreamRates::default();
        assert!((rates.stretch(StreamWork::Sort, "file", 1) - 1.0).abs() < 1e-12);
        let runs = [run(1 << 20, 1.0, 1.5), run(1 << 10, 1.0, 3.0)];
        let later = rates.with_runs(Uuid::nil(), &runs);
        assert!((later.stretch(StreamWork::Sort, "file", 1) - 1.5).abs() < 1e-12);
        let error = later
            .error(StreamWork::Sort, "file", 1 << 12)
            .expect("checked");
        assert!((error.factor - 2.0).abs() < 1e-12 && error.is_near);
        // Runs that other rates forecast say nothing of these, and a run of another operation nothing of sums.
        let others = rates.with_runs(Uuid::max(), &runs);
        assert_eq!(others.checks.len(), 0);
        let mut own = run(1 << 20, 1.0, 1.5);
        own.work = None;
        let own = rates.with_runs(Uuid::nil(), &[own]);
        assert_eq!((own.checks.len(), own.first_runs.len()), (0, 0));
        // A short run checks only the whole call.
        let mut short = run(1 << 20, 1.0, 1.5);
        short.is_long = false;
        let mut older = short.clone();
        (older.start_s, older.call.forecast_s) = (None, 2.0);
        let short = rates.with_runs(Uuid::nil(), &[short.clone(), short, older]);
        let starts: Vec<f64> = short.first_runs.iter().map(|it| it.start_s).collect();
        assert_eq!(starts, [0.0, 0.0, 1.0]);
        assert!((short.stretch(StreamWork::Sort, "file", 1) - 1.0).abs() < 1e-12);
        let error = short.first_error(StreamWork::Sort, "file", 1 << 20);
        // The third took 0.75 of what was forecast: of the others' 1.5 two thirds stay.
        let right = 1.5_f64.powf(2.0 / 3.0) / 0.75;
        let error = error.expect("three calls");
        assert!((error.factor - right).abs() < 1e-12);
    }

    #[test]
    fn the_newest_of_runs_that_are_alike_count() {
        let all: Vec<StreamRun> = (1..=8).map(|it| run(64, 1.0, f64::from(it))).collect();
        let later = StreamRates::default().with_runs(Uuid::nil(), &all);
        let took: Vec<f64> = later.checks.iter().map(|it| it.measured_s).collect();
        assert_eq!(took, [1.0, 2.0, 3.0, 4.0, 5.0]);
        // The median of these stretches, and how far each is from the others' is how far forecasts are off.
        assert!((later.stretch(StreamWork::Sort, "file", 1) - 3.0).abs() < 1e-12);
        let error = later.error(StreamWork::Sort, "file", 64).expect("checked");
        assert!((error.factor - 3.5).abs() < 1e-12, "1 beside 2, 3, 4 and 5");
        // It says nothing about another work.
        assert_eq!(later.error(StreamWork::Scan, "file", 64), None);
    }

    #[test]
    fn a_run_keeps_what_its_parts_come_to_and_what_was_told() {
        let rates = StreamRates::default().with_runs(Uuid::nil(), &[run(1 << 20, 1.0, 1.5)]);
        let trip = PlannedTrip {
            plan: StreamPlan::new(&Options::new(1 << 30), (64, 1), 1, Vec::new(), Vec::new()),
            bytes_in: 256,
            bytes_out: 256,
            forecast: None,
        };
        let explained = ExplainedStream {
            trips_s: Some(3.0),
            forecast_s: Some(3.5),
            interval_s: Some([3.0, 4.0]),
            ..ExplainedStream::without_start(vec![trip])
        };
        let took = RunTimes {
            call: 4.5,
            trips: 4.0,
        };
        let request = StreamRequest {
            primitive: "sort",
            work: Some(StreamWork::Sort),
            element: ElementType::U32,
            elements: 64,
            by: "file",
            device_memory: 1 << 30,
        };
        let new_run = |explained: &ExplainedStream| {
            StreamRun::new(&request, explained, (Uuid::max(), &rates), took)
        };
        let run = new_run(&explained).expect("a forecast");
        assert!((run.trips.forecast_s - 2.0).abs() < 1e-12, "{run:?}");
        assert_eq!((run.trips.measured_s, run.call.measured_s), (4.0, 4.5));
        assert_eq!((run.with_start, run.rates), (true, Uuid::max()));
        assert!(run.is_long, "a start of which nothing is known");
        let mut slow = rates.clone();
        let start = |new_s| StreamStart {
            work: StreamWork::Sort,
            new_s,
            kept_s: 0.0,
        };
        for (new_s, is_long) in [(0.32, true), (0.34, false)] {
            slow.starts = vec![start(new_s)];
            let run = StreamRun::new(&request, &explained, (Uuid::nil(), &slow), took);
            assert_eq!(run.expect("a forecast").is_long, is_long);
        }
        let without = ExplainedStream {
            forecast_s: None,
            ..explained.clone()
        };
        let run = new_run(&without).expect("a forecast of the trips");
        assert_eq!((run.call.forecast_s, run.call.measured_s), (3.0, 4.0));
        let nothing = ExplainedStream {
            trips_s: None,
            ..explained
        };
        assert_eq!(new_run(&nothing), None);
    }
}
