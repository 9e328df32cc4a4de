//! What a call did.

use std::time::Instant;

use serde::Serialize;

use crate::{Bound, Busy, Plan, TripForecast, Type};

/// What a call of a primitive did, and how long that took.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Which.
    pub primitive: &'static str,
    /// Of the (first) input.
    pub element: Type,
    /// Of the (first) input.
    pub elements: u64,
    /// From the call to its return, seconds: also allocating, compiling and, of a sort, looking for splitters.
    pub seconds: f64,
    /// What was forecast of all trips, without the start of a first call; none where one of them has none, and of no elements.
    pub forecast_s: Option<f64>,
    /// What most of the time went to; none where nothing was done.
    pub bound_by: Option<Bound>,
    /// That share of the time.
    pub bound_share: Option<f64>,
    /// One after the other.
    pub trips: Vec<TripReport>,
}

impl Report {
    pub(crate) fn new(
        primitive: &'static str,
        element: Type,
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

/// One way of arrays through the device.
#[derive(Clone, Debug, Serialize)]
pub struct TripReport {
    /// How it was done.
    pub plan: Plan,
    /// Towards the device.
    pub bytes_in: u64,
    /// From the device.
    pub bytes_out: u64,
    /// Seconds.
    pub seconds: f64,
    /// What was forecast; none without measured rates of such a trip.
    pub forecast: Option<TripForecast>,
    /// How long each part of the machine was busy.
    pub busy: Busy,
    /// What most of the time went to.
    pub bound_by: Bound,
    /// That share of the time, 1 where that part was never idle. Copying threads count together.
    pub bound_share: f64,
}

/// In [`Bound`]'s order.
const PARTS: [Bound; 5] = [
    Bound::Staging,
    Bound::ToDevice,
    Bound::Device,
    Bound::FromDevice,
    Bound::Unstaging,
];

impl Busy {
    /// The part that most of `seconds` went to, and its share.
    pub(crate) fn bound(&self, seconds: f64, plan: &Plan) -> (Bound, f64) {
        bound(self.parts(plan), seconds)
    }

    /// Seconds of each part. All lanes of a way together are a part.
    fn parts(&self, plan: &Plan) -> [f64; 5] {
        [
            self.staging / plan.lanes_in as f64,
            self.to_device,
            self.device,
            self.from_device,
            self.unstaging / plan.lanes_out as f64,
        ]
    }
}

/// The longest part, or what there is besides all parts where that is longer: nothing worked then.
fn bound(parts: [f64; 5], seconds: f64) -> (Bound, f64) {
    let idle = seconds - parts.iter().sum::<f64>();
    let mut most = (Bound::Fixed, idle);
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
        assert_eq!(bound(parts, 1.0).0, Bound::Fixed);
        assert!((bound(parts, 1.0).1 - 0.988).abs() < 1e-12);
        // One after the other, a third each.
        let parts = [0.3, 0.3, 0.35, 0.0, 0.0];
        assert_eq!(bound(parts, 1.0), (Bound::Device, 0.35));
        // At once.
        assert_eq!(
            bound([0.9, 0.5, 0.95, 0.0, 0.0], 1.0),
            (Bound::Device, 0.95)
        );
    }
}
