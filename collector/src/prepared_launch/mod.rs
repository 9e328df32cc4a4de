//! A workload, ready to be launched on a device.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_opencl::{Function, OpenClDevice, OpenClError, Program, Queue};
use kerncast_suite::{
    Access, Data, Kernel, Launch, LaunchArgument, LaunchBuffer, Parameters, Variant, load,
};

use self::{memory::Memory, signature::Signature};
use crate::{device::limits, workload::WorkloadKey};

mod error;
mod functions;
mod launch_events;
mod memory;
mod replay;
mod signature;
mod source;

pub use error::RunError;
pub(crate) use launch_events::LaunchEvents;
pub(crate) use source::build;

/// A built program with its buffers filled.
pub struct PreparedLaunch {
    /// The launch with all values.
    pub launch: Launch,
    /// Local memory of one work-group, bytes; of several launches the largest.
    pub local_bytes: u64,
    queue: Queue,
    program: Program,
    /// A function for each different pair of name and arguments.
    functions: Vec<Function>,
    /// The index in `functions` of each step.
    order: Vec<usize>,
    /// A slot for each buffer of the launch.
    slots: Vec<Slot>,
}

/// A kernel's variant of this name, and its launch.
pub(crate) fn find_launch<'k>(
    kernel: &'k Kernel,
    variant: &str,
    parameters: &Parameters,
) -> Result<(&'k Variant, Launch), RunError> {
    let variant = kernel.variant(variant).ok_or_else(|| RunError::NoVariant {
        kernel: kernel.name.clone(),
        variant: variant.to_owned(),
    })?;
    Ok((variant, Launch::new(kernel, variant, parameters)?))
}

/// A buffer or an image on the device.
struct Slot {
    access: Access,
    /// The contents before the first launch; none where only the kernel writes it, which starts from 0xFF bytes.
    input: Option<Data>,
    memory: Memory,
    /// The contents of read-write memory before the first launch, on the device.
    original: Option<Memory>,
}

impl PreparedLaunch {
    /// Reads a kernel's folder and prepares a workload.
    ///
    /// # Errors
    /// The workload can't be run.
    pub fn load(device: &OpenClDevice, workload: &WorkloadKey) -> Result<(Kernel, Self), RunError> {
        let kernel = load(&workload.folder)?.remove(0);
        let prepared = Self::new(device, &kernel, &workload.variant, &workload.parameters)?;
        Ok((kernel, prepared))
    }

    /// Builds the program, fills buffers and sets arguments; launches nothing.
    ///
    /// # Errors
    /// The workload can't be run.
    pub fn new(
        device: &OpenClDevice,
        kernel: &Kernel,
        variant: &str,
        parameters: &Parameters,
    ) -> Result<Self, RunError> {
        let (variant, launch) = find_launch(kernel, variant, parameters)?;
        launch.fits(limits(&device.facts))?;
        let queue = device.context()?.queue()?;
        let program = build(queue.context(), &launch, &kernel.folder, "")?;
        let inputs = launch.inputs(&kernel.name, parameters)?;
        let buffers = launch.buffers.iter().zip(inputs);
        let slots: Vec<Slot> = buffers
            .map(|(buffer, input)| slot(&queue, buffer, input))
            .collect::<Result<_, _>>()?;
        let signature = Signature {
            context: queue.context(),
            kernel,
            variant,
            launch: &launch,
        };
        let (functions, order) = functions::functions(&signature, &program, &launch.steps, &slots)?;
        let mut local_bytes = 0;
        for function in &functions {
            local_bytes = local_bytes.max(function.local_bytes()?);
        }
        Ok(Self {
            launch,
            local_bytes,
            queue,
            program,
            functions,
            order,
            slots,
        })
    }

    /// Local memory of one work-group of a workload, bytes, like [`local_bytes`](Self::local_bytes). It needs the built
    /// source and the launch file, but no buffers.
    ///
    /// # Errors
    /// The workload can't be built.
    pub fn local_bytes_of(device: &OpenClDevice, workload: &WorkloadKey) -> Result<u64, RunError> {
        let kernel = load(&workload.folder)?.remove(0);
        let (variant, launch) = find_launch(&kernel, &workload.variant, &workload.parameters)?;
        let context = device.context()?;
        let program = build(&context, &launch, &kernel.folder, "")?;
        let signature = Signature {
            context: &context,
            kernel: &kernel,
            variant,
            launch: &launch,
        };
        let (mut most, mut checked) = (0, BTreeSet::new());
        for step in &launch.steps {
            let function = program.function(&step.function)?;
            // A function's steps may differ in their sizes, and a step repeats.
            if checked.insert((&*step.function, &*step.names, &*step.local)) {
                signature.check(step, &function)?;
            }
            let in_source = function.local_bytes()?;
            let local_arguments = step.arguments.iter().map(|argument| match argument {
                LaunchArgument::Local(bytes) => *bytes as u64,
                _ => 0,
            });
            most = most.max(in_source + local_arguments.sum::<u64>());
        }
        Ok(most)
    }

    /// Launches the workload once and waits.
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn launch(&self) -> Result<LaunchEvents, OpenClError> {
        let events = self.enqueue()?;
        self.queue.finish()?;
        Ok(events)
    }

