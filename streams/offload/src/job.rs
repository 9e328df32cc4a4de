//! What a primitive will do of an array, before there is one: its trips, and how long they will take.

use kerncast_wire::{Trust, TrustWord};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Load, Moved, Options, Plan, Programs, Rates, StartForecast, TripForecast, Type, Way, Work,
    forecast,
    needs::{LONGEST_RUN, fit, run, sort_room},
    plan::TILE,
    trust::{said, trust},
};

/// A primitive of arrays of some length.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which, and what is done to elements.
    pub work: Work,
    /// Of the inputs; a scatter's are its index and its values.
    pub inputs: Vec<Type>,
    /// Of the output; of a reduction its result.
    pub output: Type,
    /// Of each array.
    pub elements: u64,
    /// How arrays get to the device.
    pub way_in: Way,
    /// How they get back.
    pub way_out: Way,
    /// Seconds of the device's own for an element, where the operation is another than the work says.
    pub kernel_s: Option<f64>,
    /// What is there of its programs.
    pub programs: Programs,
}

/// A trip that was not done.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlannedTrip {
    /// How it would be done.
    pub plan: Plan,
    /// Towards the device.
    pub bytes_in: u64,
    /// From the device.
    pub bytes_out: u64,
    /// How long it would take; none where rates that it needs were not measured.
    pub forecast: Option<TripForecast>,
}

/// How a primitive would be done.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ExplainedStream)]
pub struct Explained {
    /// Of the device, one after the other.
    pub trips: Vec<PlannedTrip>,
    /// Of all trips; none where one of them has none.
    pub trips_s: Option<f64>,
    /// What the first call takes besides; none where that was not measured.
    pub start: Option<StartForecast>,
    /// By what factor first calls like it took longer than their start and trips come to; 1 where none is known.
    pub stretch: f64,
    /// Of a first call: start and trips, so stretched.
    pub forecast_s: Option<f64>,
    /// Where that lies, as far as forecasts of the like were off on this machine; none where none was checked.
    pub interval_s: Option<[f64; 2]>,
    /// How far to believe it.
    pub trust: Trust,
}

/// What is not known of a chunk's arrays.
pub(crate) struct Sizes {
    pub(crate) chunk: u64,
    pub(crate) slots: usize,
}

impl Explained {
    /// Of trips alone, whose first calls nobody measured.
    #[must_use]
    pub(crate) fn of_trips(trips: Vec<PlannedTrip>) -> Self {
        Self {
            trips_s: trips_s(&trips),
            trips,
            start: None,
            stretch: 1.0,
            forecast_s: None,
            interval_s: None,
            trust: said(
                TrustWord::None,
                "nobody measured all that a first call takes".to_owned(),
            ),
        }
    }
}

impl Job {
    /// Of one type, as it is measured; a scatter's index is `u32`.
    #[must_use]
    pub fn new(work: Work, element: Type, elements: u64, way: Way) -> Self {
        let inputs = match work {
            Work::Scatter => vec![Type::U32, element],
            _ => vec![element],
        };
        Self {
            work,
            inputs,
            output: element,
            elements,
            way_in: way,
            // What a reduction makes is in the host's memory.
            way_out: match (work, way) {
                (Work::Reduce, Way::Pinned | Way::File) => Way::Staged,
                _ => way,
            },
            kernel_s: None,
            programs: Programs::Kept,
        }
    }

    /// Its trips with these options; none where even a tile does not fit the device's memory, and of a scatter to more than
    /// 4096 windows. Without rates there are no
    /// forecasts.
    #[must_use]
    pub fn explain(&self, options: &Options, rates: Option<&Rates>) -> Option<Explained> {
        let trips = self.trips(options, rates)?;
        Some(self.forecast(trips, rates))
    }

    /// The trips alone.
    fn trips(&self, options: &Options, rates: Option<&Rates>) -> Option<Vec<PlannedTrip>> {
        let trips = match self.work {
            _ if self.elements == 0 => Vec::new(),
            Work::Transform | Work::Sine => {
                vec![self.one_trip(options, rates, self.elements, 0)?]
            }
            Work::Scan => {
                let width = self.output.bytes() as u64;
                vec![self.one_trip(options, rates, self.elements, width)?]
            }
            Work::Reduce => vec![self.one_trip(options, rates, self.elements.div_ceil(TILE), 0)?],
            Work::Sort => self.sort(options, rates)?,
            Work::Scatter => self.scatter(options, rates)?,
        };
        Some(self.stretched(trips, rates))
    }

