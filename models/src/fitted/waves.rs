//! The form of `waves`: what warps wait for and what keeps units busy, in waves of work-groups.

use kerncast_wire::Facts;
use ndarray::ArrayView1;

use super::{Attribution, costs::norm};

/// Events beyond this are not counted, so that their times stay finite.
const MOST_EVENTS: f64 = 1e200;

/// Waits and busy times that overlap: T = constant + ((Σ waits)ᵖ + (Σ busy^q)^(p/q))^(1/p), the sums over `terms`.
///
/// A term takes `seconds` × its events. Events are `column` less `beyond`, at most each of `at_most`; a [`Conversion`]
/// turns them into other events. [`Resource`] says what is busy or waits for that long: multiprocessors share the
/// events, a warp waits for its own, once for each wave of work-groups.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Waves {
    /// The cost of every launch, seconds.
    pub constant: f64,
    /// The exponent by which waits hide behind what is busy, 1 or more.
    pub p: f64,
    /// The exponent by which the busy hide behind each other, 1 or more.
    pub q: f64,
    /// The spread of a launch over the device.
    pub workers: Workers,
    /// The kinds of events that take time.
    pub terms: Vec<EventCost>,
}

/// The columns and numbers that say how a launch is spread over a device.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Workers {
    /// The column that counts warps or work-items.
    pub warps: usize,
    /// Number of these in a warp: 1 or 32.
    pub lanes: f64,
    /// The column that counts work-groups. Without one all multiprocessors have work.
    pub groups: Option<usize>,
    /// The columns that say how many work-groups a multiprocessor holds at most; the least counts. Without one
    /// all work-groups run in one wave.
    pub resident: Vec<usize>,
    /// Two columns: instructions of the busiest scheduler, and of all schedulers. Where the first is more than its
    /// share, some warps do more than others, and the others wait for them.
    pub uneven: Option<(usize, usize)>,
    /// Number of multiprocessors of the device.
    pub multiprocessors: f64,
}

/// The cost of one kind of event on one resource.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EventCost {
    /// The events' column.
    pub column: usize,
    /// A column whose count is subtracted from the events, down to 0: only events beyond it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<usize>,
    /// The number of events that the last cache saves from one launch to the next: a launch with at most as many costs
    /// none of them, one with twice as many costs all.
    #[serde(rename = "kept", default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<f64>,
    /// Columns that bound the number of events from above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at_most: Vec<usize>,
    /// The conversion into other events, where the cost is of those.
    #[serde(rename = "each", default, skip_serializing_if = "Option::is_none")]
    pub conversion: Option<Conversion>,
    /// The resource whose time the events take.
    #[serde(rename = "place")]
    pub resource: Resource,
    /// Seconds an event, above 0.
    pub seconds: f64,
}

/// Turns the events of a term into the events that cost: `cost_events` × (events ÷ `all_events`).
///
/// For instance, a warp waits for loads, but counters tell only of sectors from which memory they come. If 400 of 1,000
/// sectors come from DRAM, and the launch has 250 loads, 250 × (400 ÷ 1,000) = 100 loads wait for DRAM.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Conversion {
    /// The column of the events that cost, such as loads.
    #[serde(rename = "others")]
    pub cost_events: usize,
    /// A column whose count is subtracted from `cost_events`, down to 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond: Option<usize>,
    /// The column of all events of the term's kind, such as sectors: the term's events are a share of these.
    #[serde(rename = "of")]
    pub all_events: usize,
    /// The waits, where `cost_events` counts cycles of a chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<ChainWaits>,
}

/// The waits of a chain. A warp waits for the latest of several loads: one miss among them is enough.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ChainWaits {
    /// The column that counts loads.
    pub loads: usize,
    /// Cycles that one wait adds to the chain.
    pub cycles: f64,
    /// Whether the misses are those of the multiprocessor's other warps, beyond the warp's own: warps in step wait for
    /// the same line, which only the first of them misses.
    #[serde(rename = "of_others")]
    pub of_other_warps: bool,
}

impl ChainWaits {
    /// The share of waits for a farther memory, if the share `missing` of loads goes there. `chain`: cycles by which
    /// the chain would be longer if all of them went there.
    fn share(&self, missing: f64, row: ArrayView1<'_, f64>, chain: f64, spread: Spread) -> f64 {
        let loads_per_wait = (row[self.loads] * self.cycles / chain).max(1.0);
        let own = (missing * loads_per_wait).min(1.0);
        if self.of_other_warps {
            (own * spread.warps_per_scheduler * Facts::SCHEDULERS).min(1.0) - own
        } else {
            own
        }
    }
}

