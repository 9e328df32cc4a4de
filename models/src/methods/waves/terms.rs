use kerncast_wire::Role;
use ndarray::{Array2, ArrayView2};

use super::{
    by_ratio::{Setting, Solution},
    cores,
    events::{self, EVENTS, Event, LIMITS, LOADS},
};
use crate::{
    Each, Place, Waits, Waves, Work, Workers,
    methods::known_costs::{WORKERS, counted},
    rows::{first_playing, playing},
};

/// The terms that cost time, as far as the counters tell: busy units first, then waits.
#[derive(Clone)]
pub(super) struct Terms {
    workers: Workers,
    /// The terms, with costs in cycles of one multiprocessor, unit or warp.
    work: Vec<Work>,
}

impl Terms {
    /// The terms that the columns' roles (p) allow, for an unknown number of multiprocessors. None where the counters do not
    /// tell who waits and how long a cycle is.
    pub(super) fn of(roles: &[Option<Role>]) -> Option<Self> {
        let columns: Vec<usize> = (0..roles.len()).collect();
        let find = |alternatives: &[Role]| first_playing(roles, &columns, alternatives);
        let warps = find(WORKERS)?;
        let workers = Workers {
            warps,
            lanes: if roles[warps] == Some(Role::WorkItems) {
                32.0
            } else {
                1.0
            },
            groups: find(&[Role::WorkGroups, Role::LaunchedWorkGroups]),
            resident: LIMITS.iter().filter_map(|it| playing(roles, *it)).collect(),
            uneven: playing(roles, Role::BusiestInstructions)
                .zip(playing(roles, Role::Instructions)),
            multiprocessors: 1.0,
        };
        let all = match playing(roles, Role::CoreScalarInstructions) {
            Some(_) => cores::EVENTS.iter(),
            None => EVENTS.iter(),
        };
        let work = all.flat_map(|event| terms(event, roles, &columns));
        let terms = Self {
            workers,
            work: work.collect(),
        };
        (terms.busy() > 0).then_some(terms)
    }

    pub(super) fn len(&self) -> usize {
        self.work.len()
    }

    /// The number of terms that are not waits.
    pub(super) fn busy(&self) -> usize {
        let busy = |it: &&Work| !it.place.is_wait();
        self.work.iter().filter(busy).count()
    }

    /// Number of multiprocessors, where work-groups, waves and what one multiprocessor holds are counted. Waves are
    /// rounded, so it comes from the sums over all rows (n × p).
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

    /// The terms where the last cache keeps `sectors` from one launch to the next.
    pub(super) fn with_cache(&self, sectors: f64) -> Self {
        let mut terms = self.clone();
        for term in &mut terms.work {
            let cached = term.cached.map(|an_event| an_event * sectors);
            term.cached = cached.filter(|it| *it > 0.0);
        }
        terms
    }

    /// Whether the cache can save any events.
    pub(super) fn can_cache(&self) -> bool {
        self.work.iter().any(|term| term.cached.is_some())
    }

    /// Cycles of each term, one after the other (n × k).
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

    /// The form with the costs of a solution.
    pub(super) fn waves(&self, solution: &Solution, setting: Setting) -> Waves {
        let cost = |(term, seconds): (&Work, &f64)| Work {
            seconds: seconds * self.cost(term),
            ..term.clone()
        };
        Waves {
            constant: solution.constant(),
            p: setting.p,
            q: setting.q,
            workers: self.workers.clone(),
            terms: self
                .work
                .iter()
                .zip(&solution.seconds())
                .map(cost)
                .collect(),
        }
    }

    /// Cycles of an event of the term; of what all multiprocessors share, one multiprocessor's part.
    fn cost(&self, term: &Work) -> f64 {
        match term.place {
            Place::Device => term.seconds / self.workers.multiprocessors,
            _ => term.seconds,
        }
    }
}

fn terms(event: &Event, roles: &[Option<Role>], columns: &[usize]) -> Vec<Work> {
    let has_chains = playing(roles, Role::Chain).is_some();
    if event
        .chains
        .is_some_and(|needs_chains| needs_chains != has_chains)
    {
        return Vec::new();
    }
    let each = match event.each {
        None => None,
        Some(it) => match each(it, roles, columns) {
            None => return Vec::new(),
            each => each,
        },
    };
    let at_most = event.at_most.iter();
    let at_most: Vec<usize> = at_most.filter_map(|it| playing(roles, *it)).collect();
    let beyond = event.beyond.and_then(|it| playing(roles, it));
    let term = |(column, an_event): (usize, f64)| Work {
        column,
        beyond,
        cached: event.is_cached.then_some(an_event),
        at_most: at_most.clone(),
        each,
        place: event.place,
        seconds: event.cycles / an_event,
    };
    let counted = counted(roles, columns, event.roles, event.of_32);
    counted.into_iter().map(term).collect()
}

/// The conversion by columns in place of roles. None where one of the roles is not counted.
fn each(each: events::Each, roles: &[Option<Role>], columns: &[usize]) -> Option<Each> {
    let find = |alternatives: &[Role]| first_playing(roles, columns, alternatives);
    let waits = |((cycles, of_others), loads)| Waits {
        loads,
        cycles,
        of_others,
    };
    Some(Each {
        others: find(each.others)?,
        beyond: each.beyond.and_then(|it| playing(roles, it)),
        of: find(each.of)?,
        waits: each.wait.zip(find(LOADS)).map(waits),
    })
}
