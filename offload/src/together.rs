//! Several devices that take chunks of the same arrays.

use std::collections::BTreeMap;

use crate::{Explained, Job, PlannedTrip, Rates, StartForecast, TripForecast, Way, passes};

/// How streams of a way are named, as checks of them are, where these devices take chunks beside the first: those that are
/// alike once, with their number.
#[must_use]
pub fn named_with(way: Way, others: &[String]) -> String {
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    for name in others {
        *alike.entry(name).or_default() += 1;
    }
    let named = alike.into_iter().map(|(name, count)| match count {
        1 => name.to_owned(),
        _ => format!("{count} × {name}"),
    });
    let named: Vec<String> = named.collect();
    match &named[..] {
        [] => way.name().to_owned(),
        some => format!("{}, with {}", way.name(), some.join(", ")),
    }
}

impl Job {
    /// The same by several devices, of which each alone would take what is explained of it: as each takes chunks when it is
    /// free, their rates add up, times what runs that bear this name ([`named_with`]) were off by, as all of them share the
    /// host's memory and threads. Programs and memory are made for one after the other. None where there is no device.
    #[must_use]
    pub fn together(
        &self,
        each: Vec<Explained>,
        by: &str,
        rates: Option<&Rates>,
    ) -> Option<Explained> {
        let mut devices = each.into_iter();
        let first = devices.next()?;
        let others: Vec<Explained> = devices.collect();
        let many = passes(&first.trips);
        let stretch = rates.map_or(1.0, |it| it.stretch(self.work, by, many));
        let trips = first.trips.iter().enumerate();
        let trips: Vec<PlannedTrip> = trips
            .map(|(place, trip)| shared(trip, place, &others, stretch))
            .collect();
        let starts = others.iter().map(|it| it.start);
        let start = starts.fold(first.start, |all, it| Some(one_after_the_other(all?, it?)));
        Some(Explained {
            cores_s: first.cores_s,
            ..self.told(trips, start, by, rates)
        })
    }
}

/// The first device's trip, of which the others do their part.
fn shared(trip: &PlannedTrip, place: usize, others: &[Explained], stretch: f64) -> PlannedTrip {
    let alone = |it: &PlannedTrip| it.forecast.as_ref().map(|it| it.seconds);
    let rate = |it: &Explained| Some(1.0 / alone(it.trips.get(place)?)?);
    // Each takes a chunk at least.
    let others = others.iter().take(trip.plan.chunks.saturating_sub(1));
    let others: Option<f64> = others.map(rate).sum();
    let forecast = trip
        .forecast
        .as_ref()
        .zip(others)
        .map(|(forecast, others)| {
            // Of its work.
            let part = 1.0 / (1.0 + forecast.seconds * others);
            TripForecast {
                seconds: forecast.seconds * part * stretch,
                bound_by: forecast.bound_by,
                to_device: forecast.to_device * part,
                from_device: forecast.from_device * part,
                both: forecast.both * part,
                device: forecast.device * part,
                fixed: forecast.fixed * part,
            }
        });
    PlannedTrip {
        forecast,
        ..trip.clone()
    }
}

