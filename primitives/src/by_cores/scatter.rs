//! Scatters by the host's cores: elements are taken apart by windows of the output that stay in a cache, and each window is
//! written by one core, so that no two write to one place.

use rayon::prelude::*;

use super::go_on;
use crate::{Kind, Sink, Source, StreamError, Streamer, Type};

/// Bytes of a window at least: what a core has in its own cache.
const WINDOW: usize = 256 << 10;
/// Windows at most: their ends are what a core writes to at a time.
const WINDOWS: usize = 256;
/// Elements that a thread takes apart at once.
const SHARE: usize = 1 << 18;
/// Shares that are taken apart before windows are written: with indices and values they take a gibibyte at most.
const SHARES: usize = 256;

/// Elements by window.
struct Apart<const W: usize> {
    /// In their window.
    places: Vec<u32>,
    values: Vec<[u8; W]>,
    /// Where each window's begin, and where the last one's end.
    starts: Vec<usize>,
}

/// An element's place in the output is at most so many bits.
#[derive(Clone, Copy)]
struct Windows {
    count: usize,
    shift: u32,
}

impl Streamer {
    /// As [`scatter`](Self::scatter), of arrays that [can](can_scatter) be; other places may become zeroes.
    pub(crate) fn scatter_by_cores(
        &self,
        index: &Source<'_>,
        values: &Source<'_>,
        output: &mut Sink<'_>,
        zeroes: bool,
    ) -> Result<(), StreamError> {
        let width = output.element.bytes();
        let wide = index.element == Kind::Number(Type::U64);
        let inputs = index.memory().zip(values.memory());
        let Some(((index, values), to)) = inputs.zip(output.memory_mut()) else {
            unreachable!("they are in memory")
        };
        let arrays = (index, values, to);
        match (width, wide) {
            (1, false) => self.scattered::<4, 1>(arrays, narrow, zeroes),
            (2, false) => self.scattered::<4, 2>(arrays, narrow, zeroes),
            (4, false) => self.scattered::<4, 4>(arrays, narrow, zeroes),
            (8, false) => self.scattered::<4, 8>(arrays, narrow, zeroes),
            (1, true) => self.scattered::<8, 1>(arrays, u64::from_ne_bytes, zeroes),
            (2, true) => self.scattered::<8, 2>(arrays, u64::from_ne_bytes, zeroes),
            (4, true) => self.scattered::<8, 4>(arrays, u64::from_ne_bytes, zeroes),
            (8, true) => self.scattered::<8, 8>(arrays, u64::from_ne_bytes, zeroes),
            _ => unreachable!("elements of {width} bytes can be scattered"),
        }
    }

    /// Of indices of `I` bytes and values of `W`, wherever they begin.
    fn scattered<const I: usize, const W: usize>(
        &self,
        (index, values, output): (&[u8], &[u8], &mut [u8]),
        place: impl Fn([u8; I]) -> u64 + Sync,
        zeroes: bool,
    ) -> Result<(), StreamError> {
        let (index, _) = index.as_chunks::<I>();
        let (values, _) = values.as_chunks::<W>();
        let (output, _) = output.as_chunks_mut::<W>();
        let length = output.len() as u64;
        let wrong = index.par_iter().position_first(|it| place(*it) >= length);
        if let Some(at) = wrong {
            return Err(StreamError::Index {
                place: at as u64,
                of: "output",
                length,
            });
        }
        if zeroes {
            output.par_chunks_mut(WINDOW).for_each(|it| it.fill([0; W]));
        }
        let windows = Windows::new(output.len(), W);
        let mut round: Vec<Apart<W>> = Vec::new();
        let rounds = index.chunks(SHARES * SHARE);
        for (index, values) in rounds.zip(values.chunks(SHARES * SHARE)) {
            go_on(&self.cancel)?;
            let shares = index.par_chunks(SHARE).zip(values.par_chunks(SHARE));
            shares
                .map(|(index, values)| Apart::new(index, values, windows, &place))
                .collect_into_vec(&mut round);
            let each = output.par_chunks_mut(1 << windows.shift).enumerate();
            each.for_each(|(window, output)| {
                for apart in &round {
                    let its = apart.starts[window]..apart.starts[window + 1];
                    let places = &apart.places[its.clone()];
                    for (&at, &value) in places.iter().zip(&apart.values[its]) {
                        output[at as usize] = value;
                    }
                }
            });
        }
        Ok(())
    }
}

/// Whether all is in memory, and elements are as wide as numbers are.
pub(crate) fn can_scatter(index: &Source<'_>, values: &Source<'_>, output: &mut Sink<'_>) -> bool {
    let is_in_memory =
        index.memory().and(values.memory()).is_some() && output.memory_mut().is_some();
    is_in_memory && [1, 2, 4, 8].contains(&output.element.bytes())
}

fn narrow(index: [u8; 4]) -> u64 {
    u32::from_ne_bytes(index).into()
}

impl Windows {
    fn new(length: usize, width: usize) -> Self {
        let each = length.div_ceil(WINDOWS).max(WINDOW / width);
        let each = each.next_power_of_two();
        Self {
            count: length.div_ceil(each),
            shift: each.trailing_zeros(),
        }
    }

    /// Which of them a place is in, and where there.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are at most 256 of them, of fewer than 2³² elements"
    )]
    fn of(self, place: u64) -> (usize, u32) {
        let within = place & ((1 << self.shift) - 1);
        ((place >> self.shift) as usize, within as u32)
    }
}

impl<const W: usize> Apart<W> {
    fn new<const I: usize>(
        index: &[[u8; I]],
        values: &[[u8; W]],
        windows: Windows,
        place: impl Fn([u8; I]) -> u64,
    ) -> Self {
        let mut starts = vec![0; windows.count + 1];
        for &it in index {
            starts[windows.of(place(it)).0 + 1] += 1;
        }
        for window in 0..windows.count {
            starts[window + 1] += starts[window];
        }
        let mut next = starts.clone();
        let (mut places, mut taken) = (vec![0; index.len()], vec![[0; W]; index.len()]);
        for (&it, &value) in index.iter().zip(values) {
            let (window, within) = windows.of(place(it));
            let at = next[window];
            (places[at], taken[at]) = (within, value);
            next[window] = at + 1;
        }
        Self {
            places,
            values: taken,
            starts,
        }
    }
}
