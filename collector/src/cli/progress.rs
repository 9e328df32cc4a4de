//! How far a collection is: a bar on a terminal, a line per workload elsewhere; on standard error.

use std::{
    io::{self, IsTerminal},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use kerncast_collector::{collect::Outcome, workload::Workload};
use kerncast_wire::TimeSummary;

use super::units;

/// In a log.
const BETWEEN_WORDS: Duration = Duration::from_secs(5);

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
}

impl Progress {
    pub(super) fn new(total: usize) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template(
                "{bar:30.cyan/dim} {pos}/{len} {elapsed} elapsed, about {eta} left  {wide_msg}",
            );
            if let Ok(style) = style {
                bar.set_style(style.progress_chars("━╸━"));
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, total }
    }

    pub(super) fn started(&self, workload: &Workload<'_>) {
        if let Some(bar) = &self.bar {
            bar.set_message(name(workload));
        }
    }

    pub(super) fn done(&self, index: usize, workload: &Workload<'_>, outcome: &Outcome) {
        let result = match outcome {
            Outcome::Measured(sample) => {
                let time = TimeSummary::of(&sample.times.repetitions_s);
                format!("{} (n={})", units::time(time.median_s), time.n)
            }
            Outcome::Failed(reason) => format!("FAILED: {reason}"),
            // Hundreds, where a budget ends; the report says why, once.
            Outcome::Skipped(_) | Outcome::Left(_) => {
                if let Some(bar) = &self.bar {
                    bar.inc(1);
                }
                return;
            }
        };
        match &self.bar {
            None => eprintln!(
                "[{}/{}] {}: {result}",
                index + 1,
                self.total,
                name(workload)
            ),
            Some(bar) => {
                if let Outcome::Failed(_) = outcome {
                    bar.println(format!("{}: {result}", name(workload)));
                }
                bar.inc(1);
            }
        }
    }

    /// What is called so, in this place, from 1, is begun.
    pub(super) fn next(&self, place: usize, name: &str) {
        match &self.bar {
            None => eprintln!("[{place}/{}] {name}", self.total),
            Some(bar) => {
                bar.set_position(place.saturating_sub(1) as u64);
                bar.set_message(name.to_owned());
            }
        }
    }

    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says every now and then what is still being done, until it is dropped. What is done stays on the thread that asked:
/// children die with the thread that started them.
pub(super) struct Still {
    done: Option<Sender<()>>,
    says: Option<JoinHandle<()>>,
    spinner: Option<ProgressBar>,
}

impl Still {
    /// `most`: how long it takes at most, in words.
    pub(super) fn doing(what: &str, most: &str) -> Self {
        let what = format!("{what} ({most})");
        if io::stderr().is_terminal() {
            let spinner = ProgressBar::new_spinner().with_message(what);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}") {
                spinner.set_style(style);
            }
            spinner.enable_steady_tick(Duration::from_millis(200));
            let spinner = Some(spinner);
            let (done, says) = (None, None);
            return Self {
                done,
                says,
                spinner,
            };
        }
        let (done, ended) = mpsc::channel::<()>();
        let start = Instant::now();
        let says = thread::spawn(move || {
            while ended.recv_timeout(BETWEEN_WORDS) == Err(RecvTimeoutError::Timeout) {
                eprintln!("still {what}, for {} s", start.elapsed().as_secs());
            }
        });
        let (done, says, spinner) = (Some(done), Some(says), None);
        Self {
            done,
            says,
            spinner,
        }
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(says) = self.says.take() {
            let _ = says.join();
        }
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}

fn name(workload: &Workload<'_>) -> String {
    let sizes = kerncast_suite::sizes(&workload.parameters);
    format!("{} {} {sizes}", workload.kernel.name, workload.variant.name)
}
