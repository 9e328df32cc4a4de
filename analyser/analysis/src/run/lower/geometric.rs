//! Geometric functions: `dot`, `length` and their kind.

use super::{Arguments, Lowered, Lowering, mangled::Mangled, math};
use crate::{
    llvm::Binary,
    run::{Operation, Real, Refusal, Slot},
};

impl Lowering<'_> {
    pub(super) fn geometric(&mut self, name: &Mangled<'_>, arguments: Arguments<'_>) -> Lowered {
        let Some(real) = math::real(name.letter()) else {
            return Ok(None);
        };
        Ok(Some(match (name.name, arguments) {
            ("dot", [(_, a), (_, b)]) => vec![self.dot(real, a, b)?],
            ("length" | "fast_length", [(_, a)]) => vec![self.length(real, a)?],
            ("distance" | "fast_distance", [(_, a), (_, b)]) => {
                let subtract = || Operation::Float(Binary::FSub, real);
                let differences = self.make_pairs((a, b), subtract)?;
                vec![self.length(real, &differences)?]
            }
            ("normalize" | "fast_normalize", [(_, a)]) => {
                let length = self.length(real, a)?;
                let one = self.constant(real.bits(1.0))?;
                let by = self.make(Operation::Float(Binary::FDiv, real), vec![one, length])?;
                let multiply = || Operation::Float(Binary::FMul, real);
                self.make_pairs((a, &vec![by; a.len()]), multiply)?
            }
            ("cross", [(_, a), (_, b)]) if a.len() >= 3 && b.len() == a.len() => {
                let mut results = Vec::new();
                for (left, right) in [(1, 2), (2, 0), (0, 1)] {
                    let multiply = || Operation::Float(Binary::FMul, real);
                    let one = self.make(multiply(), vec![a[left], b[right]])?;
                    let other = self.make(multiply(), vec![a[right], b[left]])?;
                    results
                        .push(self.make(Operation::Float(Binary::FSub, real), vec![one, other])?);
                }
                results.resize(a.len(), self.constant(0)?);
                results
            }
            _ => return Ok(None),
        }))
    }

    fn dot(&mut self, real: Real, a: &[Slot], b: &[Slot]) -> Result<Slot, Refusal> {
        // Oclgrind sums in `float`s, from the first element on.
        let mut sum = self.constant(0)?;
        for (a, b) in a.iter().zip(b) {
            sum = self.make(
                Operation::Math3(math::multiply_add, real),
                vec![*a, *b, sum],
            )?;
        }
        Ok(sum)
    }

    fn length(&mut self, real: Real, a: &[Slot]) -> Result<Slot, Refusal> {
        let square = self.dot(real, a, a)?;
        self.make(Operation::Math1(f64::sqrt, real), vec![square])
    }
}
