//! Counters that can't be of one launch, so that a forecast by them would be of none.

use kerncast_training::LAUNCH;
use kerncast_wire::{CounterSet, FieldProblem};

use crate::problem::{escaped, field};

/// Work-items, work-groups, and work-items of a work-group, as providers call them.
const GEOMETRIES: [(&str, [&str; 3]); 2] = [
    (LAUNCH, ["work_items", "work_groups", "work_group_size"]),
    (
        "ncu",
        [
            "launch__thread_count",
            "launch__grid_size",
            "launch__block_size",
        ],
    ),
];
/// So many counters that are all 0 are no launch's: whatever ran has run instructions.
const SEVERAL: usize = 2;

/// The first in a set, whose pointer in the request is `at`.
pub(super) fn found(set: &CounterSet, at: &str) -> Option<FieldProblem> {
    let geometry = GEOMETRIES.into_iter().find_map(|(provider, names)| {
        let counters = set.get(provider)?;
        let [items, groups, size] = names.map(|name| counters.get(name).copied());
        let [items_name, groups_name, size_name] = names;
        let (items, groups) = (items?, groups?);
        let expected = match size {
            // They are whole.
            Some(size) if (items - groups * size).abs() > 0.5 => {
                format!("{groups_name} × {size_name}, which is {}", groups * size)
            }
            None if items < groups => format!("{groups_name}, {groups}, or more"),
            _ => return None,
        };
        Some(field(
            format!("{at}/{provider}/{items_name}"),
            items,
            expected,
        ))
    });
    geometry.or_else(|| {
        set.iter().find_map(|(provider, counters)| {
            let is_nothing =
                counters.len() >= SEVERAL && counters.values().all(|value| *value == 0.0);
            let groups = set.get(LAUNCH)?.get("work_groups")?;
            (provider != LAUNCH && is_nothing && *groups > 0.0).then(|| {
                field(
                    format!("{at}/{}", escaped(provider)),
                    format!("all 0, {} counters", counters.len()),
                    format!("what {groups} work-groups did: whatever runs, runs instructions"),
                )
            })
        })
    })
}
