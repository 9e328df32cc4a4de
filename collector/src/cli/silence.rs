//! What is still being done, where nothing else is said of it.

use std::{
    io::{self, IsTerminal, Write},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// What is being done, until it is dropped.
pub(super) struct Still(());

impl Still {
    /// `most`: how long it takes at most, in words.
    pub(super) fn doing(what: &str, most: &str) -> Self {
        watched().doing.push(format!("{what} ({most})"));
        Self(())
    }

    /// Nothing is said while another program has the terminal.
    pub(super) fn quiet() -> Self {
        watched().doing.push(String::new());
        Self(())
    }
}

impl Drop for Still {
    fn drop(&mut self) {
        watched().doing.pop();
        said();
    }
}

/// Longer silence ends: whoever waits wants to know for what.
const SILENCE: Duration = Duration::from_secs(2);

/// What whoever waits is told.
struct Watch {
    /// The innermost last.
    doing: Vec<String>,
    /// When something was said.
    spoken: Option<Instant>,
    /// Whether the terminal's line is to be written over.
    is_shown: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch {
    doing: Vec::new(),
    spoken: None,
    is_shown: false,
});

fn watched() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says from now on what is still being done, where nothing else is said: on a terminal each second in a line that is
/// written over, elsewhere after twice the time each time. What is done stays on the thread that asked: children die with
/// the thread that started them.
pub(super) fn watch(command: &str) {
    watched().doing.push(format!("at kerncast {command}"));
    said();
    let is_terminal = io::stderr().is_terminal();
    thread::spawn(move || {
        let mut next = SILENCE;
        loop {
            thread::sleep(Duration::from_secs(1));
            let mut watch = watched();
            let silent = watch.spoken.map_or(Duration::ZERO, |it| it.elapsed());
            if silent < SILENCE {
                next = SILENCE;
            }
            if silent < next {
                continue;
            }
            let what = watch.doing.last().map_or("", String::as_str);
            if what.is_empty() {
                continue;
            }
            let end = if is_terminal { "\x1b[K\r" } else { "\n" };
            // Nobody may read on: that is no reason to end.
            let _ = write!(
                io::stderr(),
                "still {what}, for {} s{end}",
                silent.as_secs()
            );
            watch.is_shown = is_terminal;
            if !is_terminal {
                next *= 2;
            }
        }
    });
}

/// Something is said now.
pub(super) fn said() {
    let mut watch = watched();
    watch.spoken = Some(Instant::now());
    if mem::take(&mut watch.is_shown) {
        let _ = write!(io::stderr(), "\x1b[K");
    }
}
