//! How much a count may take.

/// How much a count may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Lanes' instructions of a launch, of those that are computed. What takes more is sampled.
    pub instructions: u64,
    /// The same where less can't be looked at: one work-group of each kind. What takes more is refused.
    pub most: u64,
    /// Bytes of buffers that branches depend on.
    pub bytes: u64,
}

impl Budget {
    /// For whole warps with all their addresses: about half a second.
    #[must_use]
    pub fn for_warps() -> Self {
        Self {
            instructions: 10_000_000,
            most: 160_000_000,
            ..Self::default()
        }
    }

    /// The same for a question that somebody waits for: of what both follow the counts are the same, and work-groups
    /// may take sixteen times as long, which is about a minute.
    #[must_use]
    pub fn for_an_answer() -> Self {
        Self {
            most: 16 * Self::for_warps().most,
            ..Self::for_warps()
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
