//! A function of the elements at each place.

use std::{fmt::Write as _, ops::Range, time::Instant};

use crate::{
    Kind, Operation, Report, Sink, Source, StreamError, Streamer, Type, Way, Work,
    pipeline::{Launches, Slot, in_order},
    streamer::{Launched, Leg, Member, Task, WIDTH, groups, set},
};

/// So many arguments beside the inputs come before those that are captured.
pub(crate) const CAPTURED_AFTER: u32 = 3;
/// The parameters of the operation, by input.
const NAMES: [&str; 4] = ["x", "y", "z", "w"];

impl Streamer {
    /// `output[i] = operation(inputs[0][i], …)`: the operation's arguments are `x`, `y`, `z`, `w`, as many as there
    /// are inputs, and `i`, the place (`ulong`). On an error some of the output may have been written.
    ///
    /// # Errors
    /// There are not one to four inputs, they or the output have different lengths, the operation does not compile,
    /// or the device or a file fails.
    pub fn transform(
        &mut self,
        operation: &Operation,
        inputs: Vec<Source<'_>>,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (count, length) = (inputs.len(), output.length);
        if !(1..=NAMES.len()).contains(&count) {
            return Err(StreamError::Shape {
                what: "a transform".to_owned(),
                found: format!("{count} inputs"),
                expected: "1 to 4".to_owned(),
            });
        }
        for (input, name) in inputs.iter().zip(NAMES) {
            if input.length != length {
                return Err(StreamError::length(
                    &format!("the input {name}"),
                    input.length,
                    length,
                ));
            }
        }
        let types: Vec<Kind> = inputs.iter().map(|it| it.element).collect();
        let element = output.element;
        let host = operation.on_host.as_ref();
        let host = host.filter(|it| it.maps(&types, element));
        if let Some(work) = host.filter(|_| self.is_left(Work::Transform))
            && let Some((from, to)) = inputs[0].memory().zip(output.memory_mut())
        {
            if !self.planning {
                self.map_by_cores(work, (types[0], from), (element, to))?;
            }
            let (call, of) = (("transform", Work::Transform), (types[0], length));
            return Ok(self.report_of_cores(call, of, [Way::Mapped; 2], start));
        }
        let all = [&types[..], &[output.element]].concat();
        let source = source(operation, &types, output.element);
        let numbers = u32::try_from(count).expect("a few") + CAPTURED_AFTER;
        let functions = self.each(|it| {
            it.check_types(&all, Some(operation))?;
            let mut function = it.program(source.clone())?.function("stream_transform")?;
            operation.pass(&mut function, numbers)?;
            Ok(function)
        })?;

        let widest = all.iter().map(|it| it.bytes()).max().unwrap_or(1);
        let outs = [(output.element, 1)];
        let places: Vec<&Source<'_>> = inputs.iter().collect();
        let (chunk, held) = self.fit(self.wish(length, widest), |chunk| {
            self.of_each(|it| {
                let count = it.slot_count(&places, &output);
                it.slots("a transform", count, chunk, &types, Some(&outs))
            })
        })?;
        let segments = in_order(length, chunk);
        let inputs = inputs.into_iter().map(|array| Leg {
            array,
            segments: segments.clone(),
        });
        let outputs = vec![Leg {
            array: output,
            segments: segments.clone(),
        }];
        let task = Task {
            chunk,
            chunks: segments.len(),
            launched: Some(Launched {
                work: Some(Work::Transform),
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
                let buffers: Vec<_> = slot.buffers_in.iter().chain(&slot.buffers_out).collect();
                set(&mut function, &buffers, &[part.start, n])?;
                launches.launch(&function, groups(n, WIDTH as u64), WIDTH)
            },
        });
        let trip = self.shared_trip(
            task,
            members.collect(),
            host,
            inputs.collect(),
            outputs,
            false,
        )?;
        Ok(Report::new(
            "transform",
            types[0],
            length,
            start,
            vec![trip],
        ))
    }
}

/// The kernel `stream_transform`.
pub(crate) fn source(operation: &Operation, inputs: &[Kind], output: Kind) -> String {
    let (mut parameters, mut loads) = (String::new(), String::new());
    for (element, name) in inputs.iter().zip(NAMES) {
        let _ = write!(parameters, "global const {} *in_{name}, ", element.opencl());
        let _ = write!(loads, "in_{name}[at], ");
    }
    let arguments = inputs.iter().copied().zip(NAMES);
    let place = (Type::U64.into(), "i");
    let arguments: Vec<_> = arguments.chain([place]).collect();
    let operation = operation.source(output, &arguments);
    let output = output.opencl();
    format!(
        "{operation}#line 1 \"stream_transform.cl\"\n#define OUT {output}\n#define INPUTS {parameters}\n\
         #define LOADS {loads}\n{}",
        include_str!("../../kernels/stream_transform/stream_transform.cl")
    )
}
