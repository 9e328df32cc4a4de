//! Where fits compute.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::task::{JoinError, spawn_blocking};

/// Threads of their own, one a processor: forecasts share rayon's global ones, and would wait there until a fold is
/// fitted, which takes seconds.
static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    let named = ThreadPoolBuilder::new().thread_name(|at| format!("fit-{at}"));
    named.build().expect("threads can be started")
});

/// What `work` comes to.
///
/// # Errors
/// Where it panics.
pub(super) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    spawn_blocking(move || THREADS.install(work)).await
}
