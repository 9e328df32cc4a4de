//! What elements of arrays are: numbers, or structures.

use std::fmt::Write as _;

use bytemuck::Pod;
use serde::{Serialize, Serializer};

use crate::{
    StreamError, Type,
    reserved::{is_reserved, plain},
};

/// What an array's elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Number(Type),
    /// Structures.
    Record(&'static Record),
}

/// A structure that Rust and OpenCL C have alike; [`record!`](crate::record) says so of one.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    name: &'static str,
    /// Of one, in Rust.
    bytes: usize,
    fields: &'static [Field],
}

/// A field of a [`Record`].
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    name: &'static str,
    kind: Kind,
    /// Elements of an array.
    count: Option<usize>,
    /// Where it begins in Rust.
    offset: usize,
}

/// A Rust type that arrays are made of: a number, or a structure ([`record!`](crate::record)).
pub trait Element: Pod + Send + Sync {
    /// What it is on devices.
    const KIND: Kind;
}

/// What a field may be: an element, or an array of elements.
pub trait Member {
    /// Of the element.
    const KIND: Kind;
    /// Elements of an array.
    const COUNT: Option<usize>;
}

impl<T: Element> Member for T {
    const KIND: Kind = T::KIND;
    const COUNT: Option<usize> = None;
}

impl<T: Element, const N: usize> Member for [T; N] {
    const KIND: Kind = T::KIND;
    const COUNT: Option<usize> = Some(N);
}

/// Makes elements of a structure: of the same name and fields in OpenCL C.
///
/// ```
/// use kerncast_primitives::record;
///
/// #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// #[repr(C)]
/// struct Particle {
///     place: [f32; 3],
///     kind: u32,
/// }
/// record!(Particle { place: [f32; 3], kind: u32 });
/// ```
/// All fields are named, with their types, which rustc checks:
/// ```compile_fail
/// # use kerncast_primitives::record;
/// # #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// # #[repr(C)]
/// # struct Particle { place: [f32; 3], kind: u32 }
/// record!(Particle { place: [f32; 3], kind: i32 });
/// ```
/// Words that OpenCL C keeps for itself are no names:
/// ```compile_fail
/// # use kerncast_primitives::record;
/// # #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
/// # #[repr(C)]
/// # struct Range { local: u32 }
/// record!(Range { local: u32 });
/// ```
/// In their order: a device that lays them out otherwise than Rust does is a [`StreamError::Record`].
#[macro_export]
macro_rules! record {
    ($name:ident { $($field:ident: $kind:ty),+ $(,)? }) => {
        const _: () = {
            assert!(
                !$crate::is_reserved(stringify!($name)),
                concat!("the record ", stringify!($name), ": a keyword of OpenCL C; expected another name"),
            );
            $(assert!(
                !$crate::is_reserved(stringify!($field)),
                concat!(
                    "the field ", stringify!($field), " of the record ", stringify!($name),
                    ": a keyword of OpenCL C; expected another name",
                ),
            );)+
        };
        impl $crate::Element for $name {
            const KIND: $crate::Kind = {
                const FIELDS: &[$crate::Field] = &[$($crate::Field::of::<$kind>(
                    stringify!($field),
                    ::core::mem::offset_of!($name, $field),
                )),+];
                const RECORD: $crate::Record =
                    $crate::Record::of::<$name>(stringify!($name), FIELDS);
                $crate::Kind::Record(&RECORD)
            };
        }
        const _: fn($name) = |$name { $($field),+ }| { $(let _: $kind = $field;)+ };
    };
}

impl StreamError {
    pub(crate) fn types(what: &str, found: impl Into<Kind>, expected: impl Into<Kind>) -> Self {
        Self::Shape {
            what: what.to_owned(),
            found: format!("elements of type {}", found.into().name()),
            expected: expected.into().name().to_owned(),
        }
    }

    /// Whether elements of this type are indices.
    pub(crate) fn unless_index(found: Kind) -> Result<(), Self> {
        match found {
            Kind::Number(Type::U32 | Type::U64) => Ok(()),
            _ => Err(Self::Shape {
                what: "the index".to_owned(),
                found: format!("elements of type {}", found.name()),
                expected: "u32 or u64".to_owned(),
            }),
        }
    }
}

impl Record {
    /// Of `T`, with its fields in their order. [`record!`](crate::record) is shorter, and checks them.
    ///
    /// # Panics
    /// If `T` has no bytes, or OpenCL C keeps its name for itself.
    #[must_use]
    pub const fn of<T: Pod>(name: &'static str, fields: &'static [Field]) -> Self {
        assert!(size_of::<T>() > 0, "elements have bytes");
        assert!(
            !is_reserved(name),
            "a record's name is a keyword of OpenCL C"
        );
        Self {
            name,
            bytes: size_of::<T>(),
            fields,
        }
    }

    /// In OpenCL C, in one line.
    fn declaration(&self) -> String {
        let mut fields = String::new();
        for Field {
            name, kind, count, ..
        } in self.fields
        {
            let _ = match count {
                None => write!(fields, "{} {name}; ", kind.opencl()),
                Some(count) => write!(fields, "{} {name}[{count}]; ", kind.opencl()),
            };
        }
        format!("typedef struct {{ {fields}}} {};", self.name)
    }

