//! The method `waves`: documented costs of what warps wait for and what keeps units busy.

mod by_ratio;
mod cores;
mod events;
mod setup;
mod terms;

use kerncast_wire::Role;
use ndarray::{Array1, ArrayView1, Axis};

use self::{
    by_ratio::{ByRatio, Setting, Solution},
    events::GEOMETRY_ROLES,
    setup::cached_setup,
    terms::Terms,
};
use super::{
    FitError, Method,
    checked::{Checked, varying},
    overlap::MOST_ROWS,
};
use crate::{
    DropReason, Dropped, Fitted, Form, Rows, Waves,
    fitted::norm,
    folds::{inner_folds, split_fold},
};

/// T = c0 + ((Σ li·xi ÷ warps · waves)² + (Σ (ci·xi)^q)^(2/q))^(1/2): like `known_costs`, but what a warp waits for
/// counts once for each wave of work-groups, loads by the level of memory that answers, work is shared by the
/// multiprocessors that have some, and costs are pulled to documented ones by ratio, by least errors of ln T.
///
/// A launch of little parallelism takes its time from one chain of waits; that of a full device from what is busiest.
/// Pulled by ratio, a cost of 300 cycles is as free to double as one of a quarter, and none is ever 0: what no sample
/// shows costs what the documents say.
///
/// On a CPU, whose counters are of cores, the work of a core takes the place of the waits: it adds up one after the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByWaves;

/// Exponents and pulls to choose from; a search starts with the first.
const SETTINGS: [Setting; 3] = [
    Setting {
        p: 2.0,
        q: 3.0,
        pull: 2.5e-4,
    },
    Setting {
        p: 2.0,
        q: 3.0,
        pull: 1e-3,
    },
    Setting {
        p: 2.0,
        q: 4.0,
        pull: 2.5e-4,
    },
];

/// Sizes of the last cache in sectors, to choose from: 0.75 to 192 MiB, between the powers of two that buffers have.
const CACHE_SECTORS: [f64; 9] = [
    24_576.0,
    49_152.0,
    98_304.0,
    196_608.0,
    393_216.0,
    786_432.0,
    1_572_864.0,
    3_145_728.0,
    6_291_456.0,
];

/// Number of inner folds, enough to tell settings apart.
const FOLDS: usize = 5;

impl Method for ByWaves {
    fn name(&self) -> &'static str {
        "waves"
    }

    /// Revision 2: waits for the latest of several loads.
    fn revision(&self) -> u32 {
        2
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        Terms::new(roles).is_some()
    }

    fn geometry_roles(&self) -> &'static [Role] {
        GEOMETRY_ROLES
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        varying(&ranges, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let setup = Setup::new(rows.roles, &checked)?;
        let costs = setup.waves(&checked)?;
        Ok(Fitted {
            dropped: dropped(&costs, ranges.len()),
            ranges,
            form: Form::Waves(costs),
        })
    }
}

/// The start of a fit: the terms, the setting, and costs to start from.
#[derive(Clone)]
pub(super) struct Setup {
    terms: Terms,
    setting: Setting,
    start: Solution,
}

impl Setup {
    pub(super) fn new(roles: &[Option<Role>], checked: &Checked) -> Result<Self, FitError> {
        let counters = roles.len();
        let terms = Terms::new(roles).ok_or(FitError::NothingKnown { counters })?;
        Ok(cached_setup(roles, checked, || {
            let (terms, start) = best_cache(&spread(&terms, roles, checked), checked);
            Self {
                setting: best_setting(&terms, checked, &start),
                terms,
                start,
            }
        }))
    }

    pub(super) fn waves(&self, checked: &Checked) -> Result<Waves, FitError> {
        let (solution, _) = by_ratio(&self.terms, checked).solve(self.setting, &self.start);
        let costs = self.terms.waves(&solution, self.setting);
        let numbers = costs.terms.iter().map(|it| it.seconds);
        if numbers.chain([costs.constant]).all(f64::is_normal) {
            Ok(costs)
        } else {
            Err(FitError::NotFinite)
        }
    }
}

/// The columns that the costs do not need.
pub(super) fn dropped(costs: &Waves, columns: usize) -> Vec<Dropped> {
    let dropped = (0..columns).filter(|&column| !costs.needs(column));
    dropped
        .map(|column| Dropped {
            column,
            reason: DropReason::Unknown,
        })
        .collect()
}

