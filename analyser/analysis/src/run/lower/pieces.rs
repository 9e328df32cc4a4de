//! The numbers that a value is made of, by its type.

use std::rc::Rc;

use super::Lowering;
use crate::{
    llvm::{Type, TypeId},
    run::{Real, Refusal},
};

/// The most numbers that a value is taken apart into.
const MOST_PIECES: usize = 1 << 14;

/// A number of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) scalar: Scalar,
    /// Bytes from the value's beginning, in memory.
    pub(super) offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// A whole number of this many bits; more than 64 are not computed with.
    Whole(u32),
    Real(Real),
    Pointer,
    /// `bfloat` and the like, of this many bytes.
    Other(u32),
}

impl Scalar {
    /// Number of bits that a register holds of it.
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Whole(bits) => bits,
            Self::Real(Real::Half) => 16,
            Self::Real(Real::Float) => 32,
            Self::Real(Real::Double) | Self::Pointer => 64,
            Self::Other(bytes) => 8 * bytes,
        }
    }
}

impl Lowering<'_> {
    /// The numbers of a type, in order.
    pub(super) fn pieces(&mut self, ty: TypeId) -> Result<Rc<[Piece]>, Refusal> {
        if let Some(pieces) = self.pieces.get(&ty) {
            return Ok(pieces.clone());
        }
        let mut all = Vec::new();
        self.take_apart(ty, 0, &mut all)?;
        let all: Rc<[Piece]> = all.into();
        self.pieces.insert(ty, all.clone());
        Ok(all)
    }

    fn take_apart(&mut self, ty: TypeId, offset: u64, all: &mut Vec<Piece>) -> Result<(), Refusal> {
        let types = &self.module.types;
        let scalar = match types.get(ty) {
            Type::Void | Type::Function { .. } | Type::Other => return Ok(()),
            Type::Named(_) => return self.refuse("a structure that is only declared"),
            Type::Integer(bits) => Scalar::Whole(*bits),
            Type::Half => Scalar::Real(Real::Half),
            Type::Float => Scalar::Real(Real::Float),
            Type::Double => Scalar::Real(Real::Double),
            Type::OtherFloat(bytes) => Scalar::Other(*bytes),
            Type::Pointer { .. } => Scalar::Pointer,
            Type::Vector { element, lanes } => {
                return self.take_apart_array(*element, u64::from(*lanes), offset, all);
            }
            Type::Array { element, length } => {
                return self.take_apart_array(*element, *length, offset, all);
            }
            Type::Struct { fields, .. } => {
                let offsets = types.offsets(ty);
                let Ok(offsets) = offsets else {
                    return self.refuse("a structure without a size");
                };
                for (field, place) in fields.iter().zip(offsets) {
                    let one = self.pieces(*field)?;
                    self.append(&one, offset + place, all)?;
                }
                return Ok(());
            }
        };
        if all.len() >= MOST_PIECES {
            return self.refuse(format!("a value of more than {MOST_PIECES} numbers"));
        }
        all.push(Piece { scalar, offset });
        Ok(())
    }

    fn take_apart_array(
        &mut self,
        element: TypeId,
        length: u64,
        offset: u64,
        all: &mut Vec<Piece>,
    ) -> Result<(), Refusal> {
        let Ok(layout) = self.module.types.layout(element) else {
            return self.refuse("elements without a size");
        };
        let one = self.pieces(element)?;
        if one.is_empty() {
            return Ok(());
        }
        for place in 0..length {
            self.append(&one, offset + place * layout.size, all)?;
        }
        Ok(())
    }

    fn append(&self, one: &[Piece], offset: u64, all: &mut Vec<Piece>) -> Result<(), Refusal> {
        if all.len() + one.len() > MOST_PIECES {
            return self.refuse(format!("a value of more than {MOST_PIECES} numbers"));
        }
        all.extend(one.iter().map(|piece| Piece {
            scalar: piece.scalar,
            offset: offset + piece.offset,
        }));
        Ok(())
    }
}
