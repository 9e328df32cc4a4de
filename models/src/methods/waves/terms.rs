//! The terms of `waves`, found by the roles of columns.

use kerncast_wire::Role;
use ndarray::{Array2, ArrayView2};

use super::{
    by_ratio::{Setting, Solution},
    cores,
    events::{EVENTS, Event, LOADS, RESIDENCY_ROLES, RoleConversion, Wait},
};
use crate::{
    ChainWaits, Conversion, EventCost, Resource, Waves, Workers,
    methods::known_costs::{WORKERS, counted},
    rows::{first_with_role, with_role},
};

/// The terms that cost time, as far as the counters tell: busy units first, then waits.
#[derive(Clone)]
pub(super) struct Terms {
    workers: Workers,
    /// The terms, with costs in cycles of one multiprocessor, unit or warp.
    costs: Vec<EventCost>,
}

impl Terms {
    /// The terms that the columns' roles (p) allow, for an unknown number of multiprocessors. None where the counters
    /// do not tell who waits and how long a cycle is.
    pub(super) fn new(roles: &[Option<Role>]) -> Option<Self> {
        let columns: Vec<usize> = (0..roles.len()).collect();
        let find = |alternatives: &[Role]| first_with_role(roles, &columns, alternatives);
        let warps = find(WORKERS)?;
        let workers = Workers {
            warps,
            lanes: if roles[warps] == Some(Role::WorkItems) {
                32.0
            } else {
                1.0
            },
            groups: find(&[Role::WorkGroups, Role::LaunchedWorkGroups]),
            resident: RESIDENCY_ROLES
                .iter()
                .filter_map(|it| with_role(roles, *it))
                .collect(),
            uneven: with_role(roles, Role::BusiestInstructions)
                .zip(with_role(roles, Role::Instructions)),
            multiprocessors: 1.0,
        };
        let events = match with_role(roles, Role::CoreScalarInstructions) {
            Some(_) => cores::EVENTS,
            None => EVENTS,
        };
        let costs = events.iter();
        let costs = costs.flat_map(|event| event_costs(event, roles, &columns));
        let terms = Self {
            workers,
            costs: costs.collect(),
        };
        (terms.busy() > 0).then_some(terms)
    }

    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    /// The number of terms that are not waits.
    pub(super) fn busy(&self) -> usize {
        let busy = |it: &&EventCost| !it.resource.is_wait();
        self.costs.iter().filter(busy).count()
    }

    /// Number of multiprocessors, where work-groups, waves and what one multiprocessor holds are counted. Waves are
    /// rounded, so it comes from the sums over all rows (n × p).
    pub(super) fn counted_multiprocessors(
        &self,
        roles: &[Option<Role>],
        x: ArrayView2<'_, f64>,
    ) -> Option<f64> {
        let (groups, waves) = (self.workers.groups?, with_role(roles, Role::Waves)?);
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
        for term in &mut terms.costs {
            let cached = term.cached.map(|an_event| an_event * sectors);
            term.cached = cached.filter(|it| *it > 0.0);
        }
        terms
    }

    /// Whether the cache can save any events.
    pub(super) fn can_cache(&self) -> bool {
        self.costs.iter().any(|term| term.cached.is_some())
    }

    /// Cycles of each term, one after the other (n × k).
    pub(super) fn cycles(&self, x: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut cycles = Array2::zeros((x.nrows(), self.len()));
        for (row, mut cycles) in x.rows().into_iter().zip(cycles.rows_mut()) {
            let spread = self.workers.spread(row);
            for (term, cycles) in self.costs.iter().zip(&mut cycles) {
                *cycles = term.count(row, spread) * self.cycles_of_event(term);
            }
        }
        cycles
    }

    /// The form with the costs of a solution.
    pub(super) fn waves(&self, solution: &Solution, setting: Setting) -> Waves {
        let seconds = solution.seconds();
        let terms = self.costs.iter().zip(&seconds);
        let terms = terms.map(|(term, seconds)| EventCost {
            seconds: seconds * self.cycles_of_event(term),
            ..term.clone()
        });
        Waves {
            constant: solution.constant(),
            p: setting.p,
            q: setting.q,
            workers: self.workers.clone(),
            terms: terms.collect(),
        }
    }

    /// Cycles of an event of the term; of what all multiprocessors share, one multiprocessor's part.
    fn cycles_of_event(&self, term: &EventCost) -> f64 {
        match term.resource {
            Resource::Device => term.seconds / self.workers.multiprocessors,
            _ => term.seconds,
        }
    }
}

/// The costs of an event, one for each column that counts it; none where the counters do not tell them.
fn event_costs(event: &Event, roles: &[Option<Role>], columns: &[usize]) -> Vec<EventCost> {
    let has_chains = with_role(roles, Role::Chain).is_some();
    let conversion = event.conversion.map(|it| by_columns(it, roles, columns));
    if event.needs_chains.is_some_and(|it| it != has_chains) || conversion == Some(None) {
        return Vec::new();
    }
    let at_most = event.at_most.iter();
    let at_most: Vec<usize> = at_most.filter_map(|it| with_role(roles, *it)).collect();
    let beyond = event.beyond.and_then(|it| with_role(roles, it));
    let cost = |(column, an_event): (usize, f64)| EventCost {
        column,
        beyond,
        cached: event.is_cached.then_some(an_event),
        at_most: at_most.clone(),
        conversion: conversion.flatten(),
        resource: event.resource,
        seconds: event.cycles / an_event,
    };
    let counted = counted(roles, columns, event.roles, event.roles_of_32);
    counted.into_iter().map(cost).collect()
}

/// The conversion by columns. None where one of the roles is not counted.
fn by_columns(
    conversion: RoleConversion,
    roles: &[Option<Role>],
    columns: &[usize],
) -> Option<Conversion> {
    let find = |alternatives: &[Role]| first_with_role(roles, columns, alternatives);
    let waits = |(wait, loads): (Wait, usize)| ChainWaits {
        loads,
        cycles: wait.cycles,
        of_other_warps: wait.of_other_warps,
    };
    Some(Conversion {
        cost_events: find(conversion.cost_events)?,
        beyond: conversion.beyond.and_then(|it| with_role(roles, it)),
        all_events: find(conversion.all_events)?,
        waits: conversion.wait.zip(find(LOADS)).map(waits),
    })
}
