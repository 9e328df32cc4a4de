//! Counters that can't be of one launch, so that a forecast by them would be of none.

use std::collections::BTreeMap;

use kerncast_profilers::catalogue::{ncu::TIME, role};
use kerncast_wire::{
    CounterSet, FieldProblem, Role,
    provider::{ANALYSIS, LAUNCH, NCU},
};

use crate::http::{escaped, field};

/// Work-items of a work-group, as `launch` calls them; launches that differ have none.
const WORK_GROUP_SIZE: &str = "work_group_size";
/// Counts of all instructions; whatever ran has run some.
const INSTRUCTIONS: [Role; 2] = [Role::Instructions, Role::IrInstructions];
/// Replayed launches of one workload count alike but for what depends on their order: 3 % at most in 1,682 samples of
/// ncu, in which each of [`PARTS_OF_WHOLES`] holds.
const REPLAY_FACTOR: f64 = 1.05;
/// What is no more than so many times something else of the same launch: parts of a whole, and whatever each of the
/// others consists of at least once.
const PARTS_OF_WHOLES: [(Role, f64, Role); 35] = [
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
    (Role::LocalLoadPasses, 1.0, Role::L1Passes),
    (Role::LocalStorePasses, 1.0, Role::L1Passes),
    // A load of a warp takes as many as it has lanes, more where these are wide; 43 at most have been counted.
    (Role::L1Passes, 100.0, Role::MemoryInstructions),
    (Role::GlobalLoadSectors, 32.0, Role::GlobalLoadRequests),
    (Role::GlobalLoadMisses, 1.0, Role::GlobalLoadSectors),
    // A request is of four; up to 5.3 have been counted, since each counter has a replay of its own.
    (Role::L2ReadSectors, 12.0, Role::L2Requests),
    (Role::L2WriteSectors, 12.0, Role::L2Requests),
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
/// Warp instructions that a scheduler issues in a nanosecond at most: one a cycle, and no GPU has had 4 GHz.
const MOST_INSTRUCTIONS_PER_NS: f64 = 4.0;

/// The counters of one provider.
#[derive(Clone, Copy)]
struct Counted<'a> {
    provider: &'a str,
    counters: &'a BTreeMap<String, f64>,
    /// Where the set is in the request.
    at: &'a str,
}

/// The first contradiction in a set whose place in the request is `at`. Other profilers' counters need not add up, and
/// means that are filled in for counters of the analysis need not fit the launch.
pub(super) fn contradiction(set: &CounterSet, at: &str) -> Option<FieldProblem> {
    // What others say of the geometry stands under `launch` too.
    let others = set.iter().filter(|(provider, _)| *provider != LAUNCH);
    let counted = others.chain(set.get_key_value(LAUNCH));
    let counted = counted.map(|(provider, counters)| Counted {
        provider,
        counters,
        at,
    });
    let counted: Vec<Counted<'_>> = counted.collect();
    // nvprof scales some counters up from a part of the multiprocessors.
    let ncu = counted.iter().find(|it| it.provider == NCU);
    let adds_up = |it: &&Counted<'_>| [NCU, ANALYSIS].contains(&it.provider);
    counted
        .iter()
        .find_map(Counted::geometry)
        .or_else(|| ncu?.unlike_launch(set))
        .or_else(|| counted.iter().find_map(|it| it.idle(set)))
        .or_else(|| counted.iter().filter(adds_up).find_map(Counted::parts))
        .or_else(|| ncu?.too_fast())
}

impl<'a> Counted<'a> {
    fn problem(&self, name: &str, value: f64, expected: String) -> FieldProblem {
        let (provider, name) = (escaped(self.provider), escaped(name));
        field(format!("{}/{provider}/{name}", self.at), value, expected)
    }

    /// The counter of this role.
    fn of_role(&self, wanted: Role) -> Option<(&'a str, f64)> {
        let mut named = self.counters.iter();
        let is_wanted = |name: &str| role(&format!("{}:{name}", self.provider)) == Some(wanted);
        let (name, value) = named.find(|(name, _)| is_wanted(name))?;
        Some((name, *value))
    }

    /// The problem of more or fewer work-items than the work-groups have.
    fn geometry(&self) -> Option<FieldProblem> {
        let (items_name, items) = self.of_role(Role::WorkItems)?;
        let (groups_name, groups) = self.of_role(Role::WorkGroups)?;
        let size = self
            .counters
            .get(WORK_GROUP_SIZE)
            .filter(|_| self.provider == LAUNCH);
        let expected = match size {
            // They are whole.
            Some(size) if (items - groups * size).abs() > 0.5 => {
                format!(
                    "{groups_name} × {WORK_GROUP_SIZE}, which is {}",
                    groups * size
                )
            }
            None if items < groups => format!("{groups_name}, {groups}, or more"),
            _ => return None,
        };
        Some(self.problem(items_name, items, expected))
    }

    /// The problem of another geometry than that of `launch`.
    fn unlike_launch(&self, set: &CounterSet) -> Option<FieldProblem> {
        let launch = set.get(LAUNCH)?;
        let (items, groups) = (Role::WorkItems, Role::WorkGroups);
        let same = [(items, "work_items"), (groups, "work_groups")];
        same.into_iter().find_map(|(role, name)| {
            let (own_name, count) = self.of_role(role)?;
            let expected = launch.get(name).filter(|it| (*it - count).abs() > 0.5)?;
            Some(self.problem(own_name, count, format!("{LAUNCH}'s {name}, {expected}")))
        })
    }

