//! The median's confidence interval, by order statistics: no distribution is assumed.
//!
//! Le Boudec, Performance Evaluation of Computer and Communication Systems (2010), theorem 2.1;
//! recommended for run times by Hoefler and Belli, Scientific Benchmarking of Parallel Computing
//! Systems (SC 2015), rule 5.

/// Whether the 95 % confidence interval of the median lies within `fraction` of the median.
pub(super) fn is_within(values: &[f64], fraction: f64) -> bool {
    let Some((low, high)) = interval_ranks(values.len()) else {
        return false;
    };
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    sorted[low] >= median * (1.0 - fraction) && sorted[high] <= median * (1.0 + fraction)
}

/// Ranks (from 0) in `n` sorted values between which the true median lies with at least 95 % confidence: the largest j
/// with P(Binomial(n, ½) < j) ≤ 2.5 %, and its mirror. None below 6 values.
fn interval_ranks(n: usize) -> Option<(usize, usize)> {
    // 0.5¹⁰²³ is the last power that f64 holds exactly.
    debug_assert!(n <= 1023);
    let mut probability = 0.5_f64.powi(i32::try_from(n).ok()?);
    let mut below = 0.0;
    let mut j = 0;
    while below + probability <= 0.025 {
        below += probability;
        probability *= (n - j) as f64 / (j + 1) as f64;
        j += 1;
    }
    (j > 0).then(|| (j - 1, n - j))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_published_table() {
        // Le Boudec 2010, table A.1 (95 %), ranks from 1.
        for (n, low, high) in [
            (6, 1, 6),
            (8, 1, 8),
            (9, 2, 8),
            (10, 2, 9),
            (20, 6, 15),
            (50, 18, 33),
            (70, 27, 44),
            (100, 40, 61),
        ] {
            assert_eq!(interval_ranks(n), Some((low - 1, high - 1)), "n = {n}");
        }
        assert_eq!(interval_ranks(5), None);
        assert_eq!(interval_ranks(0), None);
    }

    #[test]
    fn a_median_settles_when_most_values_are_near_it() {
        let mut values = vec![1.0; 8];
        values[7] = 5.0;
        // Of 8 values the interval is all of them: one outlier keeps it open.
        assert!(!is_within(&values, 0.01));
        values.push(1.005);
        assert!(is_within(&values, 0.01));
        assert!(!is_within(&[1.0, 1.0, 1.0], 0.01));
    }
}
