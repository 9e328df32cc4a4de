//! Work-groups, warp by warp.

use kerncast_suite::{LaunchArgument, Step};

use super::{
    BUFFER_SHIFT, Memory, ObjectKind, Observer, Program, Refusal, Slice, Slot, Warp, memory::Spaces,
};
use crate::llvm::Space;

mod arithmetic;
mod execute;
mod flow;
mod warp;

use warp::{Lanes, Pause, Registers};

/// The most bytes of the registers of a work-group.
const MOST_REGISTER_BYTES: usize = 1 << 30;

/// A launch's sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Dimensions, 1 to 3.
    pub dimensions: u32,
    /// Work-items of a work-group, by dimension.
    pub local: [u32; 3],
    /// Work-groups, by dimension.
    pub groups: [u32; 3],
}

impl Shape {
    /// The sizes of a launch; those of dimensions that it does not have are 1.
    pub fn new(step: &Step) -> Self {
        let sizes = |sizes: &[usize]| -> [u32; 3] {
            std::array::from_fn(|at| {
                let size = sizes.get(at).copied().unwrap_or(1);
                u32::try_from(size).unwrap_or(u32::MAX).max(1)
            })
        };
        let (global, local) = (sizes(&step.global), sizes(&step.local));
        Self {
            dimensions: u32::try_from(step.global.len()).unwrap_or(3),
            local,
            groups: std::array::from_fn(|at| (global[at] / local[at]).max(1)),
        }
    }

    /// Work-items of a work-group.
    pub fn items(&self) -> u64 {
        self.local.iter().map(|size| u64::from(*size)).product()
    }

    /// Work-groups.
    pub fn all_groups(&self) -> u64 {
        self.groups.iter().map(|size| u64::from(*size)).product()
    }
}

/// The register of each slot that is needed (of others [`u32::MAX`]), and how many registers there are.
fn registers(program: &Program, slice: &Slice) -> (Vec<u32>, u32) {
    let (mut places, mut count) = (vec![u32::MAX; program.slots as usize], 0);
    for (place, _) in places.iter_mut().zip(&slice.slots).filter(|it| *it.1) {
        *place = count;
        count += 1;
    }
    // What instructions write though nobody reads it.
    for (block, needed) in program.blocks.iter().zip(&slice.needed) {
        for place in needed {
            for result in &block.instructions[*place as usize].results {
                let register = &mut places[result.0 as usize];
                if *register == u32::MAX {
                    *register = count;
                    count += 1;
                }
            }
        }
    }
    (places, count)
}

/// All places of a box, those side by side in the first dimension first.
pub fn places([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z])))
}

/// Executes a [`Slice`] of a [`Program`], work-group by work-group.
pub struct Machine<'a> {
    program: &'a Program,
    slice: &'a Slice,
    shape: Shape,
    /// Number of executions of each block, summed over lanes.
    pub visits: Vec<u64>,
    /// The work executed so far: computed instructions, summed over lanes, one more for each block, and what an
    /// instruction costs however many lanes it has.
    pub spent: u64,
    /// The most work that may be executed.
    pub limit: u64,
    memory: Memory<'a>,
    /// The register of each slot, as [`registers`] gives it.
    places: Vec<u32>,
    /// Initial values of needed slots.
    first: Vec<(u32, u64)>,
    /// Bytes of structures that arguments give by value, and where in private memory they lie.
    by_value: Vec<(usize, Vec<u8>)>,
    registers: usize,
    width: usize,
    local: Vec<u8>,
    warps: Vec<Registers>,
}

impl<'a> Machine<'a> {
    /// A launch on warps of this many lanes, at most 65,535.
    ///
    /// # Errors
    /// The launch's arguments are not the kernel's, or a dimension has more work-items than 32 bits can number.
    pub fn new(
        program: &'a Program,
        slice: &'a Slice,
        step: &Step,
        mut memory: Memory<'a>,
        width: usize,
    ) -> Result<Self, Refusal> {
        if step.arguments.len() != program.arguments.len() {
            return Err(Refusal::new(format!(
                "the launch has {} arguments, and `{}` takes {}",
                step.arguments.len(),
                program.kernel,
                program.arguments.len()
            )));
        }
        let most = u32::MAX;
        if let Some(size) = step.global.iter().find(|it| u32::try_from(**it).is_err()) {
            return Err(Refusal::new(format!(
                "{size} work-items in a dimension: at most {most} are followed"
            )));
        }
        memory.tabulate(program);
        let (places, registers) = registers(program, slice);
        let mut machine = Self {
            program,
            slice,
            shape: Shape::new(step),
            visits: vec![0; program.blocks.len()],
            spent: 0,
            limit: u64::MAX,
            memory,
            places,
            first: Vec::new(),
            by_value: Vec::new(),
            registers: registers as usize,
            width: width.clamp(1, usize::from(u16::MAX)),
            local: Vec::new(),
            warps: Vec::new(),
        };
        for (slot, bits) in &program.constants {
            machine.holds(*slot, *bits);
        }
        machine.take_arguments(step)?;
        Ok(machine)
    }

    fn holds(&mut self, slot: Slot, bits: u64) {
        let place = self.places[slot.0 as usize];
        if place != u32::MAX {
            self.first.push((place, bits));
        }
    }

