//! The method `per_worker`: costs of all work together, and of what one worker does.

use kerncast_wire::Role;
use ndarray::{Array2, ArrayView2};

use super::{
    FitError, Method,
    checked::{Checked, varying},
    nnls::fitted,
    relative::{Loss, Relative},
};
use crate::{Cost, Fitted, Rows, fitted::shared_out, rows::first_with_role};

/// T = c0 + Σ ci·xi + Σ li·xi ÷ work-items + Σ gi·xi ÷ work-groups, no cost below 0, by least absolute
/// relative errors, kernels weighted equally.
///
/// A device that is full takes its time from what all work-items do together: the first sum, throughput.
/// One that is not takes it from what a single work-item does one after the other, latency, or what a
/// single work-group does on its multiprocessor. Volumes alone can't tell the two apart (Volkov,
/// *Understanding Latency Hiding on GPUs*, 2016). Where no counter counts workers only the first sum is
/// left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerWorker;

/// The counters that say who does the work: of each kind the first role that is counted.
const WORKERS: [&[Role]; 2] = [
    &[Role::WorkItems, Role::Warps],
    &[Role::WorkGroups, Role::LaunchedWorkGroups],
];

/// The loss. Costs are pulled to 0, the more so the fewer kernels speak for them, and counters that go together share.
/// Between a third and ten times as much pull the errors hardly change. Five rounds turn squared errors into absolute
/// ones.
const LOSS: Loss = Loss {
    ridge: 0.01,
    rounds: 5,
};

impl Method for PerWorker {
    fn name(&self) -> &'static str {
        "per_worker"
    }

    /// Revision 3: workers by their roles.
    fn revision(&self) -> u32 {
        3
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let checked = Checked::counts(rows)?;
        let ranges = checked.ranges();
        let (columns, dropped) = varying(&ranges, checked.y.len())?;
        let weights = checked.kernels_equally();
        let workers = workers(rows.roles, &columns);
        let terms = terms(checked.x.view(), &columns, &workers);
        let relative = Relative::new(terms.view(), checked.y.view());
        let (seconds, constant) = relative.seconds(&relative.costs(&weights, LOSS));
        let over = std::iter::once(vec![]).chain(workers.iter().map(|&it| vec![it]));
        let places =
            over.flat_map(|over| columns.iter().map(move |&column| (column, over.clone())));
        let terms = places.zip(seconds).map(|((column, over), seconds)| Cost {
            column,
            over,
            seconds,
        });
        fitted(ranges, dropped, constant, terms.collect(), 1.0)
    }
}

/// The columns, out of those that vary, that count workers.
pub(super) fn workers(roles: &[Option<Role>], columns: &[usize]) -> Vec<usize> {
    let find = |alternatives: &&[Role]| first_with_role(roles, columns, alternatives);
    WORKERS.iter().filter_map(find).collect()
}

/// The terms: the columns themselves and then, for each of `over`, the columns divided by it.
fn terms(x: ArrayView2<'_, f64>, columns: &[usize], over: &[usize]) -> Array2<f64> {
    let k = columns.len();
    Array2::from_shape_fn((x.nrows(), k * (1 + over.len())), |(row, at)| {
        // The first k terms are shared out over nothing.
        let over = &over[(at / k).saturating_sub(1)..at / k];
        shared_out(x[(row, columns[at % k])], x.row(row), over)
    })
}
