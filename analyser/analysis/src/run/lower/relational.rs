//! Relational functions: `select`, `isless`, `any` and their kind.

use super::{Arguments, Lowered, Lowering, integers, mangled::Mangled, math};
use crate::{
    llvm::{Binary, Type, TypeId},
    run::{Operation, Slot},
};

impl Lowering<'_> {
    pub(super) fn relational(
        &mut self,
        name: &Mangled<'_>,
        arguments: Arguments<'_>,
        ty: TypeId,
    ) -> Lowered {
        let is_vector = matches!(self.module.types.get(ty), Type::Vector { .. });
        match (name.name, arguments) {
            ("select", [(_, other), (_, then), (by, condition)]) => {
                let bits = self.element_bits(*by)?;
                let test = if is_vector {
                    integers::is_negative
                } else {
                    integers::is_set
                };
                let mut conditions = Vec::new();
                for slot in condition {
                    conditions.push(match self.sign_extended(*slot) {
                        Some(bit) => bit,
                        None => self.make(Operation::Whole1(test, bits), vec![*slot])?,
                    });
                }
                Ok(Some(self.select(&conditions, then, other)?))
            }
            ("any" | "all", [(by, numbers)]) => self.any_or_all(name.name, *by, numbers),
            (_, [(_, a), rest @ ..]) => self.test(name, a, rest, ty),
            _ => Ok(None),
        }
    }

    /// Lowers `any` and `all`: whether the highest bit of any of the numbers is set, or of all.
    fn any_or_all(&mut self, name: &str, by: TypeId, numbers: &[Slot]) -> Lowered {
        let bits = self.element_bits(by)?;
        let op = if name == "any" {
            Binary::Or
        } else {
            Binary::And
        };
        let mut all: Option<Slot> = None;
        for number in numbers {
            let negative = Operation::Whole1(integers::is_negative, bits);
            let one = self.make(negative, vec![*number])?;
            all = Some(match all {
                None => one,
                Some(all) => self.make(Operation::Integer(op, 1), vec![all, one])?,
            });
        }
        Ok(all.map(|all| vec![all]))
    }

    /// Lowers a test of one floating-point number or two, element by element.
    fn test(&mut self, name: &Mangled<'_>, a: &[Slot], rest: Arguments<'_>, ty: TypeId) -> Lowered {
        let pieces = self.pieces(ty)?;
        let is_vector = matches!(self.module.types.get(ty), Type::Vector { .. });
        let Some(real) = math::real(name.letter()) else {
            return Ok(None);
        };
        let (one, two) = (math::test_one(name.name), math::test_two(name.name));
        let mut results = Vec::new();
        for (place, piece) in pieces.iter().enumerate() {
            let mut operands: Vec<Slot> = a.get(place).copied().into_iter().collect();
            let operation = match (one, two, rest) {
                (Some(test), _, []) => Operation::Test1(test, real),
                (_, Some(test), [(_, b)]) => {
                    operands.extend(b.get(place));
                    Operation::Test2(test, real)
                }
                _ => return Ok(None),
            };
            let is = self.make(operation, operands)?;
            // Of vectors true is all ones.
            results.push(if is_vector {
                self.make(
                    Operation::SignExtend(1, piece.scalar.bits().min(64)),
                    vec![is],
                )?
            } else {
                is
            });
        }
        Ok(Some(results))
    }

    /// The bit whose sign extension a slot is, if this block makes it.
    fn sign_extended(&self, slot: Slot) -> Option<Slot> {
        let block = &self.program.blocks[self.block.0 as usize];
        let mut instructions = block.instructions.iter().rev();
        let maker = instructions.find(|it| it.results.contains(&slot))?;
        match maker.operation {
            Operation::SignExtend(1, _) => maker.operands.first().copied(),
            _ => None,
        }
    }
}
