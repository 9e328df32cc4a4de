//! Control flow of a warp's lanes: they part at branches, and meet again.

use std::cell::Cell;

use super::{
    Machine,
    arithmetic::Active,
    warp::{Path, Pause, Registers},
};
use crate::run::{Block, BlockId, Edge, End, Observer, Operation, Refusal, Slot};

/// The cost of an instruction however many lanes it has, in lanes.
const OVERHEAD: u64 = 8;

impl Machine<'_> {
    pub(super) fn run_warp(
        &mut self,
        warp: &mut Registers,
        observer: &mut impl Observer,
    ) -> Result<Pause, Refusal> {
        while let Some(mut path) = warp.paths.pop() {
            if path.next == 0 && path.until == Some(path.block) {
                warp.give_back(path.lanes);
                continue;
            }
            if path.lanes.is_empty() || path.next == 0 && warp.joins(&path) {
                warp.give_back(path.lanes);
                continue;
            }
            let (program, slice) = (self.program, self.slice);
            let place = path.block.place();
            let block = &program.blocks[place];
            let needed = &slice.needed[place];
            if path.next == 0 {
                let lanes = path.lanes.len() as u64;
                self.visits[place] += lanes;
                let cost = (lanes + OVERHEAD) * (needed.len() as u64 + 1);
                self.spent = self.spent.saturating_add(cost);
                if self.spent > self.limit {
                    let limit = self.limit;
                    return Err(Refusal::new(format!(
                        "a work-group takes more than {limit} steps to follow: it is too large, or a loop never ends"
                    )));
                }
                observer.block(warp.id, path.block, &path.lanes);
            }
            while let Some(at) = needed.get(path.next) {
                let instruction = &block.instructions[*at as usize];
                path.next += 1;
                if let Operation::Barrier = instruction.operation {
                    warp.paths.push(path);
                    return Ok(Pause::Barrier);
                }
                self.execute(warp, instruction, &path.lanes, observer);
            }
            self.leave_block(warp, path, block);
        }
        Ok(Pause::Done)
    }

    /// Lets a path go on behind its block.
    fn leave_block(&self, warp: &mut Registers, mut path: Path, block: &Block) {
        path.next = 0;
        match &block.end {
            End::Return => {
                warp.forget(0, &path.lanes);
                warp.give_back(path.lanes);
            }
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
                let bits = warp.lanes.register(self.places[condition.0 as usize]);
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
                self.diverge(warp, path, block, [(then, ones), (other, zeros)].into());
            }
            End::Switch {
                value,
                cases,
                default,
            } => {
                // Edges by their place: the default behind all cases.
                let numbers = warp.lanes.register(self.places[value.0 as usize]);
                let by_lane = path.lanes.iter().map(|lane| {
                    let number = numbers.get(usize::from(*lane)).map_or(0, Cell::get);
                    let case = cases.binary_search_by_key(&number, |(case, _)| *case);
                    (case.unwrap_or(cases.len()), *lane)
                });
                let mut by_lane: Vec<(usize, u16)> = by_lane.collect();
                by_lane.sort_unstable();
                let by_edge = by_lane
                    .chunk_by(|one, other| one.0 == other.0)
                    .map(|lanes| {
                        let edge = cases.get(lanes[0].0).map_or(default, |(_, edge)| edge);
                        (edge, lanes.iter().map(|(_, lane)| *lane).collect())
                    });
                self.diverge(warp, path, block, by_edge.collect());
            }
        }
    }

    /// Lets lanes follow different edges, until they reconverge.
    fn diverge(
        &self,
        warp: &mut Registers,
        mut path: Path,
        block: &Block,
        mut ways: Vec<(&Edge, Vec<u16>)>,
    ) {
        ways.retain(|(_, lanes)| !lanes.is_empty());
        for (edge, lanes) in &ways {
            self.take_over(warp, edge, lanes);
        }
        if let [(edge, _)] = ways.as_slice() {
            path.block = edge.to;
            warp.paths.push(path);
            return;
        }
        // Where the path itself ends, and behind it, lanes are awaited already.
        let mut until = path.until;
        let all = block.meets_in_loops.iter().chain(&block.meets);
        let open: Vec<BlockId> = all.copied().take_while(|it| Some(*it) != until).collect();
        for meets in open.into_iter().rev() {
            let mut lanes = warp.take_spare();
            lanes.extend(&path.lanes);
            warp.paths.push(Path {
                block: meets,
                next: 0,
                until,
                lanes,
            });
            until = Some(meets);
        }
        warp.give_back(path.lanes);
        for (edge, lanes) in ways.into_iter().rev() {
            // A path that begins where it ends is none.
            if Some(edge.to) != until {
                warp.paths.push(Path {
                    block: edge.to,
                    next: 0,
                    until,
                    lanes,
                });
            }
        }
    }

    /// Copies the values that phis take over along an edge.
    fn take_over(&self, warp: &mut Registers, edge: &Edge, lanes: &[u16]) {
        if edge.copies.is_empty() {
            return;
        }
        let place = |slot: Slot| self.places[slot.0 as usize];
        let all = edge.copies.iter();
        let copies = all.filter(|(to, _)| self.slice.slots[to.0 as usize]);
        let copies: Vec<(u32, u32)> = copies
            .map(|(to, from)| (place(*to), place(*from)))
            .collect();
        let active = Active {
            lanes,
            width: warp.lanes.width,
        };
        if let [(to, from)] = copies.as_slice() {
            let from = warp.lanes.register(*from);
            active.map(warp.lanes.register(*to), [from], |[number]| number);
            return;
        }
        warp.copied.clear();
        for (_, from) in &copies {
            let numbers = warp.lanes.register(*from);
            let all = lanes
                .iter()
                .map(|lane| numbers.get(usize::from(*lane)).map_or(0, Cell::get));
            warp.copied.extend(all);
        }
        for ((to, _), numbers) in copies.iter().zip(warp.copied.chunks(lanes.len().max(1))) {
            let cells = warp.lanes.register(*to);
            for (lane, number) in lanes.iter().zip(numbers) {
                if let Some(cell) = cells.get(usize::from(*lane)) {
                    cell.set(*number);
                }
            }
        }
    }
}
