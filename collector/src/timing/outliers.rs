//! Repetitions far from the median.

use kerncast_wire::TimeSummary;

/// The limit of the modified z-score, 0.6745 · (x − median) / MAD: Iglewicz and Hoaglin, How to Detect and Handle
/// Outliers (ASQC 1993), section 3.3.
const FAR_SCORE: f64 = 3.5;
/// The smallest distance from the median that matters, as a fraction of it. Most launches agree to a tick of the
/// device's timer, so that by the score alone the next tick would be an outlier.
const LEAST_DISTANCE: f64 = 0.1;
/// Outliers that are fewer than one in this many repetitions do not move the median.
const MANY_ONE_IN: usize = 20;

/// Whether outliers among `values` are so many that their median is doubtful.
pub(crate) fn has_outliers(values: &[f64]) -> bool {
    if values.is_empty() {
        return false;
    }
    let middle = TimeSummary::of(values).median_s;
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let mad = TimeSummary::of(&distances).median_s;
    let limit = (FAR_SCORE * mad / 0.6745).max(LEAST_DISTANCE * middle);
    let far = distances.iter().filter(|it| **it > limit).count();
    far > 0 && far * MANY_ONE_IN >= values.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_are_many_and_far_by_score_and_by_size() {
        let mut values = vec![1.0; 40];
        assert!(!has_outliers(&values));
        // One in forty does not move the median, two do not either but are many.
        values[7] = 1.5;
        assert!(!has_outliers(&values));
        values[8] = 1.5;
        assert!(has_outliers(&values));
        // Infinitely far by the score, since the MAD is 0, and nobody's concern.
        values[7] = 1.05;
        values[8] = 1.05;
        assert!(!has_outliers(&values));
    }

    #[test]
    fn a_wide_spread_has_no_outliers() {
        // Median 1.45, distances .05 .05 .15 .15 …: MAD 0.25, limit 3.5 · 0.25 / 0.6745 = 1.297.
        let mut values: Vec<f64> = (0..10).map(|tenth| 1.0 + f64::from(tenth) / 10.0).collect();
        assert!(!has_outliers(&values));
        values[9] = 2.7;
        assert!(!has_outliers(&values), "1.25 away");
        values[9] = 2.8;
        assert!(has_outliers(&values), "1.35 away");
        assert!(!has_outliers(&[]));
    }
}
