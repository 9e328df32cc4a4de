//! Costs of events on a CPU's core, in cycles: rounded numbers of recent x86-64 (Fog, Instruction tables, 2022). Those
//! of caches are from microbenchmarks; lines that are fetched ahead cost a part of that. A fit finds by which factor
//! each is off.

use kerncast_wire::Role::*;

use super::events::{Event, event};
use crate::Resource::{BusiestUnit, Core};

#[rustfmt::skip]
pub(super) const EVENTS: &[Event] = &[
    event(BusiestUnit, 20.0, &[CoreBusiestAtomics]),

    event(Core, 0.3, &[CoreScalarInstructions]),
    event(Core, 0.35, &[CoreVectorInstructions]),
    event(Core, 0.35, &[CoreTurnInstructions]),
    event(Core, 0.2, &[CoreFloatInstructions]),
    event(Core, 1.0, &[CoreDividerCycles]),
    event(Core, 0.3, &[CoreFunctionInstructions]),
    event(Core, 16.0, &[CoreMispredictions]),
    event(Core, 1.0, &[CoreChain]),
    event(Core, 0.5, &[CoreLoads]),
    event(Core, 1.0, &[CoreStores]),
    event(Core, 0.5, &[CoreGatheredLoads]),
    event(Core, 0.5, &[CoreScatteredStores]),
    event(Core, 0.5, &[CorePrivateAccesses]),
    event(Core, 0.3, &[CoreLocalAccesses]),
    event(Core, 20.0, &[CoreAtomics]),
    event(Core, 20.0, &[CoreLocalAtomics]),
    event(Core, 2.0, &[CoreBarriers]),
    event(Core, 0.5, &[CoreTurns]),
    event(Core, 2.0, &[CoreStreamedL1Misses]),
    event(Core, 4.0, &[CoreStrayedL1Misses]),
    event(Core, 10.0, &[CoreL1Waits]),
    event(Core, 4.0, &[CoreStreamedL2Misses]),
    event(Core, 8.0, &[CoreStrayedL2Misses]),
    event(Core, 30.0, &[CoreL2Waits]),
    event(Core, 8.0, &[CoreStreamedL3Misses]),
    event(Core, 20.0, &[CoreStrayedL3Misses]),
    event(Core, 200.0, &[CoreL3Waits]),
    event(Core, 8.0, &[CoreWrittenBackLines]),
    event(Core, 300.0, &[WorkGroups]),
    event(Core, 1.0, &[WorkItems]),
];