    /// A kernel `stream_layout` that says how large the record is on a device, and where each field begins.
    pub(crate) fn layout_source(&'static self) -> String {
        let name = self.name;
        let mut source = format!(
            "{}\nkernel void stream_layout(global uint *layout) {{\n{name} it;\nlayout[0] = sizeof({name});\n",
            declarations([Kind::Record(self)])
        );
        for (place, field) in (1..).zip(self.fields) {
            let _ = writeln!(
                source,
                "layout[{place}] = (uint)((char *)&it.{} - (char *)&it);",
                field.name
            );
        }
        source + "}\n"
    }

    /// How many numbers `stream_layout` says.
    pub(crate) fn layout_length(&self) -> usize {
        1 + self.fields.len()
    }

    /// # Errors
    /// What a device said is not so in Rust.
    pub(crate) fn check_layout(&self, layout: &[u32]) -> Result<(), StreamError> {
        let whole = ("size".to_owned(), self.bytes);
        let fields = self.fields.iter();
        let fields = fields.map(|it| (format!("first byte of {}", it.name), it.offset));
        for (&found, (what, expected)) in layout.iter().zip([whole].into_iter().chain(fields)) {
            if found as usize != expected {
                return Err(StreamError::Record {
                    name: self.name,
                    what,
                    found: found as usize,
                    expected,
                });
            }
        }
        Ok(())
    }
}

impl Field {
    /// A field that begins at byte `offset` in Rust.
    ///
    /// # Panics
    /// If OpenCL C keeps its name for itself.
    #[must_use]
    pub const fn of<M: Member>(name: &'static str, offset: usize) -> Self {
        let name = plain(name);
        assert!(
            !is_reserved(name),
            "a field's name is a keyword of OpenCL C"
        );
        Self {
            name,
            kind: M::KIND,
            count: M::COUNT,
            offset,
        }
    }
}

impl Kind {
    /// Of an element.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Number(number) => number.bytes(),
            Self::Record(record) => record.bytes,
        }
    }

    /// Its name in Rust.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Number(number) => number.name(),
            Self::Record(record) => record.name,
        }
    }

    /// Its name in OpenCL C.
    #[must_use]
    pub fn opencl(self) -> &'static str {
        match self {
            Self::Number(number) => number.opencl(),
            Self::Record(record) => record.name,
        }
    }

    /// What its address is a multiple of.
    pub(crate) fn alignment(self) -> usize {
        match self {
            Self::Number(number) => number.bytes(),
            Self::Record(record) => {
                let fields = record.fields.iter().map(|it| it.kind.alignment());
                fields.max().unwrap_or(1)
            }
        }
    }

    /// Whether it needs 64-bit floating point.
    pub(crate) fn has_double(self) -> bool {
        match self {
            Self::Number(number) => number == Type::F64,
            Self::Record(record) => record.fields.iter().any(|it| it.kind.has_double()),
        }
    }

    pub(crate) fn as_number(self) -> Option<Type> {
        match self {
            Self::Number(number) => Some(number),
            Self::Record(_) => None,
        }
    }

    /// Where `what` must be of numbers.
    ///
    /// # Errors
    /// It is of records.
    pub(crate) fn number(self, what: &str) -> Result<Type, StreamError> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Record(record) => Err(StreamError::Shape {
                what: what.to_owned(),
                found: format!("elements of type {}", record.name),
                expected: "numbers".to_owned(),
            }),
        }
    }

    /// A line of OpenCL C that makes `name` a type of as many bytes, for who only moves elements.
    pub(crate) fn moved_as(self, name: &str) -> String {
        match self {
            Self::Number(number) => format!("#define {name} {}\n", number.bits()),
            Self::Record(record) => {
                // A packed one may have fewer bytes than its fields' alignment would have it.
                let word = match self
                    .alignment()
                    .min(1 << record.bytes.trailing_zeros().min(3))
                {
                    1 => Type::U8,
                    2 => Type::U16,
                    4 => Type::U32,
                    _ => Type::U64,
                };
                let words = record.bytes / word.bytes();
                format!(
                    "typedef struct {{ {} words[{words}]; }} {name};\n",
                    word.opencl()
                )
            }
        }
    }

    /// It, if it is a record, and those that it has, each after what it has itself.
    fn add_records(self, all: &mut Vec<&'static Record>) {
        if let Self::Record(record) = self {
            for field in record.fields {
                field.kind.add_records(all);
            }
            if !all.contains(&record) {
                all.push(record);
            }
        }
    }
}

/// Of these, and of what is in them.
pub(crate) fn records(kinds: impl IntoIterator<Item = Kind>) -> Vec<&'static Record> {
    let mut all = Vec::new();
    for kind in kinds {
        kind.add_records(&mut all);
    }
    all
}

/// All records' in OpenCL C, in one line.
pub(crate) fn declarations(kinds: impl IntoIterator<Item = Kind>) -> String {
    let each = records(kinds).into_iter().map(Record::declaration);
    each.collect::<Vec<_>>().join(" ")
}

impl From<Type> for Kind {
    fn from(number: Type) -> Self {
        Self::Number(number)
    }
}

/// As a number's type, or a record's name.
impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Record(record) => serializer.serialize_str(record.name),
        }
    }
}
