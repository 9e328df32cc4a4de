//! Costs of events on NVIDIA's GPUs, in cycles, as documents and microbenchmarks say: a fit finds out how long a cycle
//! is, and by what factor each is off. Sources are those of `known_costs`; the waits for L2 and DRAM are a part of the
//! latencies in Jia and others (2018), since a warp has several loads under way.

use Place::{Device, Multiprocessor, Turn, Unit, Warp};
use kerncast_wire::Role::{self, *};

use crate::Place;

/// One kind of event in one place.
pub(super) struct Event {
    pub(super) place: Place,
    /// Cycles of an event: of one multiprocessor, of one multiprocessor's part of what all share, of the unit, or of a
    /// warp.
    pub(super) cycles: f64,
    /// Roles that count it: the first that there is.
    pub(super) roles: &'static [Role],
    /// Sets of roles that count the same by work-items instead of warps, or by bytes instead of sectors, so that 32 are
    /// an event. Used where none of `roles` is counted: the first set with any that is; its counters add up.
    pub(super) of_32: &'static [&'static [Role]],
    /// Whether the last cache keeps the events' data from one launch to the next, if they fit.
    pub(super) is_cached: bool,
    /// Roles that bound the number of events from above, as far as they are counted.
    pub(super) at_most: &'static [Role],
    /// A role whose count is subtracted from the events: what one chain is longer by than another.
    pub(super) beyond: Option<Role>,
    /// The events that cost, if those are others.
    pub(super) each: Option<Each>,
    /// Whether warps' chains must be counted, or must not be, since the chains hold these waits already; none where
    /// either will do.
    pub(super) chains: Option<bool>,
}

/// A conversion into the events that cost, such as sectors into loads: these are made up of the counted ones.
#[derive(Clone, Copy)]
pub(super) struct Each {
    /// Roles of the events that cost.
    pub(super) others: &'static [Role],
    /// A role whose count is subtracted from `others`.
    pub(super) beyond: Option<Role>,
    /// Roles of the events that `others` are made up of.
    pub(super) of: &'static [Role],
    /// The wait, if `others` are cycles of a chain: the cycles by which one load that is waited for makes it longer,
    /// and whether other warps miss what is loaded.
    pub(super) wait: Option<(f64, bool)>,
}

pub(super) const fn event(place: Place, cycles: f64, roles: &'static [Role]) -> Event {
    Event {
        place,
        cycles,
        roles,
        of_32: &[],
        is_cached: false,
        at_most: &[],
        beyond: None,
        each: None,
        chains: None,
    }
}

impl Event {
    const fn or_32(self, of_32: &'static [&'static [Role]]) -> Self {
        Self { of_32, ..self }
    }

    const fn unless_cached(self) -> Self {
        Self {
            is_cached: true,
            ..self
        }
    }

    /// Converts sectors into the loads whose sectors they are.
    const fn in_loads(self, at_most: &'static [Role]) -> Self {
        self.in_all_loads(LOADS, None, at_most)
    }

    /// Converts sectors into cycles by which a chain of loads is longer if a farther memory answers. `cycles`: those of
    /// one wait for that memory.
    const fn in_chain(
        self,
        far: &'static [Role],
        near: Role,
        cycles: f64,
        at_most: &'static [Role],
    ) -> Self {
        let mut event = self.in_all_loads(far, Some(near), at_most).chained(true);
        if let Some(each) = &mut event.each {
            each.wait = Some((cycles, false));
        }
        event
    }

    /// Counts the misses of the multiprocessor's other warps, for which this warp then waits too.
    const fn of_others(mut self) -> Self {
        if let Some(each) = &mut self.each
            && let Some((_, of_others)) = &mut each.wait
        {
            *of_others = true;
        }
        self
    }

    const fn in_all_loads(
        self,
        others: &'static [Role],
        beyond: Option<Role>,
        at_most: &'static [Role],
    ) -> Self {
        let of = &[GlobalLoadSectors];
        Self {
            at_most,
            each: Some(Each {
                others,
                beyond,
                of,
                wait: None,
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

    const fn chained(self, counted: bool) -> Self {
        Self {
            chains: Some(counted),
            ..self
        }
    }

    /// Drops the event where chains are counted, since they hold these waits.
    const fn or_chain(self) -> Self {
        self.chained(false)
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

    event(Unit, 1.0, &[BusiestInstructions]),
    event(Unit, 1.0, &[BusiestL2Requests]),
    event(Unit, 1.0, &[BusiestL2AtomicSectors]),
    event(Unit, 1.0, &[BusiestL2ReductionSectors]),

    event(Warp, 1.0, &[Chain]),
    event(Warp, 1.0, &[ChainLocalMemory]).beyond(Chain),
    event(Warp, 1.0, &[ChainLocalAtomics]).beyond(Chain),
    event(Warp, 1.0, &[ChainPrivate]).beyond(Chain),
    event(Warp, 1.0, &[ChainL1]).beyond(Chain),
    event(Warp, 1.0, &[ChainAtomics]).beyond(Chain),
    // The chains' latencies (profilers/src/sass) are 35, 250 and 600 cycles.
    event(Warp, 1.0, &[GlobalLoadMisses]).in_chain(&[ChainL2], ChainL1, 215.0, &[GlobalLoadSectors]),
    event(Warp, 0.5, &[GlobalLoadMisses]).in_chain(&[ChainL2], ChainL1, 215.0, &[GlobalLoadSectors]).of_others(),
    event(Warp, 1.0, &[DramReadSectors]).in_chain(&[ChainDram], ChainL2, 350.0, &[GlobalLoadSectors, GlobalLoadMisses]).unless_cached(),

    event(Warp, 3.0, &[Instructions]).or_32(&[&[ItemInstructions]]).or_chain(),
    event(Turn, 0.5, &[Instructions]).or_32(&[&[ItemInstructions]]),
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
pub(super) const ASKED: &[Role] = &[
    WorkGroupLimit,
    RegisterLimit,
    LocalMemoryLimit,
    WarpLimit,
    Waves,
];

/// Roles that say how many work-groups a multiprocessor holds at once.
pub(super) const LIMITS: &[Role] = &[WorkGroupLimit, RegisterLimit, LocalMemoryLimit, WarpLimit];