    /// The trips with their start.
    fn forecast(&self, trips: Vec<PlannedTrip>, rates: Option<&Rates>) -> Explained {
        let start = rates.filter(|_| !trips.is_empty()).and_then(|rates| {
            let plans: Vec<&Plan> = trips.iter().map(|it| &it.plan).collect();
            let slots = self.slots_bytes(&plans);
            StartForecast::of(rates, self.work, self.programs, slots, &plans)
        });
        let by = self.way_in.name();
        let of_trips = Explained::of_trips(trips);
        let Some((trips_s, start)) = of_trips.trips_s.zip(start) else {
            return Explained { start, ..of_trips };
        };
        let error = rates.and_then(|it| it.first_error(self.work, by, self.elements));
        let stretch = rates.map_or(1.0, |it| it.call_stretch(self.work, by, self.elements));
        let forecast_s = stretch * (trips_s + start.seconds);
        let interval_s = error.and_then(|it| it.interval(forecast_s));
        Explained {
            trust: trust(interval_s, error),
            start: Some(start),
            stretch,
            forecast_s: Some(forecast_s),
            interval_s,
            ..of_trips
        }
    }

    /// Of device memory, in the trip that has the most.
    fn slots_bytes(&self, plans: &[&Plan]) -> u64 {
        let widths: usize = self
            .inputs
            .iter()
            .chain([&self.output])
            .map(|it| it.bytes())
            .sum();
        let bytes = plans
            .iter()
            .map(|it| it.slots as u64 * it.chunk_elements * widths as u64);
        bytes.max().unwrap_or(0)
    }

    fn stretched(&self, mut trips: Vec<PlannedTrip>, rates: Option<&Rates>) -> Vec<PlannedTrip> {
        if let Some(rates) = rates {
            let stretch = rates.stretch(self.work, self.way_in.name(), passes(&trips));
            let forecasts = trips.iter_mut().filter_map(|it| it.forecast.as_mut());
            forecasts.for_each(|it| it.seconds *= stretch);
        }
        trips
    }

    /// The same with these options, but for the chunks: those that are forecast to be the fastest, and those of the options
    /// where nothing is forecast, or no others gain.
    #[must_use]
    pub fn best(&self, options: &Options, rates: &Rates) -> Option<(Explained, Options)> {
        let mut best: Option<(Vec<PlannedTrip>, Options)> = None;
        let others = [1, 2, 4, 8, 16, 32, 64, 128].map(|mib| mib << 20);
        for chunk_bytes in [options.chunk_bytes].into_iter().chain(others) {
            let options = Options {
                chunk_bytes,
                lanes: rates.lanes,
                ..options.clone()
            };
            let Some(trips) = self.trips(&options, Some(rates)) else {
                continue;
            };
            // What gains less than a hundredth is no reason for other chunks.
            let gains = match (&best, trips_s(&trips)) {
                (Some((known, _)), Some(seconds)) => {
                    trips_s(known).is_none_or(|it| seconds < 0.99 * it)
                }
                (Some(_), None) => false,
                (None, _) => true,
            };
            if gains {
                best = Some((trips, options));
            }
        }
        let (trips, options) = best?;
        Some((self.forecast(trips, Some(rates)), options))
    }

    /// About what it needs at least, bytes: a tile of each array in each slot.
    #[must_use]
    pub fn least_memory(&self, options: &Options) -> u64 {
        let widths: u64 = self
            .inputs
            .iter()
            .chain([&self.output])
            .map(|it| it.bytes() as u64)
            .sum();
        options.slots as u64 * TILE * widths
    }

    /// Transform, reduce, scan: `results` elements come back, and scans keep sums and what they carry (`kept` bytes each).
    fn one_trip(
        &self,
        options: &Options,
        rates: Option<&Rates>,
        results: u64,
        kept: u64,
    ) -> Option<PlannedTrip> {
        let all = self.inputs.iter().chain([&self.output]);
        let widest = all.map(|it| it.bytes()).max().unwrap_or(1) as u64;
        let wish = self.elements.min(options.chunk_bytes / widest);
        let slots = if self.way_in == Way::Mapped {
            0
        } else {
            options.slots
        };
        let share = self.elements.div_ceil(results);
        let share = if share > 1 { TILE } else { 1 };
        let ins: u64 = self.inputs.iter().map(|it| it.bytes() as u64).sum();
        let outs = self.output.bytes() as u64;
        let needs = |chunk: u64| {
            let slot = chunk * ins + chunk / share * outs;
            let sums = if kept > 0 {
                (chunk / TILE + 1) * kept
            } else {
                0
            };
            slots as u64 * slot + sums
        };
        let chunk = fit(wish, options.device_memory, needs)?;
        let sizes = Sizes { chunk, slots };
        let inputs: Vec<Moved> = self
            .inputs
            .iter()
            .map(|&it| moved(self.way_in, it, self.elements, chunk, options))
            .collect();
        let output = moved(self.way_out, self.output, results, chunk / share, options);
        Some(self.planned(options, rates, &sizes, inputs, vec![output], self.elements))
    }

