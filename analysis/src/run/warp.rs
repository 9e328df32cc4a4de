//! A warp: its lanes' registers, and which of them are where.

use std::cell::Cell;

use super::{
    AccessId, AccessKind, BlockId, Edge, End, Id, Instruction, Machine, Observer, Operation, Part,
    Refusal, Slot, Warp, memory::Spaces,
};
use crate::llvm::{AtomicOp, Space};

mod arithmetic;

use arithmetic::{Active, atomic};

/// What an instruction costs however many lanes it has, in lanes.
const OVERHEAD: u64 = 8;

/// Why a warp does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    Barrier,
    Done,
}

/// Lanes that go the same way.
#[derive(Clone, Debug)]
struct Path {
    block: BlockId,
    /// Instructions of the block that are behind it: places among the needed ones.
    done: usize,
    /// Where it ends: the path below goes on there, with these lanes among its own.
    until: Option<BlockId>,
    lanes: Vec<u16>,
}

/// A warp's registers and private memory, for one work-group after the other.
pub(super) struct Registers {
    id: Warp,
    lanes: Lanes,
    paths: Vec<Path>,
    registers: usize,
    /// Vectors of lanes that were given back.
    spare: Vec<Vec<u16>>,
    addresses: Vec<u64>,
    copied: Vec<u64>,
}

pub(super) struct Lanes {
    /// Each register's lanes side by side.
    numbers: Vec<Cell<u64>>,
    width: usize,
    private: Vec<u8>,
    private_bytes: usize,
    items: Vec<[u32; 3]>,
}

impl Lanes {
    /// A lane's private memory.
    pub(super) fn private(&mut self, lane: usize) -> &mut [u8] {
        let start = lane * self.private_bytes;
        self.private
            .get_mut(start..start + self.private_bytes)
            .unwrap_or_default()
    }

    fn of(&self, register: u32) -> &[Cell<u64>] {
        let start = register as usize * self.width;
        self.numbers
            .get(start..start + self.width)
            .unwrap_or_default()
    }
}

impl Registers {
    pub(super) fn new(
        width: usize,
        registers: usize,
        private_bytes: usize,
        first: &[(u32, u64)],
    ) -> Self {
        let lanes = Lanes {
            numbers: vec![Cell::new(0); registers * width],
            width,
            private: vec![0; width * private_bytes],
            private_bytes,
            items: Vec::new(),
        };
        for (register, bits) in first {
            for cell in lanes.of(*register) {
                cell.set(*bits);
            }
        }
        Self {
            id: Warp {
                group: [0; 3],
                index: 0,
            },
            lanes,
            paths: Vec::new(),
            registers,
            spare: Vec::new(),
            addresses: Vec::new(),
            copied: Vec::new(),
        }
    }

    pub(super) fn is_like(&self, width: usize, registers: usize, private: usize) -> bool {
        self.lanes.width == width
            && self.registers == registers
            && self.lanes.private_bytes == private
    }

    pub(super) fn begin(&mut self, id: Warp, items: &[[u32; 3]], by_value: &[(usize, Vec<u8>)]) {
        self.id = id;
        self.lanes.items.clear();
        self.lanes.items.extend(items);
        self.lanes.private.fill(0);
        for lane in 0..self.lanes.width {
            let private = self.lanes.private(lane);
            for (offset, bytes) in by_value {
                if let Some(room) = private
                    .get_mut(*offset..)
                    .filter(|room| room.len() >= bytes.len())
                {
                    room[..bytes.len()].copy_from_slice(bytes);
                }
            }
        }
        self.paths.clear();
        self.paths.push(Path {
            block: BlockId(0),
            done: 0,
            until: None,
            lanes: (0..items.len())
                .filter_map(|lane| u16::try_from(lane).ok())
                .collect(),
        });
    }

    pub(super) fn is_done(&self) -> bool {
        self.paths.is_empty()
    }

    pub(super) fn id(&self) -> Warp {
        self.id
    }

    fn take_spare(&mut self) -> Vec<u16> {
        let mut lanes = self.spare.pop().unwrap_or_default();
        lanes.clear();
        lanes
    }

    fn give_back(&mut self, lanes: Vec<u16>) {
        self.spare.push(lanes);
    }
}

