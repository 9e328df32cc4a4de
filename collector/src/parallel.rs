//! Work on something long, shared among threads.

use std::{
    ops::Range,
    panic::resume_unwind,
    thread::{self, ScopedJoinHandle, available_parallelism},
};

/// Below so many items a thread, its start costs more than it saves.
const LEAST: usize = 1 << 18;

/// Has `work` do every part of `all`; it is given the part's place and the part.
///
/// # Errors
/// The first by place, whatever the number of threads.
pub(crate) fn in_parts<T: Send, E: Send>(
    all: &mut [T],
    work: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let length = part(all.len());
    if length >= all.len() {
        return work(0, all);
    }
    let work = &work;
    thread::scope(|scope| {
        let parts = all.chunks_mut(length).enumerate();
        let working: Vec<_> = parts
            .map(|(index, part)| scope.spawn(move || work(index * length, part)))
            .collect();
        working.into_iter().try_for_each(join)
    })
}

/// What `work` says of the parts of `0..all`, in their order.
pub(crate) fn over_ranges<R: Send>(all: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let length = part(all);
    if length >= all {
        return vec![work(0..all)];
    }
    let work = &work;
    thread::scope(|scope| {
        let parts = (0..all).step_by(length);
        let working: Vec<_> = parts
            .map(|start| scope.spawn(move || work(start..all.min(start + length))))
            .collect();
        working.into_iter().map(join).collect()
    })
}

/// How much of `all` one thread does.
fn part(all: usize) -> usize {
    let threads = available_parallelism().map_or(1, usize::from);
    all.div_ceil(threads.min(all / LEAST).max(1))
}

fn join<R>(part: ScopedJoinHandle<'_, R>) -> R {
    part.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_knows_its_place_and_the_first_error_wins() {
        let mut all = vec![0; 5 * LEAST + 3];
        let number = |start: usize, part: &mut [usize]| {
            part.iter_mut()
                .zip(start..)
                .for_each(|(item, place)| *item = place);
            Ok::<(), usize>(())
        };
        assert_eq!(in_parts(&mut all, number), Ok(()));
        assert!(all.iter().copied().eq(0..all.len()));
        let fail = |start: usize, _: &mut [usize]| Err(start);
        assert_eq!(in_parts(&mut all, fail), Err(0));
        let ranges = over_ranges(all.len(), |range| range);
        assert!(ranges.into_iter().flatten().eq(0..all.len()));
    }
}
