//! Counters that can't be of one launch, so that a forecast by them would be of none.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_profilers::catalogue::role;
use kerncast_training::LAUNCH;
use kerncast_wire::{CounterSet, FieldProblem, Role};

use crate::problem::{escaped, field};

/// Work-items of a work-group, as `launch` calls them; launches that differ have none.
const SIZE: &str = "work_group_size";
/// Of all instructions; whatever ran has run some.
const INSTRUCTIONS: [Role; 2] = [Role::Instructions, Role::IrInstructions];
/// Replayed launches of one workload count alike but for what depends on their order: 3 % at most in 1,682 samples of
/// ncu, in which each of [`PARTS`] holds.
const ALIKE: f64 = 1.05;
/// What is no more than so many times something else of the same launch: parts of a whole, and whatever each of the
/// others consists of at least once.
const PARTS: [(Role, f64, Role); 29] = [
    (Role::LaunchedWorkGroups, 1.0, Role::Warps),
    (Role::WorkGroups, 1.0, Role::Warps),
    (Role::Warps, 1.0, Role::Instructions),
    (Role::Instructions, 1.0, Role::ItemInstructions),
    (Role::ItemInstructions, 32.0, Role::Instructions),
    (Role::BusiestInstructions, 1.0, Role::Instructions),
    (Role::AluInstructions, 1.0, Role::Instructions),
    (Role::FmaInstructions, 1.0, Role::Instructions),
    (Role::Fp64Instructions, 1.0, Role::Instructions),
    (Role::SpecialInstructions, 1.0, Role::Instructions),
    (Role::MemoryInstructions, 1.0, Role::Instructions),
    (Role::UniformInstructions, 1.0, Role::Instructions),
    (Role::BarrierInstructions, 1.0, Role::Instructions),
    (Role::Branches, 1.0, Role::Instructions),
    (Role::GlobalLoads, 1.0, Role::MemoryInstructions),
    (Role::GlobalStores, 1.0, Role::MemoryInstructions),
    (Role::LocalLoads, 1.0, Role::MemoryInstructions),
    (Role::LocalStores, 1.0, Role::MemoryInstructions),
    (Role::PrivateLoads, 1.0, Role::MemoryInstructions),
    (Role::PrivateStores, 1.0, Role::MemoryInstructions),
    (Role::LocalLoads, 1.0, Role::LocalLoadPasses),
    (Role::LocalStores, 1.0, Role::LocalStorePasses),
    (Role::GlobalLoadMisses, 1.0, Role::GlobalLoadSectors),
    (Role::GlobalAtomicRequests, 1.0, Role::GlobalAtomicSectors),
    (
        Role::GlobalReductionRequests,
        1.0,
        Role::GlobalReductionSectors,
    ),
    (Role::BusiestL2Requests, 1.0, Role::L2Requests),
    (Role::ItemFp32, 1.0, Role::ItemInstructions),
    (Role::ItemFp64, 1.0, Role::ItemInstructions),
    (Role::ItemIntegers, 1.0, Role::ItemInstructions),
];
/// Whose counters were looked at so; nvprof scales some up from a part of the multiprocessors.
const NCU: &str = "ncu";
/// ncu's time of a launch, nanoseconds.
const DURATION: &str = "gpu__time_duration.sum";
/// Warp instructions that a scheduler issues in a nanosecond at most: one a cycle, and no GPU has had 4 GHz.
const FASTEST: f64 = 4.0;

/// Where counters stand in a request.
struct At<'a> {
    set: &'a str,
    provider: &'a str,
}

impl At<'_> {
    fn problem(&self, name: &str, found: f64, expected: String) -> FieldProblem {
        let (provider, name) = (escaped(self.provider), escaped(name));
        field(format!("{}/{provider}/{name}", self.set), found, expected)
    }
}

type Named = BTreeMap<String, f64>;

