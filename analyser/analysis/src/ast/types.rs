//! Types as OpenCL C lays them out (OpenCL C 1.2, 6.1).

use std::{collections::BTreeMap, fmt, sync::Arc};

pub use kerncast_wire::Memory as Space;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `void`.
    Void,
    /// A number.
    Scalar(Scalar),
    /// A vector of this many numbers.
    Vector(Scalar, u8),
    /// A pointer to something in a memory.
    Pointer(Space, Box<Type>),
    /// An array of this many elements.
    Array(Box<Type>, u64),
    /// A structure or a union.
    Record(Arc<Record>),
    /// Images, samplers, events, functions and what is not understood, in clang's words.
    Other(String),
}

/// A number's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The kind of number.
    pub kind: Kind,
    /// Its size in bytes.
    pub bytes: u8,
}

/// Kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// A whole number with a sign.
    Signed,
    /// A whole number without a sign.
    Unsigned,
    /// A floating-point number.
    Float,
}

impl Scalar {
    /// Whether it is a whole number of at least 4 bytes.
    pub(crate) fn is_wide_whole(self) -> bool {
        matches!(self.kind, Kind::Signed | Kind::Unsigned) && self.bytes >= 4
    }
}

/// A structure or a union.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name, or the name that a `typedef` gives it.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<Field>,
    /// Its size in bytes, with padding.
    pub bytes: u64,
    /// The number of bytes of which its address is a multiple.
    pub alignment: u64,
    /// Whether a field is an array, or has one in it.
    pub has_array: bool,
    /// How deep structures nest in it, itself included.
    pub(super) depth: u8,
}

/// A field of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Bytes from the structure's beginning.
    pub offset: u64,
}

impl Type {
    /// Its size in bytes; none where that is unknown.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::Scalar(scalar) => Some(scalar.bytes.into()),
            // A vector of three takes the space of four.
            Self::Vector(scalar, lanes) => {
                Some(u64::from(scalar.bytes) * u64::from(lanes.next_power_of_two()))
            }
            Self::Pointer(..) => Some(8),
            Self::Array(inner, length) => inner.bytes()?.checked_mul(*length),
            Self::Record(record) => Some(record.bytes),
            Self::Void | Self::Other(_) => None,
        }
    }

    pub(crate) fn alignment(&self) -> u64 {
        match self {
            Self::Array(inner, _) => inner.alignment(),
            Self::Record(record) => record.alignment,
            other => other.bytes().unwrap_or(1).max(1),
        }
    }

    /// Whether it is an array, or has one in it.
    pub fn has_array(&self) -> bool {
        match self {
            Self::Array(..) => true,
            Self::Record(record) => record.has_array,
            _ => false,
        }
    }

    /// The innermost element type of an array of arrays, and the lengths, outermost first. For other types, the type
    /// itself and no lengths.
    pub fn lengths(&self) -> (&Self, Vec<u64>) {
        let (mut element, mut lengths) = (self, Vec::new());
        while let Self::Array(inner, length) = element {
            lengths.push(*length);
            element = inner;
        }
        (element, lengths)
    }

    /// The type of a number, or of a vector's numbers.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Self::Scalar(scalar) | Self::Vector(scalar, _) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether it is a whole number, a truth value included.
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Scalar(scalar) if scalar.kind != Kind::Float)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Void => f.write_str("void"),
            Self::Scalar(scalar) => scalar.fmt(f),
            Self::Vector(scalar, lanes) => write!(f, "{scalar}{lanes}"),
            Self::Pointer(space, pointee) => write!(f, "{space} {pointee}*"),
            Self::Array(..) => {
                let (inner, lengths) = self.lengths();
                write!(f, "{inner}")?;
                lengths
                    .iter()
                    .try_for_each(|length| write!(f, "[{length}]"))
            }
            Self::Record(record) => f.write_str(&record.name),
            Self::Other(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = NUMBERS.iter().find(|(_, scalar)| scalar == self);
        f.write_str(number.map_or("number", |(name, _)| name))
    }
}

