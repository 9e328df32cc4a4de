//! What stands for the value of keys that are not there.

use std::str::FromStr;

use kerncast_collector::UsageError;
use kerncast_primitives::{Number, Report, Sink, Source, StreamError, Streamer, Type};

/// A value of a file's type, as it is written in memory.
pub(super) struct Missing {
    element: Type,
    bytes: Vec<u8>,
}

impl Missing {
    pub(super) fn new(element: Type, text: &str) -> Result<Self, UsageError> {
        let bytes = match element {
            Type::I8 => read::<i8>(text),
            Type::U8 => read::<u8>(text),
            Type::I16 => read::<i16>(text),
            Type::U16 => read::<u16>(text),
            Type::I32 => read::<i32>(text),
            Type::U32 => read::<u32>(text),
            Type::I64 => read::<i64>(text),
            Type::U64 => read::<u64>(text),
            Type::F32 => read::<f32>(text),
            Type::F64 => read::<f64>(text),
        };
        let bytes = bytes.ok_or_else(|| {
            UsageError(format!(
                "--missing {text:?}: expected a number of type {}, as --values has",
                element.name()
            ))
        })?;
        Ok(Self { element, bytes })
    }

    /// Looks keys up.
    pub(super) fn look_up(
        &self,
        streamer: &mut Streamer,
        [keys, values, asked]: [Source<'_>; 3],
        to: Sink<'_>,
    ) -> Result<Report, StreamError> {
        match self.element {
            Type::I8 => streamer.look_up(keys, values, asked, self.value::<i8>(), to),
            Type::U8 => streamer.look_up(keys, values, asked, self.value::<u8>(), to),
            Type::I16 => streamer.look_up(keys, values, asked, self.value::<i16>(), to),
            Type::U16 => streamer.look_up(keys, values, asked, self.value::<u16>(), to),
            Type::I32 => streamer.look_up(keys, values, asked, self.value::<i32>(), to),
            Type::U32 => streamer.look_up(keys, values, asked, self.value::<u32>(), to),
            Type::I64 => streamer.look_up(keys, values, asked, self.value::<i64>(), to),
            Type::U64 => streamer.look_up(keys, values, asked, self.value::<u64>(), to),
            Type::F32 => streamer.look_up(keys, values, asked, self.value::<f32>(), to),
            Type::F64 => streamer.look_up(keys, values, asked, self.value::<f64>(), to),
        }
    }

    fn value<T: Number>(&self) -> T {
        bytemuck::pod_read_unaligned(&self.bytes)
    }
}

fn read<T: Number + FromStr>(text: &str) -> Option<Vec<u8>> {
    let value: T = text.trim().parse().ok()?;
    Some(bytemuck::bytes_of(&value).to_vec())
}
