use kerncast_wire::TimeSummary;

/// Repetitions (at least one, seconds) in four numbers.
#[expect(clippy::cast_precision_loss, reason = "at most 100,000 repetitions")]
pub(crate) fn summary(repetitions: &[f64]) -> TimeSummary {
    let mut sorted = repetitions.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let median = f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]);
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let squares: f64 = sorted
        .iter()
        .map(|time| ((time - mean) / mean).powi(2))
        .sum();
    TimeSummary {
        min_s: sorted[0],
        median_s: median,
        n: u32::try_from(n).unwrap_or(u32::MAX),
        cv: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2, 4, 4, 10: mean 5, squared deviations 9 + 1 + 1 + 25 = 36, variance 36 ÷ 3 = 12.
    #[test]
    fn an_even_number_of_repetitions_has_its_median_in_the_middle() {
        let TimeSummary {
            min_s,
            median_s,
            n,
            cv,
        } = summary(&[10.0, 2.0, 4.0, 4.0]);
        assert_eq!((min_s, median_s, n), (2.0, 4.0, 4));
        assert!((cv.unwrap() - 12.0_f64.sqrt() / 5.0).abs() < 1e-15);
    }

    #[test]
    fn one_repetition_has_no_variation() {
        let expected = TimeSummary {
            min_s: 0.5,
            median_s: 0.5,
            n: 1,
            cv: None,
        };
        assert_eq!(summary(&[0.5]), expected);
    }
}
