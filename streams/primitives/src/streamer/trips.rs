//! Trips of arrays through the device, and their forecasts.

use std::time::Instant;

use kerncast_offload::{MovedArray, TripLoad, forecast_trip};

use super::Streamer;
use crate::{
    ElementType, StreamError, StreamPlan, StreamWay, StreamWork, TripForecast, TripReport,
    array::{Array, Part, Place, Sink, Source},
    pipeline::{Compute, Piece, Segment, Slice, Slot, Supply, Trip, pieces, run},
};

/// The chunks of a trip, and what the device computes.
pub(crate) struct Task {
    /// Elements of a chunk.
    pub(crate) chunk: u64,
    pub(crate) chunks: usize,
    /// The computation; none where the trip only moves arrays.
    pub(crate) computation: Option<Computation>,
}

/// What the device computes in a trip.
pub(crate) struct Computation {
    pub(crate) work: StreamWork,
    pub(crate) element: ElementType,
    /// A key that is equal for computations that take the same time for an element.
    pub(crate) key: String,
    /// Elements of all chunks.
    pub(crate) elements: u64,
}

/// An array of a trip, and where its elements go.
pub(crate) struct Leg<A> {
    pub(crate) array: A,
    pub(crate) segments: Vec<Segment>,
}

impl<A> Leg<A> {
    pub(crate) fn new(array: A, segments: &[Segment]) -> Self {
        Self {
            array,
            segments: segments.to_vec(),
        }
    }
}

impl Streamer {
    /// Takes arrays through the device; `compute` enqueues the launches of a chunk. Without slots the device works on the
    /// host's memory, and a chunk has one segment of each array.
    pub(crate) fn trip(
        &mut self,
        task: Task,
        slots: &[Slot],
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
        compute: Compute<'_>,
    ) -> Result<TripReport, StreamError> {
        let start = Instant::now();
        let (mut ways_in, pieces_in, bytes_in) = cut(inputs);
        let (mut ways_out, pieces_out, bytes_out) = cut(outputs);
        if slots.is_empty() {
            ways_in.fill(StreamWay::Mapped);
            ways_out.fill(StreamWay::Mapped);
        }
        let chunking = (task.chunk, task.chunks as u64);
        let plan = StreamPlan::new(&self.options, chunking, slots.len(), ways_in, ways_out);
        self.allocate_staging(&plan)?;
        let forecast = self.forecast_trip(&task, &plan, &pieces_in, &pieces_out);
        let supply = Supply::new(task.chunks, pieces_in, pieces_out, self.cancel.clone());
        let trip = Trip {
            queues: &self.queues,
            staging: &mut self.staging,
            threads: [
                thread_count(&plan.ways_in, plan.threads_in),
                thread_count(&plan.ways_out, plan.threads_out),
            ],
            piece_bytes: self.options.piece_bytes,
            moved_bytes: self.moved_bytes.clone(),
            slots,
            in_place,
            compute,
        };
        let busy = run(&supply, trip)?;
        let seconds = start.elapsed().as_secs_f64();
        let (bound_by, bound_share) = busy.bound(seconds, &plan);
        if let Some(computation) = task.computation.filter(|it| it.elements > 0) {
            let each = busy.device / computation.elements as f64;
            self.measured.insert(computation.key, each);
        }
        Ok(TripReport {
            plan,
            bytes_in,
            bytes_out,
            seconds,
            forecast,
            busy,
            bound_by,
            bound_share,
        })
    }

    /// Takes arrays through the device without computing. Given are the elements of a chunk and the number of chunks.
    pub(crate) fn move_arrays(
        &mut self,
        (chunk, chunks): (u64, usize),
        slots: &[Slot],
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
    ) -> Result<TripReport, StreamError> {
        let task = Task {
            chunk,
            chunks,
            computation: None,
        };
        self.trip(
            task,
            slots,
            inputs,
            outputs,
            in_place,
            &mut |_, _, _| Ok(()),
        )
    }

    /// The forecast of a trip; none where rates that it needs were not measured.
    fn forecast_trip<O, T>(
        &self,
        task: &Task,
        plan: &StreamPlan,
        pieces_in: &[(Piece, O)],
        pieces_out: &[(Piece, T)],
    ) -> Option<TripForecast> {
        let rates = self.rates.as_ref()?;
        let device = match &task.computation {
            None => 0.0,
            Some(it) => {
                let earlier = self.measured.get(&it.key).copied();
                let by_rates = || rates.kernel(it.work, it.element);
                earlier.or_else(by_rates)? * it.elements as f64
            }
        };
        forecast_trip(
            &TripLoad {
                chunks: task.chunks as u64,
                inputs: moved_arrays(&plan.ways_in, pieces_in, plan.piece_bytes),
                outputs: moved_arrays(&plan.ways_out, pieces_out, plan.piece_bytes),
                threads: [plan.threads_in, plan.threads_out],
                device,
            },
            rates,
        )
    }

    /// Allocates two pieces of staging memory a thread, for each direction that copies.
    fn allocate_staging(&mut self, plan: &StreamPlan) -> Result<(), StreamError> {
        let directions = [
            (&plan.ways_in, plan.threads_in),
            (&plan.ways_out, plan.threads_out),
        ];
        for (pieces, (ways, threads)) in self.staging.iter_mut().zip(directions) {
            if ways.iter().any(|way| way.is_copied()) {
                while pieces.len() < 2 * threads {
                    pieces.push(self.queues[0].pinned(plan.piece_bytes)?);
                }
            }
        }
        Ok(())
    }
}

/// The ways and pieces of arrays that go in one direction, and their bytes.
#[expect(clippy::type_complexity, reason = "taken apart at once")]
fn cut<'a, S: Slice>(
    legs: Vec<Leg<Array<'a, S>>>,
) -> (Vec<StreamWay>, Vec<(Piece, Part<'a, S>)>, u64) {
    let ways = legs.iter().map(|it| way(&it.array)).collect();
    let legs = legs.into_iter().enumerate();
    let cut = legs.flat_map(|(buffer, leg)| pieces(leg.array, &leg.segments, buffer));
    let pieces: Vec<_> = cut.collect();
    let bytes = pieces
        .iter()
        .map(|(it, _)| it.buffer_bytes.len() as u64)
        .sum();
    (ways, pieces, bytes)
}

/// The arrays of a trip with their bytes and pieces; `piece_bytes`: the most bytes of a copied piece.
fn moved_arrays<A>(
    ways: &[StreamWay],
    pieces: &[(Piece, A)],
    piece_bytes: usize,
) -> Vec<MovedArray> {
    let empty = |&way| MovedArray {
        way,
        bytes: 0,
        pieces: 0,
    };
    let mut arrays: Vec<MovedArray> = ways.iter().map(empty).collect();
    for (piece, _) in pieces {
        let array = &mut arrays[piece.buffer];
        let bytes = piece.buffer_bytes.len();
        array.bytes += bytes as u64;
        array.pieces += if array.way.is_copied() {
            bytes.div_ceil(piece_bytes) as u64
        } else {
            1
        };
    }
    arrays
}

/// The number of threads that move arrays: one where nothing is copied, because it only enqueues.
fn thread_count(ways: &[StreamWay], copying_threads: usize) -> usize {
    let copies = ways.iter().any(|way| way.is_copied());
    if copies { copying_threads } else { 1 }
}

fn way<S>(array: &Array<'_, S>) -> StreamWay {
    match array.place {
        Place::Slice(_) => StreamWay::Staged,
        Place::Pinned(_) => StreamWay::Pinned,
        Place::File(..) => StreamWay::File,
    }
}
