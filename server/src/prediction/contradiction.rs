//! Counters that can't be of one launch, so that a forecast by them would be of none.

use kerncast_profilers::catalogue::role;
use kerncast_training::LAUNCH;
use kerncast_wire::{CounterSet, FieldProblem, Role};

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
/// Of all instructions; whatever ran has run some.
const INSTRUCTIONS: [Role; 2] = [Role::Instructions, Role::IrInstructions];

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
    let idle = || {
        let groups = set.get(LAUNCH).and_then(|it| it.get("work_groups"));
        let groups = groups.filter(|groups| **groups > 0.0)?;
        let counters = set
            .iter()
            .flat_map(|(provider, named)| named.iter().map(move |it| (provider, it)));
        let mut idle = counters.filter(|(provider, (name, count))| {
            let role = role(&format!("{provider}:{name}"));
            **count == 0.0 && role.is_some_and(|role| INSTRUCTIONS.contains(&role))
        });
        let (provider, (name, _)) = idle.next()?;
        Some(field(
            format!("{at}/{}/{}", escaped(provider), escaped(name)),
            0,
            format!("what {groups} work-groups did: whatever runs, runs instructions"),
        ))
    };
    geometry.or_else(idle)
}
