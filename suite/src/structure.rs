//! What buffers and scalars are made of: `float4`, or structures of such.

use std::{fmt, sync::Arc};

use super::{Base, Data, Element};

/// What stands in each place of a buffer.
#[derive(Clone, Debug)]
pub enum Type {
    /// A number, or a vector of them.
    Element(Element),
    /// A structure.
    Struct(Arc<Structure>),
}

/// `struct { float4 position; float mass; }`, laid out as OpenCL C does.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name in the launch file.
    pub name: String,
    /// At least one.
    pub fields: Vec<Field>,
    /// Bytes of one, the gaps between and after the fields included.
    pub bytes: usize,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it is, or what its array is of.
    pub element: Element,
    /// 1, or the array's length.
    pub count: usize,
    /// Where it begins, bytes.
    pub offset: usize,
}

impl Structure {
    /// Places each field at the next multiple of its alignment: a vector's is its size, an array's its element's,
    /// the structure's the largest (OpenCL C 1.2, 6.1.5).
    pub(crate) fn new(name: String, fields: Vec<(String, Element, usize)>) -> Self {
        let (mut end, mut largest) = (0_usize, 1);
        let mut placed = Vec::new();
        for (name, element, count) in fields {
            let offset = end.next_multiple_of(element.bytes());
            end = offset + element.bytes() * count;
            largest = largest.max(element.bytes());
            placed.push(Field {
                name,
                element,
                count,
                offset,
            });
        }
        Self {
            name,
            fields: placed,
            bytes: end.next_multiple_of(largest),
        }
    }

    /// From each field's components to structures; gaps are zeros.
    pub(crate) fn join(&self, columns: &[Data], elements: usize) -> Vec<u8> {
        let mut all = vec![0; elements * self.bytes];
        for (field, column) in self.fields.iter().zip(columns) {
            let parts = column.bytes().chunks_exact(field.bytes());
            for (one, part) in all.chunks_exact_mut(self.bytes).zip(parts) {
                one[field.offset..field.offset + part.len()].copy_from_slice(part);
            }
        }
        all
    }

    /// From structures to a field's components.
    fn column(&self, field: &Field, all: &[u8]) -> Data {
        let elements = all.len() / self.bytes;
        let mut column = Data::zeros(field.element.base, elements * field.components());
        let parts = column.bytes_mut().chunks_exact_mut(field.bytes());
        for (one, part) in all.chunks_exact(self.bytes).zip(parts) {
            part.copy_from_slice(&one[field.offset..field.offset + field.bytes()]);
        }
        column
    }
}

impl Field {
    /// Numbers in it.
    pub(crate) fn components(&self) -> usize {
        self.element.lanes * self.count
    }

    fn bytes(&self) -> usize {
        self.element.bytes() * self.count
    }
}

impl Type {
    /// Bytes of one.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Element(element) => element.bytes(),
            Self::Struct(structure) => structure.bytes,
        }
    }

    /// How `elements` of it are kept: structures as their bytes.
    pub fn storage(&self, elements: usize) -> (Base, usize) {
        match self {
            Self::Element(element) => (element.base, elements * element.lanes),
            Self::Struct(structure) => (Base::Uchar, elements * structure.bytes),
        }
    }

    /// What the argument `name` holds, to be compared: of structures each field by itself, as `name.field`, since
    /// the gaps between them may hold anything.
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
            (name.to_owned(), element.parse().expect("a type"), count)
        });
        let made = Structure::new("s".to_owned(), fields.into());
        let offsets: Vec<usize> = made.fields.iter().map(|field| field.offset).collect();
        assert_eq!((offsets, made.bytes), (vec![0, 16, 32], 48));

        let columns = [
            Data::Uchar(vec![1, 2, 3, 4, 5, 6]),
            Data::Float(vec![0.5; 8]),
            Data::Half(vec![half::f16::ONE; 2]),
        ];
        let joined = Data::Uchar(made.join(&columns, 2));
        assert_eq!(joined.as_u8()[48..52], [4, 5, 6, 0]);
        let again = Type::Struct(made.into()).columns("all", joined);
        let names: Vec<&str> = again.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["all.a", "all.b", "all.c"]);
        assert!(again.iter().map(|(_, data)| data).eq(&columns));
    }
}
