//! Execution of a warp's instructions.

use std::cell::Cell;

use super::{
    Machine,
    arithmetic::{Active, atomic},
    warp::{Lanes, Registers},
};
use crate::{
    llvm::{AtomicOp, Space},
    run::{
        Access, AccessId, AccessKind, Goal, Id, Instruction, Observer, Operation, Part, Slot,
        memory::Spaces,
    },
};

impl Machine<'_> {
    pub(super) fn execute(
        &mut self,
        warp: &mut Registers,
        instruction: &Instruction,
        lanes: &[u16],
        observer: &mut impl Observer,
    ) {
        let operands = &instruction.operands;
        match &instruction.operation {
            Operation::Access(access) => self.access(warp, instruction, *access, lanes, observer),
            operation => {
                let Some(result) = instruction.results.first() else {
                    return;
                };
                let register = |slot: &Slot| warp.lanes.register(self.places[slot.0 as usize]);
                let to = register(result);
                match (operation, operands.split_first()) {
                    (Operation::Place(id), Some((dimension, _))) => {
                        self.execute_place(*id, warp, lanes, to, register(dimension));
                    }
                    (Operation::Pick, Some((index, from))) => {
                        let index = register(index);
                        for lane in lanes.iter().map(|lane| usize::from(*lane)) {
                            let at = index.get(lane).map_or(0, Cell::get);
                            let from = usize::try_from(at).ok().and_then(|at| from.get(at));
                            let number = from.and_then(|from| register(from).get(lane));
                            if let Some(to) = to.get(lane) {
                                to.set(number.map_or(0, Cell::get));
                            }
                        }
                    }
                    _ => {
                        let width = warp.lanes.width;
                        let all = [0, 1, 2].map(|at| operands.get(at).or(operands.first()));
                        let all = all.map(|slot| slot.map_or(&[][..], register));
                        Active { lanes, width }.compute(operation, to, all);
                    }
                }
            }
        }
    }

    /// Writes each lane's place or size in the launch, in the dimension that its lane of `dimensions` names.
    fn execute_place(
        &self,
        id: Id,
        warp: &Registers,
        lanes: &[u16],
        to: &[Cell<u64>],
        dimensions: &[Cell<u64>],
    ) {
        for lane in lanes.iter().map(|lane| usize::from(*lane)) {
            if let (Some(to), Some(dimension), Some(item)) = (
                to.get(lane),
                dimensions.get(lane),
                warp.lanes.items.get(lane),
            ) {
                to.set(self.place(id, dimension.get(), warp.id.group, *item));
            }
        }
    }

    fn place(&self, id: Id, dimension: u64, group: [u32; 3], item: [u32; 3]) -> u64 {
        let (local, groups) = (
            self.shape.local.map(u64::from),
            self.shape.groups.map(u64::from),
        );
        let (group, item) = (group.map(u64::from), item.map(u64::from));
        let at = usize::try_from(dimension).ok().filter(|at| *at < 3);
        let one = |numbers: [u64; 3], otherwise| at.map_or(otherwise, |at| numbers[at]);
        let global: [u64; 3] = std::array::from_fn(|at| group[at] * local[at] + item[at]);
        let sizes: [u64; 3] = std::array::from_fn(|at| groups[at] * local[at]);
        let linear =
            |place: [u64; 3], size: [u64; 3]| (place[2] * size[1] + place[1]) * size[0] + place[0];
        match id {
            Id::GlobalId => one(global, 0),
            Id::LocalId => one(item, 0),
            Id::GroupId => one(group, 0),
            Id::GlobalSize => one(sizes, 1),
            Id::LocalSize => one(local, 1),
            Id::NumGroups => one(groups, 1),
            Id::GlobalOffset => 0,
            Id::WorkDim => self.shape.dimensions.into(),
            Id::GlobalLinearId => linear(global, sizes),
            Id::LocalLinearId => linear(item, local),
        }
    }

    fn access(
        &mut self,
        warp: &mut Registers,
        instruction: &Instruction,
        id: AccessId,
        lanes: &[u16],
        observer: &mut impl Observer,
    ) {
        let program = self.program;
        let access = &program.accesses[id.0 as usize];
        let Some((address, operands)) = instruction.operands.split_first() else {
            return;
        };
        let mut addresses = std::mem::take(&mut warp.addresses);
        addresses.clear();
        let from = warp.lanes.register(self.places[address.0 as usize]);
        addresses.extend(
            lanes
                .iter()
                .map(|lane| from.get(usize::from(*lane)).map_or(0, Cell::get)),
        );
        if self.slice.goal != Goal::Branches {
            observer.access(warp.id, id, lanes, &addresses);
        }
        let computes = instruction
            .results
            .iter()
            .any(|slot| self.slice.slots[slot.0 as usize])
            || (access.kind.writes() && self.slice.reads_write(id));
        if computes {
            let place = |slot: &Slot| self.places[slot.0 as usize];
            let registers = AccessRegisters {
                access,
                results: instruction.results.iter().map(place).collect(),
                operands: operands.iter().map(place).collect(),
            };
            for (lane, address) in lanes.iter().zip(&addresses) {
                self.access_lane(warp, &registers, usize::from(*lane), *address);
            }
        }
        warp.addresses = addresses;
    }

    fn access_lane(
        &mut self,
        warp: &mut Registers,
        registers: &AccessRegisters<'_>,
        lane: usize,
        address: u64,
    ) {
        let (results, operands) = (&registers.results, &registers.operands);
        let (space, parts) = (registers.access.space, &registers.access.parts);
        let number = |lanes: &Lanes, place: Option<&u32>| {
            let cells = place.map(|place| lanes.register(*place));
            cells.and_then(|cells| cells.get(lane)).map_or(0, Cell::get)
        };
        let set = |lanes: &Lanes, place: Option<&u32>, number: u64| {
            if let Some(cell) = place.and_then(|place| lanes.register(*place).get(lane)) {
                cell.set(number);
            }
        };
        match registers.access.kind {
            AccessKind::Load => {
                for (part, result) in parts.iter().zip(results) {
                    let at = address.wrapping_add(part.offset);
                    let spaces = self.spaces(&mut warp.lanes, lane);
                    let loaded = spaces.load(space, at, part.bytes);
                    set(&warp.lanes, Some(result), loaded);
                }
            }
            AccessKind::Store => {
                for (part, operand) in parts.iter().zip(operands) {
                    let at = address.wrapping_add(part.offset);
                    let stored = number(&warp.lanes, Some(operand));
                    let mut spaces = self.spaces(&mut warp.lanes, lane);
                    spaces.store(space, at, part.bytes, stored);
                }
            }
            AccessKind::Atomic(op) => {
                let Some(part) = parts.first() else { return };
                let operand = number(&warp.lanes, operands.first());
                let mut spaces = self.spaces(&mut warp.lanes, lane);
                let old = exchange(&mut spaces, space, address, *part, op, operand);
                set(&warp.lanes, results.first(), old);
            }
            AccessKind::CompareExchange => {
                let Some(part) = parts.first() else { return };
                let expected = number(&warp.lanes, operands.first());
                let new = number(&warp.lanes, operands.get(1));
                let mut spaces = self.spaces(&mut warp.lanes, lane);
                let old = spaces.load(space, address, part.bytes);
                if old == expected {
                    spaces.store(space, address, part.bytes, new);
                }
                set(&warp.lanes, results.first(), old);
                set(&warp.lanes, results.get(1), u64::from(old == expected));
            }
        }
    }
}

/// An access and the registers of its slots.
struct AccessRegisters<'a> {
    access: &'a Access,
    results: Vec<u32>,
    operands: Vec<u32>,
}

fn exchange(
    spaces: &mut Spaces<'_, '_>,
    space: Space,
    address: u64,
    part: Part,
    op: AtomicOp,
    operand: u64,
) -> u64 {
    let old = spaces.load(space, address, part.bytes);
    let new = atomic(op, old, operand, u32::from(part.bytes) * 8);
    spaces.store(space, address, part.bytes, new);
    old
}
