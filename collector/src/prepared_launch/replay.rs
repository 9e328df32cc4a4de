//! The parts of a workload that a replay through another API needs.

use kerncast_opencl::OpenClError;
use kerncast_suite::{LaunchArgument, Step};

use super::PreparedLaunch;
use crate::cuda::Argument;

impl PreparedLaunch {
    /// The binary that the device's compiler made of the source; on NVIDIA's devices PTX.
    ///
    /// # Errors
    /// OpenCL fails.
    pub fn binary(&self) -> Result<Vec<u8>, OpenClError> {
        self.program.binary()
    }

    /// The arguments of a step's function in order; buffers as they were before the first launch.
    pub fn arguments<'a>(&'a self, step: &'a Step) -> Vec<Argument<'a>> {
        let arguments = step.arguments.iter();
        arguments
            .map(|argument| match argument {
                LaunchArgument::Scalar(bytes) => Argument::Value(bytes),
                LaunchArgument::Sampler(_) => unreachable!("launches with images are not replayed"),
                LaunchArgument::Local(bytes) => Argument::Local(*bytes),
                // CUDA's pointers have as many bytes.
                LaunchArgument::Null => Argument::Value(&[0; 8]),
                LaunchArgument::Buffer(place) => match &self.slots[*place].input {
                    Some(data) => Argument::Buffer(data.bytes()),
                    None => Argument::Unwritten(self.launch.buffers[*place].bytes()),
                },
            })
            .collect()
    }
}
