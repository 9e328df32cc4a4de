//! A workload, ready to be launched on a device.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use kerncast_opencl::{Buffer, Event, Function, OpenClDevice, OpenClError, Program, Queue};
use kerncast_suite::{Access, Base, Data, Fill, Kernel, Launch, LaunchArgument, Parameters, load};

use crate::{device::limits, workload::Target};

mod error;
mod replay;

pub use error::RunError;

/// A built function with its buffers filled.
pub struct Prepared {
    /// What is launched.
    pub launch: Launch,
    /// Local memory of one work-group, bytes.
    pub local_bytes: u64,
    queue: Queue,
    program: Program,
    function: Function,
    slots: Vec<Slot>,
}

/// A buffer argument.
struct Slot {
    name: String,
    base: Base,
    components: usize,
    access: Access,
    /// What it held before the first launch; none where only the kernel writes it: 0xFF bytes.
    input: Option<Data>,
    buffer: Arc<Buffer>,
    /// What a read-write buffer held before the first launch.
    original: Option<Buffer>,
}

impl Prepared {
    /// Reads the kernel's folder and prepares one launch of it.
    ///
    /// # Errors
    /// What keeps it from running.
    pub fn load(device: &OpenClDevice, target: &Target) -> Result<(Kernel, Self), RunError> {
        let kernel = load(&target.folder)?.remove(0);
        let prepared = Self::new(device, &kernel, &target.variant, &target.parameters)?;
        Ok((kernel, prepared))
    }

    /// Builds, fills and sets everything; launches nothing.
    ///
    /// # Errors
    /// What keeps it from running.
    pub fn new(
        device: &OpenClDevice,
        kernel: &Kernel,
        variant: &str,
        parameters: &Parameters,
    ) -> Result<Self, RunError> {
        let variant = kernel.variant(variant).ok_or_else(|| RunError::NoVariant {
            kernel: kernel.name.clone(),
            variant: variant.to_owned(),
        })?;
        let launch = Launch::new(kernel, variant, parameters)?;
        launch.fits(limits(&device.facts))?;
        let source = fs::read_to_string(&launch.source).map_err(|source| RunError::Source {
            path: launch.source.clone(),
            source,
        })?;
        let queue = device.context()?.queue()?;
        let options = with_includes(&launch.options, &kernel.folder);
        let program = queue.context().build(&source, &options)?;
        let mut function = program.function(&launch.function)?;
        let takes = function.argument_count()?;
        if takes != launch.arguments.len() {
            let given = launch.arguments.len();
            return Err(RunError::ArgumentCount {
                function: launch.function,
                takes,
                given,
            });
        }
        let mut slots = Vec::new();
        let named = kernel.arguments.iter().filter(|it| it.is_of(variant));
        for ((index, argument), named) in (0..).zip(&launch.arguments).zip(named) {
            let wrong = |source| RunError::Argument {
                name: named.name.clone(),
                function: launch.function.clone(),
                source,
            };
            match argument {
                LaunchArgument::Scalar(bytes) => {
                    function.set_scalar(index, bytes).map_err(wrong)?;
                }
                LaunchArgument::Local(bytes) => {
                    function.set_local(index, *bytes).map_err(wrong)?;
                }
                LaunchArgument::Buffer {
                    name,
                    element,
                    components,
                    access,
                    fill: written,
                } => {
                    let (base, named) = (element.base, (&*kernel.name, &**name));
                    let fill = |fill: &Fill| fill.data(base, *components, named, parameters);
                    let input = written.as_ref().map(fill).transpose()?;
                    let buffer = match &input {
                        Some(data) => queue.buffer(data.bytes())?,
                        None => unwritten(&queue, components * base.bytes())?,
                    };
                    let buffer = Arc::new(buffer);
                    function.set_buffer(index, buffer.clone()).map_err(wrong)?;
                    let original = match (access, &input) {
                        (Access::ReadWrite, Some(data)) => Some(queue.buffer(data.bytes())?),
                        _ => None,
                    };
                    slots.push(Slot {
                        name: name.clone(),
                        base,
                        components: *components,
                        access: *access,
                        input,
                        buffer,
                        original,
                    });
                }
            }
        }
        let local_bytes = function.local_bytes()?;
        Ok(Self {
            launch,
            local_bytes,
            queue,
            program,
            function,
            slots,
        })
    }