/// What an event keeps busy, or makes wait. It says by how much the number of events is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// The multiprocessors that have work.
    Multiprocessor,
    /// A part that all multiprocessors share.
    Device,
    /// The busiest of several units: the counter is of that unit alone.
    #[serde(rename = "unit")]
    BusiestUnit,
    /// A warp, which waits; once for each wave.
    Warp,
    /// A warp, which waits once for each wave and each warp that takes turns with it on a scheduler.
    #[serde(rename = "turn")]
    WarpTurns,
    /// The cores of a CPU that have work, which do one thing after the other.
    Core,
}

impl Resource {
    /// Whether the event makes a warp wait, or occupies a core that does nothing else meanwhile. Other events keep a
    /// shared unit busy.
    #[must_use]
    pub fn is_wait(self) -> bool {
        matches!(self, Self::Warp | Self::WarpTurns | Self::Core)
    }
}

/// The spread of one launch over the device.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    /// Number of multiprocessors with work, as work-groups ÷ those of the fullest multiprocessor.
    multiprocessors: f64,
    /// Waves of the longest warp ÷ number of warps; 0 where workers are not counted.
    waves_per_warp: f64,
    /// Warps that share a scheduler at once, 1 or more.
    warps_per_scheduler: f64,
}

impl Spread {
    /// Logarithms of the multiprocessors that have work, of the longest warp's waves, and of the warps that take turns.
    pub(crate) fn logs(self, warps: f64) -> [f64; 3] {
        let waves = (self.waves_per_warp * warps).max(1.0);
        [self.multiprocessors, waves, self.warps_per_scheduler].map(f64::ln)
    }
}

impl Workers {
    /// Number of warps of a launch with these counters (p).
    pub(crate) fn warps(&self, row: ArrayView1<'_, f64>) -> f64 {
        row[self.warps] / self.lanes
    }

    /// The spread of a launch with these counters (p).
    pub(crate) fn spread(&self, row: ArrayView1<'_, f64>) -> Spread {
        let warps = self.warps(row);
        let waves_per_warp = |waves: f64| if warps > 0.0 { waves / warps } else { 0.0 };
        let groups = self.groups.map(|column| row[column]);
        let Some(groups) = groups.filter(|it| *it >= 1.0) else {
            return Spread {
                multiprocessors: self.multiprocessors,
                waves_per_warp: waves_per_warp(1.0),
                warps_per_scheduler: 1.0,
            };
        };
        // A work-group is on one multiprocessor: the fullest has one more than others.
        let fullest = (groups / self.multiprocessors).ceil();
        let at_once = self.resident(row).map_or(fullest, |it| it.min(fullest));
        let waves = (fullest / at_once).ceil();
        let warps_per_group = warps / groups;
        let even_share = fullest * (warps_per_group / Facts::SCHEDULERS).ceil() / warps;
        let uneven = match self.uneven {
            Some((busiest, all)) if row[all] > 0.0 && even_share > 0.0 => {
                (row[busiest] / row[all] / even_share).max(1.0)
            }
            _ => 1.0,
        };
        Spread {
            multiprocessors: groups / fullest,
            waves_per_warp: waves_per_warp(waves * uneven),
            warps_per_scheduler: (at_once * warps_per_group / Facts::SCHEDULERS).max(1.0),
        }
    }

    /// Work-groups that a multiprocessor holds, 1 or more.
    pub(crate) fn resident(&self, row: ArrayView1<'_, f64>) -> Option<f64> {
        let limits = self.resident.iter().map(|&column| row[column]);
        limits.reduce(f64::min).map(|it| it.max(1.0))
    }

    fn columns(&self) -> impl Iterator<Item = usize> {
        let uneven = self.uneven.into_iter().flat_map(<[usize; 2]>::from);
        let resident = self.resident.iter().copied();
        let warps = std::iter::once(self.warps);
        warps.chain(self.groups).chain(resident).chain(uneven)
    }
}

impl EventCost {
    /// Number of events that cost, one after the other, on the busiest resource of the term's kind.
    pub(crate) fn count(&self, row: ArrayView1<'_, f64>, spread: Spread) -> f64 {
        let uncached = match self.cached {
            Some(cached) => (row[self.column] / cached - 1.0).clamp(0.0, 1.0),
            None => 1.0,
        };
        let limits = self.at_most.iter().map(|&column| row[column]);
        let events = uncached * limits.fold(beyond(row, self.column, self.beyond), f64::min);
        let events = match self.conversion {
            Some(conversion) => conversion.convert(events, row, spread),
            None => events,
        };
        let count = match self.resource {
            Resource::Multiprocessor | Resource::Core => events / spread.multiprocessors,
            Resource::Warp => events * spread.waves_per_warp,
            Resource::WarpTurns => events * spread.waves_per_warp * spread.warps_per_scheduler,
            Resource::Device | Resource::BusiestUnit => events,
        };
        count.min(MOST_EVENTS)
    }