/// The first in a set, whose pointer in the request is `at`. Of other profilers' and of estimates, which are those of the analysis and of
/// providers that are `foreseen`, nobody expects that they add up.
pub(super) fn found(
    set: &CounterSet,
    foreseen: &BTreeSet<String>,
    at: &str,
) -> Option<FieldProblem> {
    // What others say of the geometry stands under `launch` too.
    let others = set.iter().filter(|(provider, _)| *provider != LAUNCH);
    let all = others.chain(set.get_key_value(LAUNCH));
    let each = all.map(|(provider, counters)| (At { set: at, provider }, counters));
    let each: Vec<(At<'_>, &Named)> = each.collect();
    let own = |check: fn(&At<'_>, &Named) -> Option<FieldProblem>| {
        each.iter().find_map(|(at, counters)| check(at, counters))
    };
    let counted = |check: fn(&At<'_>, &Named) -> Option<FieldProblem>| {
        let is_counted = |at: &At<'_>| at.provider == NCU && !foreseen.contains(at.provider);
        let mut counted = each.iter().filter(|(at, _)| is_counted(at));
        counted.find_map(|(at, counters)| check(at, counters))
    };
    own(geometry)
        .or_else(|| each.iter().find_map(|(at, it)| unlike_launch(at, it, set)))
        .or_else(|| each.iter().find_map(|(at, it)| idle(at, it, set)))
        .or_else(|| counted(parts))
        .or_else(|| counted(too_fast))
}

/// A provider's counter of this role.
fn of<'a>(at: &At<'_>, counters: &'a Named, wanted: Role) -> Option<(&'a str, f64)> {
    let mut named = counters.iter();
    let is_wanted = |name: &str| role(&format!("{}:{name}", at.provider)) == Some(wanted);
    let (name, value) = named.find(|(name, _)| is_wanted(name))?;
    Some((name, *value))
}

/// Work-items that its work-groups do not have.
fn geometry(at: &At<'_>, counters: &Named) -> Option<FieldProblem> {
    let (items_name, items) = of(at, counters, Role::WorkItems)?;
    let (groups_name, groups) = of(at, counters, Role::WorkGroups)?;
    let size = counters.get(SIZE).filter(|_| at.provider == LAUNCH);
    let expected = match size {
        // They are whole.
        Some(size) if (items - groups * size).abs() > 0.5 => {
            format!("{groups_name} × {SIZE}, which is {}", groups * size)
        }
        None if items < groups => format!("{groups_name}, {groups}, or more"),
        _ => return None,
    };
    Some(at.problem(items_name, items, expected))
}

/// Another geometry than `launch` says.
fn unlike_launch(at: &At<'_>, counters: &Named, set: &CounterSet) -> Option<FieldProblem> {
    let launch = set.get(LAUNCH).filter(|_| at.provider != LAUNCH)?;
    let same = [
        (Role::WorkItems, "work_items"),
        (Role::WorkGroups, "work_groups"),
    ];
    same.into_iter().find_map(|(role, name)| {
        let (said, count) = of(at, counters, role)?;
        let expected = launch.get(name).filter(|it| (*it - count).abs() > 0.5)?;
        Some(at.problem(said, count, format!("{LAUNCH}'s {name}, {expected}")))
    })
}

/// Work-groups that did nothing.
fn idle(at: &At<'_>, counters: &Named, set: &CounterSet) -> Option<FieldProblem> {
    let groups = set.get(LAUNCH)?.get("work_groups")?;
    let all = INSTRUCTIONS.into_iter();
    let mut all = all.filter_map(|role| of(at, counters, role));
    let (name, _) = all.find(|(_, count)| *count == 0.0 && *groups > 0.0)?;
    let expected = format!("what {groups} work-groups did: whatever runs, runs instructions");
    Some(at.problem(name, 0.0, expected))
}

/// More of a part than there is of the whole.
fn parts(at: &At<'_>, counters: &Named) -> Option<FieldProblem> {
    PARTS.into_iter().find_map(|(part, times, whole)| {
        let (name, count) = of(at, counters, part)?;
        let (of_all, all) = of(at, counters, whole)?;
        let expected = match times {
            1.0 => format!("at most {of_all}, {all}: it is a part of these"),
            times => format!("at most {times} × {of_all}, which is {}", times * all),
        };
        (count > ALIKE * times * all).then(|| at.problem(name, count, expected))
    })
}

