//! What a replay through another API needs of a workload.

use kerncast_opencl::OpenClError;
use kerncast_suite::LaunchArgument;

use super::{Prepared, Slot};
use crate::cuda::Argument;

impl Prepared {
    /// What the device's compiler made of the source: on NVIDIA's devices PTX.
    ///
    /// # Errors
    /// OpenCL's.
    pub fn binary(&self) -> Result<Vec<u8>, OpenClError> {
        self.program.binary()
    }

    /// What the function is given, in its order; buffers as they were before the first launch.
    pub fn arguments(&self) -> Vec<Argument<'_>> {
        let mut slots = self.slots.iter();
        let arguments = self.launch.arguments.iter();
        arguments
            .map(|argument| match argument {
                LaunchArgument::Scalar(bytes) => Argument::Value(bytes),
                LaunchArgument::Local(bytes) => Argument::Local(*bytes),
                // There is a slot for every buffer, in the same order.
                LaunchArgument::Buffer { .. } => match slots.next() {
                    None => Argument::Buffer(&[]),
                    Some(Slot {
                        input: Some(data), ..
                    }) => Argument::Buffer(data.bytes()),
                    Some(slot) => Argument::Unwritten(slot.components * slot.base.bytes()),
                },
            })
            .collect()
    }
}
