//! Edges of bins that are as wide as each other.

use std::convert::identity;

use kerncast_collector::UsageError;
use kerncast_primitives::{Number, Report, Source, StreamError, Streamer, Type};

/// Edges of a file's type, as they are written in memory.
pub(super) struct Edges {
    element: Type,
    bytes: Vec<u8>,
}

trait Even: Number {
    /// What edges can be, for an error.
    fn limits() -> String;
    /// From `low` to `high`, one more than bins. None where these are no such numbers, the first one less.
    fn edges(low: &str, high: &str, bins: u32) -> Option<Vec<Self>>;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Even for $type {
            fn limits() -> String {
                format!("integers from {} to {}", <$type>::MIN, i128::from(<$type>::MAX) + 1)
            }

            /// Rounded down. As the last bin has its upper edge, one above the greatest number is the greatest number.
            fn edges(low: &str, high: &str, bins: u32) -> Option<Vec<Self>> {
                let (low, high): (i128, i128) = (low.parse().ok()?, high.parse().ok()?);
                let most = i128::from(<$type>::MAX);
                if low >= high || low < i128::from(<$type>::MIN) || high > most + 1 {
                    return None;
                }
                let at = |part| low + (high - low) * i128::from(part) / i128::from(bins);
                let edges = (0..=bins).map(|part| Self::try_from(at(part).min(most)));
                edges.collect::<Result<_, _>>().ok()
            }
        }
    )*};
}

integers!(i8, u8, i16, u16, i32, u32, i64, u64);

macro_rules! floats {
    ($($type:ty: $nearest:path),*) => {$(
        impl Even for $type {
            fn limits() -> String {
                "numbers".to_owned()
            }

            fn edges(low: &str, high: &str, bins: u32) -> Option<Vec<Self>> {
                let (first, last): (Self, Self) = (low.parse().ok()?, high.parse().ok()?);
                if !(first.is_finite() && last.is_finite() && first < last) {
                    return None;
                }
                let (low, high) = (f64::from(first), f64::from(last));
                let edge = |part| $nearest(low + (high - low) * (f64::from(part) / f64::from(bins)));
                // The last one is what was asked for.
                let edges = (0..bins).map(edge).chain([last]);
                Some(edges.collect())
            }
        }
    )*};
}

floats!(f32: single, f64: identity);

/// The nearest one.
fn single(edge: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "edges have the elements' type"
    )]
    let edge = edge as f32;
    edge
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
        let bytes =
            bytes.map_err(|why| UsageError(format!("{why} (IN has {})", element.name())))?;
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

fn even<T: Even>(range: &str, bins: u32) -> Result<Vec<u8>, String> {
    let edges = range
        .split_once(',')
        .and_then(|(low, high)| T::edges(low.trim(), high.trim(), bins));
    let edges = edges.ok_or_else(|| {
        let limits = T::limits();
        format!("--range {range:?}: expected two {limits}, the first one less, as 0,100")
    })?;
    // Only the last bin may have one number alone, its upper edge.
    let inner = &edges[..edges.len() - 1];
    if inner.windows(2).any(|it| it[0].order() >= it[1].order()) {
        return Err(format!(
            "--bins {bins}: {range} has fewer numbers; expected fewer bins"
        ));
    }
    Ok(bytemuck::cast_slice(&edges).to_vec())
}
