//! The method `known_costs`: costs near what documents say.

mod events;
mod terms;

use kerncast_wire::Role;
use ndarray::Array1;

use self::terms::Terms;
pub(super) use self::{events::WORKERS, terms::counted};
use super::{
    FitError, Method,
    checked::{Checked, varying},
    nnls::fitted,
    overlap::{MOST_ROWS, Overlap, OverlapLoss, best_setting},
};
use crate::{Costs, DropReason, Dropped, Fitted, Rows};

/// T = c0 + ((Σ li·xi ÷ warps)ᵖ + Σ (ci·xi)ᵖ)^(1/p), each cost pulled to what NVIDIA's documents and
/// microbenchmarks say of such events, by least absolute relative errors, kernels weighted equally.
///
/// Few kernels can't tell thirty costs apart; what is known of the hardware can, and the samples correct it
/// where they say otherwise. Work that keeps all multiprocessors busy (ci) and what one warp does one after
/// the other (li) hide behind each other (Hong, Kim, ISCA 2009; Hofmann and others, *Bridging the
/// architecture gap*, 2019): how well, p says. p and the pull's strength are chosen by leaving kernels out.
///
/// Counters that it knows nothing of are left out: most count the same events again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownCosts;

/// Exponents p and strengths of the pull to choose from; with a strength of 1 a cost off by its own size is as bad as
/// forecasts that are all 50 % off.
const SETTINGS: [(f64, f64); 9] = [
    (1.0, 1e-2),
    (1.0, 1e-3),
    (1.0, 1e-4),
    (2.0, 1e-2),
    (2.0, 1e-3),
    (2.0, 1e-4),
    (3.0, 1e-2),
    (3.0, 1e-3),
    (3.0, 1e-4),
];

impl Method for KnownCosts {
    fn name(&self) -> &'static str {
        "known_costs"
    }

    /// Revision 3: atomics count workers too where nothing else does; 4: costs by work-items and bytes; 5: counters by
    /// their roles.
    fn revision(&self) -> u32 {
        5
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        let columns: Vec<usize> = (0..roles.len()).collect();
        Terms::new(roles, &columns).have_throughput()
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        let (columns, mut dropped) = varying(&ranges, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let terms = Terms::new(rows.roles, &columns);
        if !terms.have_throughput() {
            let counters = columns.len();
            return Err(FitError::NothingKnown { counters });
        }
        let unknown = columns.iter().filter(|&&column| !terms.need(column));
        dropped.extend(unknown.map(|&column| Dropped {
            column,
            reason: DropReason::Unknown,
        }));
        let setting = best_setting(&checked, &SETTINGS, |rest, setting| {
            costs(&terms, rest, setting)
        });
        let Costs { constant, terms, p } = costs(&terms, &checked, setting);
        fitted(ranges, dropped, constant, terms, p)
    }
}

/// Fits how long a cycle of all multiprocessors and one of a single warp is, then each cost.
fn costs(terms: &Terms, checked: &Checked, (p, strength): (f64, f64)) -> Costs {
    let values = terms.values(checked.x.view());
    let times = checked.y.view();
    let weights = checked.kernels_equally();
    let shortest = times.iter().copied().fold(f64::INFINITY, f64::min);
    let cycles = terms.cycles(values.view(), times, &weights, p);
    let mut units = terms.units(cycles);
    units.push(shortest);
    let overlap = Overlap::new(values.view(), times, &units, terms.chain());
    let k = terms.len();
    let toward: Array1<f64> = terms.toward().chain([0.0]).collect();
    let mut strengths = Array1::from_elem(k + 1, strength);
    strengths[k] = 0.0;
    let loss = OverlapLoss {
        weights: &weights,
        p,
        toward: &toward,
        strength: &strengths,
    };
    let costs = overlap.solve(&loss, toward.mapv(|it: f64| it.max(0.1))) * Array1::from(units);
    Costs {
        constant: costs[k],
        terms: terms.costs(&costs),
        p,
    }
}
