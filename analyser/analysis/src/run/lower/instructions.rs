//! LLVM's instructions as operations.

use super::{Frame, Lowering, pieces::Scalar};
use crate::{
    llvm::{self, Instruction, Kind, Operand, Type, Value},
    run::{Operation, Refusal, Slot},
};

impl<'m> Lowering<'m> {
    pub(super) fn instruction(
        &mut self,
        frame: &mut Frame<'m>,
        instruction: &'m Instruction,
    ) -> Result<(), Refusal> {
        self.locate(instruction.location);
        if let Kind::Call { callee, arguments } = &instruction.kind {
            return self.call(frame, instruction, callee, arguments);
        }
        if !matches!(instruction.kind, Kind::Load { .. } | Kind::Store { .. }) {
            self.count(instruction.kind.opcode(), 0);
        }
        let result = instruction.result.map(|local| local.0 as usize);
        let ty = result.map(|local| frame.function.locals[local]);
        let slots = result.map_or(0..0, |local| frame.locals[local].clone());
        let numbers = match &instruction.kind {
            Kind::Phi { .. } | Kind::Fence | Kind::Call { .. } => return Ok(()),
            Kind::Load { address, align } => {
                let ty = self.named_type(ty)?;
                return self.load(frame, (address, *align), ty, slots);
            }
            Kind::Store {
                value,
                address,
                align,
            } => return self.store(frame, value, (address, *align)),
            kind => self.numbers(frame, kind, ty)?,
        };
        if numbers.len() != slots.len() {
            return self.refuse("an instruction makes another type than it says");
        }
        self.copy(&slots, &numbers);
        Ok(())
    }

    /// The numbers that an instruction makes, of type `ty` where LLVM names it.
    fn numbers(
        &mut self,
        frame: &mut Frame<'m>,
        kind: &'m Kind,
        ty: Option<llvm::TypeId>,
    ) -> Result<Vec<Slot>, Refusal> {
        Ok(match kind {
            Kind::Cast { cast, from } => {
                let numbers = self.operand(frame, from)?;
                let ty = self.named_type(ty)?;
                self.cast(*cast, from.ty, ty, &numbers)?
            }
            Kind::Select {
                condition,
                then,
                other,
            } => {
                let condition = self.operand(frame, condition)?;
                let then = self.operand(frame, then)?;
                let other = self.operand(frame, other)?;
                self.select(&condition, &then, &other)?
            }
            Kind::GetElementPtr {
                source,
                base,
                indices,
            } => {
                let base = self.operand(frame, base)?;
                let mut numbers = Vec::new();
                for index in indices {
                    numbers.push((index, self.operand(frame, index)?));
                }
                vec![self.element_address(*source, &base, &numbers)?]
            }
            Kind::Alloca { ty, count } => vec![self.alloca(*ty, count.as_ref())?],
            Kind::AtomicRmw { op, address, value } => {
                let number = self.operand(frame, value)?;
                let place = self.operand(frame, address)?;
                vec![self.atomic(*op, address.ty, &place, value.ty, &number)?]
            }
            Kind::CompareExchange {
                address,
                expected,
                new,
            } => {
                let place = self.operand(frame, address)?;
                let old = self.operand(frame, expected)?;
                let new = self.operand(frame, new)?;
                let numbers = self.compare_exchange(address.ty, &place, expected.ty, &old, &new)?;
                numbers.to_vec()
            }
            Kind::Freeze { a } => self.operand(frame, a)?,
            kind => self.arithmetic_numbers(frame, kind, ty)?,
        })
    }

    /// The numbers that arithmetic or a comparison makes.
    fn arithmetic_numbers(
        &mut self,
        frame: &Frame<'m>,
        kind: &'m Kind,
        ty: Option<llvm::TypeId>,
    ) -> Result<Vec<Slot>, Refusal> {
        Ok(match kind {
            Kind::Binary { op, a, b } => {
                self.arithmetic(frame, a, Some(b), |scalar| match scalar {
                    Scalar::Whole(bits @ ..=64) => Operation::Integer(*op, bits),
                    Scalar::Real(real) => Operation::Float(*op, real),
                    _ => wide(),
                })?
            }
            Kind::FNeg { a } => self.arithmetic(frame, a, None, |scalar| match scalar {
                Scalar::Real(real) => Operation::Negate(real),
                _ => Operation::Unknown("a sign of what is no number".to_owned()),
            })?,
            Kind::Compare { predicate, a, b } => {
                self.arithmetic(frame, a, Some(b), |scalar| match scalar.bits() {
                    bits @ ..=64 => Operation::Compare(*predicate, bits),
                    _ => wide(),
                })?
            }
            Kind::FCompare { predicate, a, b } => {
                self.arithmetic(frame, a, Some(b), |scalar| match scalar {
                    Scalar::Real(real) => Operation::FloatCompare(*predicate, real),
                    _ => wide(),
                })?
            }
            kind => self.aggregate_numbers(frame, kind, ty)?,
        })
    }

