//! How much a count may take.

/// How much a count may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Lanes' instructions of a launch, of those that are computed. What takes more is sampled.
    pub instructions: u64,
    /// Lanes' instructions of one work-group. What takes more is refused.
    pub most: u64,
    /// Bytes of buffers that branches depend on.
    pub bytes: u64,
}

impl Budget {
    /// For whole warps with all their addresses: about half a second, and ten where a work-group takes that long.
    #[must_use]
    pub fn for_warps() -> Self {
        Self {
            instructions: 10_000_000,
            most: 1_600_000_000,
            ..Self::default()
        }
    }
}

impl Default for Budget {
    /// About a second.
    fn default() -> Self {
        Self {
            instructions: 200_000_000,
            most: 800_000_000,
            bytes: 1 << 30,
        }
    }
}