    /// The problem of work-groups without any instruction.
    fn idle(&self, set: &CounterSet) -> Option<FieldProblem> {
        let groups = set.get(LAUNCH)?.get("work_groups")?;
        let mut counts = INSTRUCTIONS.into_iter().filter_map(|it| self.of_role(it));
        let (name, _) = counts.find(|(_, count)| *count == 0.0 && *groups > 0.0)?;
        let expected = format!("what {groups} work-groups did: whatever runs, runs instructions");
        Some(self.problem(name, 0.0, expected))
    }

    /// The problem of more of a part than there is of the whole.
    fn parts(&self) -> Option<FieldProblem> {
        // The analysis estimates the busiest slice of L2 apart from all requests.
        let estimated = (self.provider == ANALYSIS).then_some(Role::BusiestL2Requests);
        let mut pairs = PARTS_OF_WHOLES
            .into_iter()
            .filter(|it| Some(it.0) != estimated);
        pairs.find_map(|(part, times, whole)| {
            let (name, count) = self.of_role(part)?;
            let (of_all, all) = self.of_role(whole)?;
            let expected = match times {
                1.0 => format!("at most {of_all}, which is {all}"),
                times => format!("at most {times} × {of_all}, which is {}", times * all),
            };
            (count > REPLAY_FACTOR * times * all).then(|| self.problem(name, count, expected))
        })
    }

    /// The problem of a time in which the instructions can't have been issued.
    fn too_fast(&self) -> Option<FieldProblem> {
        let time_ns = *self.counters.get(TIME)?;
        let (name, count) = self.of_role(Role::BusiestInstructions)?;
        let least = count / MOST_INSTRUCTIONS_PER_NS;
        let expected = format!(
            "at least {least}: {name} is {count}, and no GPU issues {MOST_INSTRUCTIONS_PER_NS} a nanosecond"
        );
        (count > MOST_INSTRUCTIONS_PER_NS * time_ns).then(|| self.problem(TIME, time_ns, expected))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kerncast_profilers::catalogue::of_provider;
    use kerncast_wire::{
        NewSample,
        Role::{
            BusiestInstructions, Instructions, ItemInstructions, LocalLoadPasses, LocalLoads,
            MemoryInstructions, Warps, WorkGroups, WorkItems,
        },
    };

    use super::*;

    /// What was counted, or told from the source, of the shipped samples is never refused.
    #[test]
    fn nothing_that_was_counted_contradicts_itself() {
        let mut counted = 0;
        for file in [
            "nvidia-h200",
            "nvidia-h200-generated",
            "amd-epyc-pocl",
            "intel-xeon-pocl-generated",
        ] {
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
                assert_eq!(contradiction(&set, "").map(|it| it.field), None, "{set:?}");
            }
        }
        assert!(counted > 1_600, "{counted}");
    }

    /// The dashboard fills in means of all workloads beside the geometry of one.
    #[test]
    fn estimates_need_not_be_of_the_launch() {
        let contradicts = |provider: &str| {
            let mut counters = of_provider(provider);
            let items = counters.find(|it| it.role == Some(WorkItems));
            let items = items.expect("it counts work-items").name.to_string();
            let launch = [("work_groups", 128.0), ("work_items", 16_384.0)];
            let launch = launch.map(|(name, count)| (name.to_owned(), count));
            let set = CounterSet::from([
                (provider.to_owned(), [(items, 10_777.6)].into()),
                (LAUNCH.to_owned(), launch.into()),
            ]);
            contradiction(&set, "").is_some()
        };
        assert!(contradicts(NCU));
        assert!(!contradicts("analysis"));
    }

    #[test]
    fn parts_larger_than_their_whole_and_impossible_times_are_found() {
        let name = |role: Role| {
            let mut all = of_provider(NCU);
            &*all
                .find(|it| it.role == Some(role))
                .expect("ncu counts it")
                .name
        };
        let counted = [
            (name(Instructions), 384_000.0),
            (name(BusiestInstructions), 750.0),
            (name(ItemInstructions), 12_288_000.0),
            (name(Warps), 512.0),
            (name(WorkGroups), 128.0),
            (name(WorkItems), 16_384.0),
            (name(MemoryInstructions), 53_248.0),
            (name(LocalLoads), 4_096.0),
            (name(LocalLoadPasses), 4_096.0),
            (TIME, 4_704.0),
        ];
        let field = |changed: &str, value: f64| {
            let with = |(name, count): (&str, f64)| {
                let count = if name == changed { value } else { count };
                (name.to_owned(), count)
            };
            let launch = [("work_groups", 128.0), ("work_items", 16_384.0)];
            let set = CounterSet::from([
                (NCU.to_owned(), counted.map(with).into()),
                (LAUNCH.to_owned(), launch.map(with).into()),
            ]);
            let field = contradiction(&set, "/counters")?.field;
            Some(field.rsplit('/').next().unwrap_or_default().to_owned())
        };
        assert_eq!(field("", 0.0), None);
        for (changed, value, refused) in [
            (name(Instructions), 1.0, name(Warps)),
            (name(BusiestInstructions), 4.1e5, name(BusiestInstructions)),
            (name(ItemInstructions), 1.0, name(Instructions)),
            (name(ItemInstructions), 1e9, name(ItemInstructions)),
            (name(LocalLoads), 5_000.0, name(LocalLoads)),
            (name(WorkGroups), 64.0, name(WorkGroups)),
            (TIME, 1.0, TIME),
        ] {
            assert_eq!(
                field(changed, value).as_deref(),
                Some(refused),
                "{changed} {value}"
            );
        }
    }
}
