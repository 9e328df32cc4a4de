//! The agent of a machine, which measures again and again: its lock, its log of measurements, and the check for other
//! users of the machine. `kerncast agent` is its command line.

mod measured_log;
mod nightly_run;
mod report;
mod state;

pub use nightly_run::{AgentSettings, NightlyRun};
pub use report::{report_run, send_report};
pub use state::{Backlog, Lock, LockedByOther, State, StateError};

/// The host name of this machine.
pub fn host() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}
