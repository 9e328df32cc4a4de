//! Values of many keys at once, by a hash table.
//!
//! Keys and values that fit the device become a table there, and the keys that are asked for stream by. More are taken apart
//! by their hashes first, and so are the keys that are asked for: each part is a table, and is asked for its keys alone. So
//! the bus is passed a fixed number of times, however many tables there are.

mod apart;
mod table;

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    ops::Range,
    time::Instant,
};

use crate::{
    Element, Kind, Report, Sink, Source, StreamError, Streamer, TripReport, Type,
    by_cores::MOST_KEYS,
    memory::Lease,
    pipeline::{Segment, Slot, in_order},
    sort::Scratch,
    streamer::{Leg, TILE, Task, WIDTH, groups, set},
    windows::{Windows, packed},
};
use apart::Apart;
use table::{Asked, Kernels, LONGEST, Stored, Table, WHAT, answer};

/// What is asked of what.
struct Question<'a> {
    /// Of an unsigned type, as the keys that are asked for.
    keys: Source<'a>,
    values: Source<'a>,
    asked: Source<'a>,
    /// A value.
    missing: &'a [u8],
    output: Sink<'a>,
    key: Type,
}

impl Streamer {
    /// `output[i]` becomes the value of the first of `keys` that equals `asked[i]`: `values[j]` where that is `keys[j]`, or
    /// `missing` where there is none. Keys are numbers, and equal where their bits are: -0 and 0 are two, NaN is itself.
    /// Values are numbers or records.
    ///
    /// Keys and values that three quarters of the device's memory have room for, 8 bytes a key besides, stay there while
    /// `asked` streams by. More are taken apart by their hashes, and `asked` is too, into memory of the call: as large as keys
    /// and values, `asked`, 4 bytes for each of it, and the output. Of keys of which very many are equal some parts may not fit
    /// the device at once: these take several tables, and the output as much memory again. On an error of the device or of a
    /// file some of the output may have been written.
    ///
    /// # Errors
    /// Keys are no numbers, types or lengths differ, a tile does not fit the device's memory, keys are taken apart and one has
    /// over 110 bytes with its value, or the device or a file fails.
    pub fn look_up<T: Element>(
        &mut self,
        keys: Source<'_>,
        values: Source<'_>,
        asked: Source<'_>,
        missing: T,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (keys.element, asked.length);
        let key = element.number("the keys")?.unsigned();
        if asked.element != element {
            return Err(StreamError::types(
                "what is asked for",
                asked.element,
                element,
            ));
        }
        if values.element != T::KIND {
            return Err(StreamError::types("the values", values.element, T::KIND));
        }
        if values.length != keys.length {
            return Err(StreamError::length(
                "the values",
                values.length,
                keys.length,
            ));
        }
        output.check(values.element, length)?;
        let seed = RandomState::new().build_hasher().finish();
        let has_room = keys.length <= MOST_KEYS;
        if has_room && self.is_left_further(&[values.element]) {
            if !self.planning {
                let missing = bytemuck::bytes_of(&missing);
                let arrays = [&keys, &values, &asked];
                self.look_up_by_cores(arrays, missing, &mut output, seed)?;
            }
            return Ok(Report::of_cores("look_up", element, length, start, None));
        }
        let mut trips = Vec::new();
        if length > 0 {
            let of_bits = |source| Source {
                element: key.into(),
                ..source
            };
            let it = Question {
                keys: of_bits(keys),
                values,
                asked: of_bits(asked),
                missing: bytemuck::bytes_of(&missing),
                output,
                key,
            };
            trips = it.done(self, seed)?;
        }
        Ok(Report::new("look_up", element, length, start, trips))
    }
}

