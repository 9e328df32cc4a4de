//! Functions with their arguments: set once, so that nothing but launches happens between launches.

use std::collections::BTreeMap;

use kerncast_opencl::{Function, Program};
use kerncast_suite::{LaunchArgument, Step};

use super::{
    RunError, Slot,
    memory::{Memory, sampler},
    signature::Signature,
};

/// A function for each different pair of name and arguments in the steps, and each step's index among them.
pub(super) fn functions(
    signature: &Signature<'_>,
    program: &Program,
    steps: &[Step],
    slots: &[Slot],
) -> Result<(Vec<Function>, Vec<usize>), RunError> {
    let mut functions = Vec::new();
    let mut places: BTreeMap<(&str, &[LaunchArgument]), usize> = BTreeMap::new();
    let mut order = Vec::new();
    for step in steps {
        let key = (&*step.function, step.arguments.as_slice());
        let place = match places.get(&key) {
            Some(place) => *place,
            None => {
                functions.push(function(signature, program, step, slots)?);
                places.insert(key, functions.len() - 1);
                functions.len() - 1
            }
        };
        order.push(place);
    }
    Ok((functions, order))
}

fn function(
    signature: &Signature<'_>,
    program: &Program,
    step: &Step,
    slots: &[Slot],
) -> Result<Function, RunError> {
    let mut function = program.function(&step.function)?;
    signature.check(step, &function)?;
    for ((index, argument), name) in (0..).zip(&step.arguments).zip(&*step.names) {
        let result = match argument {
            LaunchArgument::Scalar(bytes) => function.set_scalar(index, bytes),
            LaunchArgument::Local(bytes) => function.set_local(index, *bytes),
            LaunchArgument::Null => function.set_null(index),
            LaunchArgument::Sampler(settings) => sampler(signature.context, *settings)
                .and_then(|sampler| function.set_sampler(index, sampler)),
            LaunchArgument::Buffer(place) => match &slots[*place].memory {
                Memory::Buffer(buffer) => function.set_buffer(index, buffer.clone()),
                Memory::Image(image) => function.set_image(index, image.clone()),
            },
        };
        result.map_err(|source| RunError::Argument {
            name: name.clone(),
            function: step.function.to_string(),
            source,
        })?;
    }
    Ok(function)
}
