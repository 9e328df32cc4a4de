//! Limits of the work that a count may take.

/// The work that a count may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Computed instructions of a launch, summed over lanes. A launch that takes more is sampled.
    pub instructions: u64,
    /// Computed instructions of one work-group, summed over lanes. A work-group that takes more is refused.
    pub group_instructions: u64,
    /// Bytes of buffers that branches or addresses depend on.
    pub bytes: u64,
}

impl Budget {
    /// The budget for whole warps with all their addresses: about half a second, or ten if a work-group takes that
    /// long.
    #[must_use]
    pub fn for_addresses() -> Self {
        Self {
            instructions: 10_000_000,
            group_instructions: 1_600_000_000,
            ..Self::default()
        }
    }
}

impl Default for Budget {
    /// A budget of about a second.
    fn default() -> Self {
        Self {
            instructions: 200_000_000,
            group_instructions: 800_000_000,
            bytes: 1 << 30,
        }
    }
}
