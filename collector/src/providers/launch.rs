//! `launch`: the geometry of a launch. It is exact and known on every device.

use std::{collections::BTreeMap, time::Duration};

use kerncast_suite::{Launch, Step};
use kerncast_wire::Reading;

use super::{CountedWorkload, Provider, refuse};

pub(super) const NAME: &str = kerncast_wire::provider::LAUNCH;

/// The provider `launch`.
pub struct Geometry;

/// The geometry's counters of a launch; `local_bytes`: local memory of each work-group.
pub(super) fn geometry(launch: &Launch, local_bytes: u64) -> BTreeMap<String, f64> {
    // None if launches differ.
    let same = |size: fn(&Step) -> usize| {
        let first = launch.timed().next().map(size)?;
        let all = launch.timed().all(|step| size(step) == first);
        all.then_some(first as f64)
    };
    let counters = [
        ("launches", Some(launch.timed().count() as f64)),
        // Sums over launches.
        ("work_items", Some(launch.work_items() as f64)),
        ("work_groups", Some(launch.work_groups() as f64)),
        // Arrays in the source and `__local` arguments; of several launches the most.
        ("local_bytes", Some(local_bytes as f64)),
        // All buffers and images.
        ("global_bytes", Some(launch.global_bytes() as f64)),
        ("work_group_size", same(Step::work_group_size)),
        ("work_dimensions", same(|step| step.global.len())),
    ];
    let counters = counters.into_iter();
    counters
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

impl Provider for Geometry {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        None
    }

    fn read(&self, subject: CountedWorkload<'_>, _limit: Duration) -> Reading {
        if subject.launch.until.is_some() {
            return refuse("how many rounds there are shows only where they run");
        }
        Reading {
            counters: geometry(subject.launch, subject.local_bytes),
            ..Reading::default()
        }
    }
}
