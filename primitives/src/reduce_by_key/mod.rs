//! The values of each run of equal keys become one.

use std::time::Instant;

use crate::{
    Kind, Operation, Report, Sink, Source, StreamError, Streamer, TripReport, Type,
    pipeline::in_order,
    runs::{self, Runs, parts},
    streamer::{Leg, TILE, Task, WIDTH, groups, set},
};

/// What is reduced by what.
struct ByKey<'a> {
    operation: &'a Operation,
    keys: Source<'a>,
    values: Source<'a>,
    keys_out: Sink<'a>,
    values_out: Sink<'a>,
}

impl Streamer {
    /// Of each run of equal keys the key and `a · b · c …` of its values in this order, where `operation` of `a` and `b` is
    /// an associative `·`, which need not be commutative. Of sorted keys each is there once. Keys are equal where their bits
    /// are: -0 and 0 are two, and NaN is itself. Sums of floats depend on how long the chunks are.
    ///
    /// The keys go to the device twice: `make` is told how many runs there are and gives the outputs, of keys and of values,
    /// which are then written. Where it refuses, nothing is. On an error some of the outputs may have been written.
    ///
    /// # Errors
    /// Keys and values have different lengths, the operation does not compile, `make`'s, the outputs have other types or
    /// lengths, or the device or a file fails.
    pub fn reduce_by_key<'a>(
        &mut self,
        operation: &'a Operation,
        mut keys: Source<'a>,
        values: Source<'a>,
        make: impl FnOnce(u64) -> Result<(Sink<'a>, Sink<'a>), StreamError>,
    ) -> Result<(u64, Report), StreamError> {
        let start = Instant::now();
        let (element, value, length) = (keys.element, values.element, keys.length);
        if values.length != length {
            return Err(StreamError::length("the values", values.length, length));
        }
        self.check_sums(value, operation)?;
        // What does not compile is told before anything is counted.
        self.program(source(operation, element.number("the keys")?, value))?;
        let (runs, counted) = self.runs(keys.again())?;
        let count = runs.count();
        let (keys_out, values_out) = make(count)?;
        keys_out.check(element, count)?;
        values_out.check(value, count)?;
        let mut trips = vec![counted];
        if length > 0 {
            let by_key = ByKey {
                operation,
                keys,
                values,
                keys_out,
                values_out,
            };
            trips.push(self.by_key(by_key, &runs)?);
        }
        let report = Report::new("reduce_by_key", element, length, start, trips);
        Ok((count, report))
    }

    fn by_key(&mut self, it: ByKey<'_>, runs: &Runs) -> Result<TripReport, StreamError> {
        let (element, value, length) = (it.keys.element, it.values.element, it.keys.length);
        let source = source(it.operation, element.number("the keys")?, value);
        let program = self.program(source.clone())?;
        let mut functions = [
            program.function("stream_by_key_tiles")?,
            program.function("stream_scan_sums")?,
            program.function("stream_by_key")?,
        ];
        for (function, arguments) in functions.iter_mut().zip([6, 4, 11]) {
            it.operation.pass(function, arguments)?;
        }
        let what = "a reduction by key";
        let types = [element, value];
        let alignment = value.alignment().max(Type::U32.bytes());
        let pair = (alignment + value.bytes()).next_multiple_of(alignment);
        let last = self.memory.take(what, 2 * element.bytes())?;
        let carry = self.memory.take(what, pair)?;
        let wish = self.wish(length, element.bytes().max(value.bytes()));
        let (chunk, (slots, _leases, tiles)) = self.fit(wish, |chunk| {
            // The last chunk may end one run more than it has elements.
            let (slots, room) = (self.options.slots, chunk + TILE);
            let outputs = types.map(|it| (it, 1));
            let (slots, leases) = self.slots(what, slots, room, &types, Some(&outputs))?;
            let pairs = usize::try_from(chunk / TILE).unwrap_or(usize::MAX);
            let tiles = self.memory.take(what, pairs.saturating_mul(pair))?;
            Ok((slots, leases, tiles))
        })?;
        let segments = in_order(length, chunk);
        let chunks = segments.len();
        let keys_until = runs.before(chunk);
        // A run's value is there where the next one begins.
        let values_until: Vec<u64> = (0..=chunks)
            .map(|it| match it {
                0 => 0,
                it => keys_until[it] - u64::from(it < chunks),
            })
            .collect();
        let arrays = [it.keys, it.values];
        let inputs = arrays.map(|array| Leg::new(array, &segments));
        let outputs = vec![
            Leg::new(it.keys_out, &parts(keys_until[1..].iter().copied())),
            Leg::new(it.values_out, &parts(values_until[1..].iter().copied())),
        ];
        let task = Task::of((chunk, chunks), value, source, length);
        let (last, carry, sums) = (last.share(), carry.share(), tiles.share());
        self.trip(
            task,
            &slots,
            inputs.into(),
            outputs,
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let (n, chunk) = (part.end - part.start, index as u64);
                let [tiles, scan, write] = &mut functions;
                let [keys, values] = &slot.buffers_in[..] else {
                    unreachable!("two inputs")
                };
                let many = groups(n, TILE);
                set(tiles, &[keys, values, &last, &sums], &[n, chunk])?;
                launches.launch(tiles, many, WIDTH)?;
                set(scan, &[&sums, &carry], &[many as u64, u64::from(index > 0)])?;
                launches.launch(scan, 1, WIDTH)?;
                let [keys_out, values_out] = &slot.buffers_out[..] else {
                    unreachable!("two outputs")
                };
                let buffers = [keys, values, &last, &sums, keys_out, values_out];
                let before = [keys_until[index], values_until[index]];
                let is_last = u64::from(index + 1 == chunks);
                set(write, &buffers, &[n, chunk, before[0], before[1], is_last])?;
                launches.launch(write, many, WIDTH)
            },
        )
    }
}

fn source(operation: &Operation, keys: Type, values: Kind) -> String {
    let of_values = operation.source(values, &[(values, "a"), (values, "b")]);
    let value = values.opencl();
    format!(
        "{of_values}#define VALUE {value}\n#line 1 \"stream_pairs.cl\"\n{}{}\
         #line 1 \"stream_reduce.cl\"\n{}#line 1 \"stream_scan.cl\"\n{}\
         #line 1 \"stream_reduce_by_key.cl\"\n{}",
        include_str!("../../kernels/stream_reduce_by_key/stream_pairs.cl"),
        runs::source(keys),
        include_str!("../../kernels/stream_reduce/stream_reduce.cl"),
        include_str!("../../kernels/stream_scan/stream_scan.cl"),
        include_str!("../../kernels/stream_reduce_by_key/stream_reduce_by_key.cl"),
    )
}
