//! Where sorted runs are to be cut so that the parts before the cuts are the least elements.

use std::ops::Range;

/// Cuts of `runs` (each sorted by `order_at`, whose values are at most `most`) before which there are `rank` elements, and
/// none that orders after one behind them. Of equal elements those of earlier runs come first.
///
/// The value that they are cut at comes first: no element before a cut orders after it, and none behind one before it.
///
/// By bisection of the value (multisequence selection, as Varman et al. 1991 define it): it looks at a logarithm of the
/// elements a bit.
pub(crate) fn select(
    runs: &[Range<u64>],
    rank: u64,
    most: u64,
    order_at: impl Fn(u64) -> u64,
) -> (u64, Vec<u64>) {
    // The value lies within these, and where it would be in each run too.
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
    // What is within equals the value: as many of it as are missing.
    let before: u64 = runs
        .iter()
        .zip(&within)
        .map(|(run, equal)| equal.start - run.start)
        .sum();
    let mut missing = rank - before;
    let mut cuts = Vec::with_capacity(runs.len());
    for equal in within {
        let taken = missing.min(equal.end - equal.start);
        missing -= taken;
        cuts.push(equal.start + taken);
    }
    (least, cuts)
}

/// Where in `range` the elements end that order at most at `value`.
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
            let chosen = runs
                .iter()
                .zip(&cuts)
                .flat_map(|(run, &cut)| run.start..cut);
            let mut chosen: Vec<u64> = chosen.collect();
            chosen.sort_unstable();
            let mut expected: Vec<u64> = sorted[..rank].iter().map(|it| it.1).collect();
            expected.sort_unstable();
            assert_eq!(chosen, expected, "rank {rank}");
        }
    }
}
