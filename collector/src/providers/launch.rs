//! `launch`: the geometry of a launch. It is exact and known on every device.

use std::{collections::BTreeMap, time::Duration};

use kerncast_suite::{Launch, Step};
use kerncast_wire::Reading;

use super::{Provider, Subject, refuse};

pub(super) const NAME: &str = kerncast_wire::provider::LAUNCH;

/// The provider `launch`.
pub struct Geometry;

/// The geometry's counters of a launch; `local_bytes`: local memory of each work-group.
#[must_use]
pub fn geometry(launch: &Launch, local_bytes: u64) -> BTreeMap<String, f64> {
    let mut counters = vec![
        ("launches", launch.timed().count() as f64),
        // Of several launches the sum.
        ("work_items", launch.work_items() as f64),
        ("work_groups", launch.work_groups() as f64),
        // Of one work-group: arrays in the source and `__local` arguments. Of several launches the most.
        ("local_bytes", local_bytes as f64),
        // Of all buffers and images.
        ("global_bytes", launch.global_bytes() as f64),
    ];
    // Launches that differ have none.
    let same = |of: fn(&Step) -> usize| {
        let first = launch.timed().next().map(of)?;
        let all = launch.timed().all(|step| of(step) == first);
        all.then_some(first as f64)
    };
    let sizes = [
        ("work_group_size", same(Step::work_group_size)),
        ("work_dimensions", same(|step| step.global.len())),
    ];
    let sizes = sizes.into_iter();
    counters.extend(sizes.filter_map(|(name, size)| Some((name, size?))));
    let counters = counters.into_iter();
    counters
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl Provider for Geometry {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        None
    }

    fn read(&self, subject: Subject<'_>, _limit: Duration) -> Reading {
        if subject.launch.until.is_some() {
            return refuse("how many rounds there are shows only where they run");
        }
        Reading {
            counters: geometry(subject.launch, subject.local_bytes),
            ..Reading::default()
        }
    }
}
