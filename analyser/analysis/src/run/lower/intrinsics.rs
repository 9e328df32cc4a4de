//! LLVM's intrinsic functions.

use super::{Arguments, Lowered, Lowering, Scalar, math};
use crate::{
    llvm::{CallArgument, Type, TypeId},
    run::Operation,
};

impl Lowering<'_> {
    /// Lowers a call of the intrinsic with this name behind `llvm.`; none if it is not known.
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        call_arguments: &[CallArgument],
        ty: Option<TypeId>,
    ) -> Lowered {
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
        ) && ty.is_none()
        {
            return Ok(Some(Vec::new()));
        }
        if matches!(first, "memcpy" | "memmove" | "memset") {
            return self.bulk(first, arguments, call_arguments);
        }
        let Some(ty) = ty else { return Ok(None) };
        // By OpenCL C's names.
        let whole = match (first, words.next()) {
            ("uadd" | "sadd", Some("sat")) => Some("add_sat"),
            ("usub" | "ssub", Some("sat")) => Some("sub_sat"),
            ("umin" | "smin", _) => Some("min"),
            ("umax" | "smax", _) => Some("max"),
            ("ctpop", _) => Some("popcount"),
            ("ctlz", _) => Some("clz"),
            ("cttz", _) => Some("ctz"),
            ("abs" | "bswap" | "bitreverse" | "fshl" | "fshr", _) => Some(first),
            _ => None,
        };
        if let Some(name) = whole {
            let arguments = match name {
                // The second argument says what of 0, or of the least number, is.
                "abs" | "clz" | "ctz" => arguments.get(..1).unwrap_or_default(),
                _ => arguments,
            };
            return self.whole(name, !first.starts_with('u'), ty, arguments);
        }
        if matches!(first, "expect") {
            return Ok(arguments.first().map(|(_, slots)| slots.clone()));
        }
        if first == "fmuladd" {
            return self.by_element(ty, arguments, |scalar| match scalar {
                Scalar::Real(real) => Some(Operation::Math3(math::multiply_add, real)),
                _ => None,
            });
        }
        self.math(first, ty, arguments)
    }

    /// Lowers a function of floating-point numbers, for each element by itself.
    pub(super) fn math(&mut self, name: &str, ty: TypeId, arguments: Arguments<'_>) -> Lowered {
        self.by_element(ty, arguments, |scalar| match (scalar, arguments.len()) {
            (Scalar::Real(real), 1) => Some(Operation::Math1(math::one(name)?, real)),
            (Scalar::Real(real), 2) => Some(Operation::Math2(math::two(name)?, real)),
            (Scalar::Real(real), 3) => Some(Operation::Math3(math::three(name)?, real)),
            _ => None,
        })
    }

    /// Lowers an operation for each element by itself; a scalar among vectors goes with each.
    pub(super) fn by_element(
        &mut self,
        ty: TypeId,
        arguments: Arguments<'_>,
        operation: impl Fn(Scalar) -> Option<Operation>,
    ) -> Lowered {
        let pieces = self.pieces(ty)?;
        let mut results = Vec::new();
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
            results.push(self.make(operation, operands)?);
        }
        Ok(Some(results))
    }

    fn bulk(
        &mut self,
        name: &str,
        arguments: Arguments<'_>,
        call_arguments: &[CallArgument],
    ) -> Lowered {
        let [(to_type, to), (from_type, from), ..] = arguments else {
            return Ok(None);
        };
        let length = call_arguments.get(2).and_then(|it| it.operand.as_ref());
        let Some(bytes) = length.and_then(Self::constant_of) else {
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
