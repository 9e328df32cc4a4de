//! What a primitive will do with arrays of some length: its trips, and how long they will take.

use kerncast_wire::{Trust, TrustWord};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ElementType, MovedArray, Options, Programs, StartForecast, StreamPlan, StreamRates, StreamWay,
    StreamWork, TripForecast, TripLoad, forecast_trip, memory::longest_chunk, plan::GROUP_ELEMENTS,
    trust::trust,
};

/// A primitive applied to arrays of some length.
#[derive(Clone, Debug)]
pub struct StreamJob {
    /// Which primitive, and what it does to elements.
    pub work: StreamWork,
    /// Types of the inputs; the inputs of a scatter are its index and its values.
    pub inputs: Vec<ElementType>,
    /// Type of the output, or of the result of a reduction.
    pub output: ElementType,
    /// Length of each array.
    pub elements: u64,
    /// How arrays get to the device.
    pub way_in: StreamWay,
    /// How they get back.
    pub way_out: StreamWay,
    /// Seconds that the device computes for an element, where the operation is not that of `work`.
    pub kernel_s: Option<f64>,
    /// Whether its programs must be compiled.
    pub programs: Programs,
}

/// A trip as it is planned.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlannedTrip {
    /// Its chunks, pieces, ways and threads.
    pub plan: StreamPlan,
    /// Bytes to the device.
    pub bytes_in: u64,
    /// Bytes from the device.
    pub bytes_out: u64,
    /// How long it would take; none where a rate that it needs was not measured.
    pub forecast: Option<TripForecast>,
}

/// How a primitive would process its arrays, and how long that would take.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExplainedStream {
    /// Its trips through the device, one after the other.
    pub trips: Vec<PlannedTrip>,
    /// Seconds of all trips; none where one of them has no forecast.
    pub trips_s: Option<f64>,
    /// What the first call takes besides its trips; none where that was not measured.
    pub start: Option<StartForecast>,
    /// By what factor first calls like it took longer than their start and trips add up to; 1 where no such call is known.
    pub stretch: f64,
    /// Seconds of a first call: start and trips, times `stretch`.
    pub forecast_s: Option<f64>,
    /// The interval of `forecast_s`, from how far such forecasts were off on this machine; none where none was checked.
    pub interval_s: Option<[f64; 2]>,
    /// How far to believe `forecast_s`.
    pub trust: Trust,
}

/// How a trip uses device memory.
pub(crate) struct Sizes {
    /// Elements of a chunk.
    pub(crate) chunk: u64,
    /// Chunks on the device at once.
    pub(crate) slots: usize,
}

impl ExplainedStream {
    /// A forecast of trips alone, where nobody measured what a first call takes besides.
    pub(crate) fn without_start(trips: Vec<PlannedTrip>) -> Self {
        Self {
            trips_s: trips_s(&trips),
            trips,
            start: None,
            stretch: 1.0,
            forecast_s: None,
            interval_s: None,
            trust: Trust {
                word: TrustWord::None,
                why: "nobody measured all that a first call takes".to_owned(),
            },
        }
    }
}

impl StreamJob {
    /// A job whose arrays all have type `element`; the index of a scatter has `u32`.
    #[must_use]
    pub fn new(work: StreamWork, element: ElementType, elements: u64, way: StreamWay) -> Self {
        let inputs = match work {
            StreamWork::Scatter => vec![ElementType::U32, element],
            _ => vec![element],
        };
        Self {
            work,
            inputs,
            output: element,
            elements,
            way_in: way,
            // The result of a reduction is in the host's memory.
            way_out: match (work, way) {
                (StreamWork::Reduce, StreamWay::Pinned | StreamWay::File) => StreamWay::Staged,
                _ => way,
            },
            kernel_s: None,
            programs: Programs::Kept,
        }
    }

    /// Its trips with these options, with forecasts where there are rates. None where the device's memory has no room
    /// for a work-group's elements, and for a scatter with more than 4096 windows.
    #[must_use]
    pub fn explain(
        &self,
        options: &Options,
        rates: Option<&StreamRates>,
    ) -> Option<ExplainedStream> {
        let trips = self.trips(options, rates)?;
        Some(self.forecast(trips, rates))
    }