fn by_ratio(terms: &Terms, checked: &Checked) -> ByRatio {
    ByRatio {
        cycles: terms.cycles(checked.x.view()),
        busy: terms.busy(),
        times: checked.y.clone(),
        weights: checked.kernels_equally(),
    }
}

/// The terms for the number of multiprocessors that the counters tell; else for the number that explains the times best
/// at documented costs.
fn spread(terms: &Terms, roles: &[Option<Role>], checked: &Checked) -> Terms {
    if let Some(counted) = terms.counted_multiprocessors(roles, checked.x.view()) {
        return terms.on(counted);
    }
    let counts = (0..=40).map(|at| 2_f64.powf(f64::from(at) / 4.0).round());
    let fits = counts.map(|count| {
        let terms = terms.on(count);
        let (_, loss) = documented(&by_ratio(&terms, checked), SETTINGS[0]);
        (loss, terms)
    });
    let best = fits.min_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(|| terms.clone(), |(_, terms)| terms)
}

/// The cycle and the constant that explain the times best at documented costs, and the loss.
fn documented(full: &ByRatio, setting: Setting) -> (Solution, f64) {
    let path = |row: ArrayView1<'_, f64>| {
        let (busy, waits) = row.split_at(Axis(0), full.busy);
        norm(&[waits.sum(), norm(&busy.to_vec(), setting.q)], setting.p)
    };
    let paths: Array1<f64> = full.cycles.rows().into_iter().map(path).collect();
    let largest = |values: &Array1<f64>| values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let cycle = largest(&full.times) / largest(&paths);
    let shortest = full.times.iter().copied().fold(f64::INFINITY, f64::min);
    let one = ByRatio {
        cycles: paths.insert_axis(Axis(1)),
        busy: 1,
        times: full.times.clone(),
        weights: full.weights.clone(),
    };
    // So strong a pull keeps the one cost as documented.
    let setting = Setting {
        pull: 1e3,
        ..setting
    };
    let (solution, loss) = one.solve(setting, &Solution::start(1, cycle, 0.5 * shortest));
    let start = Solution::start(full.cycles.ncols(), solution.cycle(), solution.constant());
    (start, loss)
}

/// The terms with the size of the last cache that explains the times best, and the costs then. Counters are those of
/// cold caches, times are of warm ones: a launch that reads less than the last cache holds finds its data there.
fn best_cache(terms: &Terms, checked: &Checked) -> (Terms, Solution) {
    let cold = terms.with_cache(0.0);
    let problem = by_ratio(&cold, checked);
    let (start, _) = documented(&problem, SETTINGS[0]);
    let (solution, loss) = problem.solve(SETTINGS[0], &start);
    let mut best = (loss, cold, solution.clone());
    if terms.can_cache() {
        for sectors in CACHE_SECTORS {
            let terms = terms.with_cache(sectors);
            let (solution, loss) = by_ratio(&terms, checked).solve(SETTINGS[0], &solution);
            if loss < best.0 {
                best = (loss, terms, solution);
            }
        }
    }
    (best.1, best.2)
}

/// The setting whose fits forecast kernels left out with the least mean |ln(forecast ÷ time)|, each kernel
/// counting once.
fn best_setting(terms: &Terms, checked: &Checked, start: &Solution) -> Setting {
    let folds = inner_folds(&checked.kernels, FOLDS);
    let weights = checked.kernels_equally();
    let mut errors = SETTINGS.map(|_| 0.0);
    for fold in 0..FOLDS {
        let (out, rest) = split_fold(&folds, fold);
        if out.is_empty() || rest.is_empty() {
            continue;
        }
        let rest = by_ratio(terms, &checked.rows(&rest));
        for (error, setting) in errors.iter_mut().zip(SETTINGS) {
            let (solution, _) = rest.solve(setting, start);
            let costs = terms.waves(&solution, setting);
            let off = |row: usize| (costs.predict(checked.x.row(row)) / checked.y[row]).ln();
            *error += out
                .iter()
                .map(|&row| weights[row] * off(row).abs())
                .sum::<f64>();
        }
    }
    let best = (0..SETTINGS.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b]));
    SETTINGS[best.unwrap_or_default()]
}
