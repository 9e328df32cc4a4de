//! Elements of vectors, and conversions of whole values.

use super::{Frame, Lowering, Scalar, instructions::wide, pieces::Piece};
use crate::{
    llvm::{self, Binary, Cast, Constant, IntegerPredicate, Value},
    run::{Operation, Refusal, Slot, bits::mask},
};

/// A place that is known when the program is made.
fn place_of(index: &llvm::Operand) -> Option<usize> {
    match &index.value {
        Value::Constant(Constant::Integer(place)) => usize::try_from(*place).ok(),
        Value::Constant(Constant::Zero | Constant::Undefined) => Some(0),
        _ => None,
    }
}

impl<'m> Lowering<'m> {
    pub(super) fn extract(
        &mut self,
        frame: &Frame<'m>,
        vector: &[Slot],
        index: &llvm::Operand,
    ) -> Result<Vec<Slot>, Refusal> {
        if let Some(place) = place_of(index) {
            return match vector.get(place) {
                Some(element) => Ok(vec![*element]),
                None => Ok(vec![self.constant(0)?]),
            };
        }
        let place = self.operand(frame, index)?;
        let mut operands = vec![self.one(&place)?];
        operands.extend(vector);
        Ok(vec![self.make(Operation::Pick, operands)?])
    }

    pub(super) fn insert(
        &mut self,
        frame: &Frame<'m>,
        mut vector: Vec<Slot>,
        element: &[Slot],
        index: &llvm::Operand,
    ) -> Result<Vec<Slot>, Refusal> {
        let element = self.one(element)?;
        if let Some(place) = place_of(index) {
            if let Some(target) = vector.get_mut(place) {
                *target = element;
            }
            return Ok(vector);
        }
        let place = self.operand(frame, index)?;
        let place = self.one(&place)?;
        for (at, target) in vector.iter_mut().enumerate() {
            let at = self.constant(at as u64)?;
            let is = Operation::Compare(IntegerPredicate::Equal, 64);
            let is = self.make(is, vec![place, at])?;
            *target = self.make(Operation::Select, vec![is, element, *target])?;
        }
        Ok(vector)
    }

    pub(super) fn cast(
        &mut self,
        cast: Cast,
        from: llvm::TypeId,
        to: llvm::TypeId,
        numbers: &[Slot],
    ) -> Result<Vec<Slot>, Refusal> {
        let (from, to) = (self.pieces(from)?, self.pieces(to)?);
        if matches!(cast, Cast::BitCast | Cast::AddressSpace) {
            return self.same_bits(&from, &to, numbers);
        }
        let mut results = Vec::new();
        for ((from, to), number) in from.iter().zip(to.iter()).zip(numbers) {
            let operation = match (cast, from.scalar, to.scalar) {
                (_, Scalar::Whole(65..) | Scalar::Other(_), _) | (_, _, Scalar::Other(_)) => wide(),
                (Cast::Trunc, _, Scalar::Whole(bits)) => Operation::Mask(bits.min(64)),
                (Cast::ZExt, _, Scalar::Whole(..=64)) => Operation::Copy,
                (Cast::PtrToInt, _, Scalar::Whole(bits)) => Operation::Mask(bits.min(64)),
                (Cast::SExt, Scalar::Whole(less), Scalar::Whole(more @ ..=64)) => {
                    Operation::SignExtend(less, more)
                }
                (Cast::FpTrunc | Cast::FpExt, Scalar::Real(from), Scalar::Real(to)) => {
                    Operation::Resize(from, to)
                }
                (Cast::FpToUi | Cast::FpToSi, Scalar::Real(real), Scalar::Whole(bits @ ..=64)) => {
                    Operation::ToInteger(real, bits, cast == Cast::FpToSi)
                }
                (Cast::UiToFp | Cast::SiToFp, Scalar::Whole(bits), Scalar::Real(real)) => {
                    Operation::FromInteger(bits, cast == Cast::SiToFp, real)
                }
                (Cast::IntToPtr, ..) => Operation::Address,
                _ => wide(),
            };
            results.push(match operation {
                Operation::Copy => *number,
                operation => self.make(operation, vec![*number])?,
            });
        }
        Ok(results)
    }

    /// Lowers a conversion that keeps bits: those of some numbers become those of others, the first lowest.
    pub(super) fn same_bits(
        &mut self,
        from: &[Piece],
        to: &[Piece],
        numbers: &[Slot],
    ) -> Result<Vec<Slot>, Refusal> {
        let bits =
            |pieces: &[Piece]| -> Vec<u32> { pieces.iter().map(|it| it.scalar.bits()).collect() };
        let (from, to) = (bits(from), bits(to));
        if from == to {
            return Ok(numbers.to_vec());
        }
        if from.iter().chain(&to).any(|bits| *bits > 64 || *bits == 0) {
            let wide = to.iter().map(|_| self.make(wide(), numbers.to_vec()));
            return wide.collect();
        }
        let mut results = Vec::new();
        let (mut source, mut within) = (0, 0);
        for want in to {
            let mut have = 0;
            let mut all: Option<Slot> = None;
            while have < want {
                let (Some(bits), Some(number)) = (from.get(source), numbers.get(source)) else {
                    return self.refuse("a bitcast to a larger type");
                };
                let take = (bits - within).min(want - have);
                let mut part = *number;
                let word = |bits: u32| if bits <= 32 { 32 } else { 64 };
                if within > 0 {
                    let by = self.constant(u64::from(within))?;
                    let shift = Operation::Integer(Binary::LShr, word(*bits));
                    part = self.make(shift, vec![part, by])?;
                }
                if take < bits - within {
                    part = self.make(Operation::Mask(take), vec![part])?;
                }
                if have > 0 {
                    let by = self.constant(u64::from(have))?;
                    let shift = Operation::Integer(Binary::Shl, word(want));
                    part = self.make(shift, vec![part, by])?;
                }
                let or = Operation::Integer(Binary::Or, word(want));
                all = Some(match all {
                    None => part,
                    Some(all) => self.make(or, vec![all, part])?,
                });
                have += take;
                within += take;
                if within == *bits {
                    (source, within) = (source + 1, 0);
                }
            }
            results.push(match all {
                Some(all) => all,
                None => self.constant(mask(0))?,
            });
        }
        Ok(results)
    }
}
