//! One call of a stream: the device with its rates, the plan with its forecast, and the run.

use std::path::Path;

use anyhow::Result;
use kerncast_offload::StreamRequest;
use kerncast_primitives::{
    Cancel, ExplainedStream, Offload, Options, Programs, StreamJob, StreamRates, StreamWay,
    Streamer,
};

use super::{
    device::{memory_limit, select_device},
    operation::{FileOperation, Outcome, TRIAL_ELEMENTS},
    rates::{DeviceRates, rates, stored_rates},
};

/// An operation on files, planned and forecast on a device.
pub struct Session<'a> {
    operation: &'a FileOperation<'a>,
    /// The device's name.
    pub device: String,
    /// Bytes of the device's memory that may be used.
    pub device_memory: u64,
    /// The plan, with its forecast where the device's rates are known.
    pub plan: ExplainedStream,
    streamer: Streamer,
    job: StreamJob,
    /// The rates as stored, and with later runs as checks.
    rates: Option<(DeviceRates, StreamRates)>,
}

impl<'a> Session<'a> {
    /// Plans an operation on the device of this name or number. If `to_explain`, missing rates are measured.
    ///
    /// # Errors
    /// There is no such device or memory, or the operation can't be built.
    pub fn plan(
        operation: &'a FileOperation<'_>,
        device: Option<&str>,
        device_memory: Option<u64>,
        to_explain: bool,
    ) -> Result<Self> {
        let device = select_device(device)?;
        let device_memory = memory_limit(&device, device_memory)?;
        let rates = if to_explain {
            Some(rates(&device, false)?)
        } else {
            stored_rates(&device)
        };
        let rates = rates.map(|it| {
            let with_runs = it.with_runs();
            (it, with_runs)
        });
        let mut streamer = Streamer::new(device.clone(), Options::new(device_memory))?;
        if let Some((_, rates)) = &rates {
            streamer.set_rates(rates.clone());
        }
        let (input, index) = (&operation.inputs.input, &operation.inputs.index);
        let mut job = StreamJob::new(
            operation.work,
            input.element(),
            input.length(),
            StreamWay::File,
        );
        if let Some(index) = index {
            job.inputs[0] = index.element();
        }
        if operation.op.is_some() {
            job.programs = Programs::New;
            // What is hardly longer than the trial is not done twice.
            if rates.is_some() && (to_explain || input.length() > 4 * TRIAL_ELEMENTS) {
                job.kernel_s = operation.try_kernel(&mut streamer)?;
                job.programs = Programs::Ready;
            }
        }
        Ok(Self {
            operation,
            device: device.facts.name,
            device_memory,
            plan: streamer.plan(&job)?,
            streamer,
            job,
            rates,
        })
    }

    /// The forecast for arrays in memory, compared with the CPU; none where the operation or type was not measured.
    pub fn offload(&self) -> Option<Offload> {
        let rates = self.rates.as_ref();
        let (_, rates) = rates.filter(|_| self.operation.op.is_none())?;
        let input = &self.operation.inputs.input;
        let (element, options) = (input.element(), Options::new(self.device_memory));
        let bytes = input.length() * element.bytes() as u64;
        rates.offload(self.job.work, element, bytes, &options)
    }

    /// Runs the operation and stores the run for later forecasts.
    ///
    /// # Errors
    /// The operation fails or is cancelled, or the output exists already.
    pub fn run(mut self, output: Option<&Path>, cancel: Cancel) -> Result<Outcome> {
        self.streamer.cancel_with(cancel);
        let mut outcome = self.operation.run(&mut self.streamer, output)?;
        let Some((device_rates, rates)) = self.rates else {
            return Ok(outcome);
        };
        outcome.forecast = Some(self.plan);
        let request = StreamRequest {
            primitive: self.job.work.name(),
            // Nobody measured rates of another operation.
            work: self.operation.op.is_none().then_some(self.job.work),
            element: self.operation.inputs.input.element(),
            elements: self.job.elements,
            by: self.job.way_in.name(),
            device_memory: self.device_memory,
        };
        if let Some(run) = outcome.run(&request, device_rates.id, &rates) {
            device_rates.keep_run(run, &self.device);
        }
        Ok(outcome)
    }
}
