//! Where fits compute.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::task::{JoinError, spawn_blocking};

use crate::cpu_bound::give_way;

/// How far fits give way to all else: nobody waits for them.
const FITS_NICE: i32 = 10;

/// Threads of their own, one a processor: forecasts share rayon's global ones, and would wait there until a fold is
/// fitted, which takes seconds.
static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    let named = ThreadPoolBuilder::new().thread_name(|at| format!("fit-{at}"));
    let threads = named.start_handler(|_| give_way(FITS_NICE)).build();
    threads.expect("threads can be started")
});

/// What `work` comes to.
/// Fails where it panics.
pub(super) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    spawn_blocking(move || THREADS.install(work)).await
}
