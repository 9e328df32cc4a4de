//! Drafts of launch files for kernels that have none. Arguments, their types and what the kernel does with them come
//! from its source; sizes and fills are guessed, and each guess is marked.

mod length;
mod sizes;
mod traced_launch;
mod types;

use std::{collections::BTreeMap, fmt::Write as _};

use thiserror::Error;

pub use self::traced_launch::{Contents, TracedArgument, TracedLaunch};
use self::{length::Length, sizes::Sizes};
use crate::{
    accesses::{Access, Accesses, Does},
    ast::{Kind, Scalar, Space, Type, Unit},
};

/// The reason why no launch file can describe a kernel.
#[derive(Debug, Error)]
pub enum DraftError {
    /// There is no such kernel.
    #[error("there is no kernel `{function}`; the source has {}", .kernels.join(", "))]
    NoKernel {
        /// The name that was given.
        function: String,
        /// The kernels of the source.
        kernels: Vec<String>,
    },
    /// The kernel has no arguments.
    #[error("`{0}` has no arguments: what it does has no effect")]
    NoArguments(String),
    /// An argument or a field of it has a type that launch files do not know.
    #[error("`{name}` is {ty}: a launch file has no type for that")]
    Type {
        /// The argument or its field.
        name: String,
        /// Its type.
        ty: String,
    },
}

/// The text of `launch.toml` for the kernel `function` of the source `file`, built with `options`. `local` is the
/// work-group size that the source requires: clang's tree has only the place of that attribute, so the caller reads it.
/// With a traced launch its values replace guesses, and the text names files for the contents of its buffers, which are
/// listed beside it.
///
/// # Errors
/// There is no such kernel, or one of its arguments can't be described.
pub fn launch_file(
    unit: &Unit,
    function: &str,
    (file, options): (&str, &str),
    local: Option<[i64; 3]>,
    traced: Option<&TracedLaunch>,
) -> Result<(String, Vec<Contents>), DraftError> {
    let Some(accesses) = Accesses::of(unit, function) else {
        let kernels = unit.functions.iter().filter(|it| it.is_kernel);
        return Err(DraftError::NoKernel {
            function: function.to_owned(),
            kernels: kernels.map(|it| it.name.to_string()).collect(),
        });
    };
    let draft = Draft::new(unit, function, &accesses, local, traced);
    let options = match options {
        "" => String::new(),
        some => format!("options = {}\n", quoted(some)),
    };
    if draft.parameters.is_empty() {
        return Err(DraftError::NoArguments(function.to_owned()));
    }
    let text = draft.text(&format!("file = {}\n{options}", quoted(file)))?;
    let all = 0..draft.parameters.len();
    Ok((text, all.filter_map(|it| draft.contents(it)).collect()))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

struct Draft<'a> {
    function: &'a str,
    accesses: &'a Accesses,
    /// Names and types of parameters, in the function's order.
    parameters: Vec<(&'a str, &'a Type)>,
    sizes: Sizes,
    /// Lengths of buffers and local memory, by the parameter's place.
    lengths: BTreeMap<usize, Length>,
    traced: &'a [TracedArgument],
}

struct Alias {
    name: &'static str,
    bytes: u64,
}

impl<'a> Draft<'a> {
    fn new(
        unit: &'a Unit,
        function: &'a str,
        accesses: &'a Accesses,
        local: Option<[i64; 3]>,
        traced: Option<&'a TracedLaunch>,
    ) -> Self {
        let function_of_name = unit.function(function).into_iter();
        let variables = function_of_name.flat_map(|it| &it.parameters);
        let variables = variables.filter_map(|it| unit.variables.get(*it));
        let parameters: Vec<(&str, &Type)> = variables.map(|it| (&*it.name, &it.ty)).collect();
        let sizes = Sizes::new(accesses, &parameters, local, traced);
        let pointers = parameters.iter().enumerate();
        let pointers = pointers.filter(|(_, (_, ty))| matches!(ty, Type::Pointer(..)));
        let lengths = pointers.map(|(place, _)| (place, Length::new(accesses, &sizes, place)));
        let mut draft = Self {
            function,
            accesses,
            lengths: lengths.collect(),
            sizes,
            parameters,
            traced: traced.map_or(&[], |it| &*it.arguments),
        };
        for (place, (_, ty)) in draft.parameters.iter().enumerate() {
            let elements = draft.traced_elements(place, ty);
            if let Some((elements, length)) = elements.zip(draft.lengths.get_mut(&place)) {
                length.set_traced(elements, &draft.sizes);
            }
        }
        draft
    }