impl Question<'_> {
    fn done(self, streamer: &mut Streamer, seed: u64) -> Result<Vec<TripReport>, StreamError> {
        let value = self.values.element;
        let mut kernels = Kernels::new(streamer, self.key, value, seed)?;
        match self.hold(streamer)? {
            Some(table) => self.at_once(streamer, &mut kernels, &table),
            None => self.in_parts(streamer, &mut kernels),
        }
    }

    /// Device memory for all keys; none where there is not as much.
    fn hold(&self, streamer: &Streamer) -> Result<Option<Table>, StreamError> {
        let (value, length, budget) = (
            self.values.element,
            self.keys.length,
            streamer.memory.budget,
        );
        let needed = length.saturating_mul(Table::each(self.key, value));
        let pair = (self.key.bytes() + value.bytes()) as u64;
        let least = streamer.options.slots as u64 * TILE * pair;
        if length > LONGEST || needed > (budget / 4 * 3).min(budget.saturating_sub(least)) {
            return Ok(None);
        }
        match Table::new(streamer, length, self.key, self.missing) {
            Ok(table) => Ok(Some(table)),
            Err(StreamError::Memory { .. }) => Ok(None),
            Err(StreamError::Device(why)) if why.is_out_of_memory() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn at_once(
        self,
        streamer: &mut Streamer,
        kernels: &mut Kernels,
        table: &Table,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (key, value) = (Kind::from(self.key), self.values.element);
        let length = self.asked.length;
        let wish = streamer.wish(length, key.bytes().max(value.bytes()));
        let count = streamer.slot_count(&[&self.asked], &self.output);
        let (chunk, (slots, _leases)) = streamer.fit(wish, |chunk| {
            streamer.slots(WHAT, count, chunk, &[key], Some(&[(value, 1)]))
        })?;
        let segments = in_order(length, chunk);
        let lengths = segments.iter().map(|it| it.host.end - it.host.start);
        let lengths: Vec<u64> = lengths.collect();
        let stored = Stored {
            length: self.keys.length,
            segments: in_order(self.keys.length, LONGEST),
            keys: self.keys,
            values: self.values,
            is_hashed: false,
        };
        let asked = Asked {
            keys: self.asked,
            kept: None,
            answers: self.output,
            segments: &segments,
            lengths: &lengths,
            chunk,
        };
        Ok(answer(streamer, kernels, table, &slots, stored, asked)?.into())
    }

    fn in_parts(
        self,
        streamer: &mut Streamer,
        kernels: &mut Kernels,
    ) -> Result<Vec<TripReport>, StreamError> {
        let (value, length) = (self.values.element, self.asked.length);
        let most = longest_back(streamer, value, length)?;
        let (asked, asked_trip) = Apart::new(streamer, kernels, self.asked, None, most)?;
        let (stored, stored_trip) =
            Apart::new(streamer, kernels, self.keys, Some(self.values), u64::MAX)?;
        let mut trips = vec![asked_trip, stored_trip];
        let mut answers = Scratch::new(value, length)?;
        {
            let held = Held::new(streamer, self.key, self.missing, &stored, length)?;
            let mut kept = match held.is_crowded {
                true => Some(Scratch::new(value, length)?),
                false => None,
            };
            for parts in &held.windows {
                let both = (&stored, &asked);
                let to = (&mut answers, &mut kept);
                trips.extend(window(streamer, kernels, &held, parts, both, to)?);
            }
        }
        trips.push(back(streamer, kernels, &answers, &asked, self.output)?);
        Ok(trips)
    }
}

/// What does not change from table to table.
struct Held {
    table: Table,
    /// Keys that the table has room for.
    capacity: u64,
    chunk: u64,
    slots: Vec<Slot>,
    _leases: Vec<Lease>,
    /// Parts that are a table together.
    windows: Vec<Range<usize>>,
    /// Whether some part does not fit a table.
    is_crowded: bool,
}

impl Held {
    fn new(
        streamer: &Streamer,
        key: Type,
        missing: &[u8],
        stored: &Apart,
        asked: u64,
    ) -> Result<Self, StreamError> {
        let value = stored.others.element();
        let (pair, budget) = (key.bytes() + value.bytes(), streamer.memory.budget);
        // Tables have what chunks leave, which is the most of it: each costs two trips.
        let wish = streamer.wish(asked, key.bytes().max(value.bytes()));
        let share = budget / 4 / streamer.options.slots as u64 / pair as u64;
        let (chunk, (mut slots, leases)) = streamer.fit(wish.min(share), |chunk| {
            let count = streamer.options.slots;
            streamer.slots(WHAT, count, chunk, &[key.into()], Some(&[(value, 1)]))
        })?;
        for slot in &mut slots {
            // What is kept of earlier answers lies where answers are written.
            let answers = slot.buffers_out[0].clone();
            slot.buffers_in.push(answers);
        }
        let room = budget / 4 * 3 / Table::each(key, value);
        let keys = stored.lengths();
        let wish = keys.iter().sum::<u64>().min(room).min(LONGEST);
        let (capacity, table) =
            streamer.fit(wish, |length| Table::new(streamer, length, key, missing))?;
        Ok(Self {
            table,
            capacity,
            chunk,
            slots,
            _leases: leases,
            windows: windows(&keys, capacity),
            is_crowded: keys.iter().any(|it| *it > capacity),
        })
    }
}

/// Parts, in their order, that have at most so many keys together; a part that has more is by itself.
fn windows(lengths: &[u64], most: u64) -> Vec<Range<usize>> {
    let (mut windows, mut begin, mut sum) = (Vec::new(), 0, 0);
    for (part, &length) in lengths.iter().enumerate() {
        if part > begin && sum + length > most {
            windows.push(begin..part);
            (begin, sum) = (part, 0);
        }
        sum += length;
    }
    windows.push(begin..lengths.len());
    windows
}

/// Asks for the keys of some parts: of one table, or, where there is a part that fits none, of several. The first of equal
/// keys is to be found: the last table is asked first, and what others find is written over it.
fn window(
    streamer: &mut Streamer,
    kernels: &mut Kernels,
    held: &Held,
    parts: &Range<usize>,
    (stored, asked): (&Apart, &Apart),
    (answers, kept): (&mut Scratch, &mut Option<Scratch>),
) -> Result<Vec<TripReport>, StreamError> {
    let Windows { segments, lengths } = packed(&asked.ranges(parts), held.chunk);
    if lengths.is_empty() {
        return Ok(Vec::new());
    }
    let tables = packed(&stored.ranges(parts), held.capacity);
    let (mut trips, last) = (Vec::new(), tables.lengths.len().saturating_sub(1));
    for table in (0..=last).rev() {
        let its = tables.segments.iter().filter(|it| it.chunk == table);
        let its = its.map(|it| Segment {
            chunk: 0,
            ..it.clone()
        });
        let stored = Stored {
            keys: stored.hashes.source(),
            values: stored.others.source(),
            segments: its.collect(),
            length: tables.lengths.get(table).copied().unwrap_or(0),
            is_hashed: true,
        };
        // The first table's answers come to `answers`, as those of every other one.
        let (to, from) = match (&mut *kept, table % 2) {
            (None, _) => (&mut *answers, None),
            (Some(kept), 0) => (&mut *answers, Some(&*kept)),
            (Some(kept), _) => (kept, Some(&*answers)),
        };
        let asked = Asked {
            keys: asked.hashes.source(),
            kept: from.filter(|_| table < last).map(Scratch::source),
            answers: to.sink(),
            segments: &segments,
            lengths: &lengths,
            chunk: held.chunk,
        };
        trips.extend(answer(
            streamer,
            kernels,
            &held.table,
            &held.slots,
            stored,
            asked,
        )?);
    }
    Ok(trips)
}

/// Elements of chunks whose answers can go [back].
fn longest_back(streamer: &Streamer, value: Kind, length: u64) -> Result<u64, StreamError> {
    let wish = streamer.wish(length, value.bytes().max(Type::U32.bytes()));
    let (chunk, _) = streamer.fit(wish, |chunk| slots_back(streamer, value, chunk))?;
    Ok(chunk)
}

fn slots_back(
    streamer: &Streamer,
    value: Kind,
    chunk: u64,
) -> Result<(Vec<Slot>, Vec<Lease>), StreamError> {
    let inputs = [value, Type::U32.into()];
    streamer.slots(
        WHAT,
        streamer.options.slots,
        chunk,
        &inputs,
        Some(&[(value, 1)]),
    )
}

/// Answers to where they were asked for.
fn back(
    streamer: &mut Streamer,
    kernels: &mut Kernels,
    answers: &Scratch,
    asked: &Apart,
    output: Sink<'_>,
) -> Result<TripReport, StreamError> {
    let (value, length) = (output.element, output.length);
    let (slots, _leases) = slots_back(streamer, value, asked.chunk)?;
    let segments = in_order(length, asked.chunk);
    let inputs = [answers.source(), asked.others.source()];
    let inputs = inputs.map(|array| Leg::new(array, &segments));
    let outputs = vec![Leg::new(output, &segments)];
    let key = format!("back {value:?}");
    let task = Task::of((asked.chunk, segments.len()), value, key, length);
    let function = &mut kernels.back;
    streamer.trip(
        task,
        &slots,
        inputs.into(),
        outputs,
        false,
        |index, slot, launches| {
            let n = segments[index].host.end - segments[index].host.start;
            let [answers, places] = &slot.buffers_in[..] else {
                unreachable!("two inputs")
            };
            set(function, &[answers, places, &slot.buffers_out[0]], &[n])?;
            launches.launch(function, groups(n, WIDTH as u64), WIDTH)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_tables_and_longer_ones_are_by_themselves() {
        assert_eq!(
            windows(&[3, 3, 3, 20, 0, 8, 1], 8),
            [0..2, 2..3, 3..4, 4..6, 6..7]
        );
        assert_eq!(windows(&[0; 256], 8).len(), 1);
    }
}
