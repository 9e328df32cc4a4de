//! Atomic operations, as instructions and as built-in functions.

use super::{Arguments, Lowered, Lowering, Scalar, mangled::Mangled};
use crate::{
    llvm::{AtomicOp, TypeId},
    run::{AccessKind, Part, Refusal, Slot},
};

impl Lowering<'_> {
    pub(super) fn atomic(
        &mut self,
        op: AtomicOp,
        pointer: TypeId,
        place: &[Slot],
        ty: TypeId,
        number: &[Slot],
    ) -> Result<Slot, Refusal> {
        let operands = vec![self.one(place)?, self.one(number)?];
        let (space, part) = (self.space(pointer)?, self.only_part(ty)?);
        let old = self.slot()?;
        let kind = AccessKind::Atomic(op);
        self.access(kind, (space, 0), vec![part], operands, vec![old]);
        Ok(old)
    }

    pub(super) fn compare_exchange(
        &mut self,
        pointer: TypeId,
        place: &[Slot],
        ty: TypeId,
        expected: &[Slot],
        new: &[Slot],
    ) -> Result<[Slot; 2], Refusal> {
        let operands = vec![self.one(place)?, self.one(expected)?, self.one(new)?];
        let (space, part) = (self.space(pointer)?, self.only_part(ty)?);
        let results = [self.slot()?, self.slot()?];
        let kind = AccessKind::CompareExchange;
        self.access(kind, (space, 0), vec![part], operands, results.to_vec());
        Ok(results)
    }

    fn only_part(&mut self, ty: TypeId) -> Result<Part, Refusal> {
        match *self.pieces(ty)? {
            [piece] if piece.scalar.bits() <= 64 && !matches!(piece.scalar, Scalar::Other(_)) => {
                let bytes = piece.scalar.bits().div_ceil(8);
                Ok(Part {
                    offset: 0,
                    bytes: u8::try_from(bytes).unwrap_or(8),
                })
            }
            _ => self.refuse("an atomic operation on what is no number"),
        }
    }

    /// Lowers `atomic_add(p, x)` and its kind; none if the name is of no such function.
    pub(super) fn atomic_call(
        &mut self,
        name: &Mangled<'_>,
        arguments: Arguments<'_>,
        result: Option<TypeId>,
    ) -> Lowered {
        let plain = name.name.strip_prefix("atomic_");
        let plain = plain.or_else(|| name.name.strip_prefix("atom_"));
        let (Some(plain), Some(ty), Some((pointer, place))) = (plain, result, arguments.first())
        else {
            return Ok(None);
        };
        if let ("cmpxchg", [_, (_, expected), (_, new)]) = (plain, arguments) {
            let [old, _] = self.compare_exchange(*pointer, place, ty, expected, new)?;
            return Ok(Some(vec![old]));
        }
        let op = match plain {
            "add" | "inc" => AtomicOp::Add,
            "sub" | "dec" => AtomicOp::Sub,
            "xchg" => AtomicOp::Exchange,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "min" if name.is_signed() => AtomicOp::Min,
            "max" if name.is_signed() => AtomicOp::Max,
            "min" => AtomicOp::UMin,
            "max" => AtomicOp::UMax,
            _ => return Ok(None),
        };
        let number = match arguments.get(1) {
            Some((_, number)) => number.clone(),
            None => vec![self.constant(1)?],
        };
        Ok(Some(vec![self.atomic(op, *pointer, place, ty, &number)?]))
    }
}
