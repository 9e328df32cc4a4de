//! Analyses of kernels' accesses, sent to the server for the kernels' pages.

use std::time::{Duration, Instant};

use kerncast_suite::Kernel;

use crate::{
    client::Client, counting::kernel_analysis::kernel_analysis, providers::Analysis, units,
};

/// The longest time that a run spends on analyses; the next run sends the rest.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Sends analyses that the server lacks, of kernels whose sources it has. Sends none without clang, which `kerncast
/// doctor` reports.
pub fn send_missing_analyses(server: &Client, kernels: &[Kernel]) {
    let analysis = Analysis::find();
    if analysis.version().is_err() {
        return;
    }
    let start = Instant::now();
    let (mut sent, mut postponed) = (0, 0);
    for kernel in kernels {
        if start.elapsed() > TIME_LIMIT {
            postponed += 1;
            continue;
        }
        // An older server knows no analyses, and one that fails gets them later.
        let Ok(false) = server.knows_analysis(&kernel.source_hash) else {
            continue;
        };
        let Ok(of_kernel) = kernel_analysis(&analysis, kernel) else {
            continue;
        };
        let answer = server.send_analysis(&kernel.source_hash, &of_kernel);
        sent += usize::from(answer.is_ok());
    }
    if sent > 0 {
        let (url, kernels) = (server.url(), units::count(sent, "kernel"));
        say!("{url} has the accesses of {kernels} more");
    }
    if postponed > 0 {
        let kernels = units::count(postponed, "kernel");
        say!("the accesses of {kernels} follow with the next run");
    }
}
