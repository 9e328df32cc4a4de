//! What is shown on a terminal: text of others may hold what moves its cursor, rewrites its lines or its title.

pub(super) use kerncast_wire::text::harmless;

/// Says it on standard error.
pub(super) fn say(text: &str) {
    eprintln!("{}", harmless(text));
}
