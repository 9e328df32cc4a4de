//! Launches whose work-groups may do something else after others have written: all of them in order where that can be
//! afforded, else some, if these do by themselves what they do after others.

use crate::run::{Machine, Refusal, places};

/// Steps that following all work-groups in order may take: two seconds.
const MOST_IN_ORDER: u64 = 200_000_000;
/// Work-groups after which it is known about what all will take.
const FIRST: u64 = 16;
/// Work-groups that are followed by themselves.
const ALONE: usize = 4;
/// Times as many steps as by itself, or as few, from which on some work-groups tell nothing of all.
const UNLIKE: f64 = 1.25;

/// The counter that is 1 where work-groups that were followed differ from what they do by themselves.
pub(crate) const DEPENDENCE: &str = "dependence";

/// A work-group and the steps that it took.
pub(crate) type Steps = ([u32; 3], u64);

/// Follows all work-groups in order by `run`, or says that they take too long: then the machine's memory is as some
/// of them left it.
///
/// # Errors
/// Those of `run`.
pub(crate) fn in_order<'a>(
    machine: &mut Machine<'a>,
    mut run: impl FnMut(&mut Machine<'a>, [u32; 3]) -> Result<(), Refusal>,
) -> Result<bool, Refusal> {
    let groups = machine.groups();
    let all: u64 = groups.iter().map(|count| u64::from(*count)).product();
    machine.limit = MOST_IN_ORDER;
    for (group, number) in places(groups).zip(1_u64..) {
        match run(machine, group) {
            Err(_) if machine.spent > machine.limit => return Ok(false),
            result => result?,
        }
        let expected = u128::from(machine.spent) * u128::from(all) / u128::from(number);
        if number == FIRST && expected > u128::from(MOST_IN_ORDER) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Follows some of these work-groups, which ran one after the other, by themselves, each on a machine of its own: 1
/// where one takes another number of steps, else 0.
///
/// # Errors
/// The numbers are so far apart that those of some work-groups tell nothing of all.
pub(crate) fn dependence<'a>(
    ran: &[Steps],
    mut fresh: impl FnMut() -> Result<Machine<'a>, Refusal>,
) -> Result<f64, Refusal> {
    let mut dependence = 0.0;
    for (group, after) in ran.iter().rev().step_by(ran.len().div_ceil(ALONE).max(1)) {
        let mut machine = fresh()?;
        let items = machine.all_items();
        machine.run_group(*group, &items, &mut ())?;
        let times = machine.spent.max(1) as f64 / (*after).max(1) as f64;
        if !(1.0 / UNLIKE..=UNLIKE).contains(&times) {
            return Err(Refusal::new(format!(
                "what a work-group does depends on what others have written: {group:?} takes {times:.1} times as many steps by itself, and all of them in order take too long to follow"
            )));
        }
        if machine.spent != *after {
            dependence = 1.0;
        }
    }
    Ok(dependence)
}
