use ndarray::ArrayView1;

use super::{Attribution, costs::norm};

/// Amounts beyond this are cut off, so that their times stay finite.
const MOST: f64 = 1e300;

/// Costs above 0 of work that hides behind each other, each shared by those that have some of it:
/// T = constant + ((Σ waits)ᵖ + Σ busyᵖ)^(1/p). A wait is a warp's, once for each wave of work-groups; busy is a
/// multiprocessor, what all multiprocessors share, or the busiest unit.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waves {
    /// What every launch costs, seconds.
    pub constant: f64,
    /// The exponent, 1 or more.
    pub p: f64,
    /// Who does the work.
    pub workers: Workers,
    /// The work.
    pub terms: Vec<Work>,
}

/// How a launch is spread over a device.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Workers {
    /// The columns that count who waits, added up: warps, or what stands for them.
    pub waiting: Vec<usize>,
    /// The column that counts work-groups. Without one all multiprocessors have work.
    pub groups: Option<usize>,
    /// The columns that say how many work-groups a multiprocessor holds at most; the least counts. Without one
    /// all work-groups run in one wave.
    pub resident: Vec<usize>,
    /// Of the device.
    pub multiprocessors: f64,
}

/// What one kind of event costs in one place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// The events' column.
    pub column: usize,
    /// Columns that the events are no more than.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Vec::is_empty")
    )]
    pub at_most: Vec<usize>,
    /// How many other events one of them is: the first column ÷ the second, as in loads a sector.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub each: Option<(usize, usize)>,
    /// Where they take their time.
    pub place: Place,
    /// Seconds an event, above 0.
    pub seconds: f64,
}

/// Where an event takes time, and so among how many others' its time is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Place {
    /// On the multiprocessors that have work.
    Multiprocessor,
    /// In what all multiprocessors share.
    Device,
    /// In the busiest unit, which counted it.
    Unit,
    /// In a warp, which waits; once for each wave.
    Warp,
}

/// One launch's workers.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    /// Multiprocessors that have work.
    active: f64,
    /// Waves for each of those who wait; 0 where nobody is counted.
    waves_each: f64,
}

impl Workers {
    /// Of a launch's counters (p).
    pub(crate) fn spread(&self, row: ArrayView1<'_, f64>) -> Spread {
        let waiting: f64 = self.waiting.iter().map(|&column| row[column]).sum();
        let groups = self.groups.map(|column| row[column]).filter(|it| *it >= 1.0);
        let resident = self.resident(row).map(|it| it * self.multiprocessors);
        let waves = match (groups, resident) {
            (Some(groups), Some(resident)) => (groups / resident).max(1.0),
            _ => 1.0,
        };
        Spread {
            active: groups.map_or(self.multiprocessors, |it| it.min(self.multiprocessors)),
            waves_each: if waiting > 0.0 { waves / waiting } else { 0.0 },
        }
    }

    /// Work-groups that a multiprocessor holds, 1 or more.
    pub(crate) fn resident(&self, row: ArrayView1<'_, f64>) -> Option<f64> {
        let limits = self.resident.iter().map(|&column| row[column]);
        limits.reduce(f64::min).map(|it| it.max(1.0))
    }

    fn columns(&self) -> impl Iterator<Item = usize> {
        let several = self.waiting.iter().chain(&self.resident);
        several.copied().chain(self.groups)
    }
}

impl Work {
    /// Events one after the other in the busiest such place.
    pub(crate) fn amount(&self, row: ArrayView1<'_, f64>, spread: Spread) -> f64 {
        let limits = self.at_most.iter().map(|&column| row[column]);
        let events = limits.fold(row[self.column], f64::min);
        let each = match self.each {
            Some((_, of)) if row[of] <= 0.0 => 0.0,
            Some((others, of)) => row[others] / row[of],
            None => 1.0,
        };
        let events = events * each;
        let amount = match self.place {
            Place::Multiprocessor => events / spread.active,
            Place::Warp => events * spread.waves_each,
            Place::Device | Place::Unit => events,
        };
        amount.min(MOST)
    }

    fn columns(&self) -> impl Iterator<Item = usize> {
        let each = self.each.into_iter().flat_map(|(others, of)| [others, of]);
        let at_most = self.at_most.iter().copied();
        std::iter::once(self.column).chain(at_most).chain(each)
    }
}

impl Waves {
    /// Whether a column is needed.
    pub(crate) fn asks(&self, column: usize) -> bool {
        let of_terms = self.terms.iter().flat_map(Work::columns);
        self.workers
            .columns()
            .chain(of_terms)
            .any(|it| it == column)
    }

    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        self.constant + norm(&self.paths(&self.times(row)), self.p)
    }

    /// What is above the constant is shared out in proportion to pathᵖ, the waits' among them.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let times = self.times(row);
        let paths = self.paths(&times);
        let norm = norm(&paths, self.p);
        let mut seconds = vec![0.0; row.len()];
        let mut terms: Vec<usize> = self.terms.iter().map(|it| it.column).collect();
        for (term, &time) in self.terms.iter().zip(&times) {
            let path = if term.place == Place::Warp { paths[0] } else { time };
            if norm > 0.0 {
                seconds[term.column] += time * (path / norm).powf(self.p - 1.0);
            }
        }
        terms.sort_unstable();
        terms.dedup();
        let shares = terms.into_iter().map(|column| (column, seconds[column]));
        Attribution {
            rest: self.constant,
            shares: shares.collect(),
        }
    }

    /// Seconds of each term.
    fn times(&self, row: ArrayView1<'_, f64>) -> Vec<f64> {
        let spread = self.workers.spread(row);
        let time = |term: &Work| term.seconds * term.amount(row, spread);
        self.terms.iter().map(time).collect()
    }

    /// All waits, and every other term's time.
    fn paths(&self, times: &[f64]) -> Vec<f64> {
        let mut paths = vec![0.0];
        for (term, &time) in self.terms.iter().zip(times) {
            match term.place {
                Place::Warp => paths[0] += time,
                _ => paths.push(time),
            }
        }
        paths
    }

    /// Seconds per event, by columns that only one term reads.
    pub(super) fn costs(&self) -> Vec<(usize, f64)> {
        let plain = |term: &&Work| term.place != Place::Warp && term.each.is_none();
        let terms = self.terms.iter().filter(plain);
        terms.map(|term| (term.column, term.seconds)).collect()
    }
}
