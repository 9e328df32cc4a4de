//! A device that streams go through.

use std::{collections::HashMap, sync::Arc, thread, time::Instant};

use kerncast_opencl::{Buffer, Function, OpenClDevice, OpenClError, Pinned, Program, Queue};
use serde::{Deserialize, Serialize};

use crate::{
    Operation, Plan, StreamError, TripReport, Type, Way,
    array::{From, Into, Sink, Source},
    memory::{Lease, Memory},
    pipeline::{Launches, Means, Segment, Slot, Trip, pieces_of, pieces_to, run},
};

/// Elements of a work-group of every kernel here that counts by tiles: chunks are multiples of it.
pub(crate) const TILE: u64 = (WIDTH * ITEMS) as u64;
/// Work-items of a work-group.
pub(crate) const WIDTH: usize = 256;
/// Elements of a work-item.
pub(crate) const ITEMS: usize = 16;

/// How streams are to be done. docs/streams.md says what was measured of the defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Device memory that may be used, bytes.
    pub device_memory: u64,
    /// The largest array of a chunk, bytes. Sorts have chunks of their own.
    pub chunk_bytes: u64,
    /// What is staged at once, bytes.
    pub piece_bytes: usize,
    /// Chunks on the device at once.
    pub slots: usize,
    /// Threads that copy; where both ways need some, half of them each way.
    pub lanes: usize,
}

