//! Kernels of the suite that are called otherwise since version 0.2 (migration 0016).

use kerncast_wire::NewSample;

use crate::content::{ContentHash, content_hash};

/// Then and now.
const RENAMED: [(&str, &str); 2] = [
    ("matrix_mul", "matmul_float"),
    ("matrix_multiplication", "matmul_float4"),
];
/// The agents that know the old names. Who uses one of them since means a kernel of their own.
const OLD_AGENTS: &str = "0.1.";

/// Gives the sample its kernel's name of now, and says its content's hash, which is always that under the
/// name of then: a sample that was stored before the change, and comes again under either name, is a repeat.
pub(super) fn rename(sample: &mut NewSample) -> ContentHash {
    let is_old = sample.agent.version.starts_with(OLD_AGENTS);
    let kernel = &mut sample.workload.kernel;
    let renamed = RENAMED
        .iter()
        .find(|(then, now)| is_old && (kernel == then || kernel == now));
    let Some((then, now)) = renamed else {
        return content_hash(sample);
    };
    *kernel = (*then).to_owned();
    let hash = content_hash(sample);
    sample.workload.kernel = (*now).to_owned();
    hash
}
