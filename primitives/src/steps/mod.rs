//! Steps that are done to chunks of arrays in one trip: a transform, a scan, a reduction, or several of them one after the
//! other.

mod carried;
pub(crate) mod scan;
mod sources;

use std::{ops::Range, sync::Arc};

use kerncast_opencl::{Buffer, Function, OpenClError};

use crate::{
    Operation, Sink, Source, StreamError, Streamer, TripReport, Type, Work,
    memory::Lease,
    pipeline::{Launches, Slot, in_order},
    streamer::{Launched, Leg, Member, TILE, Task, WIDTH, bytes, groups, set},
};
use carried::Carried;
use scan::Scanned;
pub(crate) use sources::INPUTS;

/// What is done to a chunk.
pub(crate) enum Step {
    /// Of one input, but for the first step, which may have more.
    Transform {
        operation: Operation,
        from: Vec<Type>,
        to: Type,
    },
    Scan {
        operation: Operation,
        element: Type,
        /// Of an exclusive one.
        first: Option<Vec<u8>>,
    },
    /// The last one: an element a tile.
    Reduce { operation: Operation, element: Type },
}

/// A step's kernels on one device.
enum Kernel {
    Transform(Function),
    Scan(scan::Kernels),
    Reduce(Function),
}

/// Device memory of the steps on one device.
struct Held {
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    /// Of what is between steps, in turn: chunks are worked on one after the other.
    between: Vec<Lease>,
    /// Of each step that is a scan: its tiles' sums, and what it carries.
    scans: Vec<Option<[Lease; 2]>>,
}

impl Step {
    fn output(&self) -> Type {
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
                streamer.check_types(from.iter().chain([to]), operation)?;
                let source = sources::transform(operation, from, *to);
                let mut function = streamer.program(source)?.function("stream_transform")?;
                operation.pass(&mut function, sources::transform_captures(from.len()))?;
                Ok(Kernel::Transform(function))
            }
            Self::Scan {
                operation, element, ..
            } => {
                streamer.check_types([element], operation)?;
                let kernels = scan::Kernels::new(streamer, operation, *element)?;
                Ok(Kernel::Scan(kernels))
            }
            Self::Reduce { operation, element } => {
                streamer.check_types([element], operation)?;
                let source = sources::reduce(operation, *element);
                let mut function = streamer.program(source)?.function("stream_reduce")?;
                operation.pass(&mut function, sources::REDUCE_CAPTURES)?;
                Ok(Kernel::Reduce(function))
            }
        }
    }

    /// What a forecast takes the steps for until they are known.
    fn work(&self) -> Work {
        match self {
            Self::Transform { .. } => Work::Transform,
            Self::Scan { .. } => Work::Scan,
            Self::Reduce { .. } => Work::Reduce,
        }
    }
}

/// All steps of arrays of the same length, to what the last one makes.
pub(crate) fn trip(
    streamer: &mut Streamer,
    inputs: Vec<Source<'_>>,
    steps: &[Step],
    output: Sink<'_>,
) -> Result<TripReport, StreamError> {
    let kernels = streamer.each(|it| {
        let kernels = steps.iter().map(|step| step.kernel(it));
        kernels.collect::<Result<Vec<_>, _>>()
    })?;
    let (length, last) = (inputs[0].length, steps.last().expect("a step"));
    let share = match last {
        Step::Reduce { .. } => TILE,
        _ => 1,
    };
    let types: Vec<Type> = inputs.iter().map(|it| it.element).collect();
    let all = steps.iter().map(Step::output).chain(types.iter().copied());
    let widest = all.map(Type::bytes).max().unwrap_or(1);
    let (chunk, held) = streamer.fit(streamer.wish(length, widest), |chunk| {
        streamer.of_each(|it| {
            let slots = it.slot_count(&inputs, &output);
            let outputs = [(output.element, share)];
            hold(it, slots, chunk, (&types, &outputs), steps)
        })
    })?;
    let carried = carried(streamer, steps, &held)?;
    let segments = in_order(length, chunk);
    let task = Task {
        chunk,
        chunks: segments.len(),
        launched: Some(Launched {
            work: last.work(),
            element: last.output(),
            key: key(steps),
            elements: length,
        }),
    };
    let results = in_order(output.length, chunk / share);
    let outputs = vec![Leg::new(output, &results)];
    let inputs = inputs.into_iter().map(|it| Leg::new(it, &segments));
    let inputs = inputs.collect();
    let (chunks, carried) = (&segments, &carried);
    let members = kernels.into_iter().zip(&held);
    let members = members.map(|(mut kernels, held)| Member {
        slots: &held.slots,
        compute: move |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
            let part: &Range<u64> = &chunks[index].host;
            let chunk = Chunk {
                index,
                first: part.start,
                length: part.end - part.start,
            };
            compute(&chunk, slot, steps, &mut kernels, held, carried, launches)
        },
    });
    streamer.shared_trip(task, members.collect(), inputs, outputs, false)
}

