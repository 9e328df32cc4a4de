//! What all launches of a kernel have alike, where the rewritten kernel is for these alone.

use std::collections::BTreeMap;

use crate::accesses::AtomId;

/// What is known of a number that a launch gives: an argument, or a size of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaunchValue {
    /// It is this number.
    Equal(i64),
    /// It is a multiple of this number.
    Multiple(i64),
}

pub(super) type LaunchValues = BTreeMap<AtomId, LaunchValue>;
