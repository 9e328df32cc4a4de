//! Kernels as data, not only the suite's: folders of OpenCL C with a launch file (docs/kernels.md), the arguments of each launch, and whether
//! two variants computed the same. Nothing here runs a kernel.

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
    /// A title: one line for people.
    pub title: String,
    /// The kernel's family: siblings that one hold-out fold may leave out together.
    pub family: Option<String>,
    /// Whether the kernel was made by `kerncast run --generated`: models learn from it and are not judged by it.
    pub generated: bool,
    /// The folder that it was read from.
    pub folder: PathBuf,
    /// Sizes to run; at least one, the same parameters in all.
    pub sizes: Vec<Size>,
    /// Arguments in the order of the OpenCL function's parameters.
    pub arguments: Vec<Argument>,
    /// Variants, at least one; others are compared with the first.
    pub variants: Vec<Variant>,
    /// The largest allowed difference between outputs of two variants.
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
    /// The kinds of device that run this size; empty: all.
    pub on: Vec<DeviceKind>,
}

/// One argument of the OpenCL functions.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name: for messages, and the seed of its fill.
    pub name: String,
    /// The kind of argument, with its properties.
    pub kind: ArgumentKind,
    /// The variants whose functions have it; empty: all.
    pub variants: Vec<String>,
}

/// The kinds of arguments.
#[derive(Clone, Debug)]
pub enum ArgumentKind {
    /// A `__global` or `__constant` buffer.
    Buffer {
        /// The type of its elements.
        ty: Type,
        /// Number of elements, at least 1.
        length: Formula,
        /// The kernel's access to it.
        access: Access,
        /// Whether its elements may come in any order.
        any_order: bool,
        /// Its contents before the launch; none for `write` and `write_partly`.
        fill: Option<Fill>,
    },
    /// An `image2d_t`.
    Image {
        /// The format of its pixels.
        format: ImageFormat,
        /// Width in pixels, at least 1.
        width: Formula,
        /// Height in pixels, at least 1.
        height: Formula,
        /// The kernel's access to it; with several launches it may be `ReadWrite`.
        access: Access,
        /// Its contents before the launch; none for `write` and `write_partly`.
        fill: Option<Fill>,
    },
    /// A `sampler_t`.
    Sampler(Sampler),
    /// A number, a vector or a structure passed by value.
    Scalar {
        /// Type of the value.
        ty: Type,
        /// The value's components; for a structure those of each field.
        values: Vec<Vec<ScalarValue>>,
    },
    /// `__local` memory.
    Local {
        /// The type of its elements.
        ty: Type,
        /// Number of elements, at least 1.
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

/// A kernel's access to a buffer or an image.
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
    /// Whether this variant's functions may have the argument.
    pub fn is_of(&self, variant: &str) -> bool {
        self.variants.is_empty() || self.variants.iter().any(|name| name == variant)
    }
}

impl Access {
    /// Whether a buffer with this access is an output.
    pub fn writes(self) -> bool {
        self != Self::Read
    }

    /// Whether a buffer with this access is filled before the launch.
    pub fn is_filled(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }
}

/// A variant: one way to write the kernel.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The variant's name: `global`, `local` or another.
    pub name: String,
    /// The source file.
    pub source: PathBuf,
    /// Options of the OpenCL compiler.
    pub options: Template,
    /// Launches of a round, in order; at least one.
    pub steps: Vec<VariantStep>,
    /// Number of rounds; none: the steps run once, and there is no `round`.
    pub rounds: Option<Formula>,
    /// The argument, by its place among the kernel's, whose buffer ends the rounds. It is filled anew before each
    /// round; the last round is the first that leaves it so.
    pub until: Option<usize>,
    /// The variant's table in the launch file, for messages.
    pub(crate) span: Range<usize>,
}

/// One launch of a variant.
#[derive(Clone, Debug)]
pub struct VariantStep {
    /// The OpenCL function.
    pub function: String,
    /// Its arguments in the function's order: their places among the kernel's.
    pub arguments: Vec<usize>,
    /// Work-items by dimension, in 1 to 3 dimensions.
    pub global: Vec<Formula>,
    /// Work-group size by dimension, in as many dimensions; each divides its `global`.
    pub local: Vec<Formula>,
    /// Whether the launch file leaves `local` open, so that it was chosen here.
    pub chooses_local: bool,
    /// The step's order: before the first round, in each round, or after the last.
    pub when: When,
    /// Number of launches of a step outside rounds; none: one.
    pub repeats: Option<Formula>,
    /// Whether its time counts.
    pub is_timed: bool,
}

/// The order of a step among rounds.
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
    /// Whether one of the variant's functions takes the argument in this place of the kernel's.
    pub fn has(&self, argument: usize) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| step.arguments.contains(&argument))
    }
}

/// A tolerance: |a − b| ≤ absolute + relative · |b|.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Tolerance {
    /// The absolute tolerance, in the unit of the output.
    pub absolute: f64,
    /// The relative tolerance, as a fraction of the reference value.
    pub relative: f64,
}

impl Kernel {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The reference: the variant that others are compared with.
    pub fn reference(&self) -> &Variant {
        &self.variants[0]
    }
}
