//! Estimates the time of a step on a large GPU, well enough to choose the number of steps.

use super::{
    number::Storage,
    recipe::{Atomic, AtomicKind, Local, Path, Recipe, Storing, Uneven},
    theme::Theme,
};

const MULTIPROCESSORS: f64 = 132.0;
const SCHEDULERS: f64 = 4.0;
const RESIDENT_ITEMS: f64 = 2048.0;
const LOCAL_BYTES: f64 = 200e3;
const HERTZ: f64 = 1.9e9;
const L1_BYTES: f64 = 128e3;
const L2_BYTES: f64 = 40e6;
/// Bytes per cycle, of all multiprocessors together.
const L2_RATE: f64 = 2600.0;
const DRAM_RATE: f64 = 2300.0;
const WARP: f64 = 32.0;

/// A step of one warp, in cycles of a large GPU.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// Cycles until the warp can begin its next step.
    wait: f64,
    /// Cycles of its multiprocessor's scheduler.
    pub(super) instructions: f64,
    /// Cycles of its multiprocessor's path to memory.
    transfers: f64,
    /// Cycles of what all multiprocessors share.
    shared: f64,
}

impl Cost {
    /// The cost of a step, if the kernel reads from `bytes` bytes.
    pub(super) fn new(recipe: &Recipe, bytes: f64) -> Self {
        let mut cost = arithmetic(recipe);
        cost.add(reads(recipe, bytes));
        if let Some(private) = recipe.private {
            let touches = f64::from(private.touches);
            let transfers = if private.alike { 2.0 } else { 20.0 };
            cost.add(Self {
                wait: touches * (45.0 + transfers),
                instructions: touches * 6.0,
                transfers: touches * transfers,
                shared: 0.0,
            });
        }
        let local = recipe.local.map(|local| local_cost(recipe, local));
        cost.add(local.unwrap_or_default());
        cost.add(recipe.atomic.map_or(Self::default(), atomic_cost));
        cost.add(recipe.storing.map_or(Self::default(), storing_cost));
        cost.instructions += 4.0;
        cost.wait += 12.0;
        cost
    }

    fn add(&mut self, other: Self) {
        self.wait += other.wait;
        self.instructions += other.instructions;
        self.transfers += other.transfers;
        self.shared += other.shared;
    }

    /// Seconds per step of `items` work-items.
    pub(super) fn seconds(&self, recipe: &Recipe, items: f64) -> f64 {
        let group = f64::from(recipe.group);
        let groups = items / group;
        let by_local = local_bytes(recipe).map_or(f64::INFINITY, |bytes| LOCAL_BYTES / bytes);
        let resident = (RESIDENT_ITEMS / group).min(by_local).max(1.0);
        let at_a_time = resident.min((groups / MULTIPROCESSORS).max(1.0));
        let rounds = (groups / (MULTIPROCESSORS * at_a_time)).max(1.0);
        let warps = at_a_time * group / WARP;
        let busy = (warps * self.instructions / SCHEDULERS).max(warps * self.transfers);
        let shared = self.shared * items / WARP;
        (rounds * self.wait.max(busy)).max(shared) / HERTZ
    }
}

fn arithmetic(recipe: &Recipe) -> Cost {
    let chains = f64::from(recipe.chains);
    let numbers = f64::from(recipe.at_once.max(recipe.chains));
    let operations = f64::from(recipe.times) * numbers;
    let unevenly = match recipe.uneven {
        Some(Uneven::ByNumber | Uneven::ByTurns(_)) => 2.0,
        Some(Uneven::Times(most)) => f64::from(most),
        _ => 1.0,
    };
    let (wait, instructions) = match recipe.theme {
        Theme::Mix => (
            recipe.operation.wait + recipe.other.wait,
            recipe.operation.instructions + recipe.other.instructions,
        ),
        _ => (recipe.operation.wait, recipe.operation.instructions),
    };
    let waits = operations / chains * wait;
    let issues = operations * instructions;
    Cost {
        wait: unevenly * waits.max(issues),
        instructions: unevenly * issues,
        ..Cost::default()
    }
}

