//! How long the other side of a connection is waited for: whoever sends or takes a little now and then is no better
//! than whoever falls silent.

use std::time::Duration;

/// For a side that does nothing; and so much of it there is at most, however fast it was before.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);
/// Bytes a second that a body comes with, and an answer is taken with, at least.
const SLOWEST: u32 = 16 << 10;

/// Waiting uses it up, bytes give it back: over any while, a byte of what was sent or taken is good for a second
/// divided by the least rate, and one `LONGEST` comes on top.
pub(crate) struct Allowance(Duration);

impl Default for Allowance {
    fn default() -> Self {
        Self(LONGEST)
    }
}

impl Allowance {
    pub(crate) fn remaining(&self) -> Duration {
        self.0
    }

    pub(crate) fn spend(&mut self, time: Duration) {
        self.0 = self.0.saturating_sub(time);
    }

    pub(crate) fn earn(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let earned = Duration::from_secs(bytes.into()) / SLOWEST;
        self.0 = self.0.saturating_add(earned).min(LONGEST);
    }
}
