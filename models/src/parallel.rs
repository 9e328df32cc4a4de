use std::{
    num::NonZero,
    thread::{ScopedJoinHandle, available_parallelism, scope},
};

/// `one` of each item, in their order, on all processors.
pub(crate) fn parallel<T: Sync, U: Send>(items: &[T], one: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let processors = available_parallelism().map_or(1, NonZero::get);
    let share = items.len().div_ceil(processors).max(1);
    if items.len() < 2 {
        return items.iter().map(one).collect();
    }
    let of_some = |items: &[T]| -> Vec<U> { items.iter().map(&one).collect() };
    scope(|scope| {
        let threads: Vec<ScopedJoinHandle<'_, Vec<U>>> = items
            .chunks(share)
            .map(|items| scope.spawn(|| of_some(items)))
            .collect();
        let join = |thread: ScopedJoinHandle<'_, _>| thread.join().expect("no panic");
        threads.into_iter().flat_map(join).collect()
    })
}