    fn columns(&self) -> impl Iterator<Item = usize> {
        let of_conversion = self.conversion.into_iter().flat_map(|it| {
            let loads = it.waits.map(|it| it.loads);
            let needed = [it.cost_events, it.all_events].into_iter();
            needed.chain(it.beyond).chain(loads)
        });
        std::iter::once(self.column)
            .chain(self.beyond)
            .chain(self.at_most.iter().copied())
            .chain(of_conversion)
    }
}

impl Conversion {
    /// How many of `cost_events` the `events` stand for.
    fn convert(&self, events: f64, row: ArrayView1<'_, f64>, spread: Spread) -> f64 {
        let cost_events = beyond(row, self.cost_events, self.beyond);
        if row[self.all_events] <= 0.0 || cost_events <= 0.0 {
            return 0.0;
        }
        let share = events / row[self.all_events];
        match self.waits {
            Some(waits) => cost_events * waits.share(share, row, cost_events, spread),
            None => cost_events * share,
        }
    }
}

/// The events of a column, less those of the other column, 0 or more.
fn beyond(row: ArrayView1<'_, f64>, column: usize, other: Option<usize>) -> f64 {
    other.map_or(row[column], |other| (row[column] - row[other]).max(0.0))
}

impl Waves {
    /// The columns that say how work is spread and cost nothing themselves, ascending.
    pub fn spread_columns(&self) -> impl Iterator<Item = usize> {
        let cost = |column: &usize| self.terms.iter().any(|it| it.column == *column);
        let mut columns: Vec<usize> = self.workers.columns().collect();
        columns.extend(self.terms.iter().flat_map(EventCost::columns));
        columns.sort_unstable();
        columns.dedup();
        columns.into_iter().filter(move |column| !cost(column))
    }

    /// Whether the forecast needs a column.
    pub(crate) fn needs(&self, column: usize) -> bool {
        let of_terms = self.terms.iter().flat_map(EventCost::columns);
        let mut columns = self.workers.columns().chain(of_terms);
        columns.any(|it| it == column)
    }

    pub(crate) fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        self.sum(self.paths(&self.times(row)))
    }

    /// The time of both [paths](Self::paths), seconds.
    pub(super) fn sum(&self, paths: [f64; 2]) -> f64 {
        self.constant + norm(&paths, self.p)
    }

    /// The attribution. What is above the constant is shared out to the waits and the busy terms in proportion to
    /// pathᵖ, and among the busy terms in proportion to time^q.
    pub(super) fn attribution(&self, row: ArrayView1<'_, f64>) -> Attribution {
        let times = self.times(row);
        let [waits, busy] = self.paths(&times);
        let norm = norm(&[waits, busy], self.p);
        let parts = self.terms.iter().zip(&times).map(|(term, &time)| {
            let (path, of_path) = if term.resource.is_wait() {
                (waits, 1.0)
            } else {
                (busy, (time / busy).powf(self.q - 1.0))
            };
            let seconds = if path > 0.0 {
                time * of_path * (path / norm).powf(self.p - 1.0)
            } else {
                0.0
            };
            (term.column, seconds)
        });
        Attribution::new(self.constant, parts)
    }

    /// Seconds of each term.
    pub(super) fn times(&self, row: ArrayView1<'_, f64>) -> Vec<f64> {
        let spread = self.workers.spread(row);
        let time = |term: &EventCost| term.seconds * term.count(row, spread);
        self.terms.iter().map(time).collect()
    }

    /// Two times in seconds: the sum of the waits, and the q-norm of the busy terms. `times`: those of the terms.
    pub(super) fn paths(&self, times: &[f64]) -> [f64; 2] {
        let terms = self.terms.iter().zip(times);
        let (waits, busy): (Vec<_>, Vec<_>) = terms.partition(|(term, _)| term.resource.is_wait());
        let busy: Vec<f64> = busy.into_iter().map(|(_, time)| *time).collect();
        [
            waits.into_iter().map(|(_, time)| time).sum(),
            norm(&busy, self.q),
        ]
    }
}
