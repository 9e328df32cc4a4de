//! The streamer: a device with its queues, memory and programs, which arrays go through.

mod programs;
mod slots;
mod trips;

use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicU64},
};

use kerncast_opencl::{OpenClDevice, Pinned, Program, Queue};

pub(crate) use self::{
    programs::{groups, set_arguments},
    trips::{Computation, Leg, Task},
};
pub(crate) use crate::element::bytes;
use crate::{
    ExplainedStream, Options, StreamError, StreamJob, StreamRates, memory::Memory, pipeline::Cancel,
};
pub(crate) use kerncast_offload::plan::{GROUP_ELEMENTS, ITEMS, WIDTH};

/// Runs primitives on a device. Queues, pinned memory, device memory and compiled programs are kept from call to call.
pub struct Streamer {
    pub(crate) device: OpenClDevice,
    pub(crate) options: Options,
    pub(crate) memory: Memory,
    /// The queues for copies in, for launches, and for copies out.
    pub(crate) queues: [Queue; 3],
    staging: [Vec<Pinned>; 2],
    programs: HashMap<String, Arc<Program>>,
    /// A comment added to every program, so that the driver has no compiled copy of it.
    pub(crate) mark: Option<String>,
    pub(crate) rates: Option<StreamRates>,
    /// Seconds that the device computed for an element in earlier trips, by [`Computation::key`].
    measured: HashMap<String, f64>,
    pub(crate) moved_bytes: Arc<AtomicU64>,
    pub(crate) cancel: Cancel,
}

impl Streamer {
    /// A streamer for a device.
    ///
    /// # Errors
    /// The driver refuses a context or a queue.
    ///
    /// # Panics
    /// If `options` have no slot, copying thread or piece.
    pub fn new(device: OpenClDevice, options: Options) -> Result<Self, StreamError> {
        assert!(
            options.slots > 0 && options.copying_threads > 0 && options.piece_bytes > 0,
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
            mark: None,
            rates: None,
            measured: HashMap::new(),
            moved_bytes: Arc::default(),
            cancel: Cancel::default(),
        })
    }

    /// Lets `cancel` end later calls with [`StreamError::Cancelled`]. Some of the output may have been written then.
    pub fn cancel_with(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Pinned memory for arrays of the caller, filled with 0.
    ///
    /// # Errors
    /// The driver refuses, for instance for lack of memory.
    pub fn pinned(&self, bytes: usize) -> Result<Pinned, StreamError> {
        Ok(self.queues[0].pinned(bytes)?)
    }

    /// Sets the rates by which later reports forecast each trip.
    pub fn set_rates(&mut self, rates: StreamRates) {
        self.rates = Some(rates);
    }

    /// Plans a job without running it. With [rates](Self::set_rates) the chunk length and the number of copying threads become
    /// those that are forecast to be the fastest, also for later calls.
    ///
    /// # Errors
    /// Not even a work-group's elements fit into the device's memory.
    pub fn plan(&mut self, job: &StreamJob) -> Result<ExplainedStream, StreamError> {
        let no_memory = || StreamError::Memory {
            what: "the shortest chunk",
            needed: job.least_memory(&self.options),
            budget: self.options.device_memory,
        };
        let Some(rates) = &self.rates else {
            return job.explain(&self.options, None).ok_or_else(no_memory);
        };
        let (explained, options) = job.best(&self.options, rates).ok_or_else(no_memory)?;
        self.options = options;
        Ok(explained)
    }

    /// Bytes that all calls have moved or are moving, both ways together. Another thread may read it.
    pub fn moved_bytes(&self) -> Arc<AtomicU64> {
        self.moved_bytes.clone()
    }

    /// The number of programs that were compiled.
    pub fn compiled_programs(&self) -> usize {
        self.programs.len()
    }
}
