//! Counters that can't be of one launch, so that a forecast by them would be of none.

use kerncast_profilers::catalogue::role;
use kerncast_training::LAUNCH;
use kerncast_wire::{CounterSet, FieldProblem, Role};

use crate::problem::{escaped, field};

/// Work-items of a work-group, as `launch` calls them; launches that differ have none.
const SIZE: &str = "work_group_size";
/// Of all instructions; whatever ran has run some.
const INSTRUCTIONS: [Role; 2] = [Role::Instructions, Role::IrInstructions];

/// The first in a set, whose pointer in the request is `at`.
pub(super) fn found(set: &CounterSet, at: &str) -> Option<FieldProblem> {
    // What others say of the geometry stands under `launch` too.
    let others = set.iter().filter(|(provider, _)| *provider != LAUNCH);
    let mut all = others.chain(set.get_key_value(LAUNCH));
    let geometry = all.find_map(|(provider, counters)| {
        let of = |wanted: Role| {
            let mut named = counters.iter();
            named.find(|(name, _)| role(&format!("{provider}:{name}")) == Some(wanted))
        };
        let ((items_name, items), (groups_name, groups)) =
            (of(Role::WorkItems)?, of(Role::WorkGroups)?);
        let size = counters.get(SIZE).filter(|_| provider == LAUNCH);
        let expected = match size {
            // They are whole.
            Some(size) if (items - groups * size).abs() > 0.5 => {
                format!("{groups_name} × {SIZE}, which is {}", groups * size)
            }
            None if items < groups => format!("{groups_name}, {groups}, or more"),
            _ => return None,
        };
        Some(field(
            format!("{at}/{}/{}", escaped(provider), escaped(items_name)),
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
