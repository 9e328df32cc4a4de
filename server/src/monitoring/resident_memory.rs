//! Memory of the server's process.

use std::fs;

/// Bytes of memory, as Linux counts them.
pub(crate) fn resident_memory() -> Option<i64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: i64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}
