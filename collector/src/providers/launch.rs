//! `launch`: the geometry. Exact, free, on every device.

use std::time::Duration;

use kerncast_suite::Step;
use kerncast_wire::Reading;

use super::{Provider, Subject};

pub(super) const NAME: &str = "launch";

/// The provider `launch`.
pub struct Geometry;

impl Provider for Geometry {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        None
    }

    fn read(&self, subject: Subject<'_>, _limit: Duration) -> Reading {
        let launch = subject.launch;
        let mut counters = vec![
            ("launches", launch.steps.len() as f64),
            // Of several launches the sum.
            ("work_items", launch.work_items() as f64),
            ("work_groups", launch.work_groups() as f64),
            // Of one work-group: arrays in the source and `__local` arguments. Of several launches the most.
            ("local_bytes", subject.local_bytes as f64),
            // Of all buffers and images.
            ("global_bytes", launch.global_bytes() as f64),
        ];
        // Launches that differ have none.
        let same = |of: fn(&Step) -> usize| {
            let first = launch.steps.first().map(of)?;
            let all = launch.steps.iter().all(|step| of(step) == first);
            all.then_some(first as f64)
        };
        let sizes = [
            ("work_group_size", same(Step::work_group_size)),
            ("work_dimensions", same(|step| step.global.len())),
        ];
        let sizes = sizes.into_iter();
        counters.extend(sizes.filter_map(|(name, size)| Some((name, size?))));
        let counters = counters
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Reading {
            counters: counters.collect(),
            ..Reading::default()
        }
    }
}
