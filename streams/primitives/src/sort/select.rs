//! Cuts sorted runs so that the parts before the cuts are the least elements.

use std::ops::Range;

/// Cuts `runs`, each sorted by `order_at`, so that `rank` elements lie before the cuts and none of them is greater than an
/// element behind a cut. Of equal elements those of earlier runs come first. `most`: the largest value of `order_at`.
///
/// Returns the value at which the runs are cut, and a cut for each run.
///
/// Multisequence selection (Varman et al. 1991) by bisection of the value: for each bit it reads a logarithmic number of
/// elements.
pub(crate) fn select(
    runs: &[Range<u64>],
    rank: u64,
    most: u64,
    order_at: impl Fn(u64) -> u64,
) -> (u64, Vec<u64>) {
    // Bounds of the value, and of the cut in each run.
    let (mut least, mut most) = (0, most);
    let mut within: Vec<Range<u64>> = runs.to_vec();
    while least < most {
        let middle = least + (most - least) / 2;
        let ends = within.iter();
        let ends = ends.map(|range| end_of(range.clone(), middle, &order_at));
        let ends: Vec<u64> = ends.collect();
        let before: u64 = runs
            .iter()
            .zip(&ends)
            .map(|(run, end)| end - run.start)
            .sum();
        if before >= rank {
            most = middle;
            for (range, end) in within.iter_mut().zip(ends) {
                range.end = end;
            }
        } else {
            least = middle + 1;
            for (range, end) in within.iter_mut().zip(ends) {
                range.start = end;
            }
        }
    }
    // The elements within the bounds equal the value: take as many as are missing.
    let before: u64 = runs
        .iter()
        .zip(&within)
        .map(|(run, equal)| equal.start - run.start)
        .sum();
    let mut missing = rank - before;
    let mut cuts = Vec::with_capacity(runs.len());
    for equal in within {
        let count = missing.min(equal.end - equal.start);
        missing -= count;
        cuts.push(equal.start + count);
    }
    (least, cuts)
}

/// The end of the elements in `range` that are at most `value`.
fn end_of(range: Range<u64>, value: u64, order_at: impl Fn(u64) -> u64) -> u64 {
    let (mut start, mut end) = (range.start, range.end);
    while start < end {
        let middle = start + (end - start) / 2;
        if order_at(middle) <= value {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_exact_and_stable() {
        let data = [1, 3, 3, 9, 0, 3, 3, 3, 3, 4, 9, 9];
        let runs = [0..4, 4..8, 8..8, 8..12];
        let mut sorted: Vec<(u64, u64)> = data.iter().copied().zip(0..).collect();
        sorted.sort();
        for rank in 0..=data.len() {
            let at = |index: u64| data[usize::try_from(index).expect("small")];
            let (value, cuts) = select(&runs, rank as u64, 9, at);
            assert!(sorted[..rank].iter().all(|it| it.0 <= value));
            assert!(sorted[rank..].iter().all(|it| it.0 >= value));
            let before = runs
                .iter()
                .zip(&cuts)
                .flat_map(|(run, &cut)| run.start..cut);
            let mut before: Vec<u64> = before.collect();
            before.sort_unstable();
            let mut expected: Vec<u64> = sorted[..rank].iter().map(|it| it.1).collect();
            expected.sort_unstable();
            assert_eq!(before, expected, "rank {rank}");
        }
    }
}
