//! Types, interned, with their sizes and alignments.

use std::{cell::RefCell, collections::HashMap};

use thiserror::Error;

/// The deepest nesting of structures; real programs have a handful.
const DEEPEST: u32 = 200;

/// A type of one [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

/// A type of LLVM's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`: no value.
    Void,
    /// `i32`: its bits.
    Integer(u32),
    /// IEEE 754 half.
    Half,
    /// IEEE 754 single.
    Float,
    /// IEEE 754 double.
    Double,
    /// `bfloat`, `x86_fp80` and the like: its bytes. Only its size is known.
    OtherFloat(u32),
    /// A pointer into an address space; opaque pointers don't say to what.
    Pointer {
        /// The address space.
        space: u32,
        /// The type that it points to; none for an opaque pointer.
        to: Option<TypeId>,
    },
    /// `<4 x float>`.
    Vector {
        /// Its elements' type.
        element: TypeId,
        /// Number of elements.
        lanes: u32,
    },
    /// `[16 x float]`.
    Array {
        /// Its elements' type.
        element: TypeId,
        /// Number of elements.
        length: u64,
    },
    /// `{ i32, float }`.
    Struct {
        /// Its fields, in order.
        fields: Vec<TypeId>,
        /// Whether fields lie without gaps.
        packed: bool,
    },
    /// `%struct.tree`: its place among the named ones.
    Named(u32),
    /// The type of a function.
    Function {
        /// The type that it returns.
        returns: TypeId,
    },
    /// `label`, `metadata`, `token`: no values that anything computes with.
    Other,
}

/// Size and alignment of a type in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes from one element of an array to the next.
    pub size: u64,
    /// Bytes of which its address is a multiple.
    pub align: u64,
}

/// A type that has no size, or one beyond all bounds.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TypeError {
    /// `void`, a function, a structure that is only declared.
    #[error("a type without a size")]
    Unsized,
    /// Structures in structures without an end.
    #[error("types nested more than {DEEPEST} deep")]
    Deep,
    /// More than 2^63 bytes.
    #[error("a type of more than 2^63 bytes")]
    Large,
}

/// All types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    all: Vec<Type>,
    ids: HashMap<Type, TypeId>,
    /// Structures by name, each with its type once that is defined.
    named: Vec<Option<TypeId>>,
    names: HashMap<String, u32>,
    layouts: RefCell<HashMap<TypeId, Result<Layout, TypeError>>>,
    /// Bytes of a pointer.
    pub pointer_bytes: u64,
}

impl Default for Types {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            ids: HashMap::new(),
            named: Vec::new(),
            names: HashMap::new(),
            layouts: RefCell::default(),
            pointer_bytes: 8,
        }
    }
}