/// What each scan carries between devices; none of one device, where it stays from chunk to chunk.
fn carried(
    streamer: &Streamer,
    steps: &[Step],
    held: &[Held],
) -> Result<Vec<Option<Carried>>, StreamError> {
    let alone = held.len() == 1;
    let mut all = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let Step::Scan { first, .. } = step else {
            all.push(None);
            continue;
        };
        if let (Some(first), Some([_, carry]), true) = (first, &held[0].scans[place], alone) {
            streamer.queues[1].write(carry, first)?;
        }
        all.push((!alone).then(|| Carried::new(first.clone())));
    }
    Ok(all)
}

/// Elements that are on the device.
struct Chunk {
    index: usize,
    /// The place of the first one.
    first: u64,
    length: u64,
}

fn compute(
    chunk: &Chunk,
    slot: &Slot,
    steps: &[Step],
    kernels: &mut [Kernel],
    held: &Held,
    carried: &[Option<Carried>],
    launches: &mut Launches<'_>,
) -> Result<(), OpenClError> {
    let n = chunk.length;
    let mut from: Vec<Arc<Buffer>> = slot.buffers_in.clone();
    for (place, kernel) in kernels.iter_mut().enumerate() {
        let to = match place + 1 == steps.len() {
            true => slot.buffers_out[0].clone(),
            false => held.between[place % 2].share(),
        };
        let buffers: Vec<_> = from.iter().chain([&to]).collect();
        match (kernel, &steps[place]) {
            (Kernel::Transform(function), _) => {
                set(function, &buffers, &[chunk.first, n])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)?;
            }
            (Kernel::Reduce(function), _) => {
                set(function, &buffers, &[n])?;
                launches.launch(function, groups(n, TILE), WIDTH)?;
            }
            (Kernel::Scan(kernels), step) => {
                let exclusive = matches!(step, Step::Scan { first: Some(_), .. });
                let scanned = Scanned {
                    input: &from[0],
                    output: &to,
                    length: n,
                    carried: exclusive || chunk.index > 0,
                    exclusive,
                };
                let [sums, carry] = held.scans[place].as_ref().expect("a scan has both");
                let (sums, carry) = (sums.share(), carry.share());
                match &carried[place] {
                    None => kernels.launch(&scanned, &sums, &carry, launches)?,
                    Some(carried) => {
                        let own = [&sums, &carry];
                        carried.launch(chunk.index, kernels, scanned, own, launches)?;
                    }
                }
            }
        }
        from = vec![to];
    }
    Ok(())
}

fn hold(
    streamer: &Streamer,
    slots: usize,
    chunk: u64,
    (inputs, outputs): (&[Type], &[(Type, u64)]),
    steps: &[Step],
) -> Result<Held, StreamError> {
    let what = name(steps);
    let (slots, leases) = streamer.slots(what, slots, chunk, inputs, Some(outputs))?;
    let made = &steps[..steps.len() - 1];
    let mut between = Vec::new();
    for parity in 0..made.len().min(2) {
        let its = made.iter().skip(parity).step_by(2).map(Step::output);
        let widest = its.max_by_key(|it| it.bytes()).expect("one at least");
        between.push(streamer.memory.take(what, bytes(chunk, widest))?);
    }
    let mut scans = Vec::new();
    for step in steps {
        let Step::Scan { element, .. } = step else {
            scans.push(None);
            continue;
        };
        let sums = streamer.memory.take(what, bytes(chunk / TILE, *element))?;
        let carry = streamer.memory.take(what, element.bytes())?;
        scans.push(Some([sums, carry]));
    }
    Ok(Held {
        slots,
        _leases: leases,
        between,
        scans,
    })
}

/// For who has too little memory for it.
fn name(steps: &[Step]) -> &'static str {
    match steps {
        [Step::Transform { .. }] => "a transform",
        [Step::Scan { .. }] => "a scan",
        [Step::Reduce { .. }] => "a reduction",
        _ => "a chain",
    }
}

/// The same for steps that take as long an element.
fn key(steps: &[Step]) -> String {
    let of = |step: &Step| match step {
        Step::Transform {
            operation,
            from,
            to,
        } => sources::transform(operation, from, *to),
        Step::Scan {
            operation, element, ..
        } => format!("scan {}", sources::reduce(operation, *element)),
        Step::Reduce { operation, element } => sources::reduce(operation, *element),
    };
    steps.iter().map(of).collect()
}
