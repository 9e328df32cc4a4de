use kerncast_wire::Role;
use ndarray::{Array1, Array2, ArrayView2};

use super::events::{EVENTS, Event, LIMITS};
use crate::{
    Place, Waves, Work, Workers,
    methods::known_costs::{counted, workers},
    rows::{first_playing, playing},
};

/// What costs time, as far as a table of counters tells, the busy before the waits.
#[derive(Clone)]
pub(super) struct Terms {
    workers: Workers,
    /// Their costs are cycles of one multiprocessor, unit or warp.
    work: Vec<Work>,
}

impl Terms {
    /// By the columns' roles (p), for an unknown number of multiprocessors.
    pub(super) fn known(roles: &[Option<Role>]) -> Self {
        let columns: Vec<usize> = (0..roles.len()).collect();
        let find = |wanted: &[Role]| first_playing(roles, &columns, wanted);
        let workers = Workers {
            waiting: workers(roles, &columns),
            groups: find(&[Role::WorkGroups, Role::LaunchedWorkGroups]),
            resident: LIMITS.iter().filter_map(|it| playing(roles, *it)).collect(),
            multiprocessors: 1.0,
        };
        let mut work = Vec::new();
        for event in EVENTS {
            let nobody_waits = event.place == Place::Warp && workers.waiting.is_empty();
            if !nobody_waits {
                work.extend(terms(event, roles, &columns));
            }
        }
        Self { workers, work }
    }

    /// Whether there is enough to find out how long a cycle is, and who waits.
    pub(super) fn say_enough(&self) -> bool {
        self.busy() > 0 && !self.workers.waiting.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.work.len()
    }

    /// How many are no waits.
    pub(super) fn busy(&self) -> usize {
        let waits = |it: &&Work| it.place != Place::Warp;
        self.work.iter().filter(waits).count()
    }

    /// How many multiprocessors there are, where work-groups, waves and what one multiprocessor holds are
    /// counted. Waves are rounded, so the sums over all rows (n × p) tell.
    pub(super) fn counted_multiprocessors(
        &self,
        roles: &[Option<Role>],
        x: ArrayView2<'_, f64>,
    ) -> Option<f64> {
        let (groups, waves) = (self.workers.groups?, playing(roles, Role::Waves)?);
        let mut sums = [0.0, 0.0];
        for row in x.rows() {
            if row[waves] >= 1.0 {
                sums[0] += row[groups];
                sums[1] += row[waves] * self.workers.resident(row)?;
            }
        }
        Some((sums[0] / sums[1]).round()).filter(|it| it.is_finite() && *it >= 1.0)
    }

    pub(super) fn on(&self, multiprocessors: f64) -> Self {
        let mut terms = self.clone();
        terms.workers.multiprocessors = multiprocessors;
        terms
    }

    /// Cycles one after the other (n × k).
    pub(super) fn cycles(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut cycles = Array2::zeros((x.nrows(), self.len()));
        for (row, mut cycles) in x.rows().into_iter().zip(cycles.rows_mut()) {
            let spread = self.workers.spread(row);
            for (term, cycles) in self.work.iter().zip(&mut cycles) {
                *cycles = term.amount(row, spread) * self.cost(term);
            }
        }
        cycles
    }

    /// Where a documented cycle of each (k) takes so many seconds.
    pub(super) fn waves(&self, seconds: &Array1<f64>, constant: f64, p: f64) -> Waves {
        let cost = |(term, seconds): (&Work, &f64)| Work {
            seconds: seconds * self.cost(term),
            ..term.clone()
        };
        Waves {
            constant,
            p,
            workers: self.workers.clone(),
            terms: self.work.iter().zip(seconds).map(cost).collect(),
        }
    }

    /// Cycles an event: what all share is counted as one multiprocessor's part of it.
    fn cost(&self, term: &Work) -> f64 {
        match term.place {
            Place::Device => term.seconds / self.workers.multiprocessors,
            _ => term.seconds,
        }
    }
}

fn terms(event: &Event, roles: &[Option<Role>], columns: &[usize]) -> Vec<Work> {
    let find = |wanted: &[Role]| first_playing(roles, columns, wanted);
    let each = match event.each {
        None => None,
        Some([others, of]) => match (find(others), find(of)) {
            (Some(others), Some(of)) => Some((others, of)),
            _ => return Vec::new(),
        },
    };
    let at_most = event.at_most.iter();
    let at_most: Vec<usize> = at_most.filter_map(|it| playing(roles, *it)).collect();
    let term = |(column, an_event): (usize, f64)| Work {
        column,
        at_most: at_most.clone(),
        each,
        place: event.place,
        seconds: event.cycles / an_event,
    };
    let counted = counted(roles, columns, event.roles, event.of_32);
    counted.into_iter().map(term).collect()
}