fn reads(recipe: &Recipe, bytes: f64) -> Cost {
    let (_, element, _) = recipe.number.element(recipe.storage);
    let element = f64::from(element);
    // Of 32 bytes.
    let sectors = match recipe.path {
        Path::Start => return Cost::default(),
        Path::Side | Path::Neighbours(_) | Path::Column | Path::ColumnInPlace { .. } => element,
        Path::Strided(stride) => (element * f64::from(stride)).min(32.0),
        Path::Same => 1.0,
        Path::Places | Path::Anywhere | Path::Next | Path::Row | Path::RowInPlace { .. } => 32.0,
    }
    .max(1.0);
    let in_l1 = (L1_BYTES / bytes).min(1.0);
    let in_l2 = (L2_BYTES / bytes).min(1.0);
    let latency = 35.0 + (1.0 - in_l1) * 230.0 + (1.0 - in_l2) * 400.0;
    let at_once = f64::from(recipe.at_once);
    // A row's sectors are read eight times before the next ones are needed.
    let reuse = if recipe.path.line().is_some_and(|line| line.is_row) {
        4.0
    } else {
        1.0
    };
    let moved = 32.0 * sectors * at_once / reuse;
    let latency = match recipe.path {
        Path::Places => 2.0 * latency,
        Path::Next => latency,
        _ if recipe.path.is_in_place() => latency,
        // Compilers read ahead.
        _ => 0.4 * latency,
    };
    let stores = if recipe.path.is_in_place() { 2.0 } else { 1.0 };
    Cost {
        wait: latency / reuse.min(2.0) + at_once * (sectors + 3.0),
        instructions: at_once * 5.0,
        transfers: stores * at_once * (sectors / 4.0).max(1.0),
        shared: stores * moved * ((1.0 - in_l1) / L2_RATE).max((1.0 - in_l2) / DRAM_RATE),
    }
}

/// Bytes of a work-group's local memory.
pub(super) fn local_bytes(recipe: &Recipe) -> Option<f64> {
    let number = f64::from(recipe.number.element(Storage::Plain).1);
    let group = f64::from(recipe.group);
    Some(match recipe.local? {
        Local::Reads { words, .. } => f64::from(words) * number,
        Local::Chase { words, .. } => f64::from(words) * 4.0,
        Local::Own { length, .. } => f64::from(length) * group * number,
        Local::Exchange { .. } | Local::Sum | Local::Prefix => group * number,
        Local::Counts { bins, .. } => f64::from(bins) * 4.0,
    })
}

fn local_cost(recipe: &Recipe, local: Local) -> Cost {
    let warps = f64::from(recipe.group) / WARP;
    let barrier = 25.0 + 4.0 * warps;
    let operation = recipe.operation.wait;
    let (touches, wait, transfers) = match local {
        Local::Reads {
            stride, touches, ..
        } => (touches, 10.0 + operation, f64::from(stride.min(32))),
        Local::Chase { touches, .. } => (touches, 33.0, 4.0),
        Local::Own {
            length,
            touches,
            contiguous,
        } => {
            let conflicts = if contiguous {
                f64::from(length.min(32))
            } else {
                1.0
            };
            (touches, 45.0 + operation, 2.0 * conflicts)
        }
        Local::Exchange { touches, .. } => (touches, 2.0 * barrier + 40.0 + operation, 2.0),
        Local::Sum => (recipe.group.ilog2(), barrier + 40.0, 1.0),
        Local::Prefix => (recipe.group.ilog2(), 2.0 * barrier + 40.0, 2.0),
        Local::Counts { bins, touches } => {
            let conflicts = (WARP / f64::from(bins)).max(2.0);
            (touches, 30.0 + 4.0 * conflicts, 2.0 * conflicts)
        }
    };
    let touches = f64::from(touches);
    Cost {
        wait: touches * (wait + transfers),
        instructions: touches * (5.0 + recipe.operation.instructions),
        transfers: touches * transfers,
        shared: 0.0,
    }
}

fn atomic_cost(atomic: Atomic) -> Cost {
    let each = match atomic.few {
        // A warp's additions to one address are made one.
        Some(few) => (WARP / f64::from(few)).max(1.0),
        None => 32.0 * 32.0 / L2_RATE * 4.0,
    };
    let wait = match atomic.kind {
        AtomicKind::Add | AtomicKind::Max | AtomicKind::Xor => 30.0,
        AtomicKind::AddAndWait => 700.0,
        AtomicKind::CompareExchange => 1500.0,
    };
    Cost {
        wait,
        instructions: 12.0,
        transfers: 32.0,
        shared: each,
    }
}

fn storing_cost(storing: Storing) -> Cost {
    let sectors = match storing {
        Storing::Side { .. } => 4.0,
        Storing::Few(_) => 1.0,
        Storing::Row { .. } | Storing::Line | Storing::Scattered => 32.0,
    };
    Cost {
        wait: 5.0 + sectors,
        instructions: 5.0,
        transfers: sectors,
        shared: match storing {
            Storing::Few(_) => 1.0,
            _ => 32.0 * sectors / L2_RATE,
        },
    }
}
