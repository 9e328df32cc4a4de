//! How far something is, on standard error: a line for each part that is begun or done.

use std::{
    io::{self, IsTerminal, Write},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use kerncast_collector::{collect::Outcome, workload::Workload};
use kerncast_wire::TimeSummary;

use super::{terminal, units};

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
        terminal::say(&format!("[{place}/{}] {name}", self.total));
    }
}

/// What is being done, the innermost last, until it is dropped.
pub(super) struct Still(());

impl Still {
    /// `most`: how long it takes at most, in words.
    pub(super) fn doing(what: &str, most: &str) -> Self {
        lock(&WATCH).doing.push(format!("{what} ({most})"));
        Self(())
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        lock(&WATCH).doing.pop();
    }
}

/// Silence for longer ends: whoever waits wants to know for what.
const SILENCE: Duration = Duration::from_secs(2);
/// How often a terminal is told how long it takes.
const TICK: Duration = Duration::from_secs(1);

/// What the watch knows.
struct Watch {
    doing: Vec<String>,
    /// What was said last, and when.
    last: String,
    spoken: Option<Instant>,
    /// Whether the terminal's last line is the watch's, to be written over.
    is_shown: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch {
    doing: Vec::new(),
    last: String::new(),
    spoken: None,
    is_shown: false,
});

fn lock(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says from now on what is still being done, where nothing else is said: on a terminal in a line that is written over,
/// elsewhere after twice the time each time. What is done stays on the thread that asked: children die with the thread
/// that started them.
pub(super) fn watch(command: &str) {
    said(command);
    let is_terminal = io::stderr().is_terminal();
    thread::spawn(move || {
        let mut next = SILENCE;
        loop {
            thread::sleep(TICK);
            let mut watch = lock(&WATCH);
            let silent = watch.spoken.map_or(Duration::ZERO, |it| it.elapsed());
            if silent < SILENCE {
                next = SILENCE;
            }
            if silent < next {
                continue;
            }
            let line = format!("still {}, for {} s", watch.now(), silent.as_secs());
            watch.is_shown = is_terminal;
            // Nobody may read on: that is no reason to end.
            let _ = match is_terminal {
                true => write!(io::stderr(), "{line}\x1b[K\r"),
                false => writeln!(io::stderr(), "{line}"),
            };
            if !is_terminal {
                next *= 2;
            }
        }
    });
}

impl Watch {
    fn now(&self) -> &str {
        self.doing.last().unwrap_or(&self.last)
    }

    fn clear(&mut self) {
        if mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr(), "\x1b[K");
        }
    }
}

/// Something is said now.
pub(super) fn said(what: &str) {
    let mut watch = lock(&WATCH);
    watch.clear();
    let line = what.lines().next().unwrap_or_default();
    watch.last = line.chars().take(60).collect();
    watch.spoken = Some(Instant::now());
}
