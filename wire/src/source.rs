//! A kernel's source files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A kernel's sources, as a sample was made from them: sent to `PUT /v1/sources/{hash}`.
///
/// Their hash, which samples carry, is SHA-256 over each file in the order of the names: its name, a zero
/// byte, the number of its bytes in decimal, a zero byte, its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelSource {
    /// Text by file name: the launch file, every OpenCL file, and a line about each file of data.
    #[schema(example = json!({"launch.toml": "title = …", "scale.cl": "kernel void scale(…) …"}))]
    pub files: BTreeMap<String, String>,
}
