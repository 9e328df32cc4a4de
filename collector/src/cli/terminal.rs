//! What is shown on a terminal: text of others may hold what moves its cursor, rewrites its lines or its title.

pub(super) use kerncast_wire::terminal_text::harmless;

use super::silence;

/// Says it on standard error, as `eprintln!` does.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::cli::terminal::say(&format!($($words)*))
    };
}

/// Says it on standard error.
pub(super) fn say(text: &str) {
    let text = harmless(text);
    silence::said();
    eprintln!("{text}");
}
