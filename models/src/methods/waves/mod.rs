mod by_ratio;
mod events;
mod terms;

use kerncast_wire::Role;
use ndarray::{Array1, ArrayView1, Axis};

use self::{
    by_ratio::{ByRatio, Found, Setting},
    events::ASKED,
    terms::Terms,
};
use super::{
    FitError, Method,
    checked::{Checked, varying},
    folds::inner_folds,
    overlap::MOST_ROWS,
};
use crate::{DropReason, Dropped, Fitted, Form, Rows};

/// T = c0 + ((Σ li·xi ÷ warps · waves)ᵖ + Σ (ci·xi)ᵖ)^(1/p): like `known_costs`, but what a warp waits for counts
/// once for each wave of work-groups, loads by the level of memory that answers, work is shared by the
/// multiprocessors that have some, and costs are pulled to documented ones by ratio, by least errors of ln T.
///
/// A launch of little parallelism takes its time from one chain of waits; that of a full device from what
/// is busiest. Pulled by ratio, a cost of 300 cycles is as free to double as one of a quarter, and none is ever 0:
/// what no sample shows costs what the documents say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByWaves;

const PULLS: [f64; 3] = [5e-4, 2e-3, 1.25e-4];
/// The first is that with which the pull is chosen.
const EXPONENTS: [f64; 3] = [3.0, 2.0, 4.0];

/// Enough to tell settings apart.
const FOLDS: usize = 5;

impl Method for ByWaves {
    fn name(&self) -> &'static str {
        "waves"
    }

    fn revision(&self) -> u32 {
        1
    }

    fn suits(&self, roles: &[Option<Role>]) -> bool {
        Terms::known(roles).say_enough()
    }

    fn asks(&self) -> &'static [Role] {
        ASKED
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let seen = checked.seen();
        varying(&seen, checked.y.len())?;
        let checked = checked.thinned(MOST_ROWS);
        let terms = Terms::known(rows.roles);
        if !terms.say_enough() {
            let counters = seen.len();
            return Err(FitError::NothingKnown { counters });
        }
        let terms = spread(&terms, rows.roles, &checked);
        let (setting, start) = chosen(&terms, &checked);
        let (found, _) = by_ratio(&terms, &checked).solve(setting, &start);
        let costs = terms.waves(&found.seconds(), found.constant(), setting.p);
        let numbers = costs.terms.iter().map(|it| it.seconds);
        if numbers.chain([costs.constant]).any(|it| !it.is_normal()) {
            return Err(FitError::NotFinite);
        }
        let dropped = (0..seen.len()).filter(|&column| !costs.asks(column));
        let dropped = dropped.map(|column| Dropped {
            column,
            reason: DropReason::Unknown,
        });
        Ok(Fitted {
            dropped: dropped.collect(),
            seen,
            form: Form::Waves(costs),
        })
    }
}

fn by_ratio(terms: &Terms, checked: &Checked) -> ByRatio {
    ByRatio {
        cycles: terms.cycles(checked.x.view()),
        busy: terms.busy(),
        times: checked.y.clone(),
        weights: checked.kernels_equally(),
    }
}

/// Over the multiprocessors that counters tell of; else over as many as explain the times best at documented
/// costs.
fn spread(terms: &Terms, roles: &[Option<Role>], checked: &Checked) -> Terms {
    if let Some(counted) = terms.counted_multiprocessors(roles, checked.x.view()) {
        return terms.on(counted);
    }
    let tried = (0..=40).map(|at| 2_f64.powf(f64::from(at) / 4.0).round());
    let tried = tried.map(|count| {
        let terms = terms.on(count);
        let (_, loss) = documented(&by_ratio(&terms, checked), EXPONENTS[0]);
        (loss, terms)
    });
    let best = tried.min_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(|| terms.clone(), |(_, terms)| terms)
}

/// The cycle and the constant that explain the times best at documented costs, and how badly.
fn documented(full: &ByRatio, p: f64) -> (Found, f64) {
    let norm = |row: ArrayView1<'_, f64>| {
        let (busy, waits) = row.split_at(Axis(0), full.busy);
        let wait: f64 = waits.sum();
        let largest = busy.iter().copied().fold(wait, f64::max);
        let share = |part: f64| (part / largest.max(f64::MIN_POSITIVE)).powf(p);
        let shares = share(wait) + busy.iter().copied().map(share).sum::<f64>();
        largest * shares.powf(1.0 / p)
    };
    let norms: Array1<f64> = full.cycles.rows().into_iter().map(norm).collect();
    let longest = norms.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let most = full.times.iter().copied().fold(0.0, f64::max);
    let shortest = full.times.iter().copied().fold(f64::INFINITY, f64::min);
    let one = ByRatio {
        cycles: norms.insert_axis(Axis(1)),
        busy: 1,
        times: full.times.clone(),
        weights: full.weights.clone(),
    };
    // A pull that lets the one cost be the documented one.
    let setting = Setting { p, pull: 1.0 };
    let (found, loss) = one.solve(setting, &Found::start(1, most / longest, 0.5 * shortest));
    let start = Found::start(full.cycles.ncols(), found.cycle(), found.constant());
    (start, loss)
}

/// The setting whose fits forecast kernels left out with the least mean |ln(forecast ÷ time)|, each kernel
/// counting once, and where to start from: the pull first, then the exponent.
fn chosen(terms: &Terms, checked: &Checked) -> (Setting, Found) {
    let folds = inner_folds(&checked.kernels, FOLDS);
    let weights = checked.kernels_equally();
    let first = Setting {
        p: EXPONENTS[0],
        pull: PULLS[0],
    };
    let all = by_ratio(terms, checked);
    let (start, _) = all.solve(first, &documented(&all, first.p).0);
    let parts: Vec<(Vec<usize>, ByRatio)> = (0..FOLDS)
        .map(|fold| (0..folds.len()).partition(|&row| folds[row] == fold))
        .filter(|(out, rest): &(Vec<usize>, Vec<usize>)| !out.is_empty() && !rest.is_empty())
        .map(|(out, rest)| (out, by_ratio(terms, &checked.rows(&rest))))
        .collect();
    let error = |setting: Setting| -> f64 {
        let of_part = |(out, rest): &(Vec<usize>, ByRatio)| -> f64 {
            let (found, _) = rest.solve(setting, &start);
            let costs = terms.waves(&found.seconds(), found.constant(), setting.p);
            let off = |row: usize| (costs.predict(checked.x.row(row)) / checked.y[row]).ln();
            let off = |&row: &usize| weights[row] * off(row).abs();
            out.iter().map(off).sum()
        };
        parts.iter().map(of_part).sum()
    };
    let best = |settings: &[Setting]| {
        let errors: Vec<f64> = settings.iter().map(|it| error(*it)).collect();
        let best = (0..settings.len()).min_by(|&a, &b| errors[a].total_cmp(&errors[b]));
        settings[best.unwrap_or_default()]
    };
    let Setting { pull, .. } = best(&PULLS.map(|pull| Setting { pull, ..first }));
    let setting = best(&EXPONENTS.map(|p| Setting { p, pull }));
    (setting, start)
}