impl Types {
    /// The id of this type.
    pub fn id(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.ids.get(&ty) {
            return *id;
        }
        let id = TypeId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The id of the structure of this name, known or not yet.
    pub(crate) fn named(&mut self, name: &str) -> TypeId {
        let place = match self.names.get(name) {
            Some(place) => *place,
            None => {
                let place = u32::try_from(self.named.len()).unwrap_or(u32::MAX);
                self.named.push(None);
                self.names.insert(name.to_owned(), place);
                place
            }
        };
        self.id(Type::Named(place))
    }

    /// Defines the structure of this name.
    pub(crate) fn define(&mut self, name: &str, is: TypeId) {
        self.named(name);
        if let Some(place) = self.names.get(name) {
            self.named[*place as usize] = Some(is);
        }
        self.layouts.borrow_mut().clear();
    }

    /// The type of this id. For a name, the type that it stands for, or [`Type::Named`] where that is not defined.
    pub fn get(&self, id: TypeId) -> &Type {
        let mut id = id;
        // A name may stand for a name, and in hostile text for itself.
        for _ in 0..DEEPEST {
            match &self.all[id.0 as usize] {
                Type::Named(place) => match self.named[*place as usize] {
                    Some(is) => id = is,
                    None => break,
                },
                other => return other,
            }
        }
        &self.all[id.0 as usize]
    }

    /// Size and alignment of a type.
    ///
    /// # Errors
    /// The type has none.
    pub fn layout(&self, id: TypeId) -> Result<Layout, TypeError> {
        self.layout_within(id, 0)
    }

    fn layout_within(&self, id: TypeId, depth: u32) -> Result<Layout, TypeError> {
        if let Some(layout) = self.layouts.borrow().get(&id) {
            return *layout;
        }
        if depth > DEEPEST {
            return Err(TypeError::Deep);
        }
        let layout = self.layout_anew(id, depth);
        self.layouts.borrow_mut().insert(id, layout);
        layout
    }

    fn layout_anew(&self, id: TypeId, depth: u32) -> Result<Layout, TypeError> {
        let plain = |bytes: u64| Layout {
            size: bytes,
            align: bytes,
        };
        let layout = match self.get(id) {
            Type::Void | Type::Named(_) | Type::Function { .. } | Type::Other => {
                return Err(TypeError::Unsized);
            }
            Type::Integer(bits) => {
                let bytes = u64::from(bits.div_ceil(8)).next_power_of_two();
                Layout {
                    size: bytes,
                    align: bytes.min(8),
                }
            }
            Type::Half => plain(2),
            Type::Float => plain(4),
            Type::Double => plain(8),
            Type::OtherFloat(bytes) => plain(u64::from(*bytes)),
            Type::Pointer { .. } => plain(self.pointer_bytes),
            Type::Vector { element, lanes } => {
                let element = self.layout_within(*element, depth + 1)?;
                let bytes = element
                    .size
                    .checked_mul(u64::from(*lanes))
                    .ok_or(TypeError::Large)?;
                // A vector of three takes as much as one of four.
                plain(bytes.checked_next_power_of_two().ok_or(TypeError::Large)?)
            }
            Type::Array { element, length } => {
                let element = self.layout_within(*element, depth + 1)?;
                Layout {
                    size: element.size.checked_mul(*length).ok_or(TypeError::Large)?,
                    align: element.align,
                }
            }
            Type::Struct { fields, packed } => self.structure(fields, *packed, depth)?.1,
        };
        if layout.size > 1 << 62 {
            return Err(TypeError::Large);
        }
        Ok(layout)
    }

    /// Offsets of the fields, and the layout of the whole.
    fn structure(
        &self,
        fields: &[TypeId],
        packed: bool,
        depth: u32,
    ) -> Result<(Vec<u64>, Layout), TypeError> {
        let (mut end, mut align) = (0_u64, 1);
        let mut offsets = Vec::with_capacity(fields.len());
        for field in fields {
            let field = self.layout_within(*field, depth + 1)?;
            if !packed {
                end = end
                    .checked_next_multiple_of(field.align.max(1))
                    .ok_or(TypeError::Large)?;
                align = align.max(field.align);
            }
            offsets.push(end);
            end = end.checked_add(field.size).ok_or(TypeError::Large)?;
        }
        let size = end
            .checked_next_multiple_of(align)
            .ok_or(TypeError::Large)?;
        Ok((offsets, Layout { size, align }))
    }

    /// Offsets of a structure's fields, bytes.
    ///
    /// # Errors
    /// The type is no structure, or has no size.
    pub fn offsets(&self, id: TypeId) -> Result<Vec<u64>, TypeError> {
        match self.get(id) {
            Type::Struct { fields, packed } => Ok(self.structure(fields, *packed, 0)?.0),
            _ => Err(TypeError::Unsized),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_lie_as_c_lays_them_out_and_endless_ones_have_no_size() {
        let mut types = Types::default();
        let byte = types.id(Type::Integer(8));
        let float = types.id(Type::Float);
        let float3 = types.id(Type::Vector {
            element: float,
            lanes: 3,
        });
        let fields = vec![byte, float3, byte];
        let structure = types.id(Type::Struct {
            fields,
            packed: false,
        });
        assert_eq!(types.offsets(structure), Ok(vec![0, 16, 32]));
        assert_eq!(
            types.layout(structure),
            Ok(Layout {
                size: 48,
                align: 16
            })
        );

        let itself = types.named("itself");
        let holds = types.id(Type::Array {
            element: itself,
            length: 2,
        });
        types.define("itself", holds);
        assert_eq!(types.layout(itself), Err(TypeError::Deep));
    }
}
