//! One launch in this process.

use std::collections::BTreeMap;

use kerncast_collector::{PreparedLaunch, RunError};
use kerncast_opencl::devices;
use kerncast_suite::{Data, Kernel, Parameters};

/// What one launch was given and what it made, by argument.
#[derive(Clone, Debug)]
pub(crate) struct RunOnce {
    /// Buffers with a fill, as they were before the launch.
    pub(crate) inputs: BTreeMap<String, Data>,
    /// `write` and `read_write` buffers after it.
    pub(crate) outputs: BTreeMap<String, Data>,
}

/// Runs a workload once on the machine's first OpenCL device, in this process.
///
/// # Errors
/// What kept it from running.
pub(crate) fn run_once(
    kernel: &Kernel,
    variant: &str,
    parameters: &Parameters,
) -> Result<RunOnce, RunError> {
    let device = devices()?.remove(0);
    let prepared = PreparedLaunch::new(&device, kernel, variant, parameters)?;
    prepared.launch()?;
    let outputs = prepared.outputs()?;
    Ok(RunOnce {
        inputs: prepared.into_inputs(),
        outputs,
    })
}
