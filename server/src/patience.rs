//! How long the other side of a connection is waited for: whoever sends or takes a little now and then is no better
//! than whoever falls silent.

use std::time::Duration;

/// For a side that does nothing; and so much of it there is at most, however fast it was before.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

/// Waiting uses it up, bytes give it back: over any while, a byte of what was sent or taken is good for a second
/// divided by the least rate, and one `LONGEST` comes on top.
pub(crate) struct Patience {
    left: Duration,
    /// Bytes a second.
    least_rate: u32,
}

impl Patience {
    pub(crate) fn new(least_rate: u32) -> Self {
        Self {
            left: LONGEST,
            least_rate,
        }
    }

    pub(crate) fn left(&self) -> Duration {
        self.left
    }

    pub(crate) fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    pub(crate) fn moved(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let earned = Duration::from_secs(bytes.into()) / self.least_rate;
        self.left = self.left.saturating_add(earned).min(LONGEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_saves_up_patience_by_having_been_fast() {
        let mut patience = Patience::new(1024);
        patience.moved(1 << 30);
        patience.waited(LONGEST / 2);
        assert_eq!(patience.left(), LONGEST / 2);
        patience.moved(2048);
        assert_eq!(patience.left(), LONGEST / 2 + Duration::from_secs(2));
        patience.waited(2 * LONGEST);
        assert_eq!(patience.left(), Duration::ZERO);
    }
}