impl Machine<'_> {
    pub(super) fn run_warp(
        &mut self,
        warp: &mut Registers,
        observer: &mut impl Observer,
    ) -> Result<Pause, Refusal> {
        while let Some(mut path) = warp.paths.pop() {
            if path.done == 0 && path.until == Some(path.block) {
                warp.give_back(path.lanes);
                continue;
            }
            let (program, slice) = (self.program, self.slice);
            let place = path.block.place();
            let block = &program.blocks[place];
            let needed = &slice.needed[place];
            if path.done == 0 {
                let lanes = path.lanes.len() as u64;
                self.visits[place] += lanes;
                let cost = (lanes + OVERHEAD) * (needed.len() as u64 + 1);
                self.spent = self.spent.saturating_add(cost);
                if self.spent > self.limit {
                    let limit = self.limit;
                    let reason = format!("more than {limit} instructions: does a loop never end?");
                    return Err(Refusal::new(reason));
                }
                observer.block(warp.id, path.block, &path.lanes);
            }
            while let Some(at) = needed.get(path.done) {
                let instruction = &block.instructions[*at as usize];
                path.done += 1;
                if let Operation::Barrier = instruction.operation {
                    warp.paths.push(path);
                    return Ok(Pause::Barrier);
                }
                self.execute(warp, instruction, &path.lanes, observer);
            }
            self.leave(warp, path, &block.end, block.meets);
        }
        Ok(Pause::Done)
    }

    fn leave(&self, warp: &mut Registers, mut path: Path, end: &End, meets: Option<BlockId>) {
        path.done = 0;
        match end {
            End::Return => warp.give_back(path.lanes),
            End::Jump(edge) => {
                self.take_over(warp, edge, &path.lanes);
                path.block = edge.to;
                warp.paths.push(path);
            }
            End::Branch {
                condition,
                then,
                other,
            } => {
                let mut ones = warp.take_spare();
                let mut zeros = warp.take_spare();
                let bits = warp.lanes.of(self.places[condition.0 as usize]);
                for lane in &path.lanes {
                    let one = bits
                        .get(usize::from(*lane))
                        .is_some_and(|bit| bit.get() & 1 == 1);
                    if one {
                        ones.push(*lane)
                    } else {
                        zeros.push(*lane)
                    }
                }
                self.part(warp, path, meets, [(then, ones), (other, zeros)].into());
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                // Ways by their place: the default behind all cases.
                let mut by_way: Vec<(usize, u16)> = Vec::with_capacity(path.lanes.len());
                let numbers = warp.lanes.of(self.places[value.0 as usize]);
                for lane in &path.lanes {
                    let number = numbers.get(usize::from(*lane)).map_or(0, Cell::get);
                    let way = cases.binary_search_by_key(&number, |(case, _)| *case);
                    by_way.push((way.unwrap_or(cases.len()), *lane));
                }
                by_way.sort_unstable();
                let mut ways: Vec<(&Edge, Vec<u16>)> = Vec::new();
                let mut last = None;
                for (way, lane) in by_way {
                    if last != Some(way) {
                        let edge = cases.get(way).map_or(default, |(_, edge)| edge);
                        ways.push((edge, Vec::new()));
                        last = Some(way);
                    }
                    if let Some((_, lanes)) = ways.last_mut() {
                        lanes.push(lane);
                    }
                }
                self.part(warp, path, meets, ways);
            }
        }
    }

    /// Lanes go different ways, each until they meet.
    fn part(
        &self,
        warp: &mut Registers,
        mut path: Path,
        meets: Option<BlockId>,
        mut ways: Vec<(&Edge, Vec<u16>)>,
    ) {
        ways.retain(|(_, lanes)| !lanes.is_empty());
        for (edge, lanes) in &ways {
            self.take_over(warp, edge, lanes);
        }
        if let [(edge, _)] = ways.as_slice() {
            path.block = edge.to;
            warp.paths.push(path);
        } else if let Some(meets) = meets {
            let until = path.until;
            path.block = meets;
            // A path that begins where it ends is none.
            if until != Some(meets) {
                warp.paths.push(path);
            } else {
                warp.give_back(path.lanes);
            }
            for (edge, lanes) in ways.into_iter().rev() {
                if edge.to != meets {
                    warp.paths.push(Path {
                        block: edge.to,
                        done: 0,
                        until: Some(meets),
                        lanes,
                    });
                }
            }
        } else {
            for (edge, lanes) in ways.into_iter().rev() {
                warp.paths.push(Path {
                    block: edge.to,
                    done: 0,
                    until: None,
                    lanes,
                });
            }
        }
    }

    /// What phis take over on a way.
    fn take_over(&self, warp: &mut Registers, edge: &Edge, lanes: &[u16]) {
        if edge.copies.is_empty() {
            return;
        }
        let place = |slot: Slot| self.places[slot.0 as usize];
        let wanted = edge
            .copies
            .iter()
            .filter(|(to, _)| self.slice.slots[to.0 as usize]);
        let wanted: Vec<(u32, u32)> = wanted
            .map(|(to, from)| (place(*to), place(*from)))
            .collect();
        let active = Active {
            lanes,
            width: warp.lanes.width,
        };
        if let [(to, from)] = wanted.as_slice() {
            active.one(warp.lanes.of(*to), warp.lanes.of(*from), |number| number);
            return;
        }
        warp.copied.clear();
        for (_, from) in &wanted {
            let numbers = warp.lanes.of(*from);
            let all = lanes
                .iter()
                .map(|lane| numbers.get(usize::from(*lane)).map_or(0, Cell::get));
            warp.copied.extend(all);
        }
        for ((to, _), numbers) in wanted.iter().zip(warp.copied.chunks(lanes.len().max(1))) {
            let cells = warp.lanes.of(*to);
            for (lane, number) in lanes.iter().zip(numbers) {
                if let Some(cell) = cells.get(usize::from(*lane)) {
                    cell.set(*number);
                }
            }
        }
    }

    fn execute(
        &mut self,
        warp: &mut Registers,
        instruction: &Instruction,
        lanes: &[u16],
        observer: &mut impl Observer,
    ) {
        let operands = &instruction.operands;
        let place = |slot: &Slot| self.places[slot.0 as usize];
        match &instruction.operation {
            Operation::Access(access) => self.access(warp, instruction, *access, lanes, observer),
            Operation::Place(id) => {
                let (Some(result), Some(dimension)) =
                    (instruction.results.first(), operands.first())
                else {
                    return;
                };
                let (to, by) = (
                    warp.lanes.of(place(result)),
                    warp.lanes.of(place(dimension)),
                );
                for lane in lanes.iter().map(|lane| usize::from(*lane)) {
                    if let (Some(to), Some(by), Some(item)) =
                        (to.get(lane), by.get(lane), warp.lanes.items.get(lane))
                    {
                        to.set(self.place(*id, by.get(), warp.id.group, *item));
                    }
                }
            }
            Operation::Pick => {
                let (Some(result), Some((index, from))) =
                    (instruction.results.first(), operands.split_first())
                else {
                    return;
                };
                let (to, index) = (warp.lanes.of(place(result)), warp.lanes.of(place(index)));
                for lane in lanes.iter().map(|lane| usize::from(*lane)) {
                    let at = index.get(lane).map_or(0, Cell::get);
                    let from = usize::try_from(at).ok().and_then(|at| from.get(at));
                    let number = from.and_then(|from| warp.lanes.of(place(from)).get(lane));
                    if let Some(to) = to.get(lane) {
                        to.set(number.map_or(0, Cell::get));
                    }
                }
            }
            operation => {
                let Some(result) = instruction.results.first() else {
                    return;
                };
                let active = Active {
                    lanes,
                    width: warp.lanes.width,
                };
                let of = |at: usize| {
                    let slot = operands.get(at).or(operands.first());
                    slot.map_or(&[][..], |slot| warp.lanes.of(place(slot)))
                };
                active.compute(operation, warp.lanes.of(place(result)), of(0), of(1), of(2));
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
        let from = warp.lanes.of(self.places[address.0 as usize]);
        addresses.extend(
            lanes
                .iter()
                .map(|lane| from.get(usize::from(*lane)).map_or(0, Cell::get)),
        );
        if self.slice.wanted != super::Wanted::Branches {
            observer.access(warp.id, id, lanes, &addresses);
        }
        let computes = instruction
            .results
            .iter()
            .any(|slot| self.slice.slots[slot.0 as usize])
            || (access.kind.writes() && self.slice.writes(id));
        if computes {
            let place = |slot: &Slot| self.places[slot.0 as usize];
            let results: Vec<u32> = instruction.results.iter().map(place).collect();
            let operands: Vec<u32> = operands.iter().map(place).collect();
            for (lane, address) in lanes.iter().zip(&addresses) {
                let lane = usize::from(*lane);
                self.access_lane(
                    warp,
                    access.kind,
                    access.space,
                    &access.parts,
                    lane,
                    *address,
                    &results,
                    &operands,
                );
            }
        }
        warp.addresses = addresses;
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "all of them differ from lane to lane or access to access"
    )]
    fn access_lane(
        &mut self,
        warp: &mut Registers,
        kind: AccessKind,
        space: Space,
        parts: &[Part],
        lane: usize,
        address: u64,
        results: &[u32],
        operands: &[u32],
    ) {
        let number = |lanes: &Lanes, place: Option<&u32>| {
            let cells = place.map(|place| lanes.of(*place));
            cells.and_then(|cells| cells.get(lane)).map_or(0, Cell::get)
        };
        let set = |lanes: &Lanes, place: Option<&u32>, number: u64| {
            if let Some(cell) = place.and_then(|place| lanes.of(*place).get(lane)) {
                cell.set(number);
            }
        };
        match kind {
            AccessKind::Load => {
                for (part, result) in parts.iter().zip(results) {
                    let at = address.wrapping_add(part.offset);
                    let loaded = self
                        .spaces(&mut warp.lanes, lane)
                        .load(space, at, part.bytes);
                    set(&warp.lanes, Some(result), loaded);
                }
            }
            AccessKind::Store => {
                for (part, operand) in parts.iter().zip(operands) {
                    let at = address.wrapping_add(part.offset);
                    let stored = number(&warp.lanes, Some(operand));
                    self.spaces(&mut warp.lanes, lane)
                        .store(space, at, part.bytes, stored);
                }
            }
            AccessKind::Atomic(op) => {
                let Some(part) = parts.first() else { return };
                let given = number(&warp.lanes, operands.first());
                let mut spaces = self.spaces(&mut warp.lanes, lane);
                let old = exchange(&mut spaces, space, address, *part, op, given);
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

fn exchange(
    spaces: &mut Spaces<'_>,
    space: Space,
    address: u64,
    part: Part,
    op: AtomicOp,
    given: u64,
) -> u64 {
    let old = spaces.load(space, address, part.bytes);
    let new = atomic(op, old, given, u32::from(part.bytes) * 8);
    spaces.store(space, address, part.bytes, new);
    old
}
