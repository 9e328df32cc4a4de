//! A machine's agent between its runs: whether one is under way, what it measured when, and who
//! else computes here. `kerncast agent` is its command line.

mod measured_log;
mod report;
mod rounds;
mod state;

pub use report::{report_failed_run, report_run, send_report};
pub use rounds::{Manners, Rounds};
pub use state::{Lock, LockedByOther, Standing, State, StateError};

/// How this machine calls itself.
#[must_use]
pub fn host() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}
