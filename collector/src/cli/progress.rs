//! How far something is, on standard error: a line for each part that is begun or done.

use std::{
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use kerncast_collector::{collect::Outcome, workload::Workload};
use kerncast_wire::TimeSummary;

use super::units;

const BETWEEN_WORDS: Duration = Duration::from_secs(5);

pub(super) struct Progress {
    total: usize,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        Self { total }
    }

    pub(super) fn done(&self, index: usize, workload: &Workload<'_>, outcome: &Outcome) {
        let result = match outcome {
            Outcome::Measured(sample) => {
                let time = TimeSummary::of(&sample.times.repetitions_s);
                format!("{} (n={})", units::time(time.median_s), time.n)
            }
            Outcome::Failed(reason) => format!("FAILED: {reason}"),
            // Hundreds, where a budget ends; the report says why, once.
            Outcome::Skipped(_) | Outcome::Left(_) => return,
        };
        self.next(index + 1, &format!("{}: {result}", workload.name()));
    }

    /// What is called so, in this place, from 1, is begun.
    pub(super) fn next(&self, place: usize, name: &str) {
        eprintln!("[{place}/{}] {name}", self.total);
    }
}

/// Says every now and then what is still being done, until it is dropped. What is done stays on the thread that asked:
/// children die with the thread that started them.
pub(super) struct Still {
    done: Option<Sender<()>>,
    says: Option<JoinHandle<()>>,
}

impl Still {
    /// `most`: how long it takes at most, in words.
    pub(super) fn doing(what: &str, most: &str) -> Self {
        let what = format!("{what} ({most})");
        let (done, ended) = mpsc::channel::<()>();
        let start = Instant::now();
        let says = thread::spawn(move || {
            while ended.recv_timeout(BETWEEN_WORDS) == Err(RecvTimeoutError::Timeout) {
                eprintln!("still {what}, for {} s", start.elapsed().as_secs());
            }
        });
        Self {
            done: Some(done),
            says: Some(says),
        }
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(says) = self.says.take() {
            let _ = says.join();
        }
    }
}
