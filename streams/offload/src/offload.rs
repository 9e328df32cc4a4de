//! Whether a primitive is faster on the device than on one core, and than on all cores.

use kerncast_wire::Trust;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    CheckedForecast, ElementType, ExplainedStream, Options, StreamBound, StreamJob, StreamRates,
    StreamWay, StreamWork, change::OffloadChange, host_seconds, trust::trust,
};

/// How long the device and the host would take for a primitive, and who is faster.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Offload {
    /// Which primitive.
    pub work: StreamWork,
    /// Type of the array's elements; a scatter also has an index of `u32`.
    pub element: ElementType,
    /// Length of the array in elements.
    pub elements: u64,
    /// Length of the array in bytes.
    pub bytes: u64,
    /// How the device reaches arrays in pageable memory.
    pub way: StreamWay,
    /// In this order: the device; the device with pinned arrays (unless the device is the host's processor); one core; all
    /// cores.
    pub offers: Vec<OffloadOffer>,
    /// Which offer is forecast to be the fastest with arrays in pageable memory.
    pub fastest: Processor,
    /// Whether that holds for all times inside their intervals; none where an interval is missing.
    pub is_certain: Option<bool>,
    /// The array length, bytes, from which on the device is faster than one core; none where it never is.
    pub pays_beside_one_core_from: Option<u64>,
    /// The array length, bytes, from which on the device is faster than all cores; none where it never is.
    pub pays_beside_all_cores_from: Option<u64>,
    /// What would change the answer, or speaks against it.
    pub would_change: Vec<OffloadChange>,
    /// The same times for other array lengths: 4 KiB and on, doubling.
    pub sizes: Vec<OffloadSize>,
    /// All checks of forecasts of this work.
    pub checks: Vec<CheckedForecast>,
}

/// Who processes the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "their names say it")]
#[schema(as = Who)]
pub enum Processor {
    Device,
    DevicePinned,
    OneCore,
    AllCores,
}

/// How long the device or the host takes.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Offer)]
pub struct OffloadOffer {
    /// Who processes the array.
    pub by: Processor,
    /// Forecast, seconds. For the device: a later call, not the first, including the way there and back.
    pub seconds: f64,
    /// The interval of `seconds`, from how far such forecasts were off on this machine; none where none was checked.
    pub interval_s: Option<[f64; 2]>,
    /// How far to believe `seconds`.
    pub trust: Trust,
    /// For the device: the trips, and what a first call takes.
    pub explained: Option<ExplainedStream>,
}

/// Times for one array length, seconds. Absent: the device cannot process it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[expect(missing_docs, reason = "their names say it")]
pub struct OffloadSize {
    pub bytes: u64,
    pub device_s: Option<f64>,
    pub device_pinned_s: Option<f64>,
    pub one_core_s: f64,
    pub all_cores_s: f64,
}

/// Array lengths that are forecast, powers of two of bytes: all that a machine may hold.
const OCTAVES: std::ops::Range<u32> = 12..44;
/// Lengths between a power of two and the next one.
const STEPS_PER_OCTAVE: u32 = 4;

/// A question with the rates that answer it.
struct Question<'a> {
    rates: &'a StreamRates,
    work: StreamWork,
    element: ElementType,
    options: &'a Options,
}

impl Processor {
    /// Its name in tables.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Device => "the device",
            Self::DevicePinned => "the device, pinned arrays",
            Self::OneCore => "one core",
            Self::AllCores => "all cores",
        }
    }
}

impl StreamRates {
    /// How long the device and the host take for this work on an array of `bytes`; none where the work was not measured for
    /// this type, or where the device's memory has no room for a work-group's elements.
    #[must_use]
    pub fn offload(
        &self,
        work: StreamWork,
        element: ElementType,
        bytes: u64,
        options: &Options,
    ) -> Option<Offload> {
        let question = Question {
            rates: self,
            work,
            element,
            options,
        };
        let elements = bytes / element.bytes() as u64;
        let way = if self.is_host && !matches!(work, StreamWork::Sort | StreamWork::Scatter) {
            StreamWay::Mapped
        } else {
            StreamWay::Staged
        };
        let device = question.device(elements, way)?;
        let one = question.host(elements, Processor::OneCore)?;
        let all = question.host(elements, Processor::AllCores)?;
        let pinned = if self.is_host {
            None
        } else {
            question.device(elements, StreamWay::Pinned)
        };
        let (fastest, is_certain) = fastest([&device, &one, &all]);
        let mut sizes = Vec::new();
        for step in OCTAVES.start * STEPS_PER_OCTAVE..OCTAVES.end * STEPS_PER_OCTAVE {
            sizes.push(question.size(step, way)?);
        }
        let from = |host: fn(&OffloadSize) -> f64| {
            let slower = |it: &OffloadSize| it.device_s.is_none_or(|device| device >= host(it));
            let after = sizes.iter().rposition(slower).map_or(0, |it| it + 1);
            sizes.get(after).map(|it| it.bytes)
        };
        Some(Offload {
            work,
            element,
            elements,
            bytes,
            way,
            fastest,
            is_certain,
            pays_beside_one_core_from: from(|it| it.one_core_s),
            pays_beside_all_cores_from: from(|it| it.all_cores_s),
            checks: self.checked_forecasts(work),
            would_change: question.would_change(&device, pinned.as_ref(), [&one, &all], bytes, way),
            sizes: sizes
                .iter()
                .step_by(STEPS_PER_OCTAVE as usize)
                .cloned()
                .collect(),
            offers: [Some(device), pinned, Some(one), Some(all)]
                .into_iter()
                .flatten()
                .collect(),
        })
    }
}

