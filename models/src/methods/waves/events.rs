//! Costs of events on NVIDIA's GPUs, in cycles, as documents and microbenchmarks say: a fit finds out how long a cycle
//! is, and by what factor each is off. Sources are those of `known_costs`; the waits for L2 and DRAM are a part of the
//! latencies in Jia and others (2018), since a warp has several loads under way. Apart from the
//! table of `known_costs`, so that a change for one method leaves the other's fits; whoever corrects one looks at the other.

use Resource::{BusiestUnit, Device, Multiprocessor, Warp, WarpTurns};
use kerncast_wire::Role::{self, *};

use crate::Resource;

/// One kind of event on one resource.
pub(super) struct Event {
    pub(super) resource: Resource,
    /// Cycles of an event: of one multiprocessor, of one multiprocessor's part of what all share, of the unit, or of a
    /// warp.
    pub(super) cycles: f64,
    /// Roles that count it: the first that there is.
    pub(super) roles: &'static [Role],
    /// Sets of roles that count the same by work-items instead of warps, or by bytes instead of sectors, so that 32 are
    /// an event. Used where none of `roles` is counted: the first set with any that is; its counters add up.
    pub(super) roles_of_32: &'static [&'static [Role]],
    /// Whether the last cache keeps the events' data from one launch to the next, if they fit.
    pub(super) is_cached: bool,
    /// Roles that bound the number of events from above, as far as they are counted.
    pub(super) at_most: &'static [Role],
    /// A role whose count is subtracted from the events: what one chain is longer by than another.
    pub(super) beyond: Option<Role>,
    /// The conversion into the events that cost, if those are others.
    pub(super) conversion: Option<RoleConversion>,
    /// Whether warps' chains must be counted, or must not be, since the chains hold these waits already; none where
    /// either will do.
    pub(super) needs_chains: Option<bool>,
}

/// A [`Conversion`](crate::Conversion) by roles in place of columns.
#[derive(Clone, Copy)]
pub(super) struct RoleConversion {
    /// Roles of the events that cost, such as loads: the first that there is.
    pub(super) cost_events: &'static [Role],
    /// A role whose count is subtracted from `cost_events`.
    pub(super) beyond: Option<Role>,
    /// Roles of all events of the kind that is converted, such as sectors.
    pub(super) all_events: &'static [Role],
    /// The wait, if `cost_events` are cycles of a chain.
    pub(super) wait: Option<Wait>,
}

/// A wait for a farther memory.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    /// Cycles by which one load that is waited for makes the chain longer.
    pub(super) cycles: f64,
    /// Whether the multiprocessor's other warps miss what is loaded, and this warp then waits too.
    pub(super) of_other_warps: bool,
}

pub(super) const fn event(resource: Resource, cycles: f64, roles: &'static [Role]) -> Event {
    Event {
        resource,
        cycles,
        roles,
        roles_of_32: &[],
        is_cached: false,
        at_most: &[],
        beyond: None,
        conversion: None,
        needs_chains: None,
    }
}

impl Event {
    const fn or_32(self, roles_of_32: &'static [&'static [Role]]) -> Self {
        Self {
            roles_of_32,
            ..self
        }
    }

    const fn unless_cached(self) -> Self {
        Self {
            is_cached: true,
            ..self
        }
    }

    /// Converts sectors into the loads whose sectors they are.
    const fn in_loads(self, at_most: &'static [Role]) -> Self {
        self.converted(LOADS, None, None, at_most)
    }

    /// Converts sectors into cycles by which a chain of loads is longer if a farther memory answers: `far` less `near`.
    const fn in_chain(
        self,
        far: &'static [Role],
        near: Role,
        wait: Wait,
        at_most: &'static [Role],
    ) -> Self {
        Self {
            needs_chains: Some(true),
            ..self.converted(far, Some(near), Some(wait), at_most)
        }
    }

    /// Converts sectors of global loads into `cost_events`.
    const fn converted(
        self,
        cost_events: &'static [Role],
        beyond: Option<Role>,
        wait: Option<Wait>,
        at_most: &'static [Role],
    ) -> Self {
        Self {
            at_most,
            conversion: Some(RoleConversion {
                cost_events,
                beyond,
                all_events: &[GlobalLoadSectors],
                wait,
            }),
            ..self
        }
    }

    /// Subtracts the chain of a memory that answers at once.
    const fn beyond(self, chain: Role) -> Self {
        Self {
            beyond: Some(chain),
            ..self
        }
    }

    /// Drops the event where chains are counted, since they hold these waits.
    const fn or_chain(self) -> Self {
        Self {
            needs_chains: Some(false),
            ..self
        }
    }
}

pub(super) const LOADS: &[Role] = &[GlobalLoads, GlobalLoadRequests];
const FP32: &[&[Role]] = &[
    &[ItemFp32],
    &[Fp32Adds, Fp32Multiplies, Fp32MultiplyAdds],
    &[Fp32Operations],
];
const FP64: &[&[Role]] = &[
    &[ItemFp64],
    &[Fp64Adds, Fp64Multiplies, Fp64MultiplyAdds],
    &[Fp64Operations],
];
const SPECIAL: &[&[Role]] = &[&[ItemConversions, ItemSpecials]];

