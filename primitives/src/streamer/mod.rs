//! A device that streams go through.

mod cores;
mod programs;
mod slots;
mod trips;

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicU64},
};

use kerncast_offload::named_with;
use kerncast_opencl::{OpenClDevice, Pinned, Program, Queue};

pub use self::cores::host_has_room;
use self::cores::{LeftToCores, have_room};
pub(crate) use self::{
    programs::{groups, set},
    trips::{Launched, Leg, Member, Task},
};
pub(crate) use crate::element::bytes;
use crate::{Explained, Job, Options, Rates, StreamError, Way, memory::Memory, pipeline::Cancel};
pub(crate) use kerncast_offload::plan::{ITEMS, TILE, WIDTH};

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
    /// Seconds of the device's own for an element, of what was done already.
    known: HashMap<String, f64>,
    pub(crate) moved: Arc<AtomicU64>,
    /// Which take chunks beside it.
    others: Vec<Streamer>,
    pub(crate) left_to_cores: LeftToCores,
    pub(crate) cancel: Cancel,
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
            mark: None,
            rates: None,
            known: HashMap::new(),
            moved: Arc::default(),
            others: Vec::new(),
            left_to_cores: LeftToCores::default(),
            cancel: Cancel::default(),
        })
    }

    /// Has the host's cores do calls alone, without the device, or not, in place of what [`choose`](Self::choose) found faster:
    /// [`sort`](Self::sort) and [`sort_to`](Self::sort_to), also of files, whose elements are in memory meanwhile; and of
    /// arrays in memory [`scatter`](Self::scatter), and [`transform`](Self::transform) and
    /// [`reduce`](Self::reduce) whose [`Operation`](crate::Operation) says what it is in Rust. All else is the device's.
    pub fn leave_to_cores(&mut self, leaves: bool) {
        self.left_to_cores.all(leaves);
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
    /// forecast to be the fastest, for calls from now on too. Where [`Options::cores`] allows it, it
    /// [leaves](Self::leave_to_cores) calls of such work to the host's cores alone, if these are forecast to be faster by over
    /// 15 %: files only where they take at most half of the memory that is free, and nothing where
    /// [several devices](Self::join) do it. What is forecast of several comes from the rates of each.
    ///
    /// # Errors
    /// Even a tile does not fit the device's memory.
    pub fn choose(&mut self, job: &Job) -> Result<Explained, StreamError> {
        let none = || StreamError::Memory {
            what: "the shortest chunk",
            needed: job.least_memory(&self.options),
            budget: self.options.device_memory,
        };
        let members = self.members(job);
        let count = members.len();
        let job = &Job {
            devices: count,
            ..job.clone()
        };
        // Chunks are as long as the least memory has room for.
        let least = members.iter().map(|it| it.options.device_memory).min();
        let options = Options {
            device_memory: least.expect("a device"),
            ..self.options.clone()
        };
        let Some(rates) = &self.rates else {
            return job.explain(&options, None).ok_or_else(none);
        };
        let (mut explained, chosen) = job.best(&options, rates).ok_or_else(none)?;
        if count > 1 {
            let others = members[1..].iter();
            let others = others.map(|it| job.explain(&chosen, it.rates.as_ref()));
            let each: Option<Vec<Explained>> =
                [Some(explained)].into_iter().chain(others).collect();
            let together = each.and_then(|it| job.together(it, &self.named(job), Some(rates)));
            explained = together.ok_or_else(none)?;
        }
        self.options = Options {
            device_memory: self.options.device_memory,
            ..chosen
        };
        let may = self.options.cores && self.others.is_empty() && have_room(job);
        let is_left = may && explained.cores_are_faster();
        if is_left {
            explained = job.by_cores(explained, rates);
        }
        self.left_to_cores.one(job.work, is_left);
        Ok(explained)
    }

    /// Those that take chunks of it.
    fn members(&self, job: &Job) -> Vec<&Self> {
        let others = self.others.iter().filter(|_| job.is_for_several());
        std::iter::once(self).chain(others).collect()
    }

    /// The devices that take chunks of it beside this one, by `CL_DEVICE_NAME`.
    pub fn beside(&self, job: &Job) -> Vec<String> {
        let members = self.members(job);
        let others = members[1..].iter().map(|it| it.device.facts.name.clone());
        others.collect()
    }

    /// How runs of it are named, as checks of forecasts are: by the way, and by the devices [`beside`](Self::beside).
    pub fn named(&self, job: &Job) -> String {
        named_with(job.way_in, &self.beside(job))
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
}
