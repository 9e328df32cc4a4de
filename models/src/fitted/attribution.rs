use std::collections::BTreeMap;

/// A forecast shared out among counters: `rest` and the shares add up to it, up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// Seconds that no counter explains: an intercept, the launch itself, or, in a fit of logarithms, the
    /// typical time that the counters then lengthen or shorten.
    pub rest: f64,
    /// (column, seconds), in the columns' order. Below 0 where a counter makes the forecast shorter.
    pub shares: Vec<(usize, f64)>,
}

impl Attribution {
    /// The attribution of parts (column, seconds), added up by column.
    pub(super) fn new(rest: f64, parts: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut shares = BTreeMap::new();
        for (column, seconds) in parts {
            *shares.entry(column).or_insert(0.0) += seconds;
        }
        Self {
            rest,
            shares: shares.into_iter().collect(),
        }
    }

    /// The attribution of exp(base + Σ logs); `logs`: (column, log), in the columns' order. The rest is exp(base); what
    /// differs from it is shared out in proportion to the logs. These are the integrated gradients (Sundararajan, Taly,
    /// Yan, ICML 2017) on the straight path from all logs at 0.
    pub(super) fn of_logs(base: f64, logs: Vec<(usize, f64)>) -> Self {
        let rest = base.exp();
        let sum: f64 = logs.iter().map(|(_, log)| log).sum();
        let per_log = if sum == 0.0 {
            rest
        } else {
            rest * sum.exp_m1() / sum
        };
        let share = |(column, log)| (column, log * per_log);
        Self {
            rest,
            shares: logs.into_iter().map(share).collect(),
        }
    }
}