    fn take_arguments(&mut self, step: &Step) -> Result<(), Refusal> {
        let mut local_end = self.program.local_bytes;
        for (place, argument) in step.arguments.iter().enumerate() {
            let slots = self.program.arguments[place].clone();
            match argument {
                LaunchArgument::Buffer(buffer) => {
                    let address = (*buffer as u64 + 1) << BUFFER_SHIFT;
                    for slot in slots.take(1) {
                        self.holds(Slot(slot), address);
                    }
                }
                LaunchArgument::Local(bytes) => {
                    // As aligned as the largest vector.
                    let start = local_end.next_multiple_of(128);
                    local_end = start.saturating_add(*bytes as u64);
                    for slot in slots.take(1) {
                        self.holds(Slot(slot), start);
                    }
                }
                LaunchArgument::Scalar(bytes) => self.take_scalar(place, bytes),
                LaunchArgument::Null => self.take_scalar(place, &[0; 8]),
                LaunchArgument::Sampler(_) => {
                    return Err(Refusal::new("images are not known"));
                }
            }
        }
        let bytes = usize::try_from(local_end)
            .ok()
            .filter(|bytes| *bytes <= 1 << 30);
        let Some(bytes) = bytes else {
            return Err(Refusal::new("more than 1 GiB of local memory"));
        };
        self.local = vec![0; bytes];
        Ok(())
    }

    fn take_scalar(&mut self, place: usize, bytes: &[u8]) {
        for (at, object) in self.program.objects.iter().enumerate() {
            if let ObjectKind::ByValue { argument, offset } = object.kind
                && argument == place
            {
                if object.space == Space::Constant {
                    self.memory.put_table(at, bytes);
                    return;
                }
                let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                self.by_value.push((offset, bytes.to_vec()));
                return;
            }
        }
        let slots = self.program.arguments[place].clone();
        let each = bytes.len() / slots.len().next_power_of_two().max(1);
        // A vector of three takes as many bytes as one of four.
        for (slot, part) in slots.zip(bytes.chunks(each.max(1))) {
            let mut number = [0; 8];
            let length = part.len().min(8);
            number[..length].copy_from_slice(&part[..length]);
            self.holds(Slot(slot), u64::from_le_bytes(number));
        }
    }

    /// The memory with what the launch has written so far.
    pub fn memory(&self) -> &Memory<'a> {
        &self.memory
    }

    /// Work-groups, by dimension.
    pub fn groups(&self) -> [u32; 3] {
        self.shape.groups
    }

    /// All work-items of a work-group, by their places in it: the first dimension first.
    pub fn all_items(&self) -> Vec<[u32; 3]> {
        places(self.shape.local).collect()
    }

    /// Executes these work-items of a work-group, as many side by side as a warp has lanes.
    ///
    /// # Errors
    /// The limit is reached, or the work-group takes too much memory.
    pub fn run_group(
        &mut self,
        group: [u32; 3],
        items: &[[u32; 3]],
        observer: &mut impl Observer,
    ) -> Result<(), Refusal> {
        self.local.fill(0);
        let private = if self.slice.private {
            usize::try_from(self.program.private_bytes).unwrap_or(usize::MAX)
        } else {
            0
        };
        let warps = items.len().div_ceil(self.width);
        let lanes = self.width.min(items.len());
        let of_lane = self.registers.saturating_mul(8).saturating_add(private);
        let bytes = of_lane.saturating_mul(lanes).saturating_mul(warps);
        if bytes > MOST_REGISTER_BYTES {
            return Err(Refusal::new(
                "a work-group's registers and private memory take more than 1 GiB",
            ));
        }
        let mut all = std::mem::take(&mut self.warps);
        all.truncate(warps);
        for (index, items) in items.chunks(self.width).enumerate() {
            let id = Warp {
                group,
                index: u32::try_from(index).unwrap_or(u32::MAX),
            };
            if all
                .get(index)
                .is_none_or(|warp| !warp.is_like(items.len(), self.registers, private))
            {
                all.truncate(index);
                let registers = Registers::new(items.len(), self.registers, private, &self.first);
                all.push(registers);
            }
            if let Some(warp) = all.get_mut(index) {
                warp.begin(id, items, &self.by_value);
            }
        }
        let result = self.run_warps(&mut all, observer);
        self.warps = all;
        match self.memory.fault() {
            Some(fault) => Err(Refusal::new(fault)),
            None => result,
        }
    }

    fn run_warps(
        &mut self,
        warps: &mut [Registers],
        observer: &mut impl Observer,
    ) -> Result<(), Refusal> {
        let mut running = true;
        while running {
            running = false;
            for warp in warps.iter_mut() {
                if warp.is_done() {
                    continue;
                }
                match self.run_warp(warp, observer)? {
                    Pause::Barrier => {
                        running = true;
                        observer.barrier(warp.id);
                    }
                    Pause::Done => {}
                }
            }
        }
        Ok(())
    }

    fn spaces<'b>(&'b mut self, lanes: &'b mut Lanes, lane: usize) -> Spaces<'b, 'a> {
        Spaces {
            memory: &mut self.memory,
            local: &mut self.local,
            private: lanes.private(lane),
        }
    }
}