/// What pieces are staged in is shared out, so that all of them have no more of it than one.
fn one_after_the_other(all: StartForecast, next: StartForecast) -> StartForecast {
    let (programs_s, slots_s) = (all.programs_s + next.programs_s, all.slots_s + next.slots_s);
    StartForecast {
        seconds: programs_s + all.staging_s + slots_s,
        programs_s,
        staging_s: all.staging_s,
        slots_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Check, FirstRun, Options, Type, Work};

    fn alone(seconds: &[f64]) -> Explained {
        let job = Job::new(Work::Sort, Type::U32, 1 << 20, Way::File);
        let mut explained = job
            .explain(&Options::new(1 << 30), None)
            .expect("room for it");
        let mut trip = explained.trips[0].clone();
        trip.plan.chunks = 8;
        let forecast = |&seconds: &f64| PlannedTrip {
            forecast: Some(TripForecast {
                seconds,
                bound_by: Bound::ToDevice,
                to_device: seconds,
                from_device: 0.0,
                both: 0.0,
                device: 0.0,
                fixed: 0.0,
            }),
            ..trip.clone()
        };
        explained.trips = seconds.iter().map(forecast).collect();
        explained.trips_s = Some(seconds.iter().sum());
        explained.start = Some(StartForecast {
            seconds: 0.6,
            programs_s: 0.3,
            staging_s: 0.2,
            slots_s: 0.1,
        });
        explained
    }

    fn close(found: Option<f64>, right: f64) {
        assert!(
            found.is_some_and(|it| (it - right).abs() < 1e-9),
            "{found:?} for {right}"
        );
    }

    #[test]
    fn rates_of_devices_add_up_and_starts_follow_each_other() {
        let job = Job::new(Work::Sort, Type::U32, 1 << 20, Way::File);
        let each = vec![alone(&[3.0, 6.0]), alone(&[6.0, 6.0])];
        let both = job
            .together(each, "file, with B", None)
            .expect("two devices");
        let seconds: Vec<f64> = both
            .trips
            .iter()
            .filter_map(|it| Some(it.forecast.as_ref()?.seconds))
            .collect();
        assert_eq!(seconds.len(), 2);
        close(Some(seconds[0]), 2.0);
        close(Some(seconds[1]), 3.0);
        close(both.trips_s, 5.0);
        close(both.trips[0].forecast.as_ref().map(|it| it.to_device), 2.0);
        close(both.start.map(|it| it.seconds), 1.0);
        close(both.forecast_s, 6.0);
        assert_eq!(both.interval_s, None);
        // One of which nothing is known could take all of it, or nothing.
        let mut unknown = alone(&[6.0, 6.0]);
        unknown.trips[1].forecast = None;
        let both = job
            .together(vec![alone(&[3.0, 6.0]), unknown], "file, with B", None)
            .expect("two devices");
        assert_eq!((both.trips_s, both.forecast_s), (None, None));
        assert!(job.together(Vec::new(), "file", None).is_none());
        // Of one chunk there is nothing for a second one.
        let mut short = alone(&[3.0]);
        short.trips[0].plan.chunks = 1;
        let both = job.together(vec![short, alone(&[3.0])], "file, with B", None);
        close(both.and_then(|it| it.trips_s), 3.0);
    }

    #[test]
    fn a_sort_of_several_devices_is_one_of_runs() {
        let trips = |elements, devices| {
            let mut job = Job::new(Work::Sort, Type::U32, elements, Way::File);
            job.devices = devices;
            let explained = job.explain(&Options::new(1 << 30), None);
            let is_shared = job.is_for_several();
            (is_shared, passes(&explained.expect("room for it").trips))
        };
        assert_eq!([1, 2].map(|it| trips(1 << 24, it)), [(true, 1), (true, 2)]);
        assert_eq!([1, 2].map(|it| trips(1 << 20, it)), [(false, 1); 2]);
    }

    #[test]
    fn runs_of_the_same_devices_say_how_they_hinder_each_other() {
        let by = named_with(Way::File, &["B".to_owned()]);
        assert_eq!(by, "file, with B");
        assert_eq!(named_with(Way::File, &[]), "file");
        let more = ["B", "A", "B"].map(str::to_owned);
        assert_eq!(named_with(Way::File, &more), "file, with A, 2 × B");
        let job = Job::new(Work::Sort, Type::U32, 1 << 20, Way::File);
        let check = |by: &str, measured_s| Check {
            work: Work::Sort,
            element: Type::U32,
            elements: 1 << 20,
            by: by.to_owned(),
            passes: passes(&alone(&[1.0]).trips),
            forecast_s: 1.0,
            measured_s,
            first: None,
        };
        let call = |measured_s| FirstRun {
            work: Work::Scan,
            by: by.clone(),
            elements: 1 << 20,
            passes: 1,
            trips_s: 0.5,
            start_s: 0.5,
            measured_s,
        };
        let rates = Rates {
            checks: vec![check(&by, 1.5), check(&by, 1.5), check("file", 9.0)],
            first_runs: vec![call(1.0), call(1.0), call(2.0)],
            ..Rates::default()
        };
        let each = vec![alone(&[4.0]), alone(&[4.0])];
        let both = job.together(each, &by, Some(&rates)).expect("two devices");
        close(both.trips_s, 3.0);
        close(both.forecast_s, 4.0);
        let [low, high] = both.interval_s.expect("three runs of another work");
        close(Some(low), 2.0);
        close(Some(high), 8.0);
    }
}
