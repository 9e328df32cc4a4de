//! AMD's rocprof (v1).

use crate::wide::Wide;
use crate::{Error, Format, Profile};

pub(crate) fn is_header(cells: &[&str]) -> bool {
    cells.contains(&"KernelName") && cells.contains(&"gpu-id")
}

/// Reads `results.csv`: a row for each dispatch, counters after the launch's columns, times with `--timestamp on`.
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let columns = Wide {
        format: Format::Rocprof,
        is_header,
        dispatch: "Index",
        kernel: "KernelName",
        gpu: "gpu-id",
        process: "pid",
        grid: "grd",
        group: "wgr",
        start: "BeginNs",
        end: "EndNs",
        is_of_launch,
    };
    columns.parse(text)
}

/// Columns of any release of rocprof v1 that describe the launch and are no counters.
const LAUNCH_COLUMNS: &str = "Index KernelName gpu-id queue-id queue-index pid tid grd wgr lds scr vgpr \
                               arch_vgpr accum_vgpr sgpr fbar wave_size sig obj DispatchNs BeginNs EndNs \
                               CompleteNs DurationNs";

fn is_of_launch(column: &str) -> bool {
    LAUNCH_COLUMNS.split(' ').any(|it| it == column)
}
