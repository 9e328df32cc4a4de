//! Trips of arrays through the device, and what is forecast of them.

use std::time::Instant;

use kerncast_offload::{Load, Moved, forecast};
use kerncast_opencl::OpenClError;

use super::Streamer;
use crate::{
    Plan, StreamError, TripForecast, TripReport, Type, Way, Work,
    array::{Array, Place, Sink, Source},
    pipeline::{Hand, Launches, Means, Piece, Segment, Slot, Supply, pieces_of, pieces_to, run},
};

/// What a trip is of, and how it is cut.
pub(crate) struct Task {
    /// Elements.
    pub(crate) chunk: u64,
    pub(crate) chunks: usize,
    /// None where nothing is launched.
    pub(crate) launched: Option<Launched>,
}

/// What is launched of elements.
pub(crate) struct Launched {
    pub(crate) work: Work,
    pub(crate) element: Type,
    /// The same for what takes as long an element.
    pub(crate) key: String,
    /// All of the trip's.
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

impl Task {
    /// A chunk that nothing is done to.
    pub(crate) fn moving(chunk: u64) -> Self {
        Self {
            chunk,
            chunks: 1,
            launched: None,
        }
    }
}

impl Streamer {
    /// Takes arrays through the device; `compute` as [`run`] wants it. Without slots the arrays are the device's for each
    /// chunk, and a chunk has one segment of each.
    pub(crate) fn trip(
        &mut self,
        task: Task,
        slots: &[Slot],
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
        compute: impl FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError>,
    ) -> Result<TripReport, StreamError> {
        let start = Instant::now();
        let mut ways_in: Vec<Way> = inputs.iter().map(|it| way(&it.array)).collect();
        let mut ways_out: Vec<Way> = outputs.iter().map(|it| way(&it.array)).collect();
        if slots.is_empty() {
            ways_in.fill(Way::Mapped);
            ways_out.fill(Way::Mapped);
        }
        let chunking = (task.chunk, task.chunks as u64);
        let plan = Plan::new(&self.options, chunking, slots.len(), ways_in, ways_out);
        self.stage(&plan)?;
        let mut pieces_in = Vec::new();
        for (buffer, leg) in inputs.into_iter().enumerate() {
            pieces_in.extend(pieces_of(leg.array, &leg.segments, buffer));
        }
        let mut pieces_out = Vec::new();
        for (buffer, leg) in outputs.into_iter().enumerate() {
            pieces_out.extend(pieces_to(leg.array, &leg.segments, buffer));
        }
        let bytes_in = pieces_in.iter().map(|(it, _)| it.device.len() as u64).sum();
        let bytes_out = pieces_out
            .iter()
            .map(|(it, _)| it.device.len() as u64)
            .sum();
        let forecast = self.foreseen(&task, &plan, &pieces_in, &pieces_out);
        let supply = Supply::new(task.chunks, pieces_in, pieces_out, self.cancel.clone());
        let hand = Hand {
            means: Means {
                queues: &self.queues,
                staging: &mut self.staging,
                lanes: [
                    lanes(&plan.ways_in, plan.lanes_in),
                    lanes(&plan.ways_out, plan.lanes_out),
                ],
                piece_bytes: self.options.piece_bytes,
                moved: self.moved.clone(),
            },
            slots,
            in_place,
            compute,
        };
        let busy = run(&supply, hand)?;
        let seconds = start.elapsed().as_secs_f64();
        let (bound_by, bound_share) = busy.bound(seconds, &plan);
        if let Some(launched) = task.launched.filter(|it| it.elements > 0) {
            let each = busy.device / launched.elements as f64;
            self.known.insert(launched.key, each);
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

    /// What is forecast of a trip; none without rates of such a one.
    fn foreseen<O, T>(
        &self,
        task: &Task,
        plan: &Plan,
        pieces_in: &[(Piece, O)],
        pieces_out: &[(Piece, T)],
    ) -> Option<TripForecast> {
        let rates = self.rates.as_ref()?;
        let device = match &task.launched {
            None => 0.0,
            Some(it) => {
                let known = self.known.get(&it.key).copied();
                let measured = || rates.kernel(it.work, it.element);
                known.or_else(measured)? * it.elements as f64
            }
        };
        forecast(
            &Load {
                chunks: task.chunks as u64,
                inputs: moved(&plan.ways_in, pieces_in, plan.piece_bytes),
                outputs: moved(&plan.ways_out, pieces_out, plan.piece_bytes),
                lanes: [plan.lanes_in, plan.lanes_out],
                device,
            },
            rates,
        )
    }

    /// Two pieces of staging memory a lane, each way that needs any.
    fn stage(&mut self, plan: &Plan) -> Result<(), StreamError> {
        let needs = [
            (&plan.ways_in, plan.lanes_in),
            (&plan.ways_out, plan.lanes_out),
        ];
        for (pieces, (ways, lanes)) in self.staging.iter_mut().zip(needs) {
            if ways.iter().any(|way| way.is_copied()) {
                while pieces.len() < 2 * lanes {
                    pieces.push(self.queues[0].pinned(plan.piece_bytes)?);
                }
            }
        }
        Ok(())
    }
}

/// Arrays by their pieces.
fn moved<A>(ways: &[Way], pieces: &[(Piece, A)], most: usize) -> Vec<Moved> {
    let none = |&way| Moved {
        way,
        bytes: 0,
        pieces: 0,
    };
    let mut arrays: Vec<Moved> = ways.iter().map(none).collect();
    for (piece, _) in pieces {
        let array = &mut arrays[piece.buffer];
        let bytes = piece.device.len();
        array.bytes += bytes as u64;
        array.pieces += match array.way.is_copied() {
            true => bytes.div_ceil(most) as u64,
            false => 1,
        };
    }
    arrays
}

/// Who only enqueues needs no company.
fn lanes(ways: &[Way], lanes: usize) -> usize {
    match ways.iter().any(|way| way.is_copied()) {
        true => lanes,
        false => 1,
    }
}

fn way<S>(array: &Array<'_, S>) -> Way {
    match array.place {
        Place::Slice(_) => Way::Staged,
        Place::Pinned(_) => Way::Pinned,
        Place::File(..) => Way::File,
    }
}
