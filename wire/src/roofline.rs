use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// A workload's newest sample, as a point of the roofline: operations ÷ bytes against operations ÷ time
/// (Williams, Waterman, Patterson, 2009). What was not counted is absent.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RooflinePoint {
    /// The sample.
    pub sample: Uuid,
    /// The kernel.
    pub kernel: String,
    /// The variant.
    pub variant: String,
    /// The sizes.
    pub parameters: BTreeMap<String, i64>,
    /// Its median time, seconds.
    pub time_s: f64,
    /// What counted. `ncu`: operations of work-items, and DRAM's traffic. `oclgrind`: LLVM's instructions,
    /// where one on a vector counts once, so at least so many operations; and the bytes that loads and stores
    /// of global memory ask for, of which caches serve a part.
    pub provider: String,
    /// Single-precision operations, a multiply-add counted as two; of `oclgrind` those of either precision.
    pub fp32_flop: Option<f64>,
    /// Double-precision operations, a multiply-add counted as two.
    pub fp64_flop: Option<f64>,
    /// Bytes read and written.
    pub bytes: Option<f64>,
}
