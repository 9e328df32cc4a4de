//! Launches whose work-groups may do something else after others have written. All work-groups are followed in order if
//! that can be afforded. Otherwise some are, if they do alone what they do after others.

use crate::run::{Machine, Refusal, places};

/// The most steps for following all work-groups in order: two seconds.
const MOST_IN_ORDER: u64 = 200_000_000;
/// Number of work-groups after which the steps of all can be estimated.
const GROUPS_TO_ESTIMATE: u64 = 16;
/// Number of work-groups that are also followed alone.
const GROUPS_ALONE: usize = 4;
/// The largest factor between the steps of a work-group alone and after others. Beyond it sampled work-groups say
/// nothing of all.
const MOST_DIFFERENCE: f64 = 1.25;

/// The counter that is 1 where work-groups that were followed do something else alone, else 0.
pub(crate) const DEPENDENCE: &str = "dependence";

/// A work-group and the steps that it took.
pub(crate) type Steps = ([u32; 3], u64);

/// Follows all work-groups in order by `run`. Returns false if they take too long: then the machine's memory is as some
/// of them left it.
///
/// # Errors
/// The errors of `run`.
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
        if number == GROUPS_TO_ESTIMATE && expected > u128::from(MOST_IN_ORDER) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Follows some of these work-groups, which ran one after the other, alone, each on a machine of its own. Returns 1 if
/// one of them takes another number of steps, else 0.
///
/// # Errors
/// The numbers of steps are so far apart that some work-groups say nothing of all.
pub(crate) fn dependence<'a>(
    ran: &[Steps],
    mut fresh: impl FnMut() -> Result<Machine<'a>, Refusal>,
) -> Result<f64, Refusal> {
    let mut dependence = 0.0;
    for (group, after) in ran
        .iter()
        .rev()
        .step_by(ran.len().div_ceil(GROUPS_ALONE).max(1))
    {
        let mut machine = fresh()?;
        let items = machine.all_items();
        machine.run_group(*group, &items, &mut ())?;
        let times = machine.spent.max(1) as f64 / (*after).max(1) as f64;
        if !(1.0 / MOST_DIFFERENCE..=MOST_DIFFERENCE).contains(&times) {
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