    /// Elements of the buffer or local memory that the traced launch passed.
    fn traced_elements(&self, place: usize, ty: &Type) -> Option<i64> {
        let Type::Pointer(_, pointee) = ty else {
            return None;
        };
        let bytes = match self.traced.get(place)? {
            TracedArgument::Buffer { bytes, .. } => *bytes,
            TracedArgument::Nothing(bytes) if self.is_local(place) => *bytes,
            TracedArgument::Nothing(_) => 0,
            // A null pointer.
            TracedArgument::Value(bytes) if bytes.iter().all(|it| *it == 0) => 0,
            _ => return None,
        };
        let element = match self.alias(place, pointee) {
            Some(alias) => alias.bytes,
            None => pointee.bytes().unwrap_or(1).max(1),
        };
        i64::try_from(bytes / element).ok()
    }

    fn is_local(&self, place: usize) -> bool {
        matches!(self.parameters[place].1, Type::Pointer(Space::Local, _))
    }

    /// The file of a traced buffer's contents, if the kernel reads them.
    fn contents(&self, place: usize) -> Option<Contents> {
        let Some(TracedArgument::Buffer {
            has_contents: true, ..
        }) = self.traced.get(place)
        else {
            return None;
        };
        let (name, Type::Pointer(_, pointee)) = self.parameters[place] else {
            return None;
        };
        if !matches!(self.access(place), "read" | "read_write") {
            return None;
        }
        let (kind, bytes) = match (
            self.alias(place, pointee).map(|it| it.bytes),
            pointee.scalar(),
        ) {
            (Some(1), _) => ('u', 1),
            // A vector of four singles.
            (Some(16), _) => ('f', 4),
            (Some(bytes), _) => ('f', bytes),
            (None, Some(scalar)) => (types::numpy_kind(scalar), scalar.bytes.into()),
            (None, None) => return None,
        };
        Some(Contents {
            argument: place,
            file: format!("{name}.npy"),
            dtype: format!("<{kind}{bytes}"),
            bytes: usize::try_from(bytes).ok()?,
        })
    }

    /// The whole launch file. `source`: the lines about the source's file and its options.
    fn text(&self, source: &str) -> Result<String, DraftError> {
        let mut text = format!("title = \"{}\"\n\n{}", self.function, self.sizes.tables());
        text += &types::structs(&self.parameters)?;
        for (place, (name, ty)) in self.parameters.iter().enumerate() {
            let _ = write!(text, "\n[[arguments]]\nname = \"{name}\"\n");
            text += &self.argument(place, name, ty)?;
        }
        let _ = write!(
            text,
            "\n[variants.global]\nfunction = \"{}\"\n{source}{}",
            self.function,
            self.sizes.geometry()
        );
        if self.parameters.iter().any(|(_, ty)| has_floats(ty)) {
            text +=
                "\n[tolerance]                      # guess\nabsolute = 1e-4\nrelative = 1e-4\n";
        }
        Ok(text)
    }

