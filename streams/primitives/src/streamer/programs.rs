//! Compiled programs of a device, and which element types it supports.

use std::sync::Arc;

use kerncast_opencl::{Buffer, DeviceKind, Function, OpenClError, Program};

use super::Streamer;
use crate::{ElementType, Operation, StreamError};

impl Streamer {
    /// Whether the device is the host's processor, whose cores run a work-group's work-items one after another, and streams
    /// may use its memory directly ([`Options::map`](crate::Options::map)).
    pub(super) fn maps_host_memory(&self) -> bool {
        self.options.map && self.device.facts.kind == DeviceKind::Cpu
    }

    /// Whether local memory is too small for a work-group's elements of the widest type.
    fn has_little_local_memory(&self) -> bool {
        let has = self.device.facts.local_memory_bytes;
        has.is_some_and(|bytes| bytes < 48 << 10)
    }

    /// # Errors
    /// One of the types is `double`, and the device has no 64-bit floating point.
    pub(crate) fn check_types<'t>(
        &self,
        types: impl IntoIterator<Item = &'t ElementType>,
    ) -> Result<(), StreamError> {
        let mut all = types.into_iter();
        if all.any(|it| *it == ElementType::F64) && !self.device.has_extension("cl_khr_fp64") {
            return Err(StreamError::NoDouble(self.device.facts.name.clone()));
        }
        Ok(())
    }

    /// The compiled program of a source; the same source is compiled once.
    ///
    /// # Errors
    /// The operation does not compile: the rest of the source does.
    pub(crate) fn program(&mut self, source: String) -> Result<Arc<Program>, StreamError> {
        if let Some(program) = self.programs.get(&source) {
            return Ok(program.clone());
        }
        let context = self.queues[1].context();
        // There a work-item reads its elements directly, not through local memory.
        let direct = self.maps_host_memory() || self.has_little_local_memory();
        let options = if direct { "-DDIRECT" } else { "" };
        let program = match &self.mark {
            None => context.build(&source, options),
            Some(mark) => context.build(&format!("{source}\n// {mark}\n"), options),
        };
        let program = Arc::new(program.map_err(|why| match why {
            OpenClError::Build(log) => StreamError::Operation(Operation::renumber_lines(&log)),
            other => other.into(),
        })?);
        self.programs.insert(source, program.clone());
        Ok(program)
    }
}

/// Sets a kernel's arguments: first the buffers, then the numbers (64 bits).
pub(crate) fn set_arguments(
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

/// The number of groups of `each` elements that hold `elements`.
pub(crate) fn groups(elements: u64, each: u64) -> usize {
    usize::try_from(elements.div_ceil(each)).unwrap_or(usize::MAX)
}