/// A time in which the instructions can't have been issued.
fn too_fast(at: &At<'_>, counters: &Named) -> Option<FieldProblem> {
    let time_ns = *counters.get(DURATION)?;
    let (name, count) = of(at, counters, Role::BusiestInstructions)?;
    let expected = format!(
        "at least {}: {name} is {count}, and no GPU issues {FASTEST} a nanosecond",
        count / FASTEST
    );
    (count > FASTEST * time_ns).then(|| at.problem(DURATION, time_ns, expected))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kerncast_wire::NewSample;
    use serde_json::json;

    use super::*;

    /// Of the shipped samples of a GPU with a profiler: what was counted is never refused.
    #[test]
    fn nothing_that_was_counted_contradicts_itself() {
        let mut counted = 0;
        for file in ["nvidia-h200", "nvidia-h200-generated"] {
            let path = format!("{}/../data/{file}.jsonl.zst", env!("CARGO_MANIFEST_DIR"));
            let lines = zstd::decode_all(fs::File::open(path).expect("it is shipped"));
            let lines = String::from_utf8(lines.expect("zstd")).expect("text");
            let samples = lines
                .lines()
                .filter_map(|line| serde_json::from_str::<NewSample>(line).ok());
            for sample in samples {
                let readings = sample.readings.into_iter();
                let set: CounterSet = readings.map(|(name, it)| (name, it.counters)).collect();
                counted += usize::from(set.contains_key("ncu"));
                assert_eq!(
                    found(&set, &BTreeSet::new(), "").map(|it| it.field),
                    None,
                    "{set:?}"
                );
            }
        }
        assert!(counted > 1_600, "{counted}");
    }

    #[test]
    fn parts_larger_than_their_whole_and_impossible_times_are_found() {
        let all = json!({
            "smsp__inst_executed.sum": 384000, "smsp__inst_executed.max": 750, "smsp__thread_inst_executed.sum": 12288000,
            "smsp__warps_launched.sum": 512, "launch__grid_size": 128, "launch__thread_count": 16384,
            "smsp__inst_executed_pipe_lsu.sum": 53248, "smsp__sass_inst_executed_op_shared_ld.sum": 4096,
            "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 4096, "gpu__time_duration.sum": 4704,
        });
        let field = |name: &str, value: f64| {
            let mut counters = all.clone();
            counters[name] = json!(value);
            let set =
                json!({ "ncu": counters, "launch": { "work_groups": 128, "work_items": 16384 } });
            let set = serde_json::from_value(set).expect("a set");
            let field = found(&set, &BTreeSet::new(), "/counters")?.field;
            Some(field.rsplit('/').next().unwrap_or_default().to_owned())
        };
        assert_eq!(field("launch__grid_size", 128.0), None);
        for (name, value, refused) in [
            ("smsp__inst_executed.sum", 1.0, "smsp__warps_launched.sum"),
            (
                "smsp__inst_executed.max",
                4e5 + 1e4,
                "smsp__inst_executed.max",
            ),
            (
                "smsp__thread_inst_executed.sum",
                1.0,
                "smsp__inst_executed.sum",
            ),
            (
                "smsp__thread_inst_executed.sum",
                1e9,
                "smsp__thread_inst_executed.sum",
            ),
            (
                "smsp__sass_inst_executed_op_shared_ld.sum",
                5000.0,
                "smsp__sass_inst_executed_op_shared_ld.sum",
            ),
            ("launch__grid_size", 64.0, "launch__grid_size"),
            ("gpu__time_duration.sum", 1.0, "gpu__time_duration.sum"),
        ] {
            assert_eq!(
                field(name, value).as_deref(),
                Some(refused),
                "{name} {value}"
            );
        }
    }
}
