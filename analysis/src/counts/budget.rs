//! How much a count may take.

/// How much a count may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Lanes' instructions of a launch, of those that are computed. What takes more is sampled.
    pub instructions: u64,
    /// Bytes of buffers that branches depend on.
    pub bytes: u64,
}

impl Default for Budget {
    /// About a second.
    fn default() -> Self {
        Self {
            instructions: 200_000_000,
            bytes: 1 << 30,
        }
    }
}
