//! All elements become one.

use std::{ops::Range, time::Instant};

use crate::{
    Element, Kind, Operation, Report, Sink, Source, StreamError, Streamer, TripReport, Type, Way,
    Work,
    pipeline::{Launches, Slot, in_order},
    streamer::{ITEMS, Launched, Leg, Member, TILE, Task, WIDTH, groups, set},
};

/// So many arguments come before those that are captured.
pub(crate) const CAPTURED_AFTER: u32 = 3;

impl Streamer {
    /// `a · b · c …` in this order, where `operation` of `a` and `b` is an associative `·`; none of no elements.
    ///
    /// Tiles of 4096 elements become one each, whatever the device, its memory and the chunks are, and then the same is
    /// done to these: on every run the same operations are done in the same order. Sums of floats have the same bits on
    /// devices that round alike.
    ///
    /// # Errors
    /// The input is of another type than `T`, the operation does not compile, or the device or a file fails.
    pub fn reduce<T: Element>(
        &mut self,
        operation: &Operation,
        input: Source<'_>,
    ) -> Result<(Option<T>, Report), StreamError> {
        let start = Instant::now();
        if input.element != T::KIND {
            return Err(StreamError::types("the input", input.element, T::KIND));
        }
        let length = input.length;
        let host = operation.on_host.as_ref();
        let host = host.filter(|it| self.is_left(Work::Reduce) && it.folds(T::KIND));
        if let Some((work, from)) = host.zip(input.memory()) {
            let sum = match self.planning {
                true => None,
                false => self.fold_by_cores(work, from)?,
            };
            let (call, of) = (("reduce", Work::Reduce), (T::KIND, length));
            let report = self.report_of_cores(call, of, [Way::Mapped; 2], start);
            return Ok((sum, report));
        }
        let mut trips = Vec::new();
        let mut sums = vec![T::zeroed(); groups(length, TILE)];
        if length > 0 {
            trips.push(self.reduce_tiles(operation, input, Sink::slice(&mut sums))?);
        }
        let sum = self::sums(self, operation, sums, &mut trips)?;
        let report = Report::new("reduce", T::KIND, length, start, trips);
        Ok((sum, report))
    }

    fn reduce_tiles(
        &mut self,
        operation: &Operation,
        input: Source<'_>,
        output: Sink<'_>,
    ) -> Result<TripReport, StreamError> {
        let (element, length) = (input.element, input.length);
        let source = source(operation, element);
        let functions = self.each(|it| {
            it.check_sums(element, operation)?;
            let mut function = it.program(source.clone())?.function("stream_reduce")?;
            operation.pass(&mut function, CAPTURED_AFTER)?;
            Ok(function)
        })?;
        let wish = self.wish(length, element.bytes());
        let (chunk, held) = self.fit(wish, |chunk| {
            self.of_each(|it| {
                let count = it.slot_count(&[&input], &output);
                let sums = [(element, TILE)];
                it.slots("a reduction", count, chunk, &[element], Some(&sums))
            })
        })?;
        let segments = in_order(length, chunk);
        let sums = in_order(output.length, chunk / TILE);
        let inputs = vec![Leg {
            array: input,
            segments: segments.clone(),
        }];
        let outputs = vec![Leg {
            array: output,
            segments: sums,
        }];
        let task = Task {
            chunk,
            chunks: segments.len(),
            launched: Some(Launched {
                work: Some(Work::Reduce),
                element,
                key: source,
                elements: length,
            }),
        };
        let segments = &segments;
        let members = functions.into_iter().zip(&held);
        let members = members.map(|(mut function, (slots, _))| Member {
            slots,
            compute: move |index: usize, slot: &Slot, launches: &mut Launches<'_>| {
                let part: &Range<u64> = &segments[index].host;
                let n = part.end - part.start;
                let buffers = [&slot.buffers_in[0], &slot.buffers_out[0]];
                set(&mut function, &buffers, &[n])?;
                launches.launch(&function, groups(n, TILE), WIDTH)
            },
        });
        let host = operation.on_host.as_ref();
        let host = host.filter(|it| it.folds(element));
        self.shared_trip(task, members.collect(), host, inputs, outputs, false)
    }
}

/// What sums of tiles come to, tile by tile again.
pub(crate) fn sums<T: Element>(
    streamer: &mut Streamer,
    operation: &Operation,
    mut sums: Vec<T>,
    trips: &mut Vec<TripReport>,
) -> Result<Option<T>, StreamError> {
    while sums.len() > 1 {
        let mut next = vec![T::zeroed(); groups(sums.len() as u64, TILE)];
        let (from, to) = (Source::slice(&sums), Sink::slice(&mut next));
        trips.push(streamer.reduce_tiles(operation, from, to)?);
        sums = next;
    }
    Ok(sums.pop())
}

/// The kernel `stream_reduce` and what it needs, for other sources to follow.
pub(crate) fn source(operation: &Operation, element: Kind) -> String {
    let operation = operation.source(element, &[(element, "a"), (element, "b")]);
    let name = element.opencl();
    let loaded = match element {
        Kind::Number(_) => format!("#define FOUR {name}4"),
        Kind::Record(_) if element.bytes() <= Type::F64.bytes() => {
            format!(
                "typedef struct {{ {name} x, y, z, w; }} stream_four;\n#define FOUR stream_four"
            )
        }
        // Tiles of them would take too much local memory.
        Kind::Record(_) => "#undef DIRECT\n#define DIRECT".to_owned(),
    };
    format!(
        "{operation}#define T {name}\n{loaded}\n#define WIDTH {WIDTH}\n#define ITEMS {ITEMS}\n\
         #line 1 \"stream_reduce.cl\"\n{}",
        include_str!("../../kernels/stream_reduce/stream_reduce.cl")
    )
}