/// The fastest of these offers, and whether it is that for all times inside their intervals; none where one is missing.
fn fastest(offers: [&OffloadOffer; 3]) -> (Processor, Option<bool>) {
    let [mut fastest, ..] = offers;
    for offer in offers {
        if offer.seconds.total_cmp(&fastest.seconds).is_lt() {
            fastest = offer;
        }
    }
    let others = offers.iter().filter(|it| it.by != fastest.by);
    let certain = others.map(|it| Some(fastest.interval_s?[1] < it.interval_s?[0]));
    let certain: Option<Vec<bool>> = certain.collect();
    (fastest.by, certain.map(|it| it.iter().all(|it| *it)))
}

impl Question<'_> {
    fn explain(&self, elements: u64, way: StreamWay) -> Option<ExplainedStream> {
        let job = StreamJob::new(self.work, self.element, elements, way);
        Some(job.best(self.options, self.rates)?.0)
    }

    fn device(&self, elements: u64, way: StreamWay) -> Option<OffloadOffer> {
        let explained = self.explain(elements, way)?;
        let by = match way {
            StreamWay::Pinned => Processor::DevicePinned,
            _ => Processor::Device,
        };
        let mut offer = self.offer(by, way.name(), elements, explained.trips_s?);
        offer.explained = Some(explained);
        Some(offer)
    }

    fn host_s(&self, elements: u64, by: Processor) -> Option<f64> {
        let measured = match by {
            Processor::OneCore => &self.rates.one_core,
            _ => &self.rates.all_cores,
        };
        host_seconds(measured, self.work, self.element, elements)
    }

    fn host(&self, elements: u64, by: Processor) -> Option<OffloadOffer> {
        Some(self.offer(by, by.text(), elements, self.host_s(elements, by)?))
    }

    fn offer(&self, by: Processor, checked: &str, elements: u64, seconds: f64) -> OffloadOffer {
        let error = self.rates.error(self.work, checked, elements);
        let interval_s = error.and_then(|it| it.interval(seconds));
        OffloadOffer {
            by,
            seconds,
            interval_s,
            trust: trust(interval_s, error),
            explained: None,
        }
    }

    fn size(&self, step: u32, way: StreamWay) -> Option<OffloadSize> {
        let bytes = 2_f64.powf(f64::from(step) / f64::from(STEPS_PER_OCTAVE));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "below 2^44"
        )]
        let bytes = bytes as u64;
        let elements = bytes / self.element.bytes() as u64;
        let pinned = if self.rates.is_host {
            None
        } else {
            self.explain(elements, StreamWay::Pinned)
        };
        Some(OffloadSize {
            bytes,
            device_s: self.explain(elements, way).and_then(|it| it.trips_s),
            device_pinned_s: pinned.and_then(|it| it.trips_s),
            one_core_s: self.host_s(elements, Processor::OneCore)?,
            all_cores_s: self.host_s(elements, Processor::AllCores)?,
        })
    }

    fn would_change(
        &self,
        device: &OffloadOffer,
        pinned: Option<&OffloadOffer>,
        [one, all]: [&OffloadOffer; 2],
        bytes: u64,
        way: StreamWay,
    ) -> Vec<OffloadChange> {
        let mut changes = Vec::new();
        let Some(explained) = &device.explained else {
            return changes;
        };
        let forecasts = explained.trips.iter().filter_map(|it| it.forecast.as_ref());
        let longest = forecasts.max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let bound = longest.map(|it| it.bound_by);
        changes.extend(bound.map(|by| OffloadChange::BoundBy { by }));
        if let Some(pinned) = pinned.filter(|_| bound != Some(StreamBound::Fixed)) {
            changes.push(OffloadChange::Pinned {
                seconds: pinned.seconds,
                pays: pinned.seconds < all.seconds,
                pinning_s: bytes as f64 / self.rates.pinning_bytes_per_s,
            });
        }
        if self.work == StreamWork::Sort && explained.trips.len() > 1 {
            let roomy = Options {
                device_memory: u64::MAX / 4,
                ..self.options.clone()
            };
            let elements = bytes / self.element.bytes() as u64;
            let whole = StreamJob::new(self.work, self.element, elements, way);
            let whole = whole.best(&roomy, self.rates).and_then(|it| it.0.trips_s);
            let seconds = whole.filter(|it| *it < device.seconds);
            changes.extend(seconds.map(|seconds| OffloadChange::MoreMemory { seconds }));
        }
        let saved = one.seconds.min(all.seconds) - device.seconds;
        changes.push(match explained.start {
            None => OffloadChange::UnknownStart,
            Some(start) => OffloadChange::Start {
                seconds: start.seconds,
                pays_after_calls: (saved > 0.0).then(|| (start.seconds / saved).ceil().max(1.0)),
            },
        });
        changes
    }
}