    /// Launches once and waits.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn launch(&self) -> Result<Event, OpenClError> {
        let event = self.enqueue()?;
        self.queue.finish()?;
        Ok(event)
    }

    /// Launches without waiting.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn enqueue(&self) -> Result<Event, OpenClError> {
        let (global, local) = (&self.launch.global, &self.launch.local);
        self.queue.launch(&self.function, global, local, &[])
    }

    /// Waits for everything that was launched.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn finish(&self) -> Result<(), OpenClError> {
        self.queue.finish()
    }

    /// Where its launches go.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Whether a buffer must be filled anew before every launch.
    pub fn needs_refill(&self) -> bool {
        self.slots.iter().any(|slot| slot.original.is_some())
    }

    /// Fills read-write buffers anew.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn refill(&self) -> Result<(), OpenClError> {
        for slot in &self.slots {
            if let Some(original) = &slot.original {
                self.queue.copy(original, &slot.buffer, &[])?;
            }
        }
        self.queue.finish()
    }

    /// The first component, by argument and place, that a launch does not write.
    ///
    /// `outputs` come from a launch over 0xFF bytes. Where such bytes are left, they may be a result:
    /// a launch over zeros tells. (In floats they are NaN, which the comparison has refused.)
    ///
    /// # Errors
    /// OpenCL's.
    pub fn unwritten(
        &self,
        outputs: &BTreeMap<String, Data>,
    ) -> Result<Option<(String, usize)>, OpenClError> {
        if !outputs
            .values()
            .any(|data| consists_of(data, 0xFF).any(|whole| whole))
        {
            return Ok(None);
        }
        for slot in self
            .slots
            .iter()
            .filter(|slot| slot.access == Access::Write)
        {
            self.queue.fill(&slot.buffer, 0x00, &[])?;
        }
        self.refill()?;
        self.launch()?;
        let over_zeros = self.outputs()?;
        let unwritten = self
            .slots
            .iter()
            .filter(|slot| slot.access == Access::Write);
        Ok(unwritten
            .filter_map(|slot| {
                let was = consists_of(&outputs[&slot.name], 0xFF);
                let is = consists_of(&over_zeros[&slot.name], 0x00);
                let place = was.zip(is).position(|(was, is)| was && is);
                place.map(|place| (slot.name.clone(), place))
            })
            .next())
    }

    /// What the buffers with a fill held before the first launch, by argument.
    pub fn into_inputs(self) -> BTreeMap<String, Data> {
        let inputs = self.slots.into_iter();
        inputs
            .filter_map(|slot| Some((slot.name, slot.input?)))
            .collect()
    }

    /// The outputs as they are now, by argument.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn outputs(&self) -> Result<BTreeMap<String, Data>, OpenClError> {
        let outputs = self.slots.iter().filter(|slot| slot.access.writes());
        outputs
            .map(|slot| {
                let mut data = Data::zeros(slot.base, slot.components);
                self.queue.read(&slot.buffer, data.bytes_mut())?;
                Ok((slot.name.clone(), data))
            })
            .collect()
    }
}

/// Headers beside the source are found from wherever this runs. Compilers cut their options at white space, so
/// in a folder with some in its path they are found only from that folder.
fn with_includes(options: &str, folder: &Path) -> String {
    match folder.to_str() {
        Some(folder) if !folder.contains(char::is_whitespace) => format!("{options} -I {folder}"),
        _ => options.to_owned(),
    }
}

fn unwritten(queue: &Queue, bytes: usize) -> Result<Buffer, OpenClError> {
    let buffer = queue.context().buffer(bytes)?;
    queue.fill(&buffer, 0xFF, &[])?;
    Ok(buffer)
}

/// Of each component, whether all its bytes are `byte`.
fn consists_of(data: &Data, byte: u8) -> impl Iterator<Item = bool> {
    data.bytes()
        .chunks_exact(data.base().bytes())
        .map(move |component| component.iter().all(|found| *found == byte))
}
