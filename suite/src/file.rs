//! The launch file as it is written. Every value keeps its place, for messages.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::{Access, Sampler};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) title: Spanned<String>,
    pub(super) family: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) generated: bool,
    pub(super) sizes: Spanned<Vec<Spanned<Sizes>>>,
    #[serde(default)]
    pub(super) structs: Vec<Struct>,
    pub(super) arguments: Vec<Spanned<Argument>>,
    pub(super) variants: Spanned<BTreeMap<Spanned<String>, Variant>>,
    #[serde(default)]
    pub(super) tolerance: Tolerance,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Struct {
    pub(super) name: Spanned<String>,
    pub(super) fields: Spanned<Vec<Field>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Field {
    pub(super) name: Spanned<String>,
    #[serde(rename = "type")]
    pub(super) of: Spanned<String>,
}

/// Parameters, and perhaps `on`.
pub(super) type Sizes = BTreeMap<Spanned<String>, Spanned<Value>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Argument {
    pub(super) name: Spanned<String>,
    pub(super) buffer: Option<Spanned<String>>,
    pub(super) image: Option<Spanned<String>>,
    pub(super) sampler: Option<Spanned<Sampler>>,
    pub(super) scalar: Option<Spanned<String>>,
    pub(super) local: Option<Spanned<String>>,
    pub(super) width: Option<Spanned<String>>,
    pub(super) height: Option<Spanned<String>>,
    pub(super) length: Option<Spanned<String>>,
    pub(super) fill: Option<Spanned<Fill>>,
    pub(super) access: Option<Spanned<Access>>,
    pub(super) order: Option<Spanned<Order>>,
    pub(super) value: Option<Spanned<Value>>,
    #[serde(default)]
    pub(super) variants: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    Any,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(super) enum Fill {
    Uniform([Value; 2]),
    Permutation,
    File(Spanned<String>),
    PrefixSum(Box<Spanned<Fill>>),
    Sections(Vec<Section>),
    Values(Vec<Value>),
    Expression(Spanned<String>),
    Fields(BTreeMap<String, Spanned<Fill>>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Section {
    pub(super) length: Option<Spanned<String>>,
    pub(super) fill: Spanned<Fill>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    pub(super) file: Option<Spanned<String>>,
    pub(super) options: Option<Spanned<String>>,
    pub(super) rounds: Option<Spanned<String>>,
    pub(super) steps: Option<Spanned<Vec<Spanned<Step>>>>,
    // Of its one step, where there are no `steps`.
    pub(super) function: Option<Spanned<String>>,
    pub(super) arguments: Option<Vec<Spanned<String>>>,
    pub(super) global: Option<Spanned<Vec<Spanned<String>>>>,
    pub(super) local: Option<Spanned<Vec<Spanned<String>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) function: Spanned<String>,
    pub(super) arguments: Option<Vec<Spanned<String>>>,
    pub(super) global: Spanned<Vec<Spanned<String>>>,
    pub(super) local: Spanned<Vec<Spanned<String>>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tolerance {
    pub(super) absolute: Option<Spanned<f64>>,
    pub(super) relative: Option<Spanned<f64>>,
}
