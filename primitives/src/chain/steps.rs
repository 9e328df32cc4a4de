//! The steps of a chain on a device.

use std::ops::Range;

use kerncast_opencl::{Function, OpenClError};

use crate::{
    Kind, Operation, Sink, Source, StreamError, Streamer, TripReport, Work,
    memory::Lease,
    pipeline::{Launches, Slot, in_order},
    reduce,
    scan::{self, Carried, Scanned},
    streamer::{Launched, Leg, Member, TILE, Task, WIDTH, bytes, groups, set},
    transform,
};

/// What is done to a chunk.
pub(super) enum Step {
    Transform {
        operation: Operation,
        from: Kind,
        to: Kind,
    },
    Scan {
        operation: Operation,
        element: Kind,
        /// Of an exclusive one.
        first: Option<Vec<u8>>,
    },
    /// The last one: an element a tile.
    Reduce { operation: Operation, element: Kind },
}

/// A step's kernels on one device.
enum Kernel {
    Transform(Function),
    Scan(scan::Kernels),
    Reduce(Function),
}

/// Device memory of a chain on one device.
struct Held {
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    /// Of what is between steps, in turn: chunks are worked on one after the other.
    between: Vec<Lease>,
    /// Of each step that is a scan: its tiles' sums, and what it carries.
    scans: Vec<Option<[Lease; 2]>>,
}

impl Step {
    fn output(&self) -> Kind {
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
                streamer.check_types(&[*from, *to], Some(operation))?;
                let source = transform::source(operation, &[*from], *to);
                let mut function = streamer.program(source)?.function("stream_transform")?;
                operation.pass(&mut function, transform::CAPTURED_AFTER + 1)?;
                Ok(Kernel::Transform(function))
            }
            Self::Scan {
                operation, element, ..
            } => {
                streamer.check_sums(*element, operation)?;
                let kernels = scan::Kernels::new(streamer, operation, *element)?;
                Ok(Kernel::Scan(kernels))
            }
            Self::Reduce { operation, element } => {
                streamer.check_sums(*element, operation)?;
                let source = reduce::source(operation, *element);
                let mut function = streamer.program(source)?.function("stream_reduce")?;
                operation.pass(&mut function, reduce::CAPTURED_AFTER)?;
                Ok(Kernel::Reduce(function))
            }
        }
    }

    /// What a forecast takes the chain for until it is known.
    fn work(&self) -> Work {
        match self {
            Self::Transform { .. } => Work::Transform,
            Self::Scan { .. } => Work::Scan,
            Self::Reduce { .. } => Work::Reduce,
        }
    }
}

/// All steps of an array, to what the last one makes.
pub(super) fn trip(
    streamer: &mut Streamer,
    input: Source<'_>,
    steps: &[Step],
    output: Sink<'_>,
) -> Result<TripReport, StreamError> {
    let kernels = streamer.each(|it| {
        let kernels = steps.iter().map(|step| step.kernel(it));
        kernels.collect::<Result<Vec<_>, _>>()
    })?;
    let (length, first) = (input.length, input.element);
    let last = steps.last().expect("a step");
    let share = match last {
        Step::Reduce { .. } => TILE,
        _ => 1,
    };
    let types = steps.iter().map(Step::output).chain([first]);
    let widest = types.map(Kind::bytes).max().unwrap_or(1);
    let (chunk, held) = streamer.fit(streamer.wish(length, widest), |chunk| {
        streamer.of_each(|it| {
            let count = it.slot_count(&[&input], &output);
            let outs = [(output.element, share)];
            hold(it, count, chunk, (first, &outs[..]), steps)
        })
    })?;
    let alone = held.len() == 1;
    let mut carried = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let Step::Scan { first, .. } = step else {
            carried.push(None);
            continue;
        };
        // Of one device it stays there from chunk to chunk.
        if let (Some(first), Some([_, carry]), true) = (first, &held[0].scans[place], alone) {
            streamer.queues[1].write(carry, first)?;
        }
        carried.push((!alone).then(|| Carried::new(first.clone())));
    }
    let segments = in_order(length, chunk);
    let outputs = in_order(output.length, chunk / share);
    let task = Task {
        chunk,
        chunks: segments.len(),
        launched: Some(Launched {
            work: Some(last.work()),
            element: last.output(),
            key: key(steps),
            elements: length,
        }),
    };
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
    let inputs = vec![Leg {
        array: input,
        segments: segments.clone(),
    }];
    let outputs = vec![Leg {
        array: output,
        segments: outputs,
    }];
    streamer.shared_trip(task, members.collect(), None, inputs, outputs, false)
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
    let mut from = slot.buffers_in[0].clone();
    for (place, kernel) in kernels.iter_mut().enumerate() {
        let to = match place + 1 == steps.len() {
            true => slot.buffers_out[0].clone(),
            false => held.between[place % 2].share(),
        };
        match (kernel, &steps[place]) {
            (Kernel::Transform(function), _) => {
                set(function, &[&from, &to], &[chunk.first, n])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)?;
            }
            (Kernel::Reduce(function), _) => {
                set(function, &[&from, &to], &[n])?;
                launches.launch(function, groups(n, TILE), WIDTH)?;
            }
            (Kernel::Scan(kernels), step) => {
                let exclusive = matches!(step, Step::Scan { first: Some(_), .. });
                let scanned = Scanned {
                    input: &from,
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
        from = to;
    }
    Ok(())
}

fn hold(
    streamer: &Streamer,
    slots: usize,
    chunk: u64,
    (input, outputs): (Kind, &[(Kind, u64)]),
    steps: &[Step],
) -> Result<Held, StreamError> {
    let what = "a chain";
    let (slots, leases) = streamer.slots(what, slots, chunk, &[input], Some(outputs))?;
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

/// The same for chains that take as long an element.
fn key(steps: &[Step]) -> String {
    let of = |step: &Step| match step {
        Step::Transform {
            operation,
            from,
            to,
        } => transform::source(operation, &[*from], *to),
        Step::Scan {
            operation, element, ..
        } => format!("scan {}", reduce::source(operation, *element)),
        Step::Reduce { operation, element } => reduce::source(operation, *element),
    };
    steps.iter().map(of).collect()
}
