//! Exit statuses: one table, which --help prints.

use std::process::ExitCode;

use kerncast_collector::{
    UsageError, agent::LockedByOther, child::Failure, client, device_choice::local::AbsentDevice,
    import::ImportError, rewrite::NotRewritten, spool::SpoolError,
};
use kerncast_primitives::StreamError;
use kerncast_suite::SuiteError;

/// Exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Status {
    Good = 0,
    Failed = 1,
    /// Wrong arguments; clap exits with this status too.
    Usage = 2,
    NothingToGain = 3,
    Refused = 4,
    Unproved = 5,
    /// EX_UNAVAILABLE of sysexits.h.
    Unavailable = 69,
    /// EX_TEMPFAIL of sysexits.h.
    Temporary = 75,
    /// A shell's status of a process that SIGINT ended.
    Interrupted = 130,
    /// A shell's status of a process that SIGPIPE ended.
    Closed = 141,
}

/// Every status in words, with lines of at most 72 characters.
const TABLE: [(Status, &str); 10] = [
    (Status::Good, "all went well"),
    (
        Status::Failed,
        "some workloads failed, samples were rejected, or there is no forecast; the
table says why. In run, a source that does not compile counts as a failed
workload; the others still run",
    ),
    (
        Status::Usage,
        "wrong input: the command line, a launch file, the source of a kernel, a
file, the configuration file, a device's name, or the request to the
server; or the spool's folder is not writable",
    ),
    (Status::NothingToGain, "localize: there is nothing to gain"),
    (Status::Refused, "localize: refused, with reasons"),
    (
        Status::Unproved,
        "localize: the rewritten kernel failed a check, or nothing checked it",
    ),
    (Status::Unavailable, "no OpenCL loader, driver or device"),
    (
        Status::Temporary,
        "the server cannot be reached, and samples stay in the spool (whatever else
failed); or another agent measures here; or models --wait: fits are
still pending",
    ),
    (
        Status::Interrupted,
        "stream: interrupted by a second Ctrl-C",
    ),
    (Status::Closed, "the reader of the output has gone (| head)"),
];

pub(super) fn help() -> String {
    let rows = TABLE.map(|(status, words)| {
        let words = words.replace('\n', "\n      ");
        format!("\n  {:<4}{words}", status as u8)
    });
    format!("Exit status:{}", rows.concat())
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

impl Status {
    /// The status of a command that failed.
    pub(super) fn of_error(error: &anyhow::Error) -> Self {
        error.chain().find_map(of_cause).unwrap_or(Self::Failed)
    }
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<Status> {
    let or_failed = |is: bool, status| if is { status } else { Status::Failed };
    if let Some(error) = cause.downcast_ref::<client::ServerError>() {
        return Some(match error {
            _ if error.is_temporary() => Status::Temporary,
            // The server says what is wrong with the question.
            client::ServerError::Status { status, .. } => {
                or_failed(matches!(status, 400 | 404 | 422), Status::Usage)
            }
            _ => Status::Failed,
        });
    }
    if let Some(client::UploadError::Server(error)) = cause.downcast_ref() {
        return Some(or_failed(error.is_temporary(), Status::Temporary));
    }
    if let Some(error) = cause.downcast_ref::<SpoolError>() {
        return Some(or_failed(error.is_of_the_folder(), Status::Usage));
    }
    if let Some(error) = cause.downcast_ref::<StreamError>() {
        return Some(or_failed(error.is_wrong_argument(), Status::Usage));
    }
    let is_wrong_argument = cause.is::<SuiteError>()
        || cause.is::<UsageError>()
        || matches!(cause.downcast_ref(), Some(client::ConnectError::Address(_)))
        || cause.is::<AbsentDevice>()
        || cause.is::<ImportError>();
    if is_wrong_argument {
        return Some(Status::Usage);
    }
    if cause.is::<NotRewritten>() {
        return Some(Status::Refused);
    }
    if cause.is::<LockedByOther>() {
        return Some(Status::Temporary);
    }
    let no_opencl = matches!(cause.downcast_ref(), Some(Failure::NoOpenCl(_)));
    no_opencl.then_some(Status::Unavailable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_status_once_and_fits_a_terminal() {
        let numbers = TABLE.map(|(status, _)| status as u8);
        assert!(numbers.is_sorted_by(|one, other| one < other));
        assert!(help().lines().all(|line| line.chars().count() <= 80));
        let usage = anyhow::Error::from(UsageError("no".to_owned())).context("more");
        assert_eq!(Status::of_error(&usage), Status::Usage);
        assert_eq!(Status::of_error(&anyhow::anyhow!("no")), Status::Failed);
    }
}
