//! The device's state while something runs on it: clocks, temperature, power, throttle
//! reasons, and other processes on it.
//!
//! Only NVIDIA's devices report these so far. Conditions of other devices are absent.

use std::{
    sync::{Arc, OnceLock, mpsc},
    thread,
    time::Duration,
};

use kerncast_opencl::DeviceFacts;
use kerncast_wire::Conditions;

mod busy;
mod flags;
mod nvidia;
mod snapshot;

pub use flags::flags;
pub use nvidia::NoConditions;
use nvidia::Nvidia;
use snapshot::{Snapshot, summary};

/// The time between two snapshots: the shortest timing has a few of them, and they do not disturb it.
const SNAPSHOT_INTERVAL: Duration = Duration::from_millis(20);

/// Observes a device while something runs on it.
pub struct Observer {
    facts: DeviceFacts,
    device: Arc<OnceLock<Result<Nvidia, NoConditions>>>,
}

impl Observer {
    /// An observer of this device. A thread opens the management library, which takes a while; the caller goes on
    /// meanwhile.
    pub fn new(facts: &DeviceFacts) -> Self {
        let observer = Self {
            facts: facts.clone(),
            device: Arc::default(),
        };
        let (facts, device) = (facts.clone(), Arc::clone(&observer.device));
        thread::spawn(move || device.get_or_init(|| Nvidia::open(&facts)).is_ok());
        observer
    }

    /// Does `work` in this thread and observes the device meanwhile. No conditions where the device does not tell.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> (T, Option<Conditions>) {
        let Ok(device) = self.device() else {
            return (work(), None);
        };
        let (result, snapshots) = watch(|| device.snapshot(), work);
        (result, Some(summary(&snapshots)))
    }

    /// The version of the management library and a snapshot of the device, in words.
    ///
    /// # Errors
    /// Why conditions are absent here.
    pub fn probe(&self) -> Result<String, &NoConditions> {
        let device = self.device()?;
        Ok(format!("{}, {}", device.version(), device.snapshot()))
    }

    fn device(&self) -> Result<&Nvidia, &NoConditions> {
        let open = || Nvidia::open(&self.facts);
        self.device.get_or_init(open).as_ref()
    }
}

/// Does `work` and takes snapshots meanwhile: at regular times, and one at the end if there was none before.
fn watch<T>(
    snapshot: impl Fn() -> Snapshot + Sync,
    work: impl FnOnce() -> T,
) -> (T, Vec<Snapshot>) {
    // Dropped when the work is done, also by a panic.
    let (working, ended) = mpsc::channel::<()>();
    let snapshot = &snapshot;
    thread::scope(|scope| {
        let snapshots = scope.spawn(move || {
            let mut snapshots = Vec::new();
            while ended.recv_timeout(SNAPSHOT_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                snapshots.push(snapshot());
            }
            if snapshots.is_empty() {
                snapshots.push(snapshot());
            }
            snapshots
        });
        let result = work();
        drop(working);
        (result, snapshots.join().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_ends_at_once_is_looked_at_too() {
        let (result, snapshots) = watch(Snapshot::default, || 7);
        assert_eq!((result, snapshots.len()), (7, 1));
    }
}
