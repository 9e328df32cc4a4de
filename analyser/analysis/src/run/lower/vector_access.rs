//! Vector loads and stores: `vload4(i, p)`, `vstore4(x, i, p)`, `vload_half`, …

use std::iter;

use super::{Arguments, Lowered, Lowering, Scalar, mangled::Mangled};
use crate::{
    llvm::TypeId,
    run::{AccessKind, Operation, Part, Real, Slot},
};

impl Lowering<'_> {
    pub(super) fn vector_access(
        &mut self,
        name: &Mangled<'_>,
        arguments: Arguments<'_>,
        ty: Option<TypeId>,
    ) -> Lowered {
        let is_load = name.name.starts_with("vload");
        let (value, place, pointer, base) = match arguments {
            [(_, place), (pointer, base)] if is_load => (None, place, pointer, base),
            [value, (_, place), (pointer, base)] if !is_load => (Some(value), place, pointer, base),
            _ => return Ok(None),
        };
        let Some(value_type) = value.map(|it| it.0).or(ty) else {
            return Ok(None);
        };
        let is_half = name.name.contains("_half");
        let (pieces, space) = (self.pieces(value_type)?, self.space(*pointer)?);
        let Some(scalar) = pieces.first().map(|piece| piece.scalar) else {
            return Ok(None);
        };
        let bits = if is_half { 16 } else { scalar.bits() };
        let (bytes, lanes) = (bits.div_ceil(8), pieces.len());
        // An aligned `half3` takes as much room as a `half4`; others are aligned as their elements are.
        let is_aligned = name.name.contains("loada_") || name.name.contains("storea_");
        let (stride, aligned) = match lanes.next_power_of_two() {
            room if is_aligned => (room, room as u64),
            _ => (lanes, 1),
        };
        let stride = i64::try_from(stride).unwrap_or(1);
        let step = stride.wrapping_mul(bytes.into());
        let (base, place) = (self.one(base)?, self.one(place)?);
        let address = self.make(Operation::Index(64, step), vec![base, place])?;
        let part = |place: usize| Part {
            offset: place as u64 * u64::from(bytes),
            bytes: u8::try_from(bytes.min(8)).unwrap_or(8),
        };
        let parts: Vec<Part> = (0..lanes).map(part).collect();
        let place = (space, u64::from(bytes) * aligned);
        let real = match scalar {
            Scalar::Real(real) => real,
            _ => Real::Half,
        };
        if let Some((_, numbers)) = value {
            let numbers = if is_half {
                self.make_each(numbers, || Operation::Resize(real, Real::Half))?
            } else {
                numbers.clone()
            };
            let operands = iter::once(address).chain(numbers).collect();
            self.access(AccessKind::Store, place, parts, operands, Vec::new());
            return Ok(Some(Vec::new()));
        }
        let numbers: Vec<Slot> = self.slots(lanes)?.map(Slot).collect();
        self.access(
            AccessKind::Load,
            place,
            parts,
            vec![address],
            numbers.clone(),
        );
        if is_half {
            let resize = || Operation::Resize(Real::Half, real);
            return Ok(Some(self.make_each(&numbers, resize)?));
        }
        Ok(Some(numbers))
    }
}