const fn number(kind: Kind, bytes: u8) -> Scalar {
    Scalar { kind, bytes }
}

/// Number types by their names. The first name of a type is the one that is displayed.
const NUMBERS: [(&str, Scalar); 29] = [
    ("bool", number(Kind::Bool, 1)),
    ("_Bool", number(Kind::Bool, 1)),
    ("char", number(Kind::Signed, 1)),
    ("signed char", number(Kind::Signed, 1)),
    ("uchar", number(Kind::Unsigned, 1)),
    ("unsigned char", number(Kind::Unsigned, 1)),
    ("short", number(Kind::Signed, 2)),
    ("short int", number(Kind::Signed, 2)),
    ("ushort", number(Kind::Unsigned, 2)),
    ("unsigned short", number(Kind::Unsigned, 2)),
    ("int", number(Kind::Signed, 4)),
    ("signed", number(Kind::Signed, 4)),
    ("signed int", number(Kind::Signed, 4)),
    ("uint", number(Kind::Unsigned, 4)),
    ("unsigned int", number(Kind::Unsigned, 4)),
    ("unsigned", number(Kind::Unsigned, 4)),
    ("long", number(Kind::Signed, 8)),
    ("long int", number(Kind::Signed, 8)),
    ("long long", number(Kind::Signed, 8)),
    ("ptrdiff_t", number(Kind::Signed, 8)),
    ("intptr_t", number(Kind::Signed, 8)),
    ("ulong", number(Kind::Unsigned, 8)),
    ("unsigned long", number(Kind::Unsigned, 8)),
    ("unsigned long long", number(Kind::Unsigned, 8)),
    ("size_t", number(Kind::Unsigned, 8)),
    ("uintptr_t", number(Kind::Unsigned, 8)),
    ("half", number(Kind::Float, 2)),
    ("float", number(Kind::Float, 4)),
    ("double", number(Kind::Float, 8)),
];

/// Types by the names that a source gives them.
#[derive(Default)]
pub(super) struct Names {
    pub(super) types: BTreeMap<String, (Space, Type)>,
}

/// The most declarators in each other; people write two.
const MOST_DECLARATOR_DEPTH: usize = 20;

impl Names {
    /// Reads a type as clang writes it: `const __global float *__private`, `__local float[16][17]`.
    pub(super) fn read(&self, text: &str) -> (Space, Type) {
        self.declarator(text, MOST_DECLARATOR_DEPTH)
            .unwrap_or_else(|| (Space::Private, Type::Other(text.to_owned())))
    }

    fn declarator(&self, text: &str, depth: usize) -> Option<(Space, Type)> {
        let depth = depth.checked_sub(1)?;
        // The base type goes to the first pointer, bracket or parenthesis that is no attribute's.
        let attribute = "__attribute__((ext_vector_type(";
        let (words, lanes, rest) = match text.find(attribute) {
            Some(at) => {
                let (lanes, rest) = text[at + attribute.len()..].split_once(')')?;
                (&text[..at], lanes.parse().ok(), rest.strip_prefix("))")?)
            }
            None => {
                let end = text.find(['*', '[', '(']).unwrap_or(text.len());
                (&text[..end], None, &text[end..])
            }
        };
        let (space, base) = self.base(words)?;
        let base = match (lanes, base) {
            (None, base) => base,
            (Some(lanes), Type::Scalar(scalar)) => Type::Vector(scalar, lanes),
            _ => return None,
        };
        suffix(rest.trim(), space, base, depth)
    }

    fn base(&self, words: &str) -> Option<(Space, Type)> {
        let (space, name) = without_qualifiers(words);
        if name == "void" {
            return Some((space, Type::Void));
        }
        if let Some(ty) = builtin(&name) {
            return Some((space, ty));
        }
        let named = self.types.get(&name).or_else(|| {
            let tags = ["struct ", "union ", "enum "];
            let bare = tags.iter().find_map(|tag| name.strip_prefix(tag))?;
            self.types.get(bare)
        });
        match named {
            Some((own, ty)) if space == Space::Private => Some((*own, ty.clone())),
            Some((_, ty)) => Some((space, ty.clone())),
            None if name.starts_with("enum ") => {
                Some((space, Type::Scalar(number(Kind::Signed, 4))))
            }
            None => Some((space, Type::Other(name))),
        }
    }
}

