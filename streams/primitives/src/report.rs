//! Reports of calls: what moved, how long it took, and what bound it.

use std::time::Instant;

use serde::Serialize;

use crate::{Busy, ElementType, StreamBound, StreamPlan, TripForecast};

/// The report of a call of a primitive.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the primitive.
    pub primitive: &'static str,
    /// Type of the (first) input.
    pub element: ElementType,
    /// Length of the (first) input.
    pub elements: u64,
    /// Seconds from the call to its return, with allocating, compiling and, for a sort, finding the splitters.
    pub seconds: f64,
    /// Forecast of all trips, seconds, without the start of a first call; none where a trip has no forecast, and for no
    /// elements.
    pub forecast_s: Option<f64>,
    /// What most of the time went to; none where nothing moved.
    pub bound_by: Option<StreamBound>,
    /// The share of the time that went to it.
    pub bound_share: Option<f64>,
    /// The trips, in order.
    pub trips: Vec<TripReport>,
}

impl Report {
    pub(crate) fn new(
        primitive: &'static str,
        element: ElementType,
        elements: u64,
        start: Instant,
        trips: Vec<TripReport>,
    ) -> Self {
        let forecasts = trips.iter().map(|it| Some(it.forecast.as_ref()?.seconds));
        let forecast_s: Option<f64> = forecasts.sum();
        let seconds = start.elapsed().as_secs_f64();
        let bound = (elements > 0 && !trips.is_empty()).then(|| {
            let mut parts = [0.0; 5];
            for trip in &trips {
                for (sum, it) in parts.iter_mut().zip(trip.busy.parts(&trip.plan)) {
                    *sum += it;
                }
            }
            bound(parts, seconds)
        });
        Self {
            primitive,
            element,
            elements,
            seconds,
            forecast_s: forecast_s.filter(|_| elements > 0),
            bound_by: bound.map(|it| it.0),
            bound_share: bound.map(|it| it.1),
            trips,
        }
    }
}

/// The report of one trip of arrays through the device.
#[derive(Clone, Debug, Serialize)]
pub struct TripReport {
    /// Its chunks, pieces, ways and threads.
    pub plan: StreamPlan,
    /// Bytes to the device.
    pub bytes_in: u64,
    /// Bytes from the device.
    pub bytes_out: u64,
    /// Measured time, seconds.
    pub seconds: f64,
    /// The forecast; none where rates that it needs were not measured.
    pub forecast: Option<TripForecast>,
    /// How long each part of the machine was busy.
    pub busy: Busy,
    /// What most of the time went to.
    pub bound_by: StreamBound,
    /// The share of the time in which that part was busy; 1 where it was never idle. All copying threads count as one part.
    pub bound_share: f64,
}

/// The parts of the machine, in the order of [`StreamBound`].
const PARTS: [StreamBound; 5] = [
    StreamBound::Staging,
    StreamBound::ToDevice,
    StreamBound::Device,
    StreamBound::FromDevice,
    StreamBound::Unstaging,
];

impl Busy {
    /// The part that most of `seconds` went to, and its share.
    pub(crate) fn bound(&self, seconds: f64, plan: &StreamPlan) -> (StreamBound, f64) {
        bound(self.parts(plan), seconds)
    }

    /// Seconds of each part. All threads of a way together are a part.
    fn parts(&self, plan: &StreamPlan) -> [f64; 5] {
        [
            self.staging / plan.threads_in as f64,
            self.to_device,
            self.device,
            self.from_device,
            self.unstaging / plan.threads_out as f64,
        ]
    }
}

/// The part that was busy longest and its share of `seconds`; [`StreamBound::Fixed`] where all parts were idle for longer.
fn bound(parts: [f64; 5], seconds: f64) -> (StreamBound, f64) {
    let idle = seconds - parts.iter().sum::<f64>();
    let mut most = (StreamBound::Fixed, idle);
    for (part, busy) in PARTS.into_iter().zip(parts) {
        if busy >= most.1 {
            most = (part, busy);
        }
    }
    (most.0, if seconds > 0.0 { most.1 / seconds } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_idle_nearly_all_the_time_bounds_nothing() {
        let parts = [0.001, 0.0, 0.011, 0.0, 0.0];
        assert_eq!(bound(parts, 1.0).0, StreamBound::Fixed);
        assert!((bound(parts, 1.0).1 - 0.988).abs() < 1e-12);
        // One after the other, a third each.
        let parts = [0.3, 0.3, 0.35, 0.0, 0.0];
        assert_eq!(bound(parts, 1.0), (StreamBound::Device, 0.35));
        // At once.
        assert_eq!(
            bound([0.9, 0.5, 0.95, 0.0, 0.0], 1.0),
            (StreamBound::Device, 0.95)
        );
    }
}
