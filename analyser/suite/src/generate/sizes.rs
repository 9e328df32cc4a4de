//! Sizes of a generated kernel on GPUs and on CPUs.

use super::{
    cost::Cost,
    point::{Axis, Point, whole},
    recipe::{Recipe, Storing},
};

/// The most elements of buffers that are written: a profiler restores them before every pass.
const MOST_WRITTEN: f64 = (1 << 23) as f64;
const MOST_READ: f64 = (1 << 25) as f64;
/// The least elements of a row or column: a multiple of all that are read at once.
const SHORTEST_LINE: f64 = 32.0;
const LONGEST_LINE: f64 = (1 << 17) as f64;
const MOST_STEPS: f64 = (1 << 22) as f64;

/// One size of a kernel, by the launch file's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Work-items, in whole groups.
    pub(super) items: u32,
    /// Number of steps; for a row or column the number of times that it is gone along.
    pub(super) steps: u32,
    /// Elements of a row or column; 1 where there is none.
    pub(super) length: u32,
    /// Number of elements that are read, or of each work-item's line.
    pub(super) elements: u32,
    /// Slots of the table, or of scattered stores.
    pub(super) slots: u32,
}

/// Bounds, as powers of two.
struct Range {
    working_set: (f64, f64),
    most_slots: u32,
}

/// A size for a large GPU: half of the kernels have at most one warp for each of 528 schedulers, a quarter up to four,
/// and a quarter more. It takes about 3 µs to 20 ms.
pub(super) fn on_gpu(recipe: &Recipe, point: Point) -> Size {
    let at = point.at(Axis::Parallelism);
    let warps = if at < 0.5 {
        point.octaves(Axis::Parallelism, 0.0, 18.0)
    } else if at < 0.75 {
        528.0 + (at - 0.5) * 4.0 * (2112.0 - 528.0)
    } else {
        2112.0 + (at - 0.75) * (at - 0.75) * 16.0 * 40_000.0
    };
    let seconds = 1e-6 * point.octaves(Axis::Time, 1.6, 14.3);
    let range = Range {
        working_set: (12.0, 28.0),
        most_slots: 22,
    };
    size(recipe, point, warps * 32.0, &range, |cost, items| {
        (seconds - 2e-6).max(1e-6) / cost.seconds(recipe, items)
    })
}

/// A size for CPUs: short enough to be simulated within seconds.
pub(super) fn on_cpu(recipe: &Recipe, point: Point) -> Size {
    let items = point.octaves(Axis::CpuParallelism, 5.0, 12.0);
    let instructions = point.octaves(Axis::CpuTime, 15.0, 20.0);
    let range = Range {
        working_set: (10.0, 22.0),
        most_slots: 16,
    };
    size(recipe, point, items, &range, |cost, items| {
        instructions / (cost.instructions * items)
    })
}

fn size(
    recipe: &Recipe,
    point: Point,
    items: f64,
    range: &Range,
    steps: impl Fn(&Cost, f64) -> f64,
) -> Size {
    let (low, high) = range.working_set;
    let (_, element, _) = recipe.number.element(recipe.storage);
    let writes_lines = recipe.path.is_in_place() || recipe.storing == Some(Storing::Line);
    let items = match recipe.path.line() {
        Some(_) if writes_lines => items.min(MOST_WRITTEN / SHORTEST_LINE),
        Some(_) => items.min(MOST_READ / SHORTEST_LINE),
        None => items,
    };
    let items = (whole(items) / recipe.group).max(1) * recipe.group;
    let bytes = point
        .octaves(Axis::WorkingSet, low, high)
        .max(f64::from(1024 * element));
    let cost = Cost::new(recipe, bytes);
    let steps = steps(&cost, f64::from(items)).clamp(1.0, MOST_STEPS);
    // What keeps its last results has at least so many.
    let steps = match recipe.storing {
        Some(Storing::Side { last } | Storing::Row { last }) => steps.max(f64::from(last)),
        _ => steps,
    };
    let slots = 1 << (6 + whole(point.at(Axis::Addresses) * f64::from(range.most_slots - 5)));
    if recipe.path.line().is_none() {
        let elements = power_below(bytes / f64::from(element));
        return Size {
            items,
            steps: whole(steps),
            length: 1,
            elements,
            slots,
        };
    }
    let mut most = bytes / f64::from(element);
    if writes_lines {
        most = most.min(MOST_WRITTEN);
    }
    let reads = steps * f64::from(recipe.at_once);
    let length = (most / f64::from(items))
        .min(reads)
        .clamp(SHORTEST_LINE, LONGEST_LINE);
    let length = power_below(length);
    Size {
        items,
        steps: whole(reads / f64::from(length)).max(1),
        length,
        elements: length,
        slots,
    }
}

/// The largest power of two that is no more than `number`.
fn power_below(number: f64) -> u32 {
    1 << whole(number).max(1).ilog2()
}
