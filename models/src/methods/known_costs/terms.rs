//! The terms of `known_costs`, found by the roles of columns.

use kerncast_wire::Role;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

use super::{
    Overlap, OverlapLoss,
    events::{Cycles, EVENTS, WORKERS, WRITERS},
};
use crate::{Cost, fitted::shared_out, rows::first_with_role};

/// Number of multiprocessors assumed where samples do not tell how many share the work.
const MULTIPROCESSORS: f64 = 100.0;

/// A share of the time to start from: a cost of 0 would stay 0.
const START_SHARE: f64 = 1e-3;

/// The terms that cost time, as far as the counters tell.
pub(super) struct Terms(Vec<Term>);

struct Term {
    column: usize,
    /// The columns that count workers, if one worker waits for the events; else empty.
    over: Vec<usize>,
    /// Cycles that an event takes; where `about` is false, at most.
    cycles: f64,
    about: bool,
    /// Whether the cycles are those of the busiest unit.
    busiest: bool,
}

impl Term {
    fn is_chain(&self) -> bool {
        !self.over.is_empty()
    }

    /// Whether all multiprocessors share the cycles.
    fn is_shared(&self) -> bool {
        !self.is_chain() && !self.busiest
    }
}

impl Terms {
    /// The terms of these columns, by their roles (p).
    pub(super) fn new(roles: &[Option<Role>], columns: &[usize]) -> Self {
        let find = |alternatives: &[Role]| first_with_role(roles, columns, alternatives);
        let workers = match find(WORKERS) {
            Some(workers) => vec![workers],
            None => WRITERS.iter().filter_map(|roles| find(roles)).collect(),
        };
        let mut terms = Vec::new();
        for event in EVENTS {
            let counted = counted(roles, columns, event.roles, event.roles_of_32);
            let chain = (!workers.is_empty()).then(|| (workers.clone(), event.latency));
            for (over, cycles) in [(vec![], event.throughput)].into_iter().chain(chain) {
                let (cycles, about) = match cycles {
                    Cycles::No => continue,
                    Cycles::About(cycles) => (cycles, true),
                    Cycles::UpTo(cycles) => (cycles, false),
                };
                terms.extend(counted.iter().map(|&(column, an_event)| Term {
                    column,
                    over: over.clone(),
                    cycles: cycles / an_event,
                    about,
                    busiest: event.busiest,
                }));
            }
        }
        Self(terms)
    }

    /// Whether the terms tell how long a cycle is.
    pub(super) fn have_throughput(&self) -> bool {
        self.0.iter().any(|term| term.about && !term.is_chain())
    }

    /// Whether any term needs a column.
    pub(super) fn need(&self, column: usize) -> bool {
        let mut terms = self.0.iter();
        terms.any(|term| term.column == column || term.over.contains(&column))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Values of the terms (n × k): events, or events for each worker.
    pub(super) fn values(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        Array2::from_shape_fn((x.nrows(), self.len()), |(row, at)| {
            let Term { column, over, .. } = &self.0[at];
            shared_out(x[(row, *column)], x.row(row), over)
        })
    }

    /// Whether a worker waits for each term, one after the other (k).
    pub(super) fn chain(&self) -> Vec<bool> {
        self.0.iter().map(Term::is_chain).collect()
    }

    /// The costs that a fit is pulled to, in their units (k): 1 where costs are known, else 0.
    pub(super) fn toward(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|term| f64::from(term.about))
    }

    /// Seconds of each term (k), if a cycle is this many seconds long: [of all multiprocessors, of one unit].
    pub(super) fn units(&self, [all, one]: [f64; 2]) -> Vec<f64> {
        let unit = |term: &Term| term.cycles * if term.is_shared() { all } else { one };
        self.0.iter().map(unit).collect()
    }

    /// The length of a cycle in seconds, [of all multiprocessors, of one unit or worker], with which the known costs
    /// fit `times` (n) best.
    pub(super) fn cycles(
        &self,
        values: ArrayView2<'_, f64>,
        times: ArrayView1<'_, f64>,
        weights: &[f64],
        p: f64,
    ) -> [f64; 2] {
        let both = Array2::from_shape_fn((values.nrows(), 2), |(row, path)| {
            let terms = self.0.iter().zip(values.row(row));
            let known_costs = terms.filter(|(term, _)| term.about);
            let cycles = |(term, events): (&Term, &f64)| term.cycles * events;
            let (chain, busy): (Vec<_>, Vec<_>) = known_costs
                .filter(|(term, _)| term.is_shared() == (path == 0))
                .partition(|(term, _)| term.is_chain());
            let chain: f64 = chain.into_iter().map(cycles).sum();
            let powers = busy.into_iter().map(|it| cycles(it).powf(p));
            (chain.powf(p) + powers.sum::<f64>()).powf(1.0 / p)
        });
        let most = |path: usize| {
            let shares = &both.column(path) / &times;
            shares.iter().copied().fold(0.0, f64::max)
        };
        let unit = |most: f64| if most > 0.0 { 1.0 / most } else { 1.0 };
        let shortest = times.iter().copied().fold(f64::INFINITY, f64::min);
        let units = [unit(most(0)), unit(most(1)), shortest];
        let overlap = Overlap::new(both.view(), times, &units, vec![false, true]);
        let nothing = Array1::zeros(3);
        let solve = |p: f64, start: Array1<f64>| {
            let loss = OverlapLoss {
                weights,
                p,
                toward: &nothing,
                strength: &nothing,
            };
            overlap.solve(&loss, start)
        };
        let sum = solve(1.0, Array1::ones(3));
        let costs = solve(p, sum.mapv(|it| it.max(START_SHARE)));
        let (all, one) = (costs[0] * units[0], costs[1] * units[1]);
        match (all > 0.0, one > 0.0) {
            (false, true) => [one / MULTIPROCESSORS, one],
            (true, false) => [all, all * MULTIPROCESSORS],
            _ => [all, one],
        }
    }

    /// The costs with `seconds` an event (k or more).
    pub(super) fn costs(&self, seconds: &Array1<f64>) -> Vec<Cost> {
        let cost = |(term, &seconds): (&Term, &f64)| Cost {
            column: term.column,
            over: term.over.clone(),
            seconds,
        };
        self.0.iter().zip(seconds).map(cost).collect()
    }
}

/// The columns that count one kind of event, each with how many of its counts are an event: the first of
/// `alternatives`, else the first set of `roles_of_32` of which any is counted.
pub(in crate::methods) fn counted(
    roles: &[Option<Role>],
    columns: &[usize],
    alternatives: &[Role],
    roles_of_32: &[&[Role]],
) -> Vec<(usize, f64)> {
    let find = |alternatives: &[Role]| first_with_role(roles, columns, alternatives);
    let one = |role: &Role| find(&[*role]).map(|column| (column, 32.0));
    match find(alternatives) {
        Some(column) => vec![(column, 1.0)],
        None => roles_of_32
            .iter()
            .map(|set| set.iter().filter_map(one).collect::<Vec<_>>())
            .find(|set| !set.is_empty())
            .unwrap_or_default(),
    }
}
