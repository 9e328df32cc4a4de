//! Types of buffers and scalars: elements such as `float4`, and structures of them.

use std::{fmt, sync::Arc};

use super::{Base, Data, Element};

/// The type of a buffer's elements.
#[derive(Clone, Debug)]
pub enum Type {
    /// A number, or a vector of them.
    Element(Element),
    /// A structure of the launch file.
    Struct(Arc<Structure>),
}

/// `struct { float4 position; float mass; }`, laid out as OpenCL C does.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name in the launch file.
    pub name: String,
    /// Fields, at least one. A structure in it is given by its own fields, as `roads.length`.
    pub fields: Vec<Field>,
    /// Bytes of one structure, with the gaps between and after the fields.
    pub bytes: usize,
    alignment: usize,
}

/// A field of a structure, or of each of an array of structures in it.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name in OpenCL C.
    pub name: String,
    /// The type of the field, or of its array's elements.
    pub element: Element,
    /// The array's length; 1 for a field that is no array.
    pub count: usize,
    /// Bytes from the beginning; for an array of structures one offset for each of them.
    pub offsets: Vec<usize>,
}

impl Structure {
    /// Places each field at the next multiple of its alignment: a vector's is its size, an array's its element's,
    /// the structure's the largest (OpenCL C 1.2, 6.1.5).
    pub(crate) fn new(name: String, fields: Vec<(String, Type, usize)>) -> Self {
        let (mut end, mut alignment) = (0_usize, 1);
        let mut placed = Vec::new();
        for (name, ty, count) in fields {
            let offset = end.next_multiple_of(ty.alignment());
            end = offset + ty.bytes() * count;
            alignment = alignment.max(ty.alignment());
            placed.extend(Field::all(&name, &ty, count, offset));
        }
        Self {
            name,
            fields: placed,
            bytes: end.next_multiple_of(alignment),
            alignment,
        }
    }

    /// Names of the fields as the launch file has them. A structure in it is given by its own fields.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.fields.iter().map(|it| it.name.split('.').next());
        let mut names: Vec<&str> = names.flatten().collect();
        names.dedup();
        names
    }

    /// Bytes of structures made of each field's components; gaps are zeros.
    pub(crate) fn join(&self, columns: &[Data], elements: usize) -> Vec<u8> {
        let mut all = vec![0; elements * self.bytes];
        for (field, column) in self.fields.iter().zip(columns) {
            let mut parts = column.bytes().chunks_exact(field.run_bytes());
            for one in all.chunks_exact_mut(self.bytes) {
                for (&offset, part) in field.offsets.iter().zip(&mut parts) {
                    one[offset..offset + part.len()].copy_from_slice(part);
                }
            }
        }
        all
    }

    /// A field's components in the bytes of structures.
    fn column(&self, field: &Field, all: &[u8]) -> Data {
        let elements = all.len() / self.bytes;
        let mut column = Data::zeros(field.element.base, elements * field.components());
        let mut parts = column.bytes_mut().chunks_exact_mut(field.run_bytes());
        for one in all.chunks_exact(self.bytes) {
            for (&offset, part) in field.offsets.iter().zip(&mut parts) {
                part.copy_from_slice(&one[offset..offset + part.len()]);
            }
        }
        column
    }
}

impl Field {
    /// The fields that `count` elements of a type make from `offset` on.
    fn all(name: &str, ty: &Type, count: usize, offset: usize) -> Vec<Self> {
        let structure = match ty {
            Type::Element(element) => {
                return vec![Self {
                    name: name.to_owned(),
                    element: *element,
                    count,
                    offsets: vec![offset],
                }];
            }
            Type::Struct(structure) => structure,
        };
        let starts = (0..count).map(|place| offset + place * structure.bytes);
        let fields = structure.fields.iter().map(|field| Self {
            name: format!("{name}.{}", field.name),
            offsets: starts
                .clone()
                .flat_map(|start| field.offsets.iter().map(move |it| start + it))
                .collect(),
            ..field.clone()
        });
        fields.collect()
    }

    /// Number of its components.
    pub(crate) fn components(&self) -> usize {
        self.element.lanes * self.count * self.offsets.len()
    }

