//! The launch file's tables as TOML has them. Every value keeps its place in the text, for messages.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};
use toml::{Spanned, Value};

use super::{Access, Sampler, When};

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
    pub(super) ty: Spanned<String>,
}

/// An expression: in quotes, or a whole number without.
pub(super) struct Text(pub(super) String);

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsText;

        impl Visitor<'_> for AsText {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an expression in quotes, or a whole number")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }
        }

        deserializer.deserialize_any(AsText)
    }
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
    pub(super) width: Option<Spanned<Text>>,
    pub(super) height: Option<Spanned<Text>>,
    pub(super) length: Option<Spanned<Text>>,
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
    Expression(Spanned<Text>),
    Fields(BTreeMap<String, Spanned<Fill>>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Section {
    pub(super) length: Option<Spanned<Text>>,
    pub(super) fill: Spanned<Fill>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Variant {
    pub(super) file: Option<Spanned<String>>,
    pub(super) options: Option<Spanned<String>>,
    pub(super) rounds: Option<Spanned<Text>>,
    pub(super) until: Option<Spanned<String>>,
    pub(super) steps: Option<Spanned<Vec<Spanned<Step>>>>,
    // Of its one step, where there are no `steps`.
    pub(super) function: Option<Spanned<String>>,
    pub(super) arguments: Option<Vec<Spanned<String>>>,
    pub(super) global: Option<Spanned<Vec<Spanned<Text>>>>,
    pub(super) local: Option<Spanned<Vec<Spanned<Text>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) when: Option<When>,
    #[serde(rename = "rounds")]
    pub(super) repeats: Option<Spanned<Text>>,
    pub(super) timed: Option<Spanned<bool>>,
    pub(super) function: Spanned<String>,
    pub(super) arguments: Option<Vec<Spanned<String>>>,
    pub(super) global: Spanned<Vec<Spanned<Text>>>,
    pub(super) local: Option<Spanned<Vec<Spanned<Text>>>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tolerance {
    pub(super) absolute: Option<Spanned<f64>>,
    pub(super) relative: Option<Spanned<f64>>,
}
