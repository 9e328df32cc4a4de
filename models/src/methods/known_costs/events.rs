//! Costs of events on NVIDIA's GPUs, as documents and microbenchmarks say: in cycles of one multiprocessor. Only ratios
//! matter: a fit finds out how long a cycle is, and how many multiprocessors share the work.
//!
//! Throughput: NVIDIA, *CUDA C++ Programming Guide*, "Arithmetic Instructions" (results per cycle and multiprocessor,
//! compute capability 7.0 to 9.0); L1, L2 and DRAM: Jia, Maggioni, Staiger, Scarpazza,
//! *Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking*, 2018. Latency: the same two,
//! divided by the few instructions or loads of a warp that are under way at once (Volkov, *Understanding Latency Hiding
//! on GPUs*, 2016). What neither tells (launching a work-group or a warp, atomics) is the order of magnitude.

use Cycles::{About, No, UpTo};
use kerncast_wire::Role::{self, *};

/// One kind of event.
pub(super) struct Event {
    /// Roles that count it: the first that there is.
    pub(super) roles: &'static [Role],
    /// Sets of roles that count the same by work-items instead of warps, or by bytes instead of sectors, so that 32 are
    /// an event. Used where none of `roles` is counted: the first set with any that is; its counters add up.
    pub(super) roles_of_32: &'static [&'static [Role]],
    /// Cycles that it keeps a resource of its multiprocessor busy.
    pub(super) throughput: Cycles,
    /// Cycles that a warp waits for it.
    pub(super) latency: Cycles,
    /// Whether it is counted in the busiest of the units that share the work, so that a cycle is one of that unit.
    pub(super) busiest: bool,
}

/// Cycles, as far as they are known.
#[derive(Clone, Copy)]
pub(super) enum Cycles {
    /// None: its cost is counted elsewhere.
    No,
    /// About this many.
    About(f64),
    /// From 0 to this many, depending on what the counter does not tell.
    UpTo(f64),
}

const fn event(roles: &'static [Role], throughput: Cycles, latency: Cycles) -> Event {
    Event {
        roles,
        roles_of_32: &[],
        throughput,
        latency,
        busiest: false,
    }
}

impl Event {
    const fn or_32(self, roles_of_32: &'static [&'static [Role]]) -> Self {
        Self {
            roles_of_32,
            ..self
        }
    }

    const fn in_the_busiest_unit(self) -> Self {
        Self {
            busiest: true,
            ..self
        }
    }
}

#[rustfmt::skip]
pub(super) const EVENTS: &[Event] = &[
    event(&[Instructions], About(0.25), About(2.0)).or_32(&[&[ItemInstructions]]),
    event(&[AluInstructions], About(0.5), About(1.0)).or_32(&[&[ItemIntegers]]),
    event(&[FmaInstructions], About(0.25), About(1.0))
        .or_32(&[&[ItemFp32], &[Fp32Adds, Fp32Multiplies, Fp32MultiplyAdds], &[Fp32Operations]]),
    event(&[Fp64Instructions], About(0.5), About(4.0))
        .or_32(&[&[ItemFp64], &[Fp64Adds, Fp64Multiplies, Fp64MultiplyAdds], &[Fp64Operations]]),
    event(&[SpecialInstructions], About(2.0), About(8.0)).or_32(&[&[ItemConversions, ItemSpecials]]),
    event(&[MemoryInstructions], About(1.0), No).or_32(&[&[ItemMemory]]),
    event(&[Branches], No, About(8.0)).or_32(&[&[ItemControl]]),
    // Global memory at L1: a warp's request, and its sectors of 32 bytes.
    event(&[GlobalLoadRequests, GlobalLoads], About(0.5), About(20.0)),
    event(&[GlobalStoreRequests, GlobalStores], About(0.5), About(10.0)),
    event(&[GlobalLoadSectors], About(0.25), About(1.0)).or_32(&[&[GlobalLoadBytes]]),
    event(&[GlobalStoreSectors], About(0.25), About(1.0)).or_32(&[&[GlobalStoreBytes]]),
    event(&[GlobalLoadMisses], No, About(10.0)),
    event(&[PrivateLoadSectors], About(0.25), No),
    event(&[PrivateStoreSectors], About(0.25), No),
    // All passes through its data banks, local memory's too: one after the other (Nsight Compute, "Metrics
    // Decoder").
    event(&[L1Passes], About(1.0), No),
    // Local memory: a warp's load, and its passes through the banks.
    event(&[LocalLoads], No, About(15.0)),
    event(&[LocalStores], No, About(5.0)),
    event(&[LocalLoadPasses], About(1.0), About(1.0)),
    event(&[LocalStorePasses], About(1.0), About(1.0)),
    event(&[LocalAtomics], About(4.0), About(60.0)),
    // What all multiprocessors share, as one's part of it.
    event(&[L2Requests], About(1.0), No),
    event(&[L2ReadSectors], About(0.5), No).or_32(&[&[L2Bytes]]),
    event(&[L2WriteSectors], About(0.5), No),
    event(&[DramReadSectors], About(0.8), No).or_32(&[&[DramReadBytes], &[DramBytes]]),
    event(&[DramWriteSectors], About(0.8), No).or_32(&[&[DramWriteBytes]]),
    // Atomics: those on one address wait for each other, and their sum does not say how many. A fit that
    // has seen some is not let believe that all others wait as long.
    event(&[L2AtomicSectors], UpTo(10.0), No),
    event(&[L2ReductionSectors], UpTo(10.0), No),
    event(&[GlobalAtomicRequests], No, UpTo(60.0)),
    event(&[GlobalReductionRequests], No, UpTo(60.0)),
    // The busiest slice does say: it takes one a cycle (NVIDIA, *Kepler GK110 Whitepaper*, 2012).
    event(&[BusiestL2AtomicSectors], About(1.0), No).in_the_busiest_unit(),
    event(&[BusiestL2ReductionSectors], About(1.0), No).in_the_busiest_unit(),
    // A warp scheduler issues one a cycle.
    event(&[BusiestInstructions], About(1.0), No).in_the_busiest_unit(),
    event(&[LaunchedWorkGroups], About(100.0), No),
    event(&[Warps], About(25.0), No),
];

/// Roles that count who does the work: the first that there is.
pub(in crate::methods) const WORKERS: &[Role] = &[Warps, WorkItems];

/// Roles that stand in for workers where nothing counts these: stores and atomics, added up, since a worker most often
/// writes one result. Of each kind the first that there is.
pub(super) const WRITERS: [&[Role]; 3] = [
    &[GlobalStoreRequests, GlobalStores],
    &[GlobalAtomicRequests, L2AtomicSectors],
    &[GlobalReductionRequests, L2ReductionSectors],
];
