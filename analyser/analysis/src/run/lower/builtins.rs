//! OpenCL C's built-in functions.

use super::{Lowering, integers, mangled::Mangled, math, pieces::Scalar};
use crate::{
    llvm::{Binary, TypeId},
    run::{Id, Operation, Real, Refusal, Slot},
};

/// Each argument's type and numbers.
pub(super) type Arguments<'a> = &'a [(TypeId, Vec<Slot>)];
/// The numbers that a call gives; none if the function is not one of those.
pub(super) type Lowered = Result<Option<Vec<Slot>>, Refusal>;

impl Lowering<'_> {
    /// Lowers a call of a built-in function.
    pub(super) fn builtin(
        &mut self,
        name: Mangled<'_>,
        arguments: Arguments<'_>,
        ty: Option<TypeId>,
    ) -> Lowered {
        if matches!(name.name, "barrier" | "work_group_barrier") {
            self.emit(Operation::Barrier, Vec::new(), Vec::new());
            return Ok(Some(Vec::new()));
        }
        if matches!(
            name.name,
            "mem_fence" | "read_mem_fence" | "write_mem_fence" | "prefetch" | "wait_group_events"
        ) {
            return Ok(Some(Vec::new()));
        }
        if let Some(id) = id(name.name) {
            let dimension = match arguments {
                [(_, dimension)] => self.one(dimension)?,
                _ => self.constant(0)?,
            };
            return Ok(Some(vec![
                self.make(Operation::Place(id), vec![dimension])?,
            ]));
        }
        if let Some(results) = self.atomic_call(&name, arguments, ty)? {
            return Ok(Some(results));
        }
        if name.name.starts_with("vload") || name.name.starts_with("vstore") {
            return self.vector_access(&name, arguments, ty);
        }
        match ty {
            Some(ty) => self.function(&name, arguments, ty),
            None => Ok(None),
        }
    }

    /// Lowers a function that gives numbers of type `ty`, and does nothing else.
    fn function(&mut self, name: &Mangled<'_>, arguments: Arguments<'_>, ty: TypeId) -> Lowered {
        if let [(_, numbers)] = arguments
            && let Some(results) = self.convert(name, numbers)?
        {
            return Ok(Some(results));
        }
        if let [(from, numbers)] = arguments
            && name.name.starts_with("as_")
        {
            let (from, to) = (self.pieces(*from)?, self.pieces(ty)?);
            return Ok(Some(self.same_bits(&from, &to, numbers)?));
        }
        if let Some(results) = self.relational(name, arguments, ty)? {
            return Ok(Some(results));
        }
        match (name.name, arguments) {
            ("shuffle" | "shuffle2", [from @ .., mask]) if !from.is_empty() => {
                return self.shuffle(from, mask);
            }
            ("bitselect", _) => {
                return self.by_element(ty, arguments, |scalar| match scalar {
                    Scalar::Whole(bits @ ..=64) => {
                        Some(Operation::Whole3(integers::bit_select, bits))
                    }
                    _ => None,
                });
            }
            _ => {}
        }
        if name.is_real() {
            if let Some(results) = self.geometric(name, arguments)? {
                return Ok(Some(results));
            }
            if let ("ilogb", [(_, numbers)]) = (name.name, arguments) {
                let real = math::real(name.letter()).unwrap_or(Real::Double);
                let exponent = || Operation::Round(real, math::exponent, 32, true);
                return Ok(Some(self.make_each(numbers, exponent)?));
            }
            if let ("pown" | "rootn" | "ldexp", [one, (whole, numbers)]) = (name.name, arguments) {
                let real = math::real(name.letter()).unwrap_or(Real::Double);
                let convert = || Operation::FromInteger(32, true, real);
                let exponents = self.make_each(numbers, convert)?;
                let both = [one.clone(), (*whole, exponents)];
                return self.math(name.name, ty, &both);
            }
            return self.math(name.name, ty, arguments);
        }
        self.whole(name.name, name.is_signed(), ty, arguments)
    }

    /// Lowers a function of whole numbers, for each element by itself.
    pub(super) fn whole(
        &mut self,
        name: &str,
        signed: bool,
        ty: TypeId,
        arguments: Arguments<'_>,
    ) -> Lowered {
        match (name, arguments) {
            ("abs", [(_, slots)]) if !signed => return Ok(Some(slots.clone())),
            ("upsample", _) => return self.upsample(ty, arguments),
            _ => {}
        }
        self.by_element(ty, arguments, |scalar| match (scalar, arguments.len()) {
            (Scalar::Whole(65..), _) => None,
            (Scalar::Whole(bits), 1) => Some(Operation::Whole1(integers::one(name, signed)?, bits)),
            (Scalar::Whole(bits), 2) => Some(Operation::Whole2(integers::two(name, signed)?, bits)),
            (Scalar::Whole(bits), 3) => {
                Some(Operation::Whole3(integers::three(name, signed)?, bits))
            }
            _ => None,
        })
    }

    /// Lowers `upsample`: the upper half beside the lower.
    fn upsample(&mut self, ty: TypeId, arguments: Arguments<'_>) -> Lowered {
        let [(_, high), (_, low)] = arguments else {
            return Ok(None);
        };
        let bits = self.element_bits(ty)?;
        let half = self.constant(u64::from(bits / 2))?;
        let mut results = Vec::new();
        for (high, low) in high.iter().zip(low) {
            let low = self.make(Operation::Mask(bits / 2), vec![*low])?;
            let high = self.make(Operation::Integer(Binary::Shl, bits), vec![*high, half])?;
            results.push(self.make(Operation::Integer(Binary::Or, bits), vec![high, low])?);
        }
        Ok(Some(results))
    }

    /// Bits of a number's elements.
    pub(super) fn element_bits(&mut self, ty: TypeId) -> Result<u32, Refusal> {
        let pieces = self.pieces(ty)?;
        Ok(pieces.first().map_or(64, |it| it.scalar.bits()))
    }

    /// Lowers `shuffle`: elements in the order of another vector's lowest bits.
    fn shuffle(&mut self, from: Arguments<'_>, mask: &(TypeId, Vec<Slot>)) -> Lowered {
        let elements: Vec<Slot> = from.iter().flat_map(|(_, slots)| slots).copied().collect();
        let (mask, places) = mask;
        let bits = self.element_bits(*mask)?;
        let last = self.constant(elements.len().saturating_sub(1) as u64)?;
        let mut results = Vec::new();
        for place in places {
            let mut constants = self.program.constants.iter();
            let constant = constants.find(|(slot, _)| slot == place);
            let constant = constant.and_then(|(_, it)| usize::try_from(*it).ok());
            if let Some(place) = constant.and_then(|it| it.checked_rem(elements.len())) {
                results.push(elements[place]);
                continue;
            }
            let place = self.make(Operation::Integer(Binary::And, bits), vec![*place, last])?;
            let operands = std::iter::once(place).chain(elements.iter().copied());
            results.push(self.make(Operation::Pick, operands.collect())?);
        }
        Ok(Some(results))
    }
}

fn id(name: &str) -> Option<Id> {
    Some(match name {
        "get_global_id" => Id::GlobalId,
        "get_local_id" => Id::LocalId,
        "get_group_id" => Id::GroupId,
        "get_global_size" => Id::GlobalSize,
        "get_local_size" | "get_enqueued_local_size" => Id::LocalSize,
        "get_num_groups" => Id::NumGroups,
        "get_global_offset" => Id::GlobalOffset,
        "get_work_dim" => Id::WorkDim,
        "get_global_linear_id" => Id::GlobalLinearId,
        "get_local_linear_id" => Id::LocalLinearId,
        _ => return None,
    })
}
