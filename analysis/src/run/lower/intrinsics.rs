//! LLVM's own functions.

use super::{Lowering, integers, math, pieces::Scalar};
use crate::{
    llvm::{CallArgument, Type, TypeId},
    run::{Operation, Refusal, Slot},
};

type Arguments<'a> = &'a [(TypeId, Vec<Slot>)];

impl Lowering<'_> {
    /// Of the name behind `llvm.`; none where it is not known.
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        given: &[CallArgument],
        of: Option<TypeId>,
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        let mut words = name.split('.');
        let first = words.next().unwrap_or_default();
        if matches!(
            first,
            "lifetime"
                | "assume"
                | "experimental"
                | "donothing"
                | "sideeffect"
                | "invariant"
                | "prefetch"
        ) && of.is_none()
        {
            return Ok(Some(Vec::new()));
        }
        if matches!(first, "memcpy" | "memmove" | "memset") {
            return self.bulk(first, arguments, given);
        }
        let Some(of) = of else { return Ok(None) };
        if matches!(first, "uadd" | "sadd" | "usub" | "ssub") && words.next() == Some("sat") {
            let function = match first {
                "uadd" => integers::add_saturated,
                "sadd" => integers::add_saturated_signed,
                "usub" => integers::sub_saturated,
                _ => integers::sub_saturated_signed,
            };
            return self.whole_by(of, arguments, |bits| Operation::Whole2(function, bits));
        }
        if let Some(function) = whole_one(first) {
            // The second argument says what of 0 is.
            let only = arguments.get(..1).unwrap_or_default();
            return self.whole_by(of, only, |bits| Operation::Whole1(function, bits));
        }
        if let Some(function) = whole_two(first) {
            return self.whole_by(of, arguments, |bits| Operation::Whole2(function, bits));
        }
        if matches!(first, "fshl" | "fshr") {
            let function = match first {
                "fshl" => integers::funnel_left,
                _ => integers::funnel_right,
            };
            return self.whole_by(of, arguments, |bits| Operation::Whole3(function, bits));
        }
        if matches!(first, "expect") {
            return Ok(arguments.first().map(|(_, slots)| slots.clone()));
        }
        if first == "fmuladd" {
            return self.real_by(of, arguments, |real| {
                Operation::Math3(math::multiply_add, real)
            });
        }
        self.math(first, of, arguments)
    }

    /// A function of floating-point numbers, of each element by itself.
    pub(super) fn math(
        &mut self,
        name: &str,
        of: TypeId,
        arguments: Arguments<'_>,
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        match arguments.len() {
            1 => match math::one(name) {
                Some(function) => {
                    self.real_by(of, arguments, |real| Operation::Math1(function, real))
                }
                None => Ok(None),
            },
            2 => match math::two(name) {
                Some(function) => {
                    self.real_by(of, arguments, |real| Operation::Math2(function, real))
                }
                None => Ok(None),
            },
            3 => match math::three(name) {
                Some(function) => {
                    self.real_by(of, arguments, |real| Operation::Math3(function, real))
                }
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    pub(super) fn whole_by(
        &mut self,
        of: TypeId,
        arguments: Arguments<'_>,
        operation: impl Fn(u32) -> Operation,
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        self.by_element(of, arguments, |scalar| match scalar {
            Scalar::Whole(bits @ ..=64) => Some(operation(bits)),
            _ => None,
        })
    }

    pub(super) fn real_by(
        &mut self,
        of: TypeId,
        arguments: Arguments<'_>,
        operation: impl Fn(crate::run::Real) -> Operation,
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        self.by_element(of, arguments, |scalar| match scalar {
            Scalar::Real(real) => Some(operation(real)),
            _ => None,
        })
    }

    /// Each element by itself; a scalar among vectors goes with each.
    fn by_element(
        &mut self,
        of: TypeId,
        arguments: Arguments<'_>,
        operation: impl Fn(Scalar) -> Option<Operation>,
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        let pieces = self.pieces(of)?;
        let mut made = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let Some(operation) = operation(piece.scalar) else {
                return Ok(None);
            };
            let mut operands = Vec::new();
            for (_, slots) in arguments {
                match slots.as_slice() {
                    [one] => operands.push(*one),
                    many => match many.get(place) {
                        Some(one) => operands.push(*one),
                        None => return Ok(None),
                    },
                }
            }
            made.push(self.make(operation, operands)?);
        }
        Ok(Some(made))
    }

    fn bulk(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        given: &[CallArgument],
    ) -> Result<Option<Vec<Slot>>, Refusal> {
        let [(to_type, to), (from_type, from), ..] = arguments else {
            return Ok(None);
        };
        let length = given.get(2).and_then(|length| length.operand.as_ref());
        let Some(bytes) = length.and_then(Self::known) else {
            return Ok(None);
        };
        let (space, to) = (self.space(*to_type)?, self.one(to)?);
        let from = self.one(from)?;
        if name == "memset" {
            let ones = self.constant(0x0101_0101_0101_0101)?;
            let eight = Operation::Integer(crate::llvm::Binary::Mul, 64);
            let byte = self.make(eight, vec![from, ones])?;
            self.fill_bytes(space, to, byte, bytes)?;
        } else if let Type::Pointer { .. } = self.module.types.get(*from_type) {
            let from_space = self.space(*from_type)?;
            self.copy_bytes(space, to, from_space, from, bytes)?;
        } else {
            return Ok(None);
        }
        Ok(Some(Vec::new()))
    }
}

fn whole_one(name: &str) -> Option<fn(u64, u32) -> u64> {
    Some(match name {
        "abs" => integers::abs,
        "ctpop" => integers::popcount,
        "ctlz" => integers::leading_zeros,
        "cttz" => integers::trailing_zeros,
        "bswap" => integers::swap_bytes,
        "bitreverse" => integers::reverse_bits,
        _ => return None,
    })
}

fn whole_two(name: &str) -> Option<fn(u64, u64, u32) -> u64> {
    Some(match name {
        "smin" => integers::smin,
        "smax" => integers::smax,
        "umin" => integers::umin,
        "umax" => integers::umax,
        _ => return None,
    })
}
