//! Values that all launches of a kernel have in common, if the rewritten kernel is for these launches alone.

use std::collections::BTreeMap;

use crate::accesses::AtomId;

/// Knowledge about a number that a launch gives: an argument or a size of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaunchValue {
    /// The number is this one.
    Equal(i64),
    /// The number is a multiple of this one.
    Multiple(i64),
}

pub(crate) type LaunchValues = BTreeMap<AtomId, LaunchValue>;