    fn argument(&self, place: usize, name: &str, ty: &Type) -> Result<String, DraftError> {
        match ty {
            Type::Pointer(Space::Local, element) => {
                let (element, mark) = self.element(place, name, element)?;
                let length = self.lengths[&place].line();
                Ok(format!("local = \"{element}\"{mark}\n{length}"))
            }
            Type::Pointer(_, element) => self.buffer(place, name, element),
            Type::Other(words) if words.contains("image2d_t") => Ok(self.image(place, words)),
            Type::Other(words) if words.contains("sampler_t") => Ok(match self.traced.get(place) {
                Some(TracedArgument::Sampler(text)) => format!("sampler = {text}\n"),
                _ => {
                    "sampler = { addressing = \"clamp_to_edge\", filter = \"nearest\" }  # guess\n"
                        .to_owned()
                }
            }),
            _ => self.scalar(place, name, ty),
        }
    }

    fn buffer(&self, place: usize, name: &str, ty: &Type) -> Result<String, DraftError> {
        let (element, mark) = self.element(place, name, ty)?;
        let length = self.lengths[&place].line();
        let mut text = format!("buffer = \"{element}\"{mark}\n{length}");
        let access = self.access(place);
        if access != "read" {
            let _ = writeln!(text, "access = \"{access}\"");
        }
        if let Some(contents) = self.contents(place) {
            let _ = writeln!(text, "fill = {{ file = \"{}\" }}", contents.file);
        } else if matches!(access, "read" | "read_write") {
            let _ = writeln!(text, "fill = {}  # guess", self.fill(place, ty));
        }
        Ok(text)
    }

    /// The lines of an image. `words`: clang's words for its type.
    fn image(&self, place: usize, words: &str) -> String {
        let (format, width, height) = match self.traced.get(place) {
            Some(TracedArgument::Image([width, height], format)) => (
                format!("\"{format}\""),
                width.to_string(),
                height.to_string(),
            ),
            _ => {
                let [width, height] = self.sizes.image();
                let format = "\"rgba_float\"  # guess".to_owned();
                (format, format!("\"{width}\""), format!("\"{height}\""))
            }
        };
        let access = if words.contains("write_only") {
            "access = \"write\"\n"
        } else if format.contains("unorm_int8") || format.contains("unsigned_int8") {
            "fill = { uniform = [0, 255] }  # guess\n"
        } else if format.contains("int") {
            "fill = { uniform = [0, 100] }  # guess\n"
        } else {
            "fill = { uniform = [0.0, 1.0] }  # guess\n"
        };
        format!("image = {format}\nwidth = {width}\nheight = {height}\n{access}")
    }

    fn scalar(&self, place: usize, name: &str, ty: &Type) -> Result<String, DraftError> {
        let type_name = types::type_name(name, ty)?;
        let guess = types::guess_value(ty);
        let value = match (self.sizes.name(place), self.traced.get(place)) {
            (Some(size), _) => format!("\"{size}\""),
            (None, Some(TracedArgument::Value(bytes))) => types::value_of_bytes(ty, bytes)
                .unwrap_or_else(|| format!("{guess}  # guess: no launch file can say it")),
            (None, _) => format!("{guess}  # guess"),
        };
        Ok(format!("scalar = \"{type_name}\"\nvalue = {value}\n"))
    }

    /// The type of a buffer's elements in a launch file's words, and a mark if it is a guess.
    fn element(
        &self,
        place: usize,
        name: &str,
        ty: &Type,
    ) -> Result<(String, &'static str), DraftError> {
        match self.alias(place, ty) {
            Some(alias) => Ok((alias.name.to_owned(), "  # guess: by its width")),
            None => Ok((types::type_name(name, ty)?, "")),
        }
    }

    /// The type as which the kernel reads and writes an array of bytes.
    fn alias(&self, place: usize, ty: &Type) -> Option<Alias> {
        let is_bytes = matches!(ty, Type::Void) || ty.bytes() == Some(1);
        let own = self.accesses_of(place).map(|it| it.1.element_bytes);
        let (name, bytes) = match own.max().filter(|_| is_bytes) {
            Some(2) => ("half", 2),
            Some(4) => ("float", 4),
            Some(8) => ("double", 8),
            Some(16) => ("float4", 16),
            _ if matches!(ty, Type::Void) => ("uchar", 1),
            _ => return None,
        };
        Some(Alias { name, bytes })
    }

