use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{LocalizedReason, VariantAnalysis};

/// What `kerncast localize` has made of a kernel (docs/localize.md).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Localized {
    /// The variant that it is made of.
    #[schema(example = "global")]
    pub of: String,
    /// What became of it.
    pub status: LocalizedStatus,
    /// The file of the sources that is rewritten.
    #[schema(example = "matmul_float.cl")]
    pub file: String,
    /// The file's whole text, rewritten: there where the status is `rewritten`, so where all checks have passed.
    pub source: Option<String>,
    /// The variant that was made, at sizes that stand for all; there where `source` is.
    pub variant: Option<VariantAnalysis>,
    /// What lies in local memory; empty where nothing is rewritten.
    #[serde(default)]
    pub placed: Vec<PlacedArray>,
    /// What stays in global memory, and why.
    #[serde(default)]
    pub refusals: Vec<LocalizedRefusal>,
    /// Loads from global memory, as Oclgrind counts them.
    pub global_loads: Option<GlobalLoads>,
    /// What running it has shown; absent where there was nothing to run.
    pub checked: Option<LocalizedChecks>,
}

/// What became of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocalizedStatus {
    /// It is rewritten, and does the same.
    Rewritten,
    /// It could be rewritten, and would be no faster.
    NothingToGain,
    /// It is not proved that a rewritten one does the same.
    Refused,
    /// A rewritten one does not do the same, or has a race.
    CheckFailed,
}

/// An array, or a part of it, in local memory.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlacedArray {
    /// The argument.
    pub array: String,
    /// What it is called in local memory; absent where the text does not tell.
    #[schema(example = "a_tile")]
    pub name: Option<String>,
    /// How it goes there.
    pub mechanism: Mechanism,
    /// One to three dimensions, outermost first.
    pub sides: Vec<TileSide>,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Bytes of local memory.
    pub bytes: u64,
    /// Reads of a work-group from the time that it is filled to the next; absent of parts, which it writes itself.
    pub reads: Option<u64>,
    /// Elements that are brought for them from global memory; absent likewise.
    pub fills: Option<u64>,
    /// Of what reads it the request that takes the most passes over the banks; of what nothing reads another one.
    pub request: Option<TileRequest>,
}

/// How an array goes to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mechanism {
    /// Filled once, with the halo of all references.
    Tile,
    /// Filled for some passes of a loop at a time.
    Strip,
    /// Filled in every pass of a loop.
    Plane,
    /// What a work-group's work-items hand to each other.
    Part,
    /// Counted in by atomics, and added to the array at the end.
    Privatised,
    /// Turned there before it is stored.
    Staged,
    /// The whole array, filled once.
    Table,
}

/// A dimension of what lies in local memory.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TileSide {
    /// Elements.
    pub extent: u32,
    /// Of these before the work-group's own.
    pub before: u32,
    /// Of these behind the work-group's own.
    pub behind: u32,
    /// Elements as it is declared, with what pads it; absent where the text does not tell.
    pub length: Option<u32>,
}

/// A warp's request of local memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TileRequest {
    /// The access.
    #[schema(example = "a_tile[lid1][k]")]
    pub access: String,
    /// The line of the rewritten file, from 1.
    pub line: u32,
    /// Bytes that a lane asks for.
    pub bytes: u32,
    /// Passes over 32 banks of 4 bytes.
    pub passes: u32,
    /// Who asks for what.
    pub lanes: Vec<TileLane>,
}

/// What a work-item of a warp asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TileLane {
    /// From 0 to 31.
    pub lane: u32,
    /// Bytes from the beginning of what lies in local memory.
    pub offset: u32,
}

/// Why an array, or the whole kernel, is left as it is.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalizedRefusal {
    /// The argument; absent where it is about the whole kernel.
    pub array: Option<String>,
    /// Why, in words behind the array's name.
    pub reason: String,
    /// The same, as a word; absent of an earlier version's.
    pub why: Option<LocalizedReason>,
    /// Whether it could be rewritten, and would be no faster.
    pub is_no_gain: bool,
    /// The file.
    pub file: String,
    /// The line, from 1; 0 where no line is to blame.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// Loads from global memory of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GlobalLoads {
    /// At these sizes.
    #[schema(example = "n=48")]
    pub at: String,
    /// Of the variant that it is made of.
    pub before: f64,
    /// Of the variant that was made.
    pub after: f64,
}

/// What running a variant has shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalizedChecks {
    /// Sizes at which outputs are equal.
    pub equal: Vec<String>,
    /// Sizes at which Oclgrind found neither a race nor a barrier that some work-items miss.
    pub race_free: Vec<String>,
    /// Sizes that were not tried, and why.
    pub skipped: Vec<String>,
    /// What is wrong; empty where nothing is.
    pub failures: Vec<String>,
}
