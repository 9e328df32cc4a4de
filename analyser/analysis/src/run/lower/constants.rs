//! Constants: as slots, and as the bytes of a table.

use super::{Lowering, pieces::Scalar};
use crate::{
    llvm::{Binary, Cast, Constant, Global, Kind, Operand, Type, TypeId, Value},
    run::{Operation, Refusal, Slot, bits::wrapped},
};

/// The most bytes of a table.
const MOST_BYTES: u64 = 1 << 28;

impl Lowering<'_> {
    /// The slots of a constant's numbers.
    pub(super) fn constant_slots(
        &mut self,
        ty: TypeId,
        constant: &Constant,
    ) -> Result<Vec<Slot>, Refusal> {
        match constant {
            Constant::Integer(number) => {
                let bits = match self.module.types.get(ty) {
                    Type::Integer(bits) => *bits,
                    _ => 64,
                };
                Ok(vec![self.constant(wrapped(*number, bits))?])
            }
            Constant::Real(bits) => Ok(vec![self.constant(*bits)?]),
            Constant::Zero | Constant::Undefined => {
                let zero = self.constant(0)?;
                Ok(vec![zero; self.pieces(ty)?.len()])
            }
            Constant::Aggregate(elements) => {
                let mut all = Vec::new();
                for element in elements {
                    all.extend(self.operand_constant(element)?);
                }
                let expected = self.pieces(ty)?.len();
                if all.len() != expected {
                    return self.refuse("a constant of another shape than its type");
                }
                Ok(all)
            }
            Constant::Bytes(bytes) => {
                if bytes.len() != self.pieces(ty)?.len() {
                    return self.refuse("a text of another length than its type");
                }
                bytes
                    .iter()
                    .map(|byte| self.constant(u64::from(*byte)))
                    .collect()
            }
            Constant::Symbol(name) => Ok(vec![self.global(name)?]),
            Constant::Expression(expression) => self.expression(ty, expression),
        }
    }

    fn operand_constant(&mut self, operand: &Operand) -> Result<Vec<Slot>, Refusal> {
        self.value_constant(operand.ty, &operand.value)
    }

    fn value_constant(&mut self, ty: TypeId, value: &Value) -> Result<Vec<Slot>, Refusal> {
        match value {
            Value::Constant(constant) => self.constant_slots(ty, constant),
            Value::Local(_) => self.refuse("a constant that is none"),
        }
    }

    fn expression(&mut self, ty: TypeId, expression: &Kind) -> Result<Vec<Slot>, Refusal> {
        match expression {
            Kind::GetElementPtr {
                source,
                base,
                indices,
            } => {
                let base = self.operand_constant(base)?;
                let mut numbers = Vec::new();
                for index in indices {
                    numbers.push((index, self.operand_constant(index)?));
                }
                Ok(vec![self.element_address(*source, &base, &numbers)?])
            }
            Kind::Cast { cast, from } => {
                let slots = self.operand_constant(from)?;
                match cast {
                    Cast::BitCast | Cast::AddressSpace | Cast::PtrToInt => Ok(slots),
                    Cast::IntToPtr => {
                        let slot = self.one(&slots)?;
                        Ok(vec![self.make(Operation::Address, vec![slot])?])
                    }
                    Cast::Trunc | Cast::ZExt => {
                        let slot = self.one(&slots)?;
                        let bits = match self.module.types.get(ty) {
                            Type::Integer(bits) => (*bits).min(64),
                            _ => 64,
                        };
                        Ok(vec![self.make(Operation::Mask(bits), vec![slot])?])
                    }
                    _ => self.refuse(format!("a constant `{}`", cast.word())),
                }
            }
            Kind::Binary { op, a, b } => {
                let (left, right) = (self.operand_constant(a)?, self.value_constant(a.ty, b)?);
                let Type::Integer(bits @ 1..=64) = *self.module.types.get(a.ty) else {
                    return self.refuse("arithmetic of constants that are no numbers");
                };
                if !matches!(
                    op,
                    Binary::Add
                        | Binary::Sub
                        | Binary::Mul
                        | Binary::And
                        | Binary::Or
                        | Binary::Xor
                ) {
                    return self.refuse(format!("a constant `{}`", op.word()));
                }
                let operands = vec![self.one(&left)?, self.one(&right)?];
                Ok(vec![self.make(Operation::Integer(*op, bits), operands)?])
            }
            other => self.refuse(format!("a constant `{}`", other.opcode())),
        }
    }

    /// The only slot.
    pub(super) fn one(&self, slots: &[Slot]) -> Result<Slot, Refusal> {
        match slots {
            [slot] => Ok(*slot),
            _ => self.refuse("a number is expected where something else stands"),
        }
    }

    /// The contents of a variable outside functions.
    pub(super) fn table(&mut self, global: &Global, bytes: u64) -> Result<Vec<u8>, Refusal> {
        if bytes > MOST_BYTES {
            return self.refuse(format!(
                "the table `{}` is larger than 256 MiB",
                global.name
            ));
        }
        let mut all = vec![0; usize::try_from(bytes).unwrap_or_default()];
        if let Some(holds) = &global.holds {
            self.fill(global.ty, holds, 0, &mut all)?;
        }
        Ok(all)
    }

    fn fill(
        &mut self,
        ty: TypeId,
        constant: &Constant,
        offset: u64,
        all: &mut [u8],
    ) -> Result<(), Refusal> {
        let mut write = |bytes: &[u8]| {
            let start = usize::try_from(offset).unwrap_or(usize::MAX);
            let target = all.get_mut(start..).unwrap_or_default();
            let fits = target.len().min(bytes.len());
            target[..fits].copy_from_slice(&bytes[..fits]);
        };
        match constant {
            Constant::Zero | Constant::Undefined => Ok(()),
            Constant::Bytes(bytes) => {
                write(bytes);
                Ok(())
            }
            Constant::Integer(_) | Constant::Real(_) => {
                let scalar = self.pieces(ty)?.first().map(|piece| piece.scalar);
                let bytes = scalar.map_or(0, |scalar| match scalar {
                    Scalar::Whole(bits) => bits.div_ceil(8).min(16),
                    other => other.bits() / 8,
                });
                let number = match constant {
                    Constant::Integer(number) => number.to_le_bytes(),
                    Constant::Real(bits) => u128::from(*bits).to_le_bytes(),
                    _ => [0; 16],
                };
                write(&number[..bytes as usize]);
                Ok(())
            }
            Constant::Aggregate(elements) => {
                let types = &self.module.types;
                let offsets = match types.get(ty) {
                    Type::Struct { .. } => types.offsets(ty).unwrap_or_default(),
                    Type::Array { element, .. } | Type::Vector { element, .. } => {
                        let size = types.layout(*element).map_or(0, |layout| layout.size);
                        (0..elements.len() as u64)
                            .map(|place| place * size)
                            .collect()
                    }
                    _ => Vec::new(),
                };
                for (element, place) in elements.iter().zip(offsets) {
                    if let Value::Constant(constant) = &element.value {
                        self.fill(element.ty, constant, offset + place, all)?;
                    }
                }
                Ok(())
            }
            Constant::Symbol(_) | Constant::Expression(_) => self.refuse("a table of addresses"),
        }
    }
}
