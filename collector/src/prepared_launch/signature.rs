//! Checks a launch file's arguments against the types in the source. A driver checks little more than the sizes of
//! values: a buffer of the wrong type runs and gives a meaningless time.

use kerncast_opencl::{Context, Function, Parameter, Space};
use kerncast_suite::{ArgumentKind, Base, Element, Kernel, Launch, Step, Type, Variant};

use super::{RunError, source};

/// The parts of a launch that are compared.
pub(super) struct Signature<'a> {
    pub(super) context: &'a Context,
    pub(super) kernel: &'a Kernel,
    pub(super) variant: &'a Variant,
    pub(super) launch: &'a Launch,
}

impl Signature<'_> {
    /// Refuses a step whose arguments do not fit. Types that the driver does not tell are not compared, nor are names
    /// that the source gives to types.
    pub(super) fn check(&self, step: &Step, function: &Function) -> Result<(), RunError> {
        let (takes, given) = (function.argument_count()?, step.arguments.len());
        if takes != given {
            return Err(RunError::ArgumentCount {
                function: step.function.to_string(),
                takes,
                given,
            });
        }
        for (index, name) in (0..).zip(&*step.names) {
            let mut arguments = self.kernel.arguments.iter();
            let of_variant =
                |it: &&kerncast_suite::Argument| it.name == *name && it.is_of(&self.variant.name);
            let Some(argument) = arguments.find(of_variant) else {
                continue;
            };
            let Some(parameter) = function.parameter(index) else {
                continue;
            };
            if let Some((given, expected)) = self.mismatch(&argument.kind, &parameter) {
                return Err(RunError::ArgumentType {
                    name: name.clone(),
                    function: step.function.to_string(),
                    given,
                    expected,
                });
            }
        }
        match function.required_local() {
            Some(required) if !is_same_size(&step.local, required) => Err(RunError::LocalSize {
                function: step.function.to_string(),
                given: step.local.clone(),
                expected: required.to_vec(),
            }),
            _ => Ok(()),
        }
    }

    /// The launch file's and the source's type of an argument, in words, where they differ.
    fn mismatch(&self, given: &ArgumentKind, takes: &Parameter) -> Option<(String, String)> {
        let (pointee, is_pointer) = match takes.type_name.strip_suffix('*') {
            Some(pointee) => (pointee.trim_end(), true),
            None => (&*takes.type_name, false),
        };
        let expected = || {
            let pointee = self.sized(pointee);
            match (is_pointer, takes.space) {
                (false, _) => format!("{pointee} by value"),
                (true, Space::Local) => format!("local memory of {pointee}"),
                (true, _) => format!("a buffer of {pointee}"),
            }
        };
        let (ty, given, fits) = match given {
            ArgumentKind::Buffer { ty, .. } => {
                (ty, "a buffer", is_pointer && takes.space != Space::Local)
            }
            ArgumentKind::Local { ty, .. } => (
                ty,
                "local memory",
                is_pointer && takes.space == Space::Local,
            ),
            ArgumentKind::Scalar { ty, .. } => (ty, "a scalar", !is_pointer),
            // What is given to an image or a sampler is checked where it is set.
            ArgumentKind::Image { .. } | ArgumentKind::Sampler(_) => return None,
        };
        let is_image = ["image", "sampler"]
            .iter()
            .any(|it| pointee.starts_with(it));
        let same = fits && !is_image && self.is_alike(ty, pointee, is_pointer);
        (!same).then(|| (format!("{given} of {}", type_text(ty)), expected()))
    }

    /// Whether values of the launch file's type can be of this type of the source. Behind a pointer, vectors count as
    /// their numbers; the sign of integers never matters.
    fn is_alike(&self, given: &Type, type_name: &str, is_pointer: bool) -> bool {
        match (given, number(type_name)) {
            // Bytes are whatever the kernel takes them for.
            (_, Some(element)) if is_pointer && element.base.bytes() == 1 => true,
            (Type::Element(given), Some(element)) => {
                let kind = |base: Base| (base.is_float(), base.bytes());
                kind(given.base) == kind(element.base)
                    && (is_pointer || given.lanes == element.lanes)
            }
            // Structures may be read as the numbers that they are made of.
            (Type::Struct(_), Some(_)) => is_pointer,
            (Type::Struct(given), None) => {
                self.size_of(type_name).is_none_or(|it| it == given.bytes)
            }
            // A name of the source's for some number.
            (Type::Element(_), None) => true,
        }
    }

    fn sized(&self, type_name: &str) -> String {
        let size = match number(type_name) {
            Some(_) => None,
            None => self.size_of(type_name),
        };
        size.map_or_else(
            || format!("`{type_name}`"),
            |bytes| format!("`{type_name}` ({bytes} bytes)"),
        )
    }

    fn size_of(&self, type_name: &str) -> Option<usize> {
        source::size_of(self.context, self.launch, &self.kernel.folder, type_name)
    }
}

/// A built-in type by name; a vector of 3 has the size of a vector of 4.
fn number(type_name: &str) -> Option<Element> {
    let name = type_name.trim();
    let name = match name.strip_suffix('3') {
        Some(vector) => format!("{vector}4"),
        None => name.to_owned(),
    };
    let name = match name.strip_prefix("unsigned ") {
        Some(signed) => format!("u{signed}"),
        None => name,
    };
    name.parse().ok()
}

fn type_text(ty: &Type) -> String {
    match ty {
        Type::Element(element) => format!("`{element}`"),
        Type::Struct(structure) => format!("`{}` ({} bytes)", structure.name, structure.bytes),
    }
}

fn is_same_size(given: &[usize], required: [usize; 3]) -> bool {
    let padded = given.iter().copied().chain([1, 1, 1]);
    padded.take(3).eq(required)
}
