//! The form of costs that add up or hide behind each other.

use ndarray::ArrayView1;

use super::Attribution;

/// Costs that are not below 0: T = constant + (chainᵖ + Σ (cost · events)ᵖ)^(1/p). p = 1 adds the costs up;
/// the larger p is, the more the largest alone counts, as in the roofline model (Williams, Waterman,
/// Patterson, Communications of the ACM 52, 2009). The chain is the sum of the terms that are shared out:
/// what one worker does one after the other does not hide behind itself.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Costs {
    /// The cost of every launch, seconds.
    pub constant: f64,
    /// The costs of events.
    pub terms: Vec<Cost>,
    /// The exponent, 1 or more.
    pub p: f64,
}

/// The cost of one counter's events.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Cost {
    /// The counter's column.
    pub column: usize,
    /// The columns that its events are shared out over, added up, such as work-items: an event then costs
    /// what it adds to the time of each of those. Where they are 0 the term is 0. Empty: it is not shared out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<usize>,
    /// Seconds per event, above 0.
    pub seconds: f64,
}

impl Cost {
    fn time(&self, row: ArrayView1<'_, f64>) -> f64 {
        self.seconds * shared_out(row[self.column], row, &self.over)
    }
}

/// `events` for each of those that the columns `over` of `row` (p) count; all of them where there is no such
/// column.
pub(crate) fn shared_out(events: f64, row: ArrayView1<'_, f64>, over: &[usize]) -> f64 {
    if over.is_empty() {
        return events;
    }
    let sharers: f64 = over.iter().map(|&column| row[column]).sum();
    if sharers > 0.0 { events / sharers } else { 0.0 }
}

impl Costs {
    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let times = self.terms.iter().map(|term| term.time(row));
        if self.p <= 1.0 {
            return self.constant + times.sum::<f64>();
        }
        self.constant + norm(&self.paths(row), self.p)
    }

    /// The time of the chain, then that of every other term.
    fn paths(&self, row: ArrayView1<'_, f64>) -> Vec<f64> {
        let mut paths = vec![0.0];
        for term in &self.terms {
            if term.over.is_empty() {
                paths.push(term.time(row));
            } else {
                paths[0] += term.time(row);
            }
        }
        paths
    }

    /// The attribution. With p = 1 each counter's share is what its events cost. Otherwise what is above the constant
    /// is shared out in proportion to pathᵖ: what is large fills the time, what is small hides behind it.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let paths = self.paths(row);
        let norm = norm(&paths, self.p);
        let parts = self.terms.iter().map(|term| {
            let time = term.time(row);
            let path = if term.over.is_empty() { time } else { paths[0] };
            let seconds = if self.p <= 1.0 || norm <= 0.0 {
                time
            } else {
                time * (path.max(0.0) / norm).powf(self.p - 1.0)
            };
            (term.column, seconds)
        });
        Attribution::new(self.constant, parts)
    }
}

/// valueᵖ of a value that is not below 0. Most exponents are 1, 2 or 3, and multiplying takes a tenth of the time of
/// `powf`; many values are 0, and the largest of a norm is 1.
pub(crate) fn power(value: f64, p: f64) -> f64 {
    let value = value.max(0.0);
    match (value, p) {
        (1.0, _) => 1.0,
        (0.0, p) if p > 0.0 => 0.0,
        (_, 1.0) => value,
        (_, 2.0) => value * value,
        (_, 3.0) => value * value * value,
        _ => value.powf(p),
    }
}

/// The p-th root of `power`.
pub(crate) fn root(power: f64, p: f64) -> f64 {
    match p {
        1.0 => power,
        2.0 => power.sqrt(),
        3.0 => power.cbrt(),
        _ => power.powf(1.0 / p),
    }
}

/// (Σ timesᵖ)^(1/p), computed in units of the largest, so that nothing under- or overflows.
pub(crate) fn norm(times: &[f64], p: f64) -> f64 {
    let largest = times.iter().copied().fold(0.0, f64::max);
    if largest <= 0.0 {
        return 0.0;
    }
    let part = |time: &f64| match time.max(0.0) / largest {
        none_or_all @ (0.0 | 1.0) => none_or_all,
        some => some.powf(p),
    };
    largest * times.iter().map(part).sum::<f64>().powf(1.0 / p)
}