#[rustfmt::skip]
pub(super) const EVENTS: &[Event] = &[
    event(Multiprocessor, 0.25, &[Instructions]).or_32(&[&[ItemInstructions]]),
    event(Multiprocessor, 0.5, &[AluInstructions]).or_32(&[&[ItemIntegers]]),
    event(Multiprocessor, 0.25, &[FmaInstructions]).or_32(FP32),
    event(Multiprocessor, 0.5, &[Fp64Instructions]).or_32(FP64),
    event(Multiprocessor, 2.0, &[SpecialInstructions]).or_32(SPECIAL),
    event(Multiprocessor, 1.0, &[MemoryInstructions]).or_32(&[&[ItemMemory]]),
    event(Multiprocessor, 0.5, &[UniformInstructions]),
    // All passes through L1's data banks; where these are not counted, local memory's.
    event(Multiprocessor, 1.0, &[L1Passes, LocalLoadPasses]),
    event(Multiprocessor, 0.25, &[GlobalLoadSectors]).or_32(&[&[GlobalLoadBytes]]),
    event(Multiprocessor, 0.25, &[GlobalStoreSectors]).or_32(&[&[GlobalStoreBytes]]),
    event(Multiprocessor, 4.0, &[LocalAtomics]),
    event(Multiprocessor, 0.25, &[PrivateLoadSectors]),
    event(Multiprocessor, 0.25, &[PrivateStoreSectors]),

    event(Device, 1.0, &[L2Requests]),
    event(Device, 0.5, &[L2ReadSectors]).or_32(&[&[L2Bytes]]),
    event(Device, 0.5, &[L2WriteSectors]),
    event(Device, 1.0, &[L2AtomicSectors]),
    event(Device, 1.0, &[L2ReductionSectors]),
    event(Device, 0.8, &[DramReadSectors]).or_32(&[&[DramReadBytes], &[DramBytes]]).unless_cached(),
    event(Device, 0.8, &[DramWriteSectors]).or_32(&[&[DramWriteBytes]]),
    event(Device, 100.0, &[WorkGroups, LaunchedWorkGroups]),
    event(Device, 25.0, &[Warps]),

    event(BusiestUnit, 1.0, &[BusiestInstructions]),
    event(BusiestUnit, 1.0, &[BusiestL2Requests]),
    event(BusiestUnit, 1.0, &[BusiestL2AtomicSectors]),
    event(BusiestUnit, 1.0, &[BusiestL2ReductionSectors]),

    event(Warp, 1.0, &[Chain]),
    event(Warp, 1.0, &[ChainLocalMemory]).beyond(Chain),
    event(Warp, 1.0, &[ChainLocalAtomics]).beyond(Chain),
    event(Warp, 1.0, &[ChainPrivate]).beyond(Chain),
    event(Warp, 1.0, &[ChainL1]).beyond(Chain),
    event(Warp, 1.0, &[ChainAtomics]).beyond(Chain),
    // The chains' latencies (profilers/src/sass) are 35, 250 and 600 cycles.
    event(Warp, 1.0, &[GlobalLoadMisses])
        .in_chain(&[ChainL2], ChainL1, Wait { cycles: 215.0, of_other_warps: false }, &[GlobalLoadSectors]),
    event(Warp, 0.5, &[GlobalLoadMisses])
        .in_chain(&[ChainL2], ChainL1, Wait { cycles: 215.0, of_other_warps: true }, &[GlobalLoadSectors]),
    event(Warp, 1.0, &[DramReadSectors])
        .in_chain(
            &[ChainDram], ChainL2, Wait { cycles: 350.0, of_other_warps: false }, &[GlobalLoadSectors, GlobalLoadMisses],
        )
        .unless_cached(),

    event(Warp, 3.0, &[Instructions]).or_32(&[&[ItemInstructions]]).or_chain(),
    event(WarpTurns, 0.5, &[Instructions]).or_32(&[&[ItemInstructions]]),
    event(Warp, 1.0, &[FmaInstructions]).or_32(FP32).or_chain(),
    event(Warp, 4.0, &[Fp64Instructions]).or_32(FP64).or_chain(),
    event(Warp, 8.0, &[SpecialInstructions]).or_32(SPECIAL).or_chain(),
    event(Warp, 8.0, &[Branches]).or_32(&[&[ItemControl]]).or_chain(),
    event(Warp, 20.0, &[BarrierInstructions]),
    event(Warp, 10.0, LOADS).or_chain(),
    event(Warp, 60.0, &[GlobalLoadMisses]).in_loads(&[GlobalLoadSectors]).or_chain(),
    event(Warp, 90.0, &[DramReadSectors]).in_loads(&[GlobalLoadSectors, GlobalLoadMisses]).unless_cached().or_chain(),
    event(Warp, 1.0, &[GlobalLoadSectors]).or_32(&[&[GlobalLoadBytes]]),
    event(Warp, 2.0, &[GlobalLoadMisses]),
    event(Warp, 10.0, &[GlobalStores, GlobalStoreRequests]),
    event(Warp, 1.0, &[GlobalStoreSectors]).or_32(&[&[GlobalStoreBytes]]),
    event(Warp, 30.0, &[PrivateLoads]).or_chain(),
    event(Warp, 10.0, &[PrivateStores]),
    event(Warp, 300.0, &[GlobalAtomicRequests]).or_chain(),
    event(Warp, 15.0, &[LocalLoads]).or_chain(),
    event(Warp, 5.0, &[LocalStores]).or_chain(),
    event(Warp, 1.0, &[LocalLoadPasses]),
    event(Warp, 1.0, &[LocalStorePasses]),
    event(Warp, 60.0, &[LocalAtomics]).or_chain(),
];

/// Roles of the launch that the method needs: they do not grow with the work.
pub(super) const GEOMETRY_ROLES: &[Role] = &[
    WorkGroupLimit,
    RegisterLimit,
    LocalMemoryLimit,
    WarpLimit,
    Waves,
];

/// Roles that say how many work-groups a multiprocessor holds at once.
pub(super) const RESIDENCY_ROLES: &[Role] =
    &[WorkGroupLimit, RegisterLimit, LocalMemoryLimit, WarpLimit];
