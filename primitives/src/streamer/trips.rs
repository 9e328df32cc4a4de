//! Trips of arrays through devices, and what is forecast of them.

use std::time::Instant;

use kerncast_offload::{Load, Moved, forecast};
use kerncast_opencl::OpenClError;

use super::Streamer;
use crate::{
    Plan, StreamError, TripForecast, TripReport, Type, Way, Work,
    array::{From, Into, Sink, Source},
    pipeline::{
        Busy, Hand, Launches, Means, Piece, Segment, Slot, Supply, pieces_of, pieces_to, run,
    },
    report::Share,
};

/// A device's part in a trip: its slots, and `compute` as [`run`] wants it.
pub(crate) struct Member<'s, F> {
    pub(crate) slots: &'s [Slot],
    pub(crate) compute: F,
}

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
    /// Takes arrays through this device alone; `compute` as [`run`] wants it. Without slots the arrays are the device's for
    /// each chunk, and a chunk has one segment of each.
    pub(crate) fn trip(
        &mut self,
        task: Task,
        slots: &[Slot],
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
        compute: impl FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError> + Send,
    ) -> Result<TripReport, StreamError> {
        let alone = vec![Member { slots, compute }];
        self.shared_trip(task, alone, inputs, outputs, in_place)
    }

    /// The same through the first devices, as many as there are members, which take chunks as they become free.
    pub(crate) fn shared_trip<F>(
        &mut self,
        task: Task,
        members: Vec<Member<'_, F>>,
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
        in_place: bool,
    ) -> Result<TripReport, StreamError>
    where
        F: FnMut(usize, &Slot, &mut Launches<'_>) -> Result<(), OpenClError> + Send,
    {
        let start = Instant::now();
        let ways_in: Vec<Way> = inputs.iter().map(|it| way_in(&it.array)).collect();
        let ways_out: Vec<Way> = outputs.iter().map(|it| way_out(&it.array)).collect();
        let count = members.len();
        let plan_of = |of: &Self, slots: &[Slot]| {
            let (mut ways_in, mut ways_out) = (ways_in.clone(), ways_out.clone());
            if slots.is_empty() {
                ways_in.fill(Way::Mapped);
                ways_out.fill(Way::Mapped);
            }
            // All devices' threads share the cores.
            let lanes = (of.options.lanes / count).max(1);
            let options = of.options.clone().with_lanes(lanes);
            let chunking = (task.chunk, task.chunks as u64);
            Plan::new(&options, chunking, slots.len(), ways_in, ways_out)
        };
        let slots = members.iter().map(|it| it.slots);
        let devices = std::iter::once(&*self).chain(&self.others);
        let plans: Vec<Plan> = devices
            .zip(slots)
            .map(|(it, slots)| plan_of(it, slots))
            .collect();
        let mut staged = plans.iter();
        self.each(|it| staged.next().map_or(Ok(()), |plan| it.stage(plan)))?;
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
        let forecast = match count {
            1 => self.foreseen(&task, &plans[0], &pieces_in, &pieces_out),
            _ => None,
        };
        let supply = Supply::new(task.chunks, pieces_in, pieces_out, self.cancel.clone());
        let Self {
            queues,
            staging,
            moved,
            options,
            others,
            ..
        } = self;
        let first = (&*queues, staging, options.piece_bytes);
        let others = others.iter_mut();
        let others = others.map(|it| (&it.queues, &mut it.staging, it.options.piece_bytes));
        let devices = std::iter::once(first).chain(others);
        let mut hands = Vec::new();
        for ((member, plan), device) in members.into_iter().zip(&plans).zip(devices) {
            let (queues, staging, piece_bytes) = device;
            hands.push(Hand {
                means: Means {
                    queues,
                    staging,
                    lanes: [
                        lanes(&plan.ways_in, plan.lanes_in),
                        lanes(&plan.ways_out, plan.lanes_out),
                    ],
                    piece_bytes,
                    moved: moved.clone(),
                },
                slots: member.slots,
                in_place,
                compute: member.compute,
            });
        }
        let parts = run(&supply, hands)?;
        let seconds = start.elapsed().as_secs_f64();
        let busy = Busy::mean(parts.iter().map(|it| &it.busy));
        let (bound_by, bound_share) = busy.bound(seconds, &plans[0]);
        if let Some(launched) = task.launched.filter(|it| it.elements > 0) {
            let each = busy.device * count as f64 / launched.elements as f64;
            self.known.insert(launched.key, each);
        }
        let names = self.of_each(|it| Ok(it.device.facts.name.clone()))?;
        let shares = parts.into_iter().zip(&plans).zip(names);
        let shares = shares.map(|((part, plan), device)| Share {
            device,
            plan: Plan {
                chunks: part.chunks,
                ..plan.clone()
            },
            busy: part.busy,
        });
        let shares: Vec<Share> = shares.collect();
        Ok(TripReport {
            plan: plans.into_iter().next().expect("a device"),
            bytes_in,
            bytes_out,
            seconds,
            forecast,
            busy,
            bound_by,
            bound_share,
            shares,
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