fn builtin(name: &str) -> Option<Type> {
    let scalar = |name: &str| {
        let mut numbers = NUMBERS.iter();
        numbers.find(|it| it.0 == name).map(|it| it.1)
    };
    if let Some(scalar) = scalar(name) {
        return Some(Type::Scalar(scalar));
    }
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let lanes = name[digits..].parse().ok()?;
    let is_vector = matches!(lanes, 2 | 3 | 4 | 8 | 16);
    is_vector.then_some(Type::Vector(scalar(&name[..digits])?, lanes))
}

/// A type's words without qualifiers, and the memory that these name.
fn without_qualifiers(words: &str) -> (Space, String) {
    let mut space = Space::Private;
    let mut rest = Vec::new();
    for word in words.split_whitespace() {
        match word {
            "__global" => space = Space::Global,
            "__constant" => space = Space::Constant,
            "__local" => space = Space::Local,
            "__private" | "__generic" | "const" | "volatile" | "restrict" | "__restrict" => {}
            word => rest.push(word),
        }
    }
    (space, rest.join(" "))
}

/// Applies what follows a base type: `*__private`, `[16][17]` or `(*__private)[3]`.
fn suffix(text: &str, mut space: Space, mut ty: Type, depth: usize) -> Option<(Space, Type)> {
    let depth = depth.checked_sub(1)?;
    let mut rest = text;
    while let Some(after) = rest.strip_prefix('*') {
        let end = after.find(['*', '[', '(']).unwrap_or(after.len());
        ty = Type::Pointer(space, Box::new(ty));
        space = without_qualifiers(&after[..end]).0;
        rest = &after[end..];
    }
    if let Some(inner) = rest.strip_prefix('(') {
        let (inner, arrays) = inner.split_once(')')?;
        if !inner.trim_start().starts_with('*') {
            return None;
        }
        return suffix(inner.trim(), space, arrays_of(arrays, ty)?, depth);
    }
    Some((space, arrays_of(rest, ty)?))
}

/// Arrays of something with lengths such as `[16][17]`.
pub(super) fn arrays_of(text: &str, ty: Type) -> Option<Type> {
    let mut lengths: Vec<u64> = Vec::new();
    let mut rest = text.trim();
    while let Some(after) = rest.strip_prefix('[') {
        let (length, behind) = after.split_once(']')?;
        lengths.push(length.trim().parse().ok()?);
        rest = behind.trim();
    }
    if !rest.is_empty() || lengths.len() > MOST_DECLARATOR_DEPTH {
        return None;
    }
    let nest = |inner, length| Type::Array(Box::new(inner), length);
    Some(lengths.into_iter().rev().fold(ty, nest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_types_as_clang_writes_them() {
        let names = Names::default();
        for (text, space, shown) in [
            (
                "const __global float *__private",
                Space::Private,
                "global float*",
            ),
            ("__local float[16][17]", Space::Local, "float[16][17]"),
            (
                "__private const uchar4 (*__private)[3]",
                Space::Private,
                "private uchar4[3]*",
            ),
            ("unsigned long", Space::Private, "ulong"),
            (
                "float __private __attribute__((ext_vector_type(3)))",
                Space::Private,
                "float3",
            ),
            (
                "__global uint *__local *",
                Space::Private,
                "local global uint**",
            ),
            ("read_only image2d_t", Space::Private, "read_only image2d_t"),
            ("void (int, float)", Space::Private, "void (int, float)"),
            ("int[", Space::Private, "int["),
        ] {
            let (found, ty) = names.read(text);
            assert_eq!((found, ty.to_string().as_str()), (space, shown), "{text}");
        }
        assert_eq!(names.read("__local double4[3][5]").1.bytes(), Some(480));
        assert_eq!(names.read("float3").1.bytes(), Some(16));
    }
}