    fn sort(&self, options: &Options, rates: Option<&Rates>) -> Option<Vec<PlannedTrip>> {
        let key = self.inputs[0];
        let width = key.bytes() as u64;
        let needs = |slots: u64, chunk: u64| slots * chunk * width + sort_room(key, chunk);
        let n = self.elements;
        let moved = |way, pieces_of| moved(way, key, n, pieces_of, options);
        if n <= LONGEST_RUN && needs(1, n) <= options.device_memory {
            let sizes = Sizes { chunk: n, slots: 1 };
            let there = vec![moved(self.way_in, n)];
            let back = vec![moved(self.way_out, n)];
            return Some(vec![
                self.planned(options, rates, &sizes, there, Vec::new(), n),
                self.planned(options, rates, &sizes, Vec::new(), back, 0),
            ]);
        }
        let slots = options.slots;
        let chunk = fit(run(n, key), options.device_memory, |chunk| {
            needs(slots as u64, chunk)
        })?;
        let sizes = Sizes { chunk, slots };
        // Between the trips runs are in pageable memory. Of pinned arrays they are planned as pinned: by what that is off,
        // the checks that rates have stretch it.
        let between = match self.way_out {
            Way::Pinned => Way::Pinned,
            _ => Way::Staged,
        };
        let parts = chunk.div_ceil(n.div_ceil(chunk));
        Some(vec![
            self.planned(
                options,
                rates,
                &sizes,
                vec![moved(self.way_in, chunk)],
                vec![moved(between, chunk)],
                n,
            ),
            self.planned(
                options,
                rates,
                &sizes,
                vec![moved(between, parts)],
                vec![moved(self.way_out, chunk)],
                n,
            ),
        ])
    }

    /// A trip in which the device works on `worked` elements.
    pub(crate) fn planned(
        &self,
        options: &Options,
        rates: Option<&Rates>,
        sizes: &Sizes,
        inputs: Vec<Moved>,
        outputs: Vec<Moved>,
        worked: u64,
    ) -> PlannedTrip {
        let bytes = |all: &[Moved]| all.iter().map(|it| it.bytes).sum();
        let (bytes_in, bytes_out) = (bytes(&inputs), bytes(&outputs));
        let ways = |all: &[Moved]| all.iter().map(|it| it.way).collect();
        // What does not work moves one chunk.
        let chunks = worked.max(1).div_ceil(sizes.chunk);
        let plan = Plan::new(
            options,
            (sizes.chunk, chunks),
            sizes.slots,
            ways(&inputs),
            ways(&outputs),
        );
        let forecast = rates.and_then(|rates| {
            let each = self
                .kernel_s
                .or_else(|| rates.kernel(self.work, self.output));
            let device = if worked > 0 {
                each? * worked as f64
            } else {
                0.0
            };
            forecast(
                &Load {
                    chunks,
                    inputs,
                    outputs,
                    lanes: [plan.lanes_in, plan.lanes_out],
                    device,
                },
                rates,
            )
        });
        PlannedTrip {
            plan,
            bytes_in,
            bytes_out,
            forecast,
        }
    }
}

/// Of all trips; none where one of them has no forecast, and of no trips.
fn trips_s(trips: &[PlannedTrip]) -> Option<f64> {
    let seconds = trips.iter().map(|it| Some(it.forecast.as_ref()?.seconds));
    let all: Option<f64> = seconds.sum();
    all.filter(|_| !trips.is_empty())
}

/// How often data go to the device.
#[must_use]
pub fn passes(trips: &[PlannedTrip]) -> usize {
    trips.iter().filter(|it| it.bytes_in > 0).count()
}

/// `elements` in chunks of `chunk`, and in pieces.
pub(crate) fn moved(
    way: Way,
    element: Type,
    elements: u64,
    chunk: u64,
    options: &Options,
) -> Moved {
    let width = element.bytes() as u64;
    let chunks = elements.div_ceil(chunk.max(1));
    let piece = match way.is_copied() {
        true => options.piece_bytes as u64,
        false => u64::MAX,
    };
    Moved {
        way,
        bytes: elements * width,
        pieces: chunks * (chunk.min(elements) * width).div_ceil(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn where_nothing_is_forecast_chunks_stay_as_they_are() {
        let options = Options {
            chunk_bytes: 32 << 20,
            ..Options::new(8 << 30)
        };
        for work in [Work::Scan, Work::Sort] {
            let job = Job::new(work, Type::I16, 1 << 30, Way::Staged);
            let (explained, chosen) = job.best(&options, &Rates::default()).expect("a plan");
            assert!(explained.trips_s.is_none());
            assert_eq!(chosen.chunk_bytes, options.chunk_bytes);
        }
    }
}
