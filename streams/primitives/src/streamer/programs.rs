//! Programs of a device, and what elements they can be of.

use std::sync::Arc;

use kerncast_opencl::{Buffer, DeviceKind, Function, OpenClError, Program};

use super::Streamer;
use crate::{Operation, StreamError, Type};

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
    /// Without 64-bit floating point there is no `double`.
    pub(crate) fn check_types<'t>(
        &self,
        types: impl IntoIterator<Item = &'t Type>,
    ) -> Result<(), StreamError> {
        let mut all = types.into_iter();
        match all.any(|it| *it == Type::F64) && !self.device.has_extension("cl_khr_fp64") {
            true => Err(StreamError::NoDouble(self.device.facts.name.clone())),
            false => Ok(()),
        }
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
