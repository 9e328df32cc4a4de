//! OpenCL C of the steps' kernels.

use std::fmt::Write as _;

use crate::{
    ElementType, Operation,
    streamer::{ITEMS, WIDTH},
};

/// The parameters of a transform's operation, by input.
pub(crate) const INPUT_NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// The kernel `stream_transform`.
pub(super) fn transform(
    operation: &Operation,
    inputs: &[ElementType],
    output: ElementType,
) -> String {
    let (mut parameters, mut loads) = (String::new(), String::new());
    for (element, name) in inputs.iter().zip(INPUT_NAMES) {
        let _ = write!(parameters, "global const {} *in_{name}, ", element.opencl());
        let _ = write!(loads, "in_{name}[at], ");
    }
    let arguments = inputs.iter().copied().zip(INPUT_NAMES);
    let arguments: Vec<_> = arguments.chain([(ElementType::U64, "i")]).collect();
    let operation = operation.source(output, &arguments);
    let output = output.opencl();
    format!(
        "{operation}#line 1 \"stream_transform.cl\"\n#define OUT {output}\n#define INPUTS {parameters}\n\
         #define LOADS {loads}\n{}",
        include_str!("../../kernels/stream_transform/stream_transform.cl")
    )
}

/// The kernel `stream_reduce` and its definitions. Other sources are appended to it.
pub(super) fn reduce(operation: &Operation, element: ElementType) -> String {
    let operation = operation.source(element, &[(element, "a"), (element, "b")]);
    let name = element.opencl();
    format!(
        "{operation}#define T {name}\n#define FOUR {name}4\n#define WIDTH {WIDTH}\n#define ITEMS {ITEMS}\n\
         #line 1 \"stream_reduce.cl\"\n{}",
        include_str!("../../kernels/stream_reduce/stream_reduce.cl")
    )
}
