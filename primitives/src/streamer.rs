//! A device that streams go through.

use std::{
    collections::HashMap,
    slice,
    sync::{Arc, atomic::AtomicU64},
    time::Instant,
};

use kerncast_opencl::{
    Buffer, DeviceKind, Function, OpenClDevice, OpenClError, Pinned, Program, Queue,
};

pub(crate) use crate::element::bytes;
use crate::{
    Bound, Explained, Job, Kind, Operation, Options, Plan, PlannedTrip, Rates, Report, StreamError,
    TripForecast, TripReport, Way, Work,
    array::{From, Into, Sink, Source},
    memory::{Lease, Memory},
    on_host::OnHost,
    pipeline::{
        Busy, Cancel, Hand, Launches, Means, Piece, Segment, Slot, Supply, pieces_of, pieces_to,
        run,
    },
    record::{Record, records},
    report::Share,
};
pub(crate) use kerncast_offload::plan::{ITEMS, TILE, WIDTH};
use kerncast_offload::{Load, Moved, forecast};

/// A work-group's sums of elements in local memory, at most (stream_reduce.cl).
const SUMS: u64 = 300;

/// Takes arrays through one device, or [several](Self::join). It keeps its queues, pinned memory, device memory and compiled
/// programs from call to call.
pub struct Streamer {
    pub(crate) device: OpenClDevice,
    pub(crate) options: Options,
    pub(crate) memory: Memory,
    /// In, compute, out.
    pub(crate) queues: [Queue; 3],
    staging: [Vec<Pinned>; 2],
    programs: HashMap<String, Arc<Program>>,
    compiled: usize,
    /// A comment in every program, which makes it another to the driver.
    pub(crate) mark: Option<String>,
    pub(crate) rates: Option<Rates>,
    /// Records that the device lays out as Rust does.
    laid_out: Vec<&'static Record>,
    /// Seconds of the device's own for an element, of what was done already.
    known: HashMap<String, f64>,
    moved: Arc<AtomicU64>,
    /// Which take chunks beside it.
    others: Vec<Streamer>,
    shares_with_host: bool,
    cancel: Cancel,
    /// Queues that chunks take in turn, in place of the three.
    streams: Vec<[Queue; 3]>,
    /// Whether trips are planned only.
    pub(crate) planning: bool,
}

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
    /// None where its rate is not measured beforehand.
    pub(crate) work: Option<Work>,
    pub(crate) element: Kind,
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
    /// Whose rate is not measured beforehand.
    pub(crate) fn of(
        (chunk, chunks): (u64, usize),
        element: Kind,
        key: String,
        elements: u64,
    ) -> Self {
        Self {
            chunk,
            chunks,
            launched: Some(Launched {
                work: None,
                element,
                key,
                elements,
            }),
        }
    }
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
        let mut streams = Vec::new();
        if options.streams {
            for _ in 0..options.slots {
                let queue = context.queue()?;
                streams.push([queue.clone(), queue.clone(), queue]);
            }
        }
        Ok(Self {
            memory: Memory::new(queues[1].clone(), options.device_memory),
            device,
            options,
            queues,
            staging: [Vec::new(), Vec::new()],
            programs: HashMap::new(),
            compiled: 0,
            mark: None,
            rates: None,
            laid_out: Vec::new(),
            known: HashMap::new(),
            moved: Arc::default(),
            others: Vec::new(),
            shares_with_host: false,
            cancel: Cancel::default(),
            streams,
            planning: false,
        })
    }

    /// How a call would be done: `call` is done without its trips, and nothing is written, so that a sink may be of an empty
    /// file. Programs are built and device memory is taken. What only the data tell is as if no two elements were equal.
    /// Forecasts are of operations that were done before, or measured ([rates](Self::expect)).
    ///
    /// # Errors
    /// The call's, as far as these come before its trips.
    pub fn explain(
        &mut self,
        call: impl FnOnce(&mut Self) -> Result<Report, StreamError>,
    ) -> Result<Explained, StreamError> {
        self.planning = true;
        let planned = call(self);
        self.planning = false;
        let planned = planned?;
        let trips = planned.trips.into_iter().map(|it| PlannedTrip {
            plan: it.plan,
            bytes_in: it.bytes_in,
            bytes_out: it.bytes_out,
            forecast: it.forecast,
        });
        Ok(Explained::of_trips(trips.collect()))
    }

    /// Has the host's cores take chunks too, or not, in place of what [`choose`](Self::choose) found faster: of transforms and reductions whose [`Operation`] says what it is in Rust,
    /// and of arrays in pinned memory. Where threads have to copy, cores that calculate would hinder them.
    pub fn share_with_host(&mut self, shares: bool) {
        self.shares_with_host = shares;
    }

    /// Has another device take chunks too, as both become free: of transforms, reductions, scans and sorts. Chunks are as long
    /// as the device with the least memory has room for, and results of floats are those of devices that round alike.
    pub fn join(&mut self, other: Self) {
        self.others.push(other);
    }

    /// Has its calls end, from now on, once that is cancelled: with [`StreamError::Cancelled`], and their output as where they
    /// fail.
    pub fn cancel_with(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// How many devices take chunks.
    pub fn devices(&self) -> usize {
        1 + self.others.len()
    }

    /// Has each device do something.
    pub(crate) fn each<T>(
        &mut self,
        mut prepare: impl FnMut(&mut Self) -> Result<T, StreamError>,
    ) -> Result<Vec<T>, StreamError> {
        let mut others = std::mem::take(&mut self.others);
        let first = prepare(self);
        let rest: Result<Vec<T>, StreamError> = others.iter_mut().map(prepare).collect();
        self.others = others;
        let mut all = vec![first?];
        all.extend(rest?);
        Ok(all)
    }

    /// Of each device.
    pub(crate) fn of_each<T>(
        &self,
        look: impl FnMut(&Self) -> Result<T, StreamError>,
    ) -> Result<Vec<T>, StreamError> {
        std::iter::once(self)
            .chain(&self.others)
            .map(look)
            .collect()
    }

    /// Pinned memory for arrays of the caller, all 0.
    ///
    /// # Errors
    /// Too little memory, for one.
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, StreamError> {
        Ok(self.queues[0].pinned(bytes)?)
    }

    /// Has reports say what was forecast of each trip.
    pub fn expect(&mut self, rates: Rates) {
        self.rates = Some(rates);
    }

    /// How it would do a primitive, and nothing more. With [rates](Self::expect) it takes the chunks and lanes that are
    /// forecast to be the fastest, for calls from now on too, and has the host's cores [share](Self::share_with_host) where that
    /// was checked and is forecast to be faster.
    ///
    /// # Errors
    /// Even a tile does not fit the device's memory.
    pub fn choose(&mut self, job: &Job) -> Result<Explained, StreamError> {
        let none = || StreamError::Memory {
            what: "the shortest chunk",
            needed: job.least_memory(&self.options),
            budget: self.options.device_memory,
        };
        let Some(rates) = &self.rates else {
            return job.explain(&self.options, None).ok_or_else(none);
        };
        let (explained, options) = job.best(&self.options, rates).ok_or_else(none)?;
        self.options = options;
        if let Some((alone, both)) = explained.trips_s.zip(explained.with_cores_s) {
            self.shares_with_host = both < alone;
        }
        Ok(explained)
    }

    /// Whether it is the host's processor, and is treated as such: its cores run a work-group's work-items one after another.
    fn takes_turns(&self) -> bool {
        self.options.map && self.device.facts.kind == DeviceKind::Cpu
    }

    /// Too little for a tile of the widest elements.
    fn has_little_local_memory(&self) -> bool {
        let has = self.device.facts.local_memory_bytes;
        has.is_some_and(|bytes| bytes < 48 << 10)
    }

    /// How arrays in memory get to this device, as far as it is asked for transforms, reductions and scans.
    pub fn way(&self) -> Way {
        match self.takes_turns() {
            true => Way::Mapped,
            false => Way::Staged,
        }
    }

    /// Bytes that its calls have moved until now, or that are under way, both ways together: to look at from another thread.
    pub fn moved(&self) -> Arc<AtomicU64> {
        self.moved.clone()
    }

    /// How many programs it has compiled.
    pub fn compiled(&self) -> usize {
        self.compiled
    }

    /// Of what a program calculates with.
    ///
    /// # Errors
    /// Without 64-bit floating point there is no `double`; or the device lays a record out otherwise than Rust does.
    pub(crate) fn check_types(
        &mut self,
        types: &[Kind],
        operation: Option<&Operation>,
    ) -> Result<(), StreamError> {
        let captured = operation.into_iter().flat_map(Operation::captured);
        let all: Vec<Kind> = types.iter().copied().chain(captured).collect();
        let double = all.iter().any(|it| it.has_double());
        if double && !self.device.has_extension("cl_khr_fp64") {
            return Err(StreamError::NoDouble(self.device.facts.name.clone()));
        }
        for record in records(all) {
            if !self.laid_out.contains(&record) {
                self.check_layout(record)?;
                self.laid_out.push(record);
            }
        }
        Ok(())
    }

    /// As [`check_types`](Self::check_types), of what a work-group makes sums of: its work-items' are in local memory.
    pub(crate) fn check_sums(
        &mut self,
        element: Kind,
        operation: &Operation,
    ) -> Result<(), StreamError> {
        self.check_types(&[element], Some(operation))?;
        let most = self.device.facts.local_memory_bytes.unwrap_or(u64::MAX) / SUMS;
        if element.bytes() as u64 > most {
            return Err(StreamError::Shape {
                what: "what becomes one".to_owned(),
                found: format!("elements of {} bytes", element.bytes()),
                expected: format!(
                    "at most {most}, for the local memory of {}",
                    self.device.facts.name
                ),
            });
        }
        Ok(())
    }

    fn check_layout(&mut self, record: &'static Record) -> Result<(), StreamError> {
        let program = self.program(record.layout_source())?;
        let mut function = program.function("stream_layout")?;
        let numbers = record.layout_length();
        let told = self.memory.take("a record", 4 * numbers)?;
        function.set_buffer(0, told.share())?;
        self.queues[1].launch(&function, &[1], &[1], &[])?;
        let mut layout = vec![0; numbers];
        self.queues[1].read(&told, bytemuck::cast_slice_mut(&mut layout))?;
        record.check_layout(&layout)
    }

    /// A program, which is compiled once.
    ///
    /// # Errors
    /// The compiler's log: the operation's, as the rest compiles.
    pub(crate) fn program(&mut self, source: String) -> Result<Arc<Program>, StreamError> {
        if let Some(known) = self.programs.get(&source) {
            return Ok(known.clone());
        }
        let context = self.queues[1].context();
        // Where a work-item's elements are best read from where they lie, and not through local memory.
        let options = match self.takes_turns() || self.has_little_local_memory() {
            true => "-DDIRECT",
            false => "",
        };
        let built = match &self.mark {
            None => context.build(&source, options),
            Some(mark) => context.build(&format!("{source}\n// {mark}\n"), options),
        };
        let program = Arc::new(built.map_err(|why| match why {
            OpenClError::Build(log) => StreamError::Operation(Operation::placed(&log)),
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

    /// Slots for these arrays: none where the device works on them where they lie.
    pub(crate) fn slot_count(&self, inputs: &[&Source<'_>], output: &Sink<'_>) -> usize {
        let files = inputs.iter().any(|it| matches!(it.place, From::File(..)))
            || matches!(output.place, Into::File(..));
        let mapped = self.takes_turns() && !files;
        if mapped { 0 } else { self.options.slots }
    }

    /// `count` slots with buffers of `chunk` elements; outputs none where they lie where inputs do.
    pub(crate) fn slots(
        &self,
        what: &'static str,
        count: usize,
        chunk: u64,
        inputs: &[Kind],
        outputs: Option<&[(Kind, u64)]>,
    ) -> Result<(Vec<Slot>, Vec<Lease>), StreamError> {
        let inputs: Vec<(Kind, u64)> = inputs.iter().map(|&it| (it, 1)).collect();
        self.slots_of(what, count, chunk, &inputs, outputs)
    }

    /// The same with inputs of which so many of the chunk's elements have one.
    pub(crate) fn slots_of(
        &self,
        what: &'static str,
        count: usize,
        chunk: u64,
        inputs: &[(Kind, u64)],
        outputs: Option<&[(Kind, u64)]>,
    ) -> Result<(Vec<Slot>, Vec<Lease>), StreamError> {
        let mut leases = Vec::new();
        let mut slots = Vec::new();
        for _ in 0..count {
            let mut lend = |elements: u64, element: Kind| {
                let lease = self.memory.take(what, bytes(elements, element))?;
                let buffer = lease.share();
                leases.push(lease);
                Ok::<Arc<Buffer>, StreamError>(buffer)
            };
            let buffers_in: Vec<_> = inputs
                .iter()
                .map(|&(element, share)| lend(chunk / share, element))
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
        self.shared_trip(task, alone, None, inputs, outputs, in_place)
    }

    /// The same through the first devices, as many as there are members, which take chunks as they become free; the host too,
    /// where it can and may.
    pub(crate) fn shared_trip<F>(
        &mut self,
        task: Task,
        members: Vec<Member<'_, F>>,
        host: Option<&OnHost>,
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
        let host = host.filter(|_| self.shares_with_host);
        // A reduction's sums are few, whichever way they take.
        let host = host.filter(|_| ways_in.iter().all(|it| *it == Way::Pinned));
        // They are the device's already.
        let host = host.filter(|_| members.iter().all(|it| !it.slots.is_empty()));
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
        let on_host = Plan {
            slots: 0,
            ways_in: vec![Way::Mapped; ways_in.len()],
            ways_out: vec![Way::Mapped; ways_out.len()],
            ..plans[0].clone()
        };
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
        let forecast = match host {
            None => forecast,
            Some(_) => forecast.and_then(|alone| self.with_cores(&task, alone)),
        };
        if self.planning {
            return Ok(TripReport {
                plan: plans.into_iter().next().expect("a device"),
                bytes_in,
                bytes_out,
                seconds: 0.0,
                forecast,
                busy: Busy::default(),
                bound_by: Bound::Fixed,
                bound_share: 0.0,
                shares: Vec::new(),
            });
        }
        let supply = Supply::new(task.chunks, pieces_in, pieces_out, self.cancel.clone());
        let Self {
            queues,
            streams,
            staging,
            moved,
            options,
            others,
            ..
        } = self;
        let first = (in_turn(streams, queues), staging, options.piece_bytes);
        let others = others.iter_mut();
        let others = others.map(|it| {
            let queues = in_turn(&it.streams, &it.queues);
            (queues, &mut it.staging, it.options.piece_bytes)
        });
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
        let host = host.map(|work| (task.chunk, work));
        let parts = run(&supply, hands, host)?;
        let seconds = start.elapsed().as_secs_f64();
        let busy = Busy::mean(parts.iter().take(count).map(|it| &it.busy));
        let (bound_by, bound_share) = busy.bound(seconds, &plans[0]);
        let alone = host.is_none();
        if let Some(launched) = task.launched.filter(|it| it.elements > 0 && alone) {
            let each = busy.device * count as f64 / launched.elements as f64;
            self.known.insert(launched.key, each);
        }
        let mut names = self.of_each(|it| Ok(it.device.facts.name.clone()))?;
        names.truncate(count);
        names.push("the host's cores".to_owned());
        let shares = parts
            .into_iter()
            .zip(plans.iter().chain([&on_host]))
            .zip(names);
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
                let measured = || rates.kernel(it.work?, it.element.as_number()?);
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

    /// With the host's cores beside the device, which `alone` is of.
    fn with_cores(&self, task: &Task, alone: TripForecast) -> Option<TripForecast> {
        let it = task.launched.as_ref()?;
        let length = (it.elements, task.chunks as u64);
        let rates = self.rates.as_ref()?;
        let seconds = rates.with_cores(it.work?, it.element.as_number()?, length, alone.seconds)?;
        Some(TripForecast { seconds, ..alone })
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

/// How many groups of `each` have `elements`.
pub(crate) fn groups(elements: u64, each: u64) -> usize {
    usize::try_from(elements.div_ceil(each)).unwrap_or(usize::MAX)
}

fn in_turn<'q>(streams: &'q [[Queue; 3]], queues: &'q [Queue; 3]) -> &'q [[Queue; 3]] {
    match streams.is_empty() {
        true => slice::from_ref(queues),
        false => streams,
    }
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

#[cfg(test)]
mod tests {
    use kerncast_opencl::devices;

    use super::*;
    use crate::Type;

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
