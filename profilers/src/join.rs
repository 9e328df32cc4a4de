use crate::error::shortened;
use crate::{Error, Geometry, Launch, Profile};

/// Joins two files of the same launches: passes that counted different things, or counters and
/// times. Launches are paired in the order of their dispatch numbers (which may begin at 0 in one
/// file and at 1 in the other). Where both files know something, `one` is believed: give the file
/// whose times are the less disturbed first. Notes keep their own file's lines, `one`'s first.
///
/// # Errors
/// [`Error::Mismatch`] where the files differ in number of launches, a kernel or a size.
pub fn join(mut one: Profile, mut other: Profile) -> Result<Profile, Error> {
    one.launches.sort_by_key(|launch| launch.dispatch);
    other.launches.sort_by_key(|launch| launch.dispatch);
    let (here, there) = (one.launches.len(), other.launches.len());
    if here != there {
        return Err(Error::Mismatch(format!("{here} launches and {there}")));
    }
    for (number, (launch, more)) in (1..).zip(one.launches.iter_mut().zip(other.launches)) {
        join_launch(launch, more, number)?;
    }
    one.notes.extend(other.notes);
    Ok(one)
}

fn join_launch(launch: &mut Launch, more: Launch, number: usize) -> Result<(), Error> {
    if launch.kernel != more.kernel {
        let (here, there) = (shortened(&launch.kernel), shortened(&more.kernel));
        return Err(Error::Mismatch(format!(
            "launch {number} is `{here}` in one and `{there}` in the other"
        )));
    }
    launch.geometry = match (launch.geometry, more.geometry) {
        (Some(one), Some(other)) if !is_same(one, other) => {
            let (here, there) = (one.work_items, other.work_items);
            let what = format!(
                "launch {number} has {here} work-items in one and {there} in the other, or other work-groups"
            );
            return Err(Error::Mismatch(what));
        }
        (one, other) => one.filter(|one| one.global.is_some()).or(other).or(one),
    };
    launch.time_s = launch.time_s.or(more.time_s);
    launch.device = launch.device.take().or(more.device);
    for (provider, counters) in more.counters {
        let known = launch.counters.entry(provider).or_default();
        for (name, value) in counters {
            known.entry(name).or_insert(value);
        }
    }
    Ok(())
}

fn is_same(one: Geometry, other: Geometry) -> bool {
    one.work_items == other.work_items && one.work_group_items == other.work_group_items
}
