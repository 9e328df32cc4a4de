//! What Kerncast itself counts.

use kerncast_wire::{CounterKind, Role};

use super::{Counter, counters};

counters! { pub(super) LAUNCH
    Launch "work_items" is WorkItems, "work-item",
        "work-items of the launch";
    Launch "work_groups" is WorkGroups, "work-group",
        "work-groups of the launch";
    Launch "work_group_size", "work-item",
        "work-items of a work-group";
    Launch "work_dimensions", "dimension",
        "dimensions of the launch: 1 to 3";
    Launch "local_bytes", "byte",
        "local memory of a work-group: arrays in the source and arguments";
    Launch "global_bytes", "byte",
        "all buffers of the launch";
}

// The microbenchmark of local memory.
counters! { pub(super) LOCAL_MEMORY
    Volume "instructions", "inst",
        "loads from local memory, one after another, of every warp: i";
    Volume "warps", "warp",
        "warps of the one work-group: w";
    Volume "congestion", "work-item",
        "work-items of a warp that meet in one bank: c";
    Volume "product", "access",
        "i·w·c: passes through the most wanted bank";
    Cycles "cycles", "cycle",
        "clock cycles from the first warp's start to the last one's end, the clock's own cost taken off";
}
