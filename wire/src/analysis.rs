//! A kernel's memory accesses, as its sources tell them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{CounterSet, Scope, unique_names};

/// A variant, at sizes that stand for all.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantAnalysis {
    /// Its name.
    #[schema(example = "global")]
    pub variant: String,
    /// The sizes that numbers are of.
    #[serde(deserialize_with = "unique_names::map")]
    pub parameters: BTreeMap<String, i64>,
    /// Why its accesses are not known, or not all of them.
    pub refusal: Option<String>,
    /// Its accesses, in the order in which the text runs.
    #[serde(default)]
    pub accesses: Vec<SourceAccess>,
    /// What is not known, or what work-items do unlike each other.
    #[serde(default)]
    pub notes: Vec<SourceNote>,
    /// What a GPU would count of the launch, for `POST /v1/predictions`: providers `analysis` and `launch`. Absent where
    /// `uncounted` says why.
    #[serde(default, deserialize_with = "unique_names::optional_counters")]
    #[schema(value_type = Option<BTreeMap<String, BTreeMap<String, f64>>>)]
    pub counters: Option<CounterSet>,
    /// What part of the launch the counters are of.
    pub scope: Option<Scope>,
    /// Why there are no counters.
    pub uncounted: Option<String>,
}

/// A memory access.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceAccess {
    /// The file that it is written in, as the sources name it.
    #[schema(example = "matmul_float.cl")]
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Array and index.
    #[schema(example = "a[gid1][k]")]
    pub access: String,
    /// What it does.
    pub does: AccessDoes,
    /// To which memory.
    pub memory: Memory,
    /// What kind of index it is.
    pub class: AccessClass,
    /// Why it is not affine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// Sectors of 32 bytes that a warp's request of global or constant memory asks for; a mean.
    pub sectors: Option<f64>,
    /// Passes over 32 banks of 4 bytes that a warp's request of local memory takes; a mean.
    pub bank_passes: Option<f64>,
    /// How often a work-item accesses an element that it accesses.
    pub reuse_by_item: Option<f64>,
    /// How many work-items of a work-group access an element that one accesses.
    pub reuse_by_group: Option<f64>,
    /// Different elements that a work-group accesses by it.
    pub group_elements: Option<u64>,
    /// By counter of provider `analysis`: which share of the launch's comes from it, above 0 and at most 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub shares: BTreeMap<String, f64>,
}

/// Something to know about a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceNote {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The note, in English.
    pub text: String,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessDoes {
    /// It reads.
    Load,
    /// It writes.
    Store,
    /// It reads and writes in one step.
    Atomic,
}

/// A memory of OpenCL's.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// `__global`: the device's.
    Global,
    /// `__constant`: the device's, only read.
    Constant,
    /// `__local`: a work-group's.
    Local,
    /// `__private`: a work-item's.
    #[default]
    Private,
}

/// What kind of index an access has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccessClass {
    /// A sum of ids and loop variables, each times numbers and scalar arguments.
    Affine,
    /// Also divisions, remainders, bits, `min`, `max`, choices, and products of ids.
    QuasiAffine,
    /// From values that another access read.
    DataDependent,
    /// Not followed.
    Unknown,
}

/// What is known of a kernel's memory accesses from its sources alone (docs/analysis.md): sent to
/// `PUT /v1/sources/{hash}/analysis`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelAnalysis {
    /// Who read the sources: programs and their versions.
    #[schema(example = "kerncast 0.3.0, Debian clang version 15.0.6")]
    pub tool: String,
    /// One a variant, in the launch file's order.
    pub variants: Vec<VariantAnalysis>,
}

/// What is known of a kernel's sources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KnownAnalysis {
    /// Their hash.
    pub source_hash: String,
    /// What is known of them.
    pub analysis: KernelAnalysis,
}
