//! `launch`: the geometry. Exact, free, on every device.

use std::time::Duration;

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
        let counters = [
            ("work_items", launch.work_items() as f64),
            ("work_groups", launch.work_groups() as f64),
            ("work_group_size", launch.work_group_size() as f64),
            ("work_dimensions", launch.global.len() as f64),
            // Of one work-group: arrays in the source and `__local` arguments.
            ("local_bytes", subject.local_bytes as f64),
            // Of all buffers.
            ("global_bytes", launch.global_bytes() as f64),
        ];
        let counters = counters.map(|(name, value)| (name.to_owned(), value));
        Reading {
            counters: counters.into(),
            ..Reading::default()
        }
    }
}
