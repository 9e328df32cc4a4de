//! Waits for a process that leads a process group.

use std::{
    io,
    process::{Child, ExitStatus},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// Waits for `leader`; none if it was killed after `limit`. Its group is killed in any case, because remains of a
/// driver or a profiler would run on and keep the leader's output open.
///
/// # Errors
/// The system can't tell the process's state.
pub(crate) fn wait_for_group(
    leader: &mut Child,
    limit: Duration,
) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let status = loop {
        let status = leader.try_wait()?;
        if status.is_some() || start.elapsed() >= limit {
            break status;
        }
        thread::sleep(Duration::from_millis(5));
    };
    if let Some(group) = i32::try_from(leader.id()).ok().and_then(Pid::from_raw) {
        // Mostly there is nobody left.
        let _ = kill_process_group(group, Signal::KILL);
    }
    leader.wait()?;
    Ok(status)
}