    /// A parameter's accesses with their places, also by pointers that may be into several arrays.
    fn accesses_of(&self, parameter: usize) -> impl Iterator<Item = (usize, &Access)> {
        let mut arrays = self.accesses.arrays.iter();
        let own = arrays.position(|it| it.parameter == Some(parameter));
        let all = self.accesses.accesses.iter().enumerate();
        all.filter(move |(_, it)| own.is_some_and(|own| it.touches(own)))
    }

    /// The value of `access` for a buffer: what the kernel does with it.
    fn access(&self, parameter: usize) -> &'static str {
        let does = |it: Does| self.accesses_of(parameter).any(|own| own.1.does == it);
        match (does(Does::Load), does(Does::Store), does(Does::Atomic)) {
            (_, _, true) | (true, true, _) => "read_write",
            (false, true, false) if self.writes_all(parameter) => "write",
            (false, true, false) => "write_partly",
            _ => "read",
        }
    }

    /// Whether every element is written: each work-item writes its own.
    fn writes_all(&self, parameter: usize) -> bool {
        let mut own = self.accesses_of(parameter);
        let is_plain = own.any(|it| it.1.guards.is_empty() && it.1.loops.is_empty());
        is_plain && self.lengths[&parameter].is_exactly(&self.sizes.items())
    }

    /// The mean length of a traced launch's rows, if a parameter says where they begin.
    fn traced_row(&self, row_starts: usize) -> Option<i64> {
        let traced = |place: usize| self.traced_elements(place, self.parameters[place].1);
        let mut others = 0..self.parameters.len();
        let elements = others
            .find(|it| length::follows_rows(self.accesses, *it))
            .and_then(traced)?;
        traced(row_starts)
            .filter(|it| *it > 1)
            .map(|it| elements / (it - 1))
    }

    /// A guessed fill of a buffer. If other buffers are indexed by its numbers, they stay within these.
    fn fill(&self, parameter: usize, ty: &Type) -> String {
        let own: Vec<usize> = self.accesses_of(parameter).map(|it| it.0).collect();
        let mut accesses = self.accesses.accesses.iter();
        let indexed = accesses.find(|it| own.iter().any(|load| it.depends_on.contains(load)));
        let indexed = indexed.and_then(|it| self.accesses.arrays[it.array?].parameter);
        if ty.is_whole() && length::has_row_starts(self.accesses, parameter) && !own.is_empty() {
            if let Some(row) = self.traced_row(parameter) {
                return format!("{{ expression = \"i * {row}\" }}");
            }
            let most = length::MOST_IN_ROW;
            return format!("{{ prefix_sum = {{ uniform = [0, {most}] }} }}");
        }
        match indexed.and_then(|it| self.lengths.get(&it)) {
            Some(length) if ty.is_whole() && length.expression() == "1" => {
                "{ values = [0] }".to_owned()
            }
            Some(length) if ty.is_whole() => {
                format!("{{ uniform = [0, \"{} - 1\"] }}", length.expression())
            }
            _ if self.alias(parameter, ty).is_some_and(|it| it.bytes == 1) => {
                "{ uniform = [0, 100] }".to_owned()
            }
            _ => types::guess_fill(ty),
        }
    }
}

fn has_floats(ty: &Type) -> bool {
    match ty {
        Type::Scalar(Scalar { kind, .. }) | Type::Vector(Scalar { kind, .. }, _) => {
            *kind == Kind::Float
        }
        Type::Pointer(_, inner) | Type::Array(inner, _) => has_floats(inner),
        Type::Record(record) => record.fields.iter().any(|it| has_floats(&it.ty)),
        Type::Void | Type::Other(_) => false,
    }
}
