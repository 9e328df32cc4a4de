//! Steps: a transform, a scan or a reduction of chunks in one trip.

pub(crate) mod scan;
mod sources;

use std::ops::Range;

use kerncast_opencl::{Function, OpenClError};

use crate::{
    ElementType, Operation, Sink, Source, StreamError, StreamWork, Streamer, TripReport,
    memory::Lease,
    pipeline::{Launches, Slot, in_order},
    streamer::{Computation, GROUP_ELEMENTS, Leg, Task, WIDTH, bytes, groups, set_arguments},
};
use scan::ScanArrays;
pub(crate) use sources::INPUT_NAMES;

/// The computation on a chunk.
pub(crate) enum Step {
    /// A transform, of one input or more.
    Transform {
        operation: Operation,
        from: Vec<ElementType>,
        to: ElementType,
    },
    Scan {
        operation: Operation,
        element: ElementType,
    },
    /// A reduction, which gives an element for each tile.
    Reduce {
        operation: Operation,
        element: ElementType,
    },
}

/// A step's kernels.
enum Kernel {
    Transform(Function),
    Scan(scan::Kernels),
    Reduce(Function),
}

/// Device memory of a step.
struct StepMemory {
    slots: Vec<Slot>,
    /// The sums of tiles, and the result that a chunk carries to the next; none unless the step is a scan.
    scan: Option<[Lease; 2]>,
}

impl Step {
    fn output(&self) -> ElementType {
        match self {
            Self::Transform { to, .. } => *to,
            Self::Scan { element, .. } | Self::Reduce { element, .. } => *element,
        }
    }

    fn kernel(&self, streamer: &mut Streamer) -> Result<Kernel, StreamError> {
        match self {
            Self::Transform {
                operation,
                from,
                to,
            } => {
                streamer.check_types(from.iter().chain([to]))?;
                let source = sources::transform(operation, from, *to);
                let function = streamer.program(source)?.function("stream_transform")?;
                Ok(Kernel::Transform(function))
            }
            Self::Scan { operation, element } => {
                streamer.check_types([element])?;
                let kernels = scan::Kernels::new(streamer, operation, *element)?;
                Ok(Kernel::Scan(kernels))
            }
            Self::Reduce { operation, element } => {
                streamer.check_types([element])?;
                let source = sources::reduce(operation, *element);
                let function = streamer.program(source)?.function("stream_reduce")?;
                Ok(Kernel::Reduce(function))
            }
        }
    }

    /// The work whose rates forecast the step until the step itself was measured.
    fn work(&self) -> StreamWork {
        match self {
            Self::Transform { .. } => StreamWork::Transform,
            Self::Scan { .. } => StreamWork::Scan,
            Self::Reduce { .. } => StreamWork::Reduce,
        }
    }

    /// The name in an error about too little memory.
    fn name(&self) -> &'static str {
        match self {
            Self::Transform { .. } => "a transform",
            Self::Scan { .. } => "a scan",
            Self::Reduce { .. } => "a reduction",
        }
    }

    /// A key that is equal for steps that take the same time for an element.
    fn key(&self) -> String {
        match self {
            Self::Transform {
                operation,
                from,
                to,
            } => sources::transform(operation, from, *to),
            Self::Scan { operation, element } => {
                format!("scan {}", sources::reduce(operation, *element))
            }
            Self::Reduce { operation, element } => sources::reduce(operation, *element),
        }
    }
}

/// Runs one trip in which a step is applied to arrays of the same length.
pub(crate) fn run_step(
    streamer: &mut Streamer,
    inputs: Vec<Source<'_>>,
    step: &Step,
    output: Sink<'_>,
) -> Result<TripReport, StreamError> {
    let mut kernel = step.kernel(streamer)?;
    let length = inputs[0].length;
    let share = match step {
        Step::Reduce { .. } => GROUP_ELEMENTS,
        _ => 1,
    };
    let types: Vec<ElementType> = inputs.iter().map(|it| it.element).collect();
    let all = types.iter().copied().chain([step.output()]);
    let widest = all.map(ElementType::bytes).max().unwrap_or(1);
    let (chunk, memory) = streamer.fit_chunk(streamer.wished_chunk(length, widest), |chunk| {
        let slots = streamer.slot_count(&inputs, &output);
        let outputs = [(output.element, share)];
        allocate(streamer, slots, chunk, (&types, &outputs), step)
    })?;
    let segments = in_order(length, chunk);
    let task = Task {
        chunk,
        chunks: segments.len(),
        computation: Some(Computation {
            work: step.work(),
            element: step.output(),
            key: step.key(),
            elements: length,
        }),
    };
    let results = in_order(output.length, chunk / share);
    let outputs = vec![Leg::new(output, &results)];
    let inputs = inputs.into_iter().map(|it| Leg::new(it, &segments));
    let inputs = inputs.collect();
    let mut compute = |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
        let part: &Range<u64> = &segments[index].elements;
        let chunk = Chunk {
            index,
            first: part.start,
            length: part.end - part.start,
        };
        compute(&chunk, slot, &mut kernel, &memory, launches)
    };
    streamer.trip(task, &memory.slots, inputs, outputs, false, &mut compute)
}

/// The elements of a chunk.
struct Chunk {
    index: usize,
    /// The place of the first element in the array.
    first: u64,
    length: u64,
}

fn compute(
    chunk: &Chunk,
    slot: &Slot,
    kernel: &mut Kernel,
    memory: &StepMemory,
    launches: &mut Launches<'_>,
) -> Result<(), OpenClError> {
    let n = chunk.length;
    let (from, to) = (&slot.buffers_in, &slot.buffers_out[0]);
    let buffers: Vec<_> = from.iter().chain([to]).collect();
    match kernel {
        Kernel::Transform(function) => {
            set_arguments(function, &buffers, &[chunk.first, n])?;
            launches.launch(function, groups(n, WIDTH as u64), WIDTH)
        }
        Kernel::Reduce(function) => {
            set_arguments(function, &buffers, &[n])?;
            launches.launch(function, groups(n, GROUP_ELEMENTS), WIDTH)
        }
        Kernel::Scan(kernels) => {
            let arrays = ScanArrays {
                input: &from[0],
                output: to,
                length: n,
                has_carry: chunk.index > 0,
                exclusive: false,
            };
            let [sums, carry] = memory.scan.as_ref().expect("a scan has both");
            kernels.launch(&arrays, sums, carry, launches)
        }
    }
}

fn allocate(
    streamer: &Streamer,
    slots: usize,
    chunk: u64,
    (inputs, outputs): (&[ElementType], &[(ElementType, u64)]),
    step: &Step,
) -> Result<StepMemory, StreamError> {
    let name = step.name();
    let slots = streamer.allocate_slots(name, slots, chunk, inputs, Some(outputs))?;
    let scan = match step {
        Step::Scan { element, .. } => Some([
            streamer
                .memory
                .lease(name, bytes(chunk / GROUP_ELEMENTS, *element))?,
            streamer.memory.lease(name, element.bytes())?,
        ]),
        _ => None,
    };
    Ok(StepMemory { slots, scan })
}
