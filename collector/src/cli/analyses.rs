//! What kernels' accesses do, sent to the server for the kernels' pages.

use std::time::{Duration, Instant};

use kerncast_collector::{
    client::Client, providers::Analysis, source_analysis::kernel_analysis::kernel_analysis,
};
use kerncast_suite::Kernel;

use super::units;

/// A run goes on for so long after what it was asked for; what is left follows with the next.
const LONGEST: Duration = Duration::from_secs(120);

/// Sends what the server lacks of these kernels, whose sources it has. Without clang there is nothing to send, and
/// `kerncast doctor` says so.
pub(super) fn send_lacking(server: &Client, kernels: &[Kernel]) {
    let analysis = Analysis::find();
    if analysis.version().is_err() {
        return;
    }
    let start = Instant::now();
    let (mut sent, mut left) = (0, 0);
    for kernel in kernels {
        if start.elapsed() > LONGEST {
            left += 1;
            continue;
        }
        // A server that is older knows no analyses, and one that fails gets them later.
        let Ok(false) = server.knows_analysis(&kernel.source_hash) else {
            continue;
        };
        let Ok(known) = kernel_analysis(&analysis, kernel) else {
            continue;
        };
        sent += usize::from(server.send_analysis(&kernel.source_hash, &known).is_ok());
    }
    if sent > 0 {
        say!(
            "{} knows the accesses of {} more",
            server.url(),
            units::count(sent, "kernel")
        );
    }
    if left > 0 {
        say!(
            "those of {} follow with the next run",
            units::count(left, "kernel")
        );
    }
}
