//! Which calls the host's cores do alone, in place of the device.

use sysinfo::{
    MemoryRefreshKind, Process, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
    get_current_pid,
};

use crate::{Job, Way, Work};

/// What is theirs.
#[derive(Default)]
pub(crate) struct LeftToCores {
    /// Of which one a call is.
    works: Vec<Work>,
}

impl LeftToCores {
    pub(super) fn all(&mut self, are_left: bool) {
        let all = [Work::Transform, Work::Reduce, Work::Sort, Work::Scatter];
        self.works = if are_left { all.into() } else { Vec::new() };
    }

    pub(super) fn one(&mut self, work: Work, is_left: bool) {
        self.works.retain(|it| call(*it) != call(work));
        self.works.extend(is_left.then_some(work));
    }

    /// As what calls of a primitive are theirs, if they are.
    pub(crate) fn of_call(&self, primitive: Work) -> Option<Work> {
        self.works.iter().copied().find(|it| call(*it) == primitive)
    }
}

/// A transform may be one of two works.
fn call(work: Work) -> Work {
    match work {
        Work::Sine => Work::Transform,
        other => other,
    }
}

/// Whether the host has memory for what its cores do of it.
pub(super) fn have_room(job: &Job) -> bool {
    let has_files = [job.way_in, job.way_out].contains(&Way::File);
    !has_files || host_has_room(job.elements.saturating_mul(job.output.bytes() as u64))
}

/// Whether the host can have arrays of files, of so many bytes, in memory: at most half of what is free, as others go on
/// working. Not where the system does not say how much that is.
#[must_use]
pub fn host_has_room(bytes: u64) -> bool {
    available().is_some_and(|available| bytes <= available / 2)
}

/// Bytes that the system could give away, and no more than this process's control groups (a container, a service) may still
/// have.
fn available() -> Option<u64> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let mut system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    let own = get_current_pid().ok()?;
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing(),
    );
    let limits = system.process(own).and_then(Process::cgroup_limits);
    // Of what they have, pages of files could be given back.
    let least = limits.map_or(u64::MAX, |it| it.total_memory.saturating_sub(it.rss));
    Some(system.available_memory().min(least)).filter(|it| *it > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn a_file_that_no_memory_holds_has_no_room() {
        let has = |way, elements| have_room(&Job::new(Work::Sort, Type::U64, elements, way));
        assert!(has(Way::File, 4096) && has(Way::Staged, u64::MAX));
        assert!(!has(Way::File, 1 << 57) && !has(Way::File, u64::MAX));
    }

    #[test]
    fn a_work_takes_the_place_of_another_of_the_same_call() {
        let mut left = LeftToCores::default();
        left.one(Work::Sine, true);
        left.one(Work::Sort, true);
        assert_eq!(left.of_call(Work::Transform), Some(Work::Sine));
        left.one(Work::Transform, false);
        assert_eq!(left.of_call(Work::Transform), None);
        assert_eq!(left.of_call(Work::Sort), Some(Work::Sort));
        left.all(true);
        assert_eq!(left.of_call(Work::Transform), Some(Work::Transform));
        left.all(false);
        assert_eq!(left.of_call(Work::Sort), None);
    }
}
