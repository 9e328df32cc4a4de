//! Programs of a device, and what elements they can be of.

use std::sync::Arc;

use kerncast_opencl::{Buffer, DeviceKind, Function, OpenClError, Program};

use super::Streamer;
use crate::{
    Kind, Operation, StreamError,
    record::{Record, records},
};

/// A work-group's sums of elements in local memory, at most (stream_reduce.cl).
const SUMS: u64 = 300;

impl Streamer {
    /// Whether it is the host's processor, and is treated as such: its cores run a work-group's work-items one after another.
    pub(super) fn takes_turns(&self) -> bool {
        self.options.map && self.device.facts.kind == DeviceKind::Cpu
    }

    /// Too little for a tile of the widest elements.
    fn has_little_local_memory(&self) -> bool {
        let has = self.device.facts.local_memory_bytes;
        has.is_some_and(|bytes| bytes < 48 << 10)
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
