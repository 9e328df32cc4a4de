//! Kernels as data: folders of OpenCL C with a launch file (docs/kernels.md), what each launch gets, and whether two
//! variants computed the same. Nothing here runs a kernel.

use std::{collections::BTreeMap, ops::Range, path::PathBuf};

use kerncast_wire::DeviceKind;

mod agree;
mod check;
mod data;
mod element;
mod expression;
mod file;
mod fill;
mod formula;
mod generate;
mod image;
mod launch;
mod load;
mod mistake;
mod number;
mod random;
mod structure;
mod template;
mod threads;

pub use agree::{Disagreement, agree};
pub use data::Data;
pub use element::{Base, Element};
pub use expression::{Expression, Fault};
pub use fill::{FILL_VERSION, Fill, FillError};
pub use formula::{BadValue, Formula, sizes};
pub use generate::{GENERATOR_VERSION, GeneratedFolder, MOST_GENERATED, generate};
pub use image::{Addressing, Filter, Image, ImageFormat, Sampler};
pub use launch::{
    ImageLimits, Input, Launch, LaunchArgument, LaunchBuffer, Limits, Step, TooLarge,
};
pub use load::{SuiteError, load, load_each};
pub use mistake::Mistake;
pub use number::Number;
pub use structure::{Field, Structure, Type};
pub use template::Template;

/// A kernel's sizes, whole numbers by name.
pub type Parameters = BTreeMap<String, i64>;

/// One kernel: a folder, checked.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The folder's name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Siblings that one hold-out fold may leave out together.
    pub family: Option<String>,
    /// Whether `kerncast run --generated` has made it: models learn from it and are not judged by it.
    pub generated: bool,
    /// The folder that it was read from.
    pub folder: PathBuf,
    /// Sizes to run; at least one, the same parameters in all.
    pub sizes: Vec<Size>,
    /// Arguments in the order of the OpenCL function's parameters.
    pub arguments: Vec<Argument>,
    /// At least one; the first is the one that others are compared with.
    pub variants: Vec<Variant>,
    /// How far outputs of two variants may differ.
    pub tolerance: Tolerance,
    /// SHA-256 of `files`, hexadecimal.
    pub source_hash: String,
    /// The launch file and every OpenCL file of the folder, by name, and of each NumPy file a line with its size
    /// and SHA-256; absent where one of them is no UTF-8.
    pub files: Option<BTreeMap<String, String>>,
}

/// One size to run.
#[derive(Clone, Debug)]
pub struct Size {
    /// Values of all parameters.
    pub parameters: Parameters,
    /// Only on these kinds of device; empty: on all.
    pub on: Vec<DeviceKind>,
}

/// One argument of the OpenCL functions.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name: for messages, and the seed of its fill.
    pub name: String,
    /// What it is.
    pub kind: ArgumentKind,
    /// Only these variants' functions have it; empty: all.
    pub variants: Vec<String>,
}

/// What an argument is.
#[derive(Clone, Debug)]
pub enum ArgumentKind {
    /// A `__global` or `__constant` buffer.
    Buffer {
        /// What it is of.
        of: Type,
        /// Elements, at least 1.
        length: Formula,
        /// What the kernel does with it.
        access: Access,
        /// Whether its elements may come in any order.
        any_order: bool,
        /// What is in it before the launch; none for `write` and `write_partly`.
        fill: Option<Fill>,
    },
    /// An `image2d_t`.
    Image {
        /// What its pixels are.
        format: ImageFormat,
        /// Pixels, at least 1.
        width: Formula,
        /// Pixels, at least 1.
        height: Formula,
        /// What the kernel does with it; of several launches `ReadWrite` too.
        access: Access,
        /// What is in it before the launch; none for `write` and `write_partly`.
        fill: Option<Fill>,
    },
    /// A `sampler_t`.
    Sampler(Sampler),
    /// A number, a vector or a structure passed by value.
    Scalar {
        /// Type of the value.
        of: Type,
        /// Its components; of a structure those of each field.
        values: Vec<Vec<ScalarValue>>,
    },
    /// `__local` memory.
    Local {
        /// What it is of.
        of: Type,
        /// Elements, at least 1.
        length: Formula,
    },
}

/// A component of a scalar argument.
#[derive(Clone, Debug)]
pub enum ScalarValue {
    /// An expression over the parameters.
    Formula(Formula),
    /// A number, for floating-point types.
    Real(f64),
}

/// What a kernel does with a buffer or an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// The kernel only reads it.
    #[default]
    Read,
    /// The kernel writes every element, and reads none.
    Write,
    /// The kernel writes some elements, and reads none.
    WritePartly,
    /// The kernel reads and writes it: it is filled anew before every launch.
    ReadWrite,
}

impl Argument {
    /// Whether this variant's functions may have it.
    pub fn is_of(&self, variant: &str) -> bool {
        self.variants.is_empty() || self.variants.iter().any(|name| name == variant)
    }
}

impl Access {
    /// Whether the buffer is an output.
    pub fn writes(self) -> bool {
        self != Self::Read
    }

    /// Whether it is filled before the launch.
    pub fn is_filled(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }
}

/// One way to write the kernel.
#[derive(Clone, Debug)]
pub struct Variant {
    /// `global`, `local` or another name.
    pub name: String,
    /// The source file.
    pub source: PathBuf,
    /// Options of the OpenCL compiler.
    pub options: Template,
    /// Launches of a round, in order; at least one.
    pub steps: Vec<VariantStep>,
    /// How often the steps are done; none: once, and there is no `round`.
    pub rounds: Option<Formula>,
    /// The argument, by its place among the kernel's, whose buffer ends the rounds: it is filled anew before each, and
    /// the last is the first that leaves it so.
    pub until: Option<usize>,
    /// The variant's table in the launch file, for messages.
    pub(crate) span: Range<usize>,
}

/// One launch of a variant.
#[derive(Clone, Debug)]
pub struct VariantStep {
    /// The OpenCL function.
    pub function: String,
    /// Its arguments in its order: their places among the kernel's.
    pub arguments: Vec<usize>,
    /// Work-items, by dimension: 1 to 3 of them.
    pub global: Vec<Formula>,
    /// Work-group size, by dimension: as many; each divides its `global`.
    pub local: Vec<Formula>,
    /// Whether the launch file leaves `local` open, and it was chosen here.
    pub chooses_local: bool,
    /// Whether it is one of each round; else before all, or after.
    pub when: When,
    /// How often it is launched, where it is none of a round; none: once.
    pub rounds: Option<Formula>,
    /// Whether its time counts.
    pub is_timed: bool,
}

/// When a step of several is launched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Before the first round.
    Before,
    /// In each round.
    #[default]
    Round,
    /// After the last round.
    After,
}

impl Variant {
    /// Whether one of its functions takes the argument in this place of the kernel's.
    pub fn has(&self, argument: usize) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| step.arguments.contains(&argument))
    }
}

/// |a − b| ≤ absolute + relative · |b|.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tolerance {
    /// In the unit of the output.
    pub absolute: f64,
    /// As a fraction of the reference value.
    pub relative: f64,
}

impl Kernel {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The variant that others are compared with.
    pub fn reference(&self) -> &Variant {
        &self.variants[0]
    }
}
