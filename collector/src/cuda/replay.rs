//! One OpenCL launch, ready to be launched through CUDA.

use cudarc::driver::{CudaSlice, DevicePtrMut, DriverError, Profiler, result, sys};

use super::{
    Context, CudaError, Device, Grid,
    function::Function,
    local,
    ptx::{Parameter, Patched},
    wait::Wait,
};

/// An argument of a function.
#[derive(Clone, Copy, Debug)]
pub enum Argument<'a> {
    /// A buffer that holds these bytes before the launch.
    Buffer(&'a [u8]),
    /// A buffer of this many 0xFF bytes.
    Unwritten(usize),
    /// A value, as its bytes.
    Value(&'a [u8]),
    /// Local memory of this many bytes.
    Local(usize),
}

/// A function with its arguments on the device.
pub struct Replay {
    device: Device,
    function: Function,
    wait: Wait,
    grid: Grid,
    dynamic_local: u32,
    values: Vec<Vec<u8>>,
    /// Buffers, each with its place among the arguments.
    buffers: Vec<(usize, CudaSlice<u8>)>,
}

impl Replay {
    /// Loads the function and copies its buffers to the device. Launches nothing of the function.
    ///
    /// # Errors
    /// The driver refuses something, or the PTX does not take the arguments.
    pub fn new(
        device: &Device,
        ptx: &Patched,
        name: &str,
        grid: Grid,
        arguments: &[Argument<'_>],
    ) -> Result<Self, CudaError> {
        fits(&ptx.parameters, arguments)?;
        let function = Function::load(device, ptx, name)?;
        let locals: Vec<(usize, usize)> = ptx
            .parameters
            .iter()
            .zip(arguments)
            .filter_map(|pair| match pair {
                (Parameter::Local { align }, Argument::Local(bytes)) => Some((*bytes, *align)),
                _ => None,
            })
            .collect();
        let own = function.static_local_bytes()?;
        let base = if locals.is_empty() {
            0
        } else {
            local::base(device, ptx)?
        };
        let layout = local::layout(base, own, &locals);
        if own + layout.dynamic as usize > 48 << 10 {
            function.allow_dynamic_local(layout.dynamic)?;
        }
        let mut addresses = layout.addresses.into_iter();
        let (mut values, mut buffers) = (Vec::new(), Vec::new());
        for (place, argument) in arguments.iter().enumerate() {
            let mut keep = |buffer| {
                let value = device.address(&buffer);
                buffers.push((place, buffer));
                value
            };
            values.push(match argument {
                Argument::Value(bytes) => bytes.to_vec(),
                Argument::Local(_) => addresses.next().unwrap_or_default().to_le_bytes().into(),
                Argument::Buffer(bytes) => {
                    keep(device.stream.clone_htod(*bytes).context("a buffer")?)
                }
                Argument::Unwritten(bytes) => keep(unwritten(device, *bytes).context("a buffer")?),
            });
        }
        let environment = ptx.environment.iter();
        values.extend(environment.map(|register| register.value(&grid).to_le_bytes().into()));
        Ok(Self {
            device: device.clone(),
            function,
            wait: Wait::new(device, ptx)?,
            grid,
            dynamic_local: layout.dynamic,
            values,
            buffers,
        })
    }

    /// Launches and waits.
    ///
    /// # Errors
    /// The driver fails, perhaps because of the kernel.
    pub fn launch(&self) -> Result<(), CudaError> {
        self.launch_only()?;
        self.device.context.synchronize().context("the launch")
    }

    /// Launches and waits, with the profiler on; it is off otherwise.
    ///
    /// # Errors
    /// See [`launch`](Self::launch).
    pub fn launch_profiled(&self) -> Result<(), CudaError> {
        let _on = Profiler::new().context("cuProfilerStart")?;
        self.launch()
    }

    /// Launches and waits. Returns the launch's time by CUDA's events, seconds.
    ///
    /// # Errors
    /// See [`launch`](Self::launch).
    pub fn launch_timed(&self) -> Result<f64, CudaError> {
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let record = || self.device.stream.record_event(timing).context("an event");
        self.wait.launch()?;
        let start = record()?;
        self.launch_only()?;
        let end = record()?;
        self.device.context.synchronize().context("the launch")?;
        let milliseconds = start.elapsed_ms(&end).context("cuEventElapsedTime")?;
        Ok(f64::from(milliseconds) * 1e-3)
    }

    fn launch_only(&self) -> Result<(), CudaError> {
        self.function
            .launch(self.grid, self.dynamic_local, &self.values)
    }

    /// Fills the buffer that is argument `place`.
    ///
    /// # Errors
    /// The driver fails.
    pub fn fill(&mut self, place: usize, bytes: &[u8]) -> Result<(), CudaError> {
        for (_, buffer) in self.buffers.iter_mut().filter(|(its, _)| *its == place) {
            let copied = self.device.stream.memcpy_htod(bytes, buffer);
            copied.context("filling a buffer")?;
        }
        Ok(())
    }

    /// Reads the buffer that is argument `place`, whole.
    ///
    /// # Errors
    /// The driver fails.
    pub fn read(&self, place: usize, into: &mut [u8]) -> Result<(), CudaError> {
        for (_, buffer) in self.buffers.iter().filter(|(its, _)| *its == place) {
            let copied = self.device.stream.memcpy_dtoh(buffer, into);
            copied.context("reading a buffer")?;
        }
        self.device
            .context
            .synchronize()
            .context("reading a buffer")
    }
}

/// A buffer of `bytes` 0xFF bytes.
#[expect(
    unsafe_code,
    reason = "the fill is as long as the buffer, and of the same stream: every byte is written first"
)]
fn unwritten(device: &Device, bytes: usize) -> Result<CudaSlice<u8>, DriverError> {
    let stream = &device.stream;
    let mut buffer = unsafe { stream.alloc(bytes) }?;
    let (address, _) = buffer.device_ptr_mut(stream);
    unsafe { result::memset_d8_async(address, 0xFF, bytes, stream.cu_stream()) }?;
    Ok(buffer)
}

/// Refuses arguments that the PTX does not take.
fn fits(parameters: &[Parameter], arguments: &[Argument<'_>]) -> Result<(), CudaError> {
    let agrees = |pair: (&Parameter, &Argument<'_>)| match pair {
        (Parameter::Buffer, Argument::Buffer(_) | Argument::Unwritten(_))
        | (Parameter::Local { .. }, Argument::Local(_)) => true,
        (Parameter::Value { bytes }, Argument::Value(value)) => *bytes == value.len(),
        _ => false,
    };
    let pairs = parameters.iter().zip(arguments);
    if parameters.len() == arguments.len() && pairs.clone().all(agrees) {
        return Ok(());
    }
    let given = arguments.iter().map(|argument| match argument {
        Argument::Buffer(_) | Argument::Unwritten(_) => "a buffer".to_owned(),
        Argument::Value(bytes) => format!("{} bytes", bytes.len()),
        Argument::Local(_) => "local memory".to_owned(),
    });
    let takes = parameters.iter().map(ToString::to_string);
    Err(CudaError::Arguments {
        takes: takes.collect::<Vec<_>>().join(", "),
        given: given.collect::<Vec<_>>().join(", "),
    })
}