    /// The numbers that an instruction on vectors or structures makes.
    fn aggregate_numbers(
        &mut self,
        frame: &Frame<'m>,
        kind: &'m Kind,
        ty: Option<llvm::TypeId>,
    ) -> Result<Vec<Slot>, Refusal> {
        Ok(match kind {
            Kind::ExtractElement { vector, index } => {
                let vector = self.operand(frame, vector)?;
                self.extract(frame, &vector, index)?
            }
            Kind::InsertElement {
                vector,
                element,
                index,
            } => {
                let vector = self.operand(frame, vector)?;
                let element = self.operand(frame, element)?;
                self.insert(frame, vector, &element, index)?
            }
            Kind::ShuffleVector { a, b, mask } => {
                let mut all = self.operand(frame, a)?;
                all.extend(self.operand(frame, b)?);
                let zero = self.constant(0)?;
                let place = |at: &Option<u32>| at.and_then(|at| all.get(at as usize).copied());
                mask.iter().map(|at| place(at).unwrap_or(zero)).collect()
            }
            Kind::ExtractValue { aggregate, path } => {
                let mut all = self.operand(frame, aggregate)?;
                let length = self.pieces(self.named_type(ty)?)?.len();
                self.field(&mut all, aggregate.ty, path, length)?.to_vec()
            }
            Kind::InsertValue {
                aggregate,
                element,
                path,
            } => {
                let mut all = self.operand(frame, aggregate)?;
                let part = self.operand(frame, element)?;
                let field = self.field(&mut all, aggregate.ty, path, part.len())?;
                field.copy_from_slice(&part);
                all
            }
            _ => Vec::new(),
        })
    }

    /// A field of an aggregate: `length` of its numbers.
    fn field<'s>(
        &mut self,
        all: &'s mut [Slot],
        aggregate: llvm::TypeId,
        path: &[u32],
        length: usize,
    ) -> Result<&'s mut [Slot], Refusal> {
        let start = self.start(aggregate, path)?;
        match all.get_mut(start..start + length) {
            Some(field) => Ok(field),
            None => self.refuse("a field that is not there"),
        }
    }

    pub(super) fn named_type(&self, ty: Option<llvm::TypeId>) -> Result<llvm::TypeId, Refusal> {
        match ty {
            Some(ty) => Ok(ty),
            None => self.refuse("an instruction whose value has no name"),
        }
    }

    /// Lowers arithmetic of each element of a number by itself, or of two numbers of its type.
    fn arithmetic(
        &mut self,
        frame: &Frame<'m>,
        a: &Operand,
        b: Option<&Value>,
        operation: impl Fn(Scalar) -> Operation,
    ) -> Result<Vec<Slot>, Refusal> {
        let mut numbers = vec![(a.ty, self.operand(frame, a)?)];
        if let Some(b) = b {
            numbers.push((a.ty, self.value(frame, a.ty, b)?));
        }
        let results = self.by_element(a.ty, &numbers, |scalar| Some(operation(scalar)))?;
        Ok(results.unwrap_or_default())
    }

    pub(super) fn select(
        &mut self,
        condition: &[Slot],
        then: &[Slot],
        other: &[Slot],
    ) -> Result<Vec<Slot>, Refusal> {
        let mut results = Vec::new();
        for (place, (then, other)) in then.iter().zip(other).enumerate() {
            let condition = match condition {
                [one] => *one,
                many => match many.get(place) {
                    Some(one) => *one,
                    None => return self.refuse("a select by too short a vector"),
                },
            };
            results.push(self.make(Operation::Select, vec![condition, *then, *other])?);
        }
        Ok(results)
    }

    /// The place of a field's first number among those of the aggregate.
    fn start(&mut self, aggregate: llvm::TypeId, path: &[u32]) -> Result<usize, Refusal> {
        let (mut ty, mut start) = (aggregate, 0);
        let module = self.module;
        for place in path {
            let place = *place as usize;
            ty = match module.types.get(ty) {
                Type::Array { element, .. } => {
                    start += place.saturating_mul(self.pieces(*element)?.len());
                    *element
                }
                Type::Struct { fields, .. } => {
                    for before in fields.iter().take(place) {
                        start += self.pieces(*before)?.len();
                    }
                    match fields.get(place) {
                        Some(field) => *field,
                        None => return self.refuse("a field that is not there"),
                    }
                }
                _ => return self.refuse("a field of what has none"),
            };
        }
        Ok(start)
    }
}

/// An operation for numbers that a register can't hold.
pub(super) fn wide() -> Operation {
    Operation::Unknown("arithmetic of numbers of more than 64 bits".to_owned())
}
