//! A device with pinned arrays, whose host's cores take chunks too.

use crate::{Rates, Type, Who, Work, on_host};

/// What the host's cores can take chunks of.
const SHARED: [Work; 3] = [Work::Transform, Work::Sine, Work::Reduce];

/// Of fewer chunks one of the two has nothing to do while the other ends.
const LEAST_CHUNKS: u64 = 8;

/// The name of its checks.
const BY: &str = Who::DeviceAndCores.text();

impl Rates {
    /// Seconds of both together, did neither hinder the other: chunks are taken by whoever is free, so their rates add up.
    /// `alone_s` are the device's own trips, as the parts come to. None of works that the cores cannot share, and where there
    /// are too few chunks for both.
    #[must_use]
    pub fn unhindered(
        &self,
        work: Work,
        element: Type,
        (elements, chunks): (u64, u64),
        alone_s: f64,
    ) -> Option<f64> {
        if !SHARED.contains(&work) || chunks < LEAST_CHUNKS {
            return None;
        }
        let cores_s = on_host(&self.all_cores, work, element, elements)?;
        Some(alone_s * cores_s / (alone_s + cores_s))
    }

    /// The same as they do hinder each other: both read the same memory. None where that was never checked.
    #[must_use]
    pub fn with_cores(
        &self,
        work: Work,
        element: Type,
        length: (u64, u64),
        alone_s: f64,
    ) -> Option<f64> {
        let is_checked = self
            .checks
            .iter()
            .any(|it| it.work == work && it.by == BY && it.passes == 1);
        let seconds = self.unhindered(work, element, length, alone_s)?;
        is_checked.then(|| seconds * self.stretch(work, BY, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Check, Timed};

    #[test]
    fn rates_add_up_as_far_as_a_check_has_it() {
        let timed = |work| Timed {
            work,
            element: Type::U32,
            elements: 1000,
            seconds: 3.0,
        };
        let mut rates = Rates {
            all_cores: vec![timed(Work::Transform), timed(Work::Scan)],
            ..Rates::default()
        };
        let length = (1000, 8);
        let alone = rates.unhindered(Work::Transform, Type::U32, length, 1.5);
        assert!(
            alone.is_some_and(|it| (it - 1.0).abs() < 1e-12),
            "{alone:?}"
        );
        assert_eq!(
            rates.with_cores(Work::Transform, Type::U32, length, 1.5),
            None
        );
        assert_eq!(
            rates.unhindered(Work::Transform, Type::U32, (1000, 7), 1.5),
            None
        );
        assert_eq!(rates.unhindered(Work::Scan, Type::U32, length, 1.5), None);
        assert_eq!(rates.unhindered(Work::Reduce, Type::U32, length, 1.5), None);
        rates.checks.push(Check {
            work: Work::Transform,
            element: Type::U32,
            elements: 500,
            by: BY.to_owned(),
            passes: 1,
            forecast_s: 0.5,
            measured_s: 0.7,
            first: None,
        });
        let both = rates.with_cores(Work::Transform, Type::U32, length, 1.5);
        assert!(both.is_some_and(|it| (it - 1.4).abs() < 1e-12), "{both:?}");
    }
}