    /// Launches without waiting: all steps, one after the other.
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn enqueue(&self) -> Result<LaunchEvents, OpenClError> {
        let mut events: Option<LaunchEvents> = None;
        let mut is_over = false;
        let mut steps = self.launch.steps.iter().zip(&self.order).peekable();
        while let Some((step, function)) = steps.next() {
            if is_over && step.round.is_some() {
                continue;
            }
            let function = &self.functions[*function];
            let event = self
                .queue
                .launch(function, &step.global, &step.local, &[])?;
            if step.is_timed {
                let (first, last) = match events {
                    None => (event, None),
                    Some(earlier) => (earlier.first, Some(event)),
                };
                events = Some(LaunchEvents { first, last });
            }
            let next = steps.peek().and_then(|it| it.0.round);
            if let Some(until) = self.launch.until
                && step.round.is_some()
                && step.round != next
            {
                is_over = self.is_as_filled(until)?;
            }
        }
        Ok(events.expect("there is a step at least"))
    }

    /// Whether a buffer still has its contents from before the first launch; if not, they are restored.
    fn is_as_filled(&self, place: usize) -> Result<bool, OpenClError> {
        let (slot, buffer) = (&self.slots[place], &self.launch.buffers[place]);
        let mut content = buffer.zeros();
        slot.memory.read(&self.queue, &mut content)?;
        let is_same = slot
            .input
            .as_ref()
            .is_some_and(|it| it.bytes() == content.bytes());
        if !is_same && let Some(original) = &slot.original {
            slot.memory.copy_from(original, &self.queue)?;
        }
        Ok(is_same)
    }

    /// The queue of its launches.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Whether a buffer must be refilled before every launch.
    pub fn needs_refill(&self) -> bool {
        self.slots.iter().any(|slot| slot.original.is_some())
    }

    /// Refills read-write buffers.
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn refill(&self) -> Result<(), OpenClError> {
        for slot in &self.slots {
            if let Some(original) = &slot.original {
                slot.memory.copy_from(original, &self.queue)?;
            }
        }
        self.queue.finish()
    }

    /// The first component that a launch does not write: its argument and its index.
    ///
    /// `outputs` come from a launch over 0xFF bytes. Remaining 0xFF bytes may also be a result, so a second launch over
    /// zeros decides. (In floats they are NaN, which the comparison has refused.)
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn unwritten(
        &self,
        outputs: &BTreeMap<String, Data>,
    ) -> Result<Option<(String, usize)>, OpenClError> {
        if !outputs
            .values()
            .any(|data| consists_of(data, 0xFF).any(|whole| whole))
        {
            return Ok(None);
        }
        let is_output = |(_, slot): &(&LaunchBuffer, &Slot)| slot.access == Access::Write;
        for (_, slot) in self.buffers().filter(is_output) {
            slot.memory.fill(&self.queue, 0x00)?;
        }
        self.refill()?;
        self.launch()?;
        // Where order does not count, a place says nothing.
        let placed = self.buffers().filter(|(buffer, _)| !buffer.any_order);
        for (buffer, slot) in placed.filter(is_output) {
            for (name, over_zeros) in self.columns(buffer, slot)? {
                let was = consists_of(&outputs[&name], 0xFF);
                let is = consists_of(&over_zeros, 0x00);
                if let Some(place) = was.zip(is).position(|(was, is)| was && is) {
                    return Ok(Some((name, place)));
                }
            }
        }
        Ok(None)
    }

    /// The contents of filled buffers before the first launch, by argument; structures are bytes.
    pub fn into_inputs(self) -> BTreeMap<String, Data> {
        let buffers = self.launch.buffers.into_iter().zip(self.slots);
        buffers
            .filter_map(|(buffer, slot)| Some((buffer.name, slot.input?)))
            .collect()
    }

    /// The current outputs by argument; those of structures by `argument.field`.
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn outputs(&self) -> Result<BTreeMap<String, Data>, OpenClError> {
        let mut outputs = BTreeMap::new();
        for (buffer, slot) in self.buffers() {
            if slot.access.writes() {
                outputs.extend(self.columns(buffer, slot)?);
            }
        }
        Ok(outputs)
    }

    fn buffers(&self) -> impl Iterator<Item = (&LaunchBuffer, &Slot)> {
        self.launch.buffers.iter().zip(&self.slots)
    }

    /// The current contents of a buffer, by name.
    fn columns(
        &self,
        buffer: &LaunchBuffer,
        slot: &Slot,
    ) -> Result<Vec<(String, Data)>, OpenClError> {
        let mut data = buffer.zeros();
        slot.memory.read(&self.queue, &mut data)?;
        Ok(buffer.columns(data))
    }
}

fn slot(queue: &Queue, buffer: &LaunchBuffer, input: Option<Data>) -> Result<Slot, OpenClError> {
    let holding = |data: &Data| {
        let memory = Memory::new(queue.context(), buffer)?;
        memory.write(queue, data)?;
        Ok::<_, OpenClError>(memory)
    };
    let original = match (buffer.access, &input) {
        (Access::ReadWrite, Some(data)) => Some(holding(data)?),
        _ => None,
    };
    let memory = match &input {
        Some(data) => holding(data)?,
        None => {
            let memory = Memory::new(queue.context(), buffer)?;
            memory.fill(queue, 0xFF)?;
            memory
        }
    };
    Ok(Slot {
        access: buffer.access,
        input,
        memory,
        original,
    })
}

/// For each component: whether all its bytes are `byte`.
fn consists_of(data: &Data, byte: u8) -> impl Iterator<Item = bool> {
    data.bytes()
        .chunks_exact(data.base().bytes())
        .map(move |component| component.iter().all(|it| *it == byte))
}
