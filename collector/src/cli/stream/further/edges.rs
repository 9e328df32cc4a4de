//! Edges of bins that are as wide as each other.

use std::str::FromStr;

use kerncast_collector::UsageError;
use kerncast_primitives::{Number, Report, Source, StreamError, Streamer, Type};

/// Edges of a file's type, as they are written in memory.
pub(super) struct Edges {
    element: Type,
    bytes: Vec<u8>,
}

trait Between: Number + FromStr {
    /// `low` and `part` of `whole` parts of the way to `high`; integers are rounded down.
    fn between(low: Self, high: Self, part: u32, whole: u32) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Between for $type {
            fn between(low: Self, high: Self, part: u32, whole: u32) -> Self {
                let width = i128::from(high) - i128::from(low);
                let at = i128::from(low) + (width * i128::from(part)).div_euclid(i128::from(whole));
                Self::try_from(at).expect("between two of them")
            }
        }
    )*};
}

integers!(i8, u8, i16, u16, i32, u32, i64, u64);

impl Between for f64 {
    fn between(low: Self, high: Self, part: u32, whole: u32) -> Self {
        // The last one is what was asked for.
        match part == whole {
            true => high,
            false => low + (high - low) * (Self::from(part) / Self::from(whole)),
        }
    }
}

impl Between for f32 {
    fn between(low: Self, high: Self, part: u32, whole: u32) -> Self {
        let edge = f64::between(low.into(), high.into(), part, whole);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "edges have the elements' type"
        )]
        let edge = edge as Self;
        edge
    }
}

impl Edges {
    /// Of `bins` bins from LOW to HIGH.
    pub(super) fn new(element: Type, range: &str, bins: u32) -> Result<Self, UsageError> {
        let bytes = match element {
            Type::I8 => even::<i8>(range, bins),
            Type::U8 => even::<u8>(range, bins),
            Type::I16 => even::<i16>(range, bins),
            Type::U16 => even::<u16>(range, bins),
            Type::I32 => even::<i32>(range, bins),
            Type::U32 => even::<u32>(range, bins),
            Type::I64 => even::<i64>(range, bins),
            Type::U64 => even::<u64>(range, bins),
            Type::F32 => even::<f32>(range, bins),
            Type::F64 => even::<f64>(range, bins),
        };
        let bytes = bytes.ok_or_else(|| {
            UsageError(format!(
                "--range {range:?}: expected two numbers of type {}, the first one less, as 0,100",
                element.name()
            ))
        })?;
        Ok(Self { element, bytes })
    }

    pub(super) fn count(
        &self,
        streamer: &mut Streamer,
        input: Source<'_>,
    ) -> Result<(Vec<u64>, Report), StreamError> {
        match self.element {
            Type::I8 => streamer.histogram::<i8>(input, &self.read()),
            Type::U8 => streamer.histogram::<u8>(input, &self.read()),
            Type::I16 => streamer.histogram::<i16>(input, &self.read()),
            Type::U16 => streamer.histogram::<u16>(input, &self.read()),
            Type::I32 => streamer.histogram::<i32>(input, &self.read()),
            Type::U32 => streamer.histogram::<u32>(input, &self.read()),
            Type::I64 => streamer.histogram::<i64>(input, &self.read()),
            Type::U64 => streamer.histogram::<u64>(input, &self.read()),
            Type::F32 => streamer.histogram::<f32>(input, &self.read()),
            Type::F64 => streamer.histogram::<f64>(input, &self.read()),
        }
    }

    fn read<T: Number>(&self) -> Vec<T> {
        let edges = self.bytes.chunks_exact(size_of::<T>());
        edges.map(bytemuck::pod_read_unaligned).collect()
    }
}

fn even<T: Between>(range: &str, bins: u32) -> Option<Vec<u8>> {
    let (low, high) = range.split_once(',')?;
    let (low, high): (T, T) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    if low.order() >= high.order() {
        return None;
    }
    let edges: Vec<T> = (0..=bins)
        .map(|part| T::between(low, high, part, bins))
        .collect();
    Some(bytemuck::cast_slice(&edges).to_vec())
}
