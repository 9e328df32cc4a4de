//! A launch file for a kernel that has none: arguments, types and what is done with them by its source, sizes and fills
//! guessed. Each guess is marked as one.

mod length;
mod sizes;
mod traced;
mod types;

use std::{collections::BTreeMap, fmt::Write as _};

use thiserror::Error;

pub use self::traced::{Contents, TracedArgument, TracedLaunch};
use self::{length::Length, sizes::Sizes};
use crate::{
    accesses::{Access, Accesses, Does},
    ast::{Kind, Scalar, Space, Type, Unit},
};

/// What a launch file can't describe.
#[derive(Debug, Error)]
pub enum Undescribed {
    /// There is no such kernel.
    #[error("there is no kernel `{function}`; the source has {}", .kernels.join(", "))]
    NoKernel {
        /// What was asked for.
        function: String,
        /// Those that there are.
        kernels: Vec<String>,
    },
    /// Nothing is passed, so nothing comes back.
    #[error("`{0}` has no arguments: what it does has no effect")]
    NoArguments(String),
    /// An argument, or a field of it, is of a type that a launch file has no word for.
    #[error("`{name}` is {of}: a launch file has no type for that")]
    Type {
        /// The argument, or its field.
        name: String,
        /// Its type.
        of: String,
    },
}