    /// The trips, each with its forecast where there are rates.
    fn trips(&self, options: &Options, rates: Option<&StreamRates>) -> Option<Vec<PlannedTrip>> {
        let mut trips = match self.work {
            _ if self.elements == 0 => Vec::new(),
            StreamWork::Transform | StreamWork::Sine => {
                vec![self.one_trip(options, rates, self.elements, 0)?]
            }
            StreamWork::Scan => {
                let width = self.output.bytes() as u64;
                vec![self.one_trip(options, rates, self.elements, width)?]
            }
            StreamWork::Reduce => {
                vec![self.one_trip(options, rates, self.elements.div_ceil(GROUP_ELEMENTS), 0)?]
            }
            StreamWork::Sort => self.sort(options, rates)?,
            StreamWork::Scatter => self.scatter(options, rates)?,
        };
        if let Some(rates) = rates {
            let stretch = rates.stretch(self.work, self.way_in.name(), trip_count(&trips));
            let forecasts = trips.iter_mut().filter_map(|it| it.forecast.as_mut());
            forecasts.for_each(|it| it.seconds *= stretch);
        }
        Some(trips)
    }

    /// Adds the start of a first call, the interval and the trust.
    fn forecast(&self, trips: Vec<PlannedTrip>, rates: Option<&StreamRates>) -> ExplainedStream {
        let start = rates.filter(|_| !trips.is_empty()).and_then(|rates| {
            let plans: Vec<&StreamPlan> = trips.iter().map(|it| &it.plan).collect();
            let slots = self.slots_bytes(&plans);
            StartForecast::new(rates, self.work, self.programs, slots, &plans)
        });
        let by = self.way_in.name();
        let explained = ExplainedStream::without_start(trips);
        let Some((trips_s, start)) = explained.trips_s.zip(start) else {
            return ExplainedStream { start, ..explained };
        };
        let error = rates.and_then(|it| it.first_error(self.work, by, self.elements));
        let stretch = rates.map_or(1.0, |it| it.call_stretch(self.work, by, self.elements));
        let forecast_s = stretch * (trips_s + start.seconds);
        let interval_s = error.and_then(|it| it.interval(forecast_s));
        ExplainedStream {
            trust: trust(interval_s, error),
            start: Some(start),
            stretch,
            forecast_s: Some(forecast_s),
            interval_s,
            ..explained
        }
    }

    /// Bytes of device memory of all slots, in the trip that uses most.
    fn slots_bytes(&self, plans: &[&StreamPlan]) -> u64 {
        let bytes = plans
            .iter()
            .map(|it| it.slots as u64 * it.chunk_elements * self.element_bytes());
        bytes.max().unwrap_or(0)
    }

