//! Work on a long slice, shared among threads.

use std::{
    panic::resume_unwind,
    thread::{self, available_parallelism},
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
    let threads = available_parallelism().map_or(1, usize::from);
    let threads = threads.min(all.len() / LEAST);
    if threads < 2 {
        return work(0, all);
    }
    let length = all.len().div_ceil(threads);
    let work = &work;
    thread::scope(|scope| {
        let parts = all.chunks_mut(length).enumerate();
        let working: Vec<_> = parts
            .map(|(index, part)| scope.spawn(move || work(index * length, part)))
            .collect();
        let mut working = working.into_iter();
        working.try_for_each(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
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
    }
}