    /// Bytes of the field at each of its offsets.
    fn run_bytes(&self) -> usize {
        self.element.bytes() * self.count
    }
}

impl Type {
    /// Bytes of one element.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Element(element) => element.bytes(),
            Self::Struct(structure) => structure.bytes,
        }
    }

    fn alignment(&self) -> usize {
        match self {
            Self::Element(element) => element.bytes(),
            Self::Struct(structure) => structure.alignment,
        }
    }

    /// The storage of `elements` elements: type and number of components. Structures are stored as their bytes.
    pub fn storage(&self, elements: usize) -> (Base, usize) {
        match self {
            Self::Element(element) => (element.base, elements * element.lanes),
            Self::Struct(structure) => (Base::Uchar, elements * structure.bytes),
        }
    }

    /// The contents of the argument `name`, to be compared. Structures are given field by field, as `name.field`, since
    /// the gaps between fields may hold anything.
    pub fn columns(&self, name: &str, data: Data) -> Vec<(String, Data)> {
        match self {
            Self::Element(_) => vec![(name.to_owned(), data)],
            Self::Struct(structure) => {
                let fields = structure.fields.iter();
                let column = |field: &Field| structure.column(field, data.bytes());
                fields
                    .map(|field| (format!("{name}.{}", field.name), column(field)))
                    .collect()
            }
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(element) => element.fmt(f),
            Self::Struct(structure) => f.write_str(&structure.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lie_where_a_c_compiler_puts_them() {
        let fields = [("a", "uchar", 3), ("b", "float4", 1), ("c", "half", 1)];
        let fields = fields.map(|(name, element, count)| {
            let element = element.parse().expect("a type");
            (name.to_owned(), Type::Element(element), count)
        });
        let layout = Structure::new("s".to_owned(), fields.into());
        let offsets: Vec<usize> = layout.fields.iter().map(|field| field.offsets[0]).collect();
        assert_eq!((offsets, layout.bytes), (vec![0, 16, 32], 48));

        let columns = [
            Data::Uchar(vec![1, 2, 3, 4, 5, 6]),
            Data::Float(vec![0.5; 8]),
            Data::Half(vec![half::f16::ONE; 2]),
        ];
        let joined = Data::Uchar(layout.join(&columns, 2));
        assert_eq!(joined.as_u8()[48..52], [4, 5, 6, 0]);
        let again = Type::Struct(layout.into()).columns("all", joined);
        let names: Vec<&str> = again.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["all.a", "all.b", "all.c"]);
        assert!(again.iter().map(|(_, data)| data).eq(&columns));
    }

    #[test]
    fn structures_in_a_structure_lie_there_with_their_gaps() {
        let ty = |text: &str| Type::Element(text.parse().expect("a type"));
        let inner = [("kind", "uchar", 1), ("ends", "int", 2)];
        let inner = inner.map(|(name, text, count)| (name.to_owned(), ty(text), count));
        let inner = Structure::new("inner".to_owned(), inner.into());
        assert_eq!(inner.bytes, 12);
        let outer = vec![
            ("first".to_owned(), ty("short"), 1),
            ("parts".to_owned(), Type::Struct(inner.into()), 2),
        ];
        let outer = Structure::new("outer".to_owned(), outer);
        let places: Vec<(&str, &[usize])> = outer
            .fields
            .iter()
            .map(|it| (&*it.name, &*it.offsets))
            .collect();
        assert_eq!(
            places,
            [
                ("first", &[0][..]),
                ("parts.kind", &[4, 16]),
                ("parts.ends", &[8, 20])
            ]
        );
        assert_eq!((outer.bytes, outer.names()), (28, vec!["first", "parts"]));
        let columns = [
            Data::Short(vec![1]),
            Data::Uchar(vec![2, 3]),
            Data::Int(vec![4, 5, 6, 7]),
        ];
        let joined = Data::Uchar(outer.join(&columns, 1));
        assert_eq!(joined.as_u8()[16], 3);
        let again = Type::Struct(outer.into()).columns("all", joined);
        assert!(again.iter().map(|(_, data)| data).eq(&columns));
    }
}