    /// [`explain`](Self::explain) with the chunk length that is forecast to be the fastest. The length of `options` stays
    /// where nothing is forecast, or where no other length gains a hundredth.
    #[must_use]
    pub fn best(
        &self,
        options: &Options,
        rates: &StreamRates,
    ) -> Option<(ExplainedStream, Options)> {
        let mut best: Option<(Vec<PlannedTrip>, Options)> = None;
        let others = [1, 2, 4, 8, 16, 32, 64, 128].map(|mib| mib << 20);
        for chunk_bytes in [options.chunk_bytes].into_iter().chain(others) {
            let options = Options {
                chunk_bytes,
                copying_threads: rates.copying_threads,
                ..options.clone()
            };
            let Some(trips) = self.trips(&options, Some(rates)) else {
                continue;
            };
            let gains = match (&best, trips_s(&trips)) {
                (Some((fastest, _)), Some(seconds)) => {
                    trips_s(fastest).is_none_or(|it| seconds < 0.99 * it)
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

    /// About the least device memory that it needs, bytes: a work-group's elements of each array in each slot.
    #[must_use]
    pub fn least_memory(&self, options: &Options) -> u64 {
        options.slots as u64 * GROUP_ELEMENTS * self.element_bytes()
    }

    /// Bytes of an element of each array together.
    fn element_bytes(&self) -> u64 {
        let elements = self.inputs.iter().chain([&self.output]);
        elements.map(|it| it.bytes() as u64).sum()
    }

    /// The only trip of a transform, a reduction or a scan. `results`: elements that come back; `sum_bytes`: bytes that a scan
    /// keeps on the device for each work-group.
    fn one_trip(
        &self,
        options: &Options,
        rates: Option<&StreamRates>,
        results: u64,
        sum_bytes: u64,
    ) -> Option<PlannedTrip> {
        let all = self.inputs.iter().chain([&self.output]);
        let widest = all.map(|it| it.bytes()).max().unwrap_or(1) as u64;
        let wish = self.elements.min(options.chunk_bytes / widest);
        let slots = if self.way_in == StreamWay::Mapped {
            0
        } else {
            options.slots
        };
        let share = self.elements.div_ceil(results);
        let share = if share > 1 { GROUP_ELEMENTS } else { 1 };
        let output_bytes = self.output.bytes() as u64;
        let input_bytes = self.element_bytes() - output_bytes;
        let chunk_bytes = |chunk: u64| {
            let slot = chunk * input_bytes + chunk / share * output_bytes;
            let sums = if sum_bytes > 0 {
                (chunk / GROUP_ELEMENTS + 1) * sum_bytes
            } else {
                0
            };
            slots as u64 * slot + sums
        };
        let chunk = longest_chunk(wish, options.device_memory, chunk_bytes)?;
        let sizes = Sizes { chunk, slots };
        let inputs: Vec<MovedArray> = self
            .inputs
            .iter()
            .map(|&it| moved_array(self.way_in, it, self.elements, chunk, options))
            .collect();
        let output = moved_array(self.way_out, self.output, results, chunk / share, options);
        Some(self.plan_trip(options, rates, &sizes, inputs, vec![output], self.elements))
    }

    /// A trip in which the device computes on `computed` elements.
    pub(crate) fn plan_trip(
        &self,
        options: &Options,
        rates: Option<&StreamRates>,
        sizes: &Sizes,
        inputs: Vec<MovedArray>,
        outputs: Vec<MovedArray>,
        computed: u64,
    ) -> PlannedTrip {
        let bytes = |all: &[MovedArray]| all.iter().map(|it| it.bytes).sum();
        let (bytes_in, bytes_out) = (bytes(&inputs), bytes(&outputs));
        let ways = |all: &[MovedArray]| all.iter().map(|it| it.way).collect();
        // A trip without computing moves one chunk.
        let chunks = computed.max(1).div_ceil(sizes.chunk);
        let plan = StreamPlan::new(
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
            let device = if computed > 0 {
                each? * computed as f64
            } else {
                0.0
            };
            forecast_trip(
                &TripLoad {
                    chunks,
                    inputs,
                    outputs,
                    threads: [plan.threads_in, plan.threads_out],
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

/// Seconds of all trips; none where one of them has no forecast, and where there are no trips.
fn trips_s(trips: &[PlannedTrip]) -> Option<f64> {
    let seconds = trips.iter().map(|it| Some(it.forecast.as_ref()?.seconds));
    let all: Option<f64> = seconds.sum();
    all.filter(|_| !trips.is_empty())
}

/// Number of trips that bring data to the device.
#[must_use]
pub fn trip_count(trips: &[PlannedTrip]) -> usize {
    trips.iter().filter(|it| it.bytes_in > 0).count()
}

/// An array of `elements` that moves in chunks of `chunk` elements, each cut into pieces where threads copy them.
pub(crate) fn moved_array(
    way: StreamWay,
    element: ElementType,
    elements: u64,
    chunk: u64,
    options: &Options,
) -> MovedArray {
    let width = element.bytes() as u64;
    let chunks = elements.div_ceil(chunk.max(1));
    let piece = if way.is_copied() {
        options.piece_bytes as u64
    } else {
        u64::MAX
    };
    MovedArray {
        way,
        bytes: elements * width,
        pieces: chunks * (chunk.min(elements) * width).div_ceil(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementType;

    #[test]
    fn where_nothing_is_forecast_chunks_stay_as_they_are() {
        let options = Options {
            chunk_bytes: 32 << 20,
            ..Options::new(8 << 30)
        };
        for work in [StreamWork::Scan, StreamWork::Sort] {
            let job = StreamJob::new(work, ElementType::I16, 1 << 30, StreamWay::Staged);
            let (explained, fastest) = job.best(&options, &StreamRates::default()).expect("a plan");
            assert!(explained.trips_s.is_none());
            assert_eq!(fastest.chunk_bytes, options.chunk_bytes);
        }
    }
}
