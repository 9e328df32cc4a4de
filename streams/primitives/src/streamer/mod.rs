//! A device that streams go through.

mod programs;
mod slots;
mod trips;

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicU64},
};

use kerncast_opencl::{OpenClDevice, Pinned, Program, Queue};

pub(crate) use self::{
    programs::{groups, set},
    trips::{Launched, Leg, Task},
};
pub(crate) use crate::element::bytes;
use crate::{Explained, Job, Options, Rates, StreamError, memory::Memory, pipeline::Cancel};
pub(crate) use kerncast_offload::plan::{ITEMS, TILE, WIDTH};

/// Takes arrays through a device. It keeps its queues, pinned memory, device memory and compiled programs from call to call.
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
            cancel: Cancel::default(),
        })
    }

    /// Has its calls end, from now on, once that is cancelled: with [`StreamError::Cancelled`], and their output as where they
    /// fail.
    pub fn cancel_with(&mut self, cancel: Cancel) {
        self.cancel = cancel;
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
    /// forecast to be the fastest, for calls from now on too.
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
        let (explained, chosen) = job.best(&self.options, rates).ok_or_else(none)?;
        self.options = chosen;
        Ok(explained)
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
