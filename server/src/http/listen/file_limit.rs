use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections at most, however many files the system grants.
const MOST_CONNECTIONS: u64 = 2048;
/// Files that are no connections of clients: the database's, the log's, the data folder's, …
const OTHER_FILES: u64 = 64;
/// Connections at least, however few files the system grants.
const LEAST_CONNECTIONS: u64 = 8;

/// Raises the limit on open files as far as this process may, and says how many connections that is good for.
#[must_use]
pub fn raise_file_limit() -> usize {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!("the limit on open files can't be raised: {error}");
    }
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let connections = files
        .saturating_sub(OTHER_FILES)
        .clamp(LEAST_CONNECTIONS, MOST_CONNECTIONS);
    if connections < MOST_CONNECTIONS {
        tracing::warn!("{files} open files at most, so {connections} connections (ulimit -n)");
    }
    usize::try_from(connections).unwrap_or(usize::MAX)
}