/// `launch.toml` for the kernel `function` of the source `file`, built with `options`; `local` is the work-group's size
/// that it requires. What a launch was seen to pass is no guess; the files that it names then are those of its contents.
///
/// # Errors
/// There is no such kernel, or one of its arguments can't be described.
pub fn launch_file(
    unit: &Unit,
    function: &str,
    (file, options): (&str, &str),
    local: Option<[i64; 3]>,
    traced: Option<&TracedLaunch>,
) -> Result<(String, Vec<Contents>), Undescribed> {
    let Some(accesses) = Accesses::of(unit, function) else {
        let kernels = unit.functions.iter().filter(|it| it.is_kernel);
        return Err(Undescribed::NoKernel {
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
        return Err(Undescribed::NoArguments(function.to_owned()));
    }
    let text = draft.text(&format!("file = {}\n{options}", quoted(file)))?;
    let all = 0..draft.parameters.len();
    Ok((text, all.filter_map(|it| draft.contents(it)).collect()))
}

/// Text as TOML has it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

struct Draft<'a> {
    function: &'a str,
    accesses: &'a Accesses,
    /// Names and types, in the function's order.
    parameters: Vec<(&'a str, &'a Type)>,
    sizes: Sizes,
    /// Of each parameter that is a buffer or local memory.
    lengths: BTreeMap<usize, Length>,
    traced: &'a [TracedArgument],
}

impl<'a> Draft<'a> {
    fn new(
        unit: &'a Unit,
        function: &'a str,
        accesses: &'a Accesses,
        local: Option<[i64; 3]>,
        traced: Option<&'a TracedLaunch>,
    ) -> Self {
        let of = unit.function(function);
        let variables = of.into_iter().flat_map(|it| &it.parameters);
        let variables = variables.filter_map(|it| unit.variables.get(*it));
        let parameters: Vec<(&str, &Type)> = variables.map(|it| (&*it.name, &it.of)).collect();
        let sizes = Sizes::new(accesses, &parameters, local, traced);
        let pointers = parameters.iter().enumerate();
        let pointers = pointers.filter(|(_, (_, of))| matches!(of, Type::Pointer(..)));
        let lengths = pointers.map(|(place, _)| (place, Length::new(accesses, &sizes, place)));
        let mut draft = Self {
            function,
            accesses,
            lengths: lengths.collect(),
            sizes,
            parameters,
            traced: traced.map_or(&[], |it| &*it.arguments),
        };
        for (place, (_, of)) in draft.parameters.iter().enumerate() {
            let elements = draft.elements(place, of);
            if let Some((elements, length)) = elements.zip(draft.lengths.get_mut(&place)) {
                length.set_traced(elements, &draft.sizes);
            }
        }
        draft
    }

    /// Elements of the buffer or the local memory that a traced launch passed.
    fn elements(&self, place: usize, of: &Type) -> Option<i64> {
        let Type::Pointer(_, of) = of else {
            return None;
        };
        let bytes = match self.traced.get(place)? {
            TracedArgument::Buffer { bytes, .. } => *bytes,
            TracedArgument::Nothing(bytes) if self.is_local(place) => *bytes,
            TracedArgument::Nothing(_) => 0,
            // No handle.
            TracedArgument::Value(bytes) if bytes.iter().all(|it| *it == 0) => 0,
            _ => return None,
        };
        let element = match self.alias(place, of) {
            Some((_, bytes)) => bytes,
            None => of.bytes().unwrap_or(1).max(1),
        };
        i64::try_from(bytes / element).ok()
    }

    fn is_local(&self, place: usize) -> bool {
        matches!(self.parameters[place].1, Type::Pointer(Space::Local, _))
    }

    /// What a traced buffer held, as a file of its numbers' type.
    fn contents(&self, place: usize) -> Option<Contents> {
        let Some(TracedArgument::Buffer {
            has_contents: true, ..
        }) = self.traced.get(place)
        else {
            return None;
        };
        let (name, Type::Pointer(_, of)) = self.parameters[place] else {
            return None;
        };
        if !matches!(self.access(place), "read" | "read_write") {
            return None;
        }
        let (code, bytes) = match (self.alias(place, of), of.scalar()) {
            (Some((_, 1)), _) => ('u', 1),
            // A vector of four singles.
            (Some((_, 16)), _) => ('f', 4),
            (Some((_, bytes)), _) => ('f', bytes),
            (None, Some(scalar)) => (types::code(scalar), scalar.bytes.into()),
            (None, None) => return None,
        };
        Some(Contents {
            argument: place,
            file: format!("{name}.npy"),
            of: format!("<{code}{bytes}"),
            bytes: usize::try_from(bytes).ok()?,
        })
    }

    fn text(&self, source: &str) -> Result<String, Undescribed> {
        let mut text = format!("title = \"{}\"\n\n{}", self.function, self.sizes.tables());
        text += &types::structs(&self.parameters)?;
        for (place, (name, of)) in self.parameters.iter().enumerate() {
            let _ = write!(text, "\n[[arguments]]\nname = \"{name}\"\n");
            text += &self.argument(place, name, of)?;
        }
        let _ = write!(
            text,
            "\n[variants.global]\nfunction = \"{}\"\n{source}{}",
            self.function,
            self.sizes.geometry()
        );
        if self.parameters.iter().any(|(_, of)| is_real(of)) {
            text +=
                "\n[tolerance]                      # guess\nabsolute = 1e-4\nrelative = 1e-4\n";
        }
        Ok(text)
    }

    fn argument(&self, place: usize, name: &str, of: &Type) -> Result<String, Undescribed> {
        match of {
            Type::Pointer(Space::Local, of) => {
                let (of, guess) = self.element(place, name, of)?;
                Ok(format!(
                    "local = \"{of}\"{guess}\n{}",
                    self.lengths[&place].line()
                ))
            }
            Type::Pointer(_, of) => {
                let (element, guess) = self.element(place, name, of)?;
                let length = self.lengths[&place].line();
                let mut text = format!("buffer = \"{element}\"{guess}\n{length}");
                let access = self.access(place);
                if access != "read" {
                    let _ = writeln!(text, "access = \"{access}\"");
                }
                if let Some(contents) = self.contents(place) {
                    let _ = writeln!(text, "fill = {{ file = \"{}\" }}", contents.file);
                } else if matches!(access, "read" | "read_write") {
                    let _ = writeln!(text, "fill = {}  # guess", self.fill(place, of));
                }
                Ok(text)
            }
            Type::Other(words) if words.contains("image2d_t") => {
                let (format, width, height) = match self.traced.get(place) {
                    Some(TracedArgument::Image([width, height], format)) => (
                        format!("\"{format}\""),
                        width.to_string(),
                        height.to_string(),
                    ),
                    _ => {
                        let [width, height] = self.sizes.picture();
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
                Ok(format!(
                    "image = {format}\nwidth = {width}\nheight = {height}\n{access}"
                ))
            }
            Type::Other(words) if words.contains("sampler_t") => Ok(match self.traced.get(place) {
                Some(TracedArgument::Sampler(own)) => format!("sampler = {own}\n"),
                _ => {
                    "sampler = { addressing = \"clamp_to_edge\", filter = \"nearest\" }  # guess\n"
                        .to_owned()
                }
            }),
            _ => {
                let element = types::name(name, of)?;
                let value = match (self.sizes.name(place), self.traced.get(place)) {
                    (Some(size), _) => format!("\"{size}\""),
                    (None, Some(TracedArgument::Value(bytes))) => {
                        let passed = types::passed(of, bytes);
                        let guess =
                            || format!("{}  # guess: no launch file can say it", types::value(of));
                        passed.unwrap_or_else(guess)
                    }
                    (None, _) => format!("{}  # guess", types::value(of)),
                };
                Ok(format!("scalar = \"{element}\"\nvalue = {value}\n"))
            }
        }
    }

    /// The type of a buffer's elements, and a mark where it is guessed: bytes are what they are read and written as.
    fn element(
        &self,
        place: usize,
        name: &str,
        of: &Type,
    ) -> Result<(String, &'static str), Undescribed> {
        match self.alias(place, of) {
            Some((alias, _)) => Ok((alias.to_owned(), "  # guess: by its width")),
            None => Ok((types::name(name, of)?, "")),
        }
    }

    /// What bytes are read and written as, and its size.
    fn alias(&self, place: usize, of: &Type) -> Option<(&'static str, u64)> {
        let is_bytes = matches!(of, Type::Void) || of.bytes() == Some(1);
        let own = self.accesses_of(place).map(|it| it.1.element_bytes);
        match own.max().filter(|_| is_bytes) {
            Some(2) => Some(("half", 2)),
            Some(4) => Some(("float", 4)),
            Some(8) => Some(("double", 8)),
            Some(16) => Some(("float4", 16)),
            _ => matches!(of, Type::Void).then_some(("uchar", 1)),
        }
    }

    /// Its accesses with their places, those by pointers that may be into several arrays too.
    fn accesses_of(&self, parameter: usize) -> impl Iterator<Item = (usize, &Access)> {
        let mut arrays = self.accesses.arrays.iter();
        let own = arrays.position(|it| it.parameter == Some(parameter));
        let all = self.accesses.accesses.iter().enumerate();
        all.filter(move |(_, it)| own.is_some_and(|own| it.touches(own)))
    }

    fn access(&self, parameter: usize) -> &'static str {
        let does = |what: Does| self.accesses_of(parameter).any(|it| it.1.does == what);
        match (does(Does::Load), does(Does::Store), does(Does::Atomic)) {
            (_, _, true) | (true, true, _) => "read_write",
            (false, true, false) if self.writes_all(parameter) => "write",
            (false, true, false) => "write_partly",
            _ => "read",
        }
    }

    /// Whether every element is written: by each work-item its own.
    fn writes_all(&self, parameter: usize) -> bool {
        let mut own = self.accesses_of(parameter);
        let is_plain = own.any(|it| it.1.guards.is_empty() && it.1.loops.is_empty());
        is_plain && self.lengths[&parameter].is_exactly(&self.sizes.items())
    }

    /// Elements of a row in a traced launch's mean, where a parameter says where rows begin.
    fn traced_row(&self, rows: usize) -> Option<i64> {
        let traced = |place: usize| self.elements(place, self.parameters[place].1);
        let mut others = 0..self.parameters.len();
        let elements = others
            .find(|it| length::follows_rows(self.accesses, *it))
            .and_then(traced)?;
        traced(rows)
            .filter(|it| *it > 1)
            .map(|it| elements / (it - 1))
    }

    /// Numbers that may stand in a buffer: what others' indices are made of stays within them.
    fn fill(&self, parameter: usize, of: &Type) -> String {
        let own: Vec<usize> = self.accesses_of(parameter).map(|it| it.0).collect();
        let mut accesses = self.accesses.accesses.iter();
        let indexed = accesses.find(|it| own.iter().any(|load| it.depends_on.contains(load)));
        let indexed = indexed.and_then(|it| self.accesses.arrays[it.array?].parameter);
        if of.is_whole() && length::has_rows(self.accesses, parameter) && !own.is_empty() {
            if let Some(row) = self.traced_row(parameter) {
                return format!("{{ expression = \"i * {row}\" }}");
            }
            let most = length::IN_A_ROW;
            return format!("{{ prefix_sum = {{ uniform = [0, {most}] }} }}");
        }
        match indexed.and_then(|it| self.lengths.get(&it)) {
            Some(length) if of.is_whole() && length.expression() == "1" => {
                "{ values = [0] }".to_owned()
            }
            Some(length) if of.is_whole() => {
                format!("{{ uniform = [0, \"{} - 1\"] }}", length.expression())
            }
            _ if matches!(self.alias(parameter, of), Some((_, 1))) => {
                "{ uniform = [0, 100] }".to_owned()
            }
            _ => types::fill(of),
        }
    }
}

fn is_real(of: &Type) -> bool {
    match of {
        Type::Scalar(Scalar { kind, .. }) | Type::Vector(Scalar { kind, .. }, _) => {
            *kind == Kind::Float
        }
        Type::Pointer(_, of) | Type::Array(of, _) => is_real(of),
        Type::Record(record) => record.fields.iter().any(|it| is_real(&it.of)),
        Type::Void | Type::Other(_) => false,
    }
}
