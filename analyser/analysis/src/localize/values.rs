//! What all launches of a kernel have alike, where the rewritten kernel is for these alone.

use std::collections::BTreeMap;

use crate::accesses::AtomId;

/// What is known of a number that a launch gives: an argument, or a size of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is this.
    Equal(i64),
    /// It is a multiple of this.
    Multiple(i64),
}

/// What all launches have alike.
pub(super) type Values = BTreeMap<AtomId, Known>;
