//! Messages on standard error: what a command does, its steps, and after two silent seconds the current activity.

use std::{
    io::{self, IsTerminal, Write},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use kerncast_wire::terminal_text::harmless;

/// Formats a message and [prints](crate::progress::say) it.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => {
        $crate::progress::say(&format!($($words)*))
    };
}

/// Prints a message to standard error, without what would move a terminal's cursor.
pub fn say(text: &str) {
    let text = harmless(text);
    note_output();
    eprintln!("{text}");
}

/// Says that a step begins: `place`, from 1, of `total`.
pub fn say_step(place: usize, total: usize, name: &str) {
    say(&format!("[{place}/{total}] {name}"));
}

/// A slow activity, named on standard error while nothing else is printed; it ends when dropped.
pub struct Activity(());

impl Activity {
    /// Begins an activity; `limit`: the longest time that it takes, in words.
    #[must_use]
    pub fn begin(what: &str, limit: &str) -> Self {
        watch().activities.push(format!("{what} ({limit})"));
        Self(())
    }

    /// Begins an activity during which nothing is printed, because another program has the terminal.
    #[must_use]
    pub fn of_another_program() -> Self {
        watch().activities.push(String::new());
        Self(())
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        watch().activities.pop();
        note_output();
    }
}

/// The time without output after which the activity is named.
const SILENCE: Duration = Duration::from_secs(2);

struct Watch {
    /// Current activities, the innermost last.
    activities: Vec<String>,
    /// When something was printed last.
    last_output: Option<Instant>,
    /// Whether the terminal's last line names the activity, and must be overwritten.
    is_shown: bool,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch {
    activities: Vec::new(),
    last_output: None,
    is_shown: false,
});

fn watch() -> MutexGuard<'static, Watch> {
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts naming the current activity while nothing else is printed: on a terminal every second in a line that is
/// overwritten, elsewhere at intervals that double. A thread does this; the command stays on the caller's thread,
/// because children die with the thread that started them.
pub fn start(command: &str) {
    watch().activities.push(format!("at kerncast {command}"));
    note_output();
    let is_terminal = io::stderr().is_terminal();
    thread::spawn(move || {
        let mut next = SILENCE;
        loop {
            thread::sleep(Duration::from_secs(1));
            let mut watch = watch();
            let silent = watch.last_output.map_or(Duration::ZERO, |it| it.elapsed());
            if silent < SILENCE {
                next = SILENCE;
            }
            if silent < next {
                continue;
            }
            let what = watch.activities.last().map_or("", String::as_str);
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

/// Notes that something is printed now, and clears the line that names the activity.
pub fn note_output() {
    let mut watch = watch();
    watch.last_output = Some(Instant::now());
    if mem::take(&mut watch.is_shown) {
        let _ = write!(io::stderr(), "\x1b[K");
    }
}
