//! How long a client is waited for. One that sends or takes a byte now and then is no better than one that falls silent.

use std::time::Duration;

/// How long a silent client is waited for; also the most that a fast one can save up.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Least rate at which bodies must come and answers must be taken, bytes a second.
const SLOWEST_RATE: u32 = 16 << 10;

/// Time that a client may still be waited for. Waiting spends it; each byte earns a second divided by the least rate.
pub(crate) struct Allowance(Duration);

impl Default for Allowance {
    fn default() -> Self {
        Self(LONGEST_WAIT)
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
        let earned = Duration::from_secs(bytes.into()) / SLOWEST_RATE;
        self.0 = self.0.saturating_add(earned).min(LONGEST_WAIT);
    }
}
