//! Work that takes long, away from the threads that serve everybody.

use std::{
    sync::{Arc, LazyLock},
    thread::available_parallelism,
};

use rustix::process::{getpid, getpriority_process, setpriority_process};
use tokio::{
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
};

/// As many at once as there are processors: more would only take each other's time, and that of the threads
/// that answer everybody else.
static AT_ONCE: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(1, Into::into);
    Arc::new(Semaphore::new(processors))
});

/// By how much heavy work lowers its priority (nice levels).
const HEAVY_NICE: i32 = 5;
/// The lowest priority (nice level).
const MOST_NICE: i32 = 19;

/// Lowers this thread's priority by so many nice levels below the process's. (On Linux `nice` is a thread's.)
pub(crate) fn give_way(by: i32) {
    let process = getpriority_process(Some(getpid()));
    // Where it may not, all is as it was.
    let _ = process.and_then(|own| setpriority_process(None, (own + by).min(MOST_NICE)));
}

/// Runs `work` on a thread of its own, as soon as fewer than one a processor are at work.
/// Fails where it panics.
pub(crate) async fn heavy<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    // Nobody closes it; and where nobody waits for the work any more, its turn still ends with it.
    let turn = Arc::clone(&AT_ONCE).acquire_owned().await.ok();
    spawn_blocking(move || {
        give_way(HEAVY_NICE);
        let result = work();
        drop(turn);
        result
    })
    .await
}
