//! One of each run of equal elements.

use std::time::Instant;

use crate::{
    Report, Sink, Source, StreamError, Streamer, Type,
    pipeline::in_order,
    runs::{parts, source},
    streamer::{Leg, TILE, Task, WIDTH, groups, set},
};

impl Streamer {
    /// The first element of each run of equal ones; of a sorted array each value once. Elements are equal where their bits
    /// are: -0 and 0 are two, and NaN is itself.
    ///
    /// The input goes to the device twice: `make` is told how many runs there are and gives the output, which is then
    /// written. Where it refuses, nothing is. On an error some of the output may have been written.
    ///
    /// # Errors
    /// `make`'s, the output is of another type or length, or the device or a file fails.
    pub fn unique<'o>(
        &mut self,
        mut input: Source<'_>,
        make: impl FnOnce(u64) -> Result<Sink<'o>, StreamError>,
    ) -> Result<(u64, Report), StreamError> {
        let start = Instant::now();
        let (element, length) = (input.element, input.length);
        let number = element.number("the input")?;
        if self.is_left_further(&[element]) {
            let count = match self.planning {
                // As if no two were equal, as a plan of the device's has it.
                true => {
                    make(length)?.check(element, length)?;
                    length
                }
                false => self.unique_by_cores(&input, make)?,
            };
            return Ok((
                count,
                Report::of_cores("unique", element, length, start, None),
            ));
        }
        let (runs, counted) = self.runs(input.again())?;
        let count = runs.count();
        let output = make(count)?;
        output.check(element, count)?;
        let mut trips = vec![counted];
        if length > 0 {
            let unique = include_str!("../../kernels/stream_unique/stream_unique.cl");
            let source = format!("{}#line 1 \"stream_unique.cl\"\n{unique}", source(number));
            let mut function = self.program(source.clone())?.function("stream_unique")?;
            let what = "unique elements";
            let last = self.memory.take(what, 2 * element.bytes())?;
            let wish = self.wish(length, element.bytes());
            let (chunk, (slots, _leases)) = self.fit(wish, |chunk| {
                let (keys, offsets) = ((element, 1), (Type::U32.into(), TILE));
                let slots = self.options.slots;
                self.slots_of(what, slots, chunk, &[keys, offsets], Some(&[keys]))
            })?;
            let segments = in_order(length, chunk);
            let offsets = runs.offsets(chunk);
            let inputs = vec![
                Leg::new(input, &segments),
                Leg::new(
                    Source::slice(&offsets),
                    &in_order(offsets.len() as u64, chunk / TILE),
                ),
            ];
            let outputs = vec![Leg::new(
                output,
                &parts(runs.before(chunk).into_iter().skip(1)),
            )];
            let task = Task::of((chunk, segments.len()), element, source, length);
            let last = last.share();
            trips.push(self.trip(
                task,
                &slots,
                inputs,
                outputs,
                false,
                |index, slot, launches| {
                    let part = &segments[index].host;
                    let n = part.end - part.start;
                    let [keys, offsets] = &slot.buffers_in[..] else {
                        unreachable!("two inputs")
                    };
                    let buffers = [keys, offsets, &slot.buffers_out[0], &last];
                    set(&mut function, &buffers, &[n, index as u64])?;
                    launches.launch(&function, groups(n, TILE), WIDTH)
                },
            )?);
        }
        Ok((count, Report::new("unique", element, length, start, trips)))
    }
}