impl Options {
    /// For a device with `device_memory` bytes to use.
    pub fn new(device_memory: u64) -> Self {
        Self {
            device_memory,
            chunk_bytes: 32 << 20,
            piece_bytes: 4 << 20,
            slots: 3,
            lanes: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Takes arrays through one device. It keeps its queues, pinned memory, device memory and compiled programs
/// from call to call.
pub struct Streamer {
    pub(crate) device: OpenClDevice,
    pub(crate) options: Options,
    pub(crate) memory: Memory,
    /// In, compute, out.
    pub(crate) queues: [Queue; 3],
    staging: [Vec<Pinned>; 2],
    programs: HashMap<String, Arc<Program>>,
    compiled: usize,
}

/// An array of a trip, and where its elements go.
pub(crate) struct Leg<A> {
    pub(crate) array: A,
    pub(crate) segments: Vec<Segment>,
}

impl Streamer {
    /// Of a device.
    ///
    /// # Errors
    /// The driver's.
    ///
    /// # Panics
    /// If `options` have no slot, lane or piece.
    pub fn new(device: OpenClDevice, options: Options) -> Result<Self, StreamError> {
        assert!(
            options.slots > 0 && options.lanes > 0 && options.piece_bytes > 0,
            "{options:?}"
        );
        let context = device.context()?;
        let queues = [context.queue()?, context.queue()?, context.queue()?];
        Ok(Self {
            memory: Memory::new(queues[1].clone(), options.device_memory),
            device,
            options,
            queues,
            staging: [Vec::new(), Vec::new()],
            programs: HashMap::new(),
            compiled: 0,
        })
    }

    /// Pinned memory for arrays of the caller, all 0.
    ///
    /// # Errors
    /// Too little memory, for one.
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, StreamError> {
        Ok(self.queues[0].pinned(bytes)?)
    }

    /// How many programs it has compiled.
    pub fn compiled(&self) -> usize {
        self.compiled
    }

    /// # Errors
    /// Without 64-bit floating point there is no `double`.
    pub(crate) fn check_types(
        &self,
        types: &[Type],
        operation: Option<&Operation>,
    ) -> Result<(), StreamError> {
        let double = types.contains(&Type::F64) || operation.is_some_and(Operation::has_double);
        if double && !self.device.has_extension("cl_khr_fp64") {
            return Err(StreamError::NoDouble(self.device.facts.name.clone()));
        }
        Ok(())
    }

    /// A program, which is compiled once.
    ///
    /// # Errors
    /// The compiler's log: the operation's, as the rest compiles.
    pub(crate) fn program(&mut self, source: String) -> Result<Arc<Program>, StreamError> {
        if let Some(known) = self.programs.get(&source) {
            return Ok(known.clone());
        }
        let built = self.queues[1].context().build(&source, "");
        let program = Arc::new(built.map_err(|why| match why {
            OpenClError::Build(log) => StreamError::Operation(log),
            other => other.into(),
        })?);
        self.compiled += 1;
        self.programs.insert(source, program.clone());
        Ok(program)
    }

    /// Tries chunks of `wish` elements, then of half as many, until `attempt` finds memory.
    ///
    /// # Errors
    /// There is none for the smallest, which is a tile.
    pub(crate) fn fit<T>(
        &self,
        wish: u64,
        mut attempt: impl FnMut(u64) -> Result<T, StreamError>,
    ) -> Result<(u64, T), StreamError> {
        let mut chunk = wish.next_multiple_of(TILE).max(TILE);
        loop {
            let less = (chunk / 2).next_multiple_of(TILE);
            match attempt(chunk) {
                Ok(found) => return Ok((chunk, found)),
                Err(StreamError::Memory { .. }) if less < chunk => {}
                Err(StreamError::Device(why)) if why.is_out_of_memory() && less < chunk => {}
                Err(why) => return Err(why),
            }
            chunk = less;
        }
    }

    /// Elements of the chunks that are best where there is memory enough, for `length` elements of `widest` bytes.
    pub(crate) fn wish(&self, length: u64, widest: usize) -> u64 {
        length.min(self.options.chunk_bytes / widest as u64)
    }

    /// `count` slots with buffers of `chunk` elements; outputs none where they lie where inputs do.
    pub(crate) fn slots(
        &self,
        what: &'static str,
        count: usize,
        chunk: u64,
        inputs: &[Type],
        outputs: Option<&[(Type, u64)]>,
    ) -> Result<(Vec<Slot>, Vec<Lease>), StreamError> {
        let mut leases = Vec::new();
        let mut slots = Vec::new();
        for _ in 0..count {
            let mut lend = |elements: u64, element: Type| {
                let lease = self.memory.take(what, bytes(elements, element))?;
                let buffer = lease.share();
                leases.push(lease);
                Ok::<Arc<Buffer>, StreamError>(buffer)
            };
            let buffers_in: Vec<_> = inputs
                .iter()
                .map(|&it| lend(chunk, it))
                .collect::<Result<_, _>>()?;
            let buffers_out = match outputs {
                None => buffers_in.clone(),
                Some(outputs) => {
                    let lent = outputs
                        .iter()
                        .map(|&(element, share)| lend(chunk / share, element));
                    lent.collect::<Result<_, _>>()?
                }
            };
            slots.push(Slot {
                buffers_in,
                buffers_out,
            });
        }
        Ok((slots, leases))
    }

    pub(crate) fn plan(
        &self,
        (chunk_elements, chunks): (u64, usize),
        slots: usize,
        ways_in: Vec<Way>,
        ways_out: Vec<Way>,
    ) -> Plan {
        // More threads than cores slow each other down: on 16 cores 8 each way were best, then 16 (docs/streams.md).
        let copied = |ways: &[Way]| ways.iter().any(|way| *way != Way::Pinned);
        let lanes = match copied(&ways_in) && copied(&ways_out) {
            true => self.options.lanes.div_ceil(2),
            false => self.options.lanes,
        };
        Plan {
            chunks,
            chunk_elements,
            slots,
            piece_bytes: self.options.piece_bytes,
            lanes_in: lanes,
            lanes_out: lanes,
            ways_in,
            ways_out,
        }
    }

    /// Takes arrays through the device; `compute` as [`run`] wants it.
    pub(crate) fn trip(
        &mut self,
        (chunk_elements, chunks): (u64, usize),
        slots: &[Slot],
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
        compute: impl FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
    ) -> Result<TripReport, StreamError> {
        let start = Instant::now();
        let piece = self.options.piece_bytes;
        let ways_in: Vec<Way> = inputs.iter().map(|it| way_in(&it.array)).collect();
        let ways_out: Vec<Way> = outputs.iter().map(|it| way_out(&it.array)).collect();
        let plan = self.plan((chunk_elements, chunks), slots.len(), ways_in, ways_out);
        self.stage(&plan)?;
        let mut pieces_in = Vec::new();
        for (buffer, leg) in inputs.into_iter().enumerate() {
            pieces_in.extend(pieces_of(leg.array, &leg.segments, buffer, piece));
        }
        let mut pieces_out = Vec::new();
        for (buffer, leg) in outputs.into_iter().enumerate() {
            pieces_out.extend(pieces_to(leg.array, &leg.segments, buffer, piece));
        }
        pieces_in.sort_by_key(|(piece, _)| piece.chunk);
        pieces_out.sort_by_key(|(piece, _)| piece.chunk);
        let bytes_in = pieces_in.iter().map(|(it, _)| it.device.len() as u64).sum();
        let bytes_out = pieces_out
            .iter()
            .map(|(it, _)| it.device.len() as u64)
            .sum();
        let means = Means {
            queues: &self.queues,
            staging: &mut self.staging,
            lanes: [plan.lanes_in, plan.lanes_out],
        };
        let trip = Trip {
            chunks,
            pieces_in,
            pieces_out,
            slots,
            in_place,
        };
        let busy = run(trip, means, compute)?;
        let seconds = start.elapsed().as_secs_f64();
        let (bound_by, bound_share) = busy.bound(seconds, &plan);
        Ok(TripReport {
            plan,
            bytes_in,
            bytes_out,
            seconds,
            busy,
            bound_by,
            bound_share,
        })
    }

    /// Two pieces of staging memory a lane, each way that needs any.
    fn stage(&mut self, plan: &Plan) -> Result<(), StreamError> {
        let needs = [
            (&plan.ways_in, plan.lanes_in),
            (&plan.ways_out, plan.lanes_out),
        ];
        for (pieces, (ways, lanes)) in self.staging.iter_mut().zip(needs) {
            if ways.iter().any(|way| *way != Way::Pinned) {
                while pieces.len() < 2 * lanes {
                    pieces.push(self.queues[0].pinned(plan.piece_bytes)?);
                }
            }
        }
        Ok(())
    }
}

/// Sets arguments from the first on: buffers, then numbers of 64 bits.
pub(crate) fn set(
    function: &mut Function,
    buffers: &[&Arc<Buffer>],
    numbers: &[u64],
) -> Result<(), OpenClError> {
    let mut place = 0;
    for buffer in buffers {
        function.set_buffer(place, (*buffer).clone())?;
        place += 1;
    }
    for number in numbers {
        function.set_scalar(place, &number.to_ne_bytes())?;
        place += 1;
    }
    Ok(())
}

/// Of so many elements.
pub(crate) fn bytes(elements: u64, element: Type) -> usize {
    usize::try_from(elements)
        .unwrap_or(usize::MAX)
        .saturating_mul(element.bytes())
}

/// How many groups of `each` have `elements`.
pub(crate) fn groups(elements: u64, each: u64) -> usize {
    usize::try_from(elements.div_ceil(each)).unwrap_or(usize::MAX)
}

fn way_in(source: &Source<'_>) -> Way {
    match source.place {
        From::Slice(_) => Way::Staged,
        From::Pinned(_) => Way::Pinned,
        From::File(..) => Way::File,
    }
}

fn way_out(sink: &Sink<'_>) -> Way {
    match sink.place {
        Into::Slice(_) => Way::Staged,
        Into::Pinned(_) => Way::Pinned,
        Into::File(..) => Way::File,
    }
}

#[cfg(test)]
mod tests {
    use kerncast_opencl::devices;

    use super::*;

    #[test]
    fn what_the_device_does_not_have_is_halved() {
        let device = devices().expect("an OpenCL device").remove(0);
        let streamer = Streamer::new(device, Options::new(u64::MAX / 2)).expect("a streamer");
        let wish = 1 << 50;
        let attempt = |chunk| streamer.memory.take("a test", bytes(chunk, Type::U8));
        assert!(attempt(wish).is_err_and(|why| matches!(why, StreamError::Device(_))));
        let (chunk, lease) = streamer.fit(wish, attempt).expect("less");
        assert!(chunk < wish && lease.bytes() as u64 == chunk, "{chunk}");
    }
}
