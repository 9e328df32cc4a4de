//! Inlined functions: their blocks, and the edges between them.

use std::ops::Range;

use super::{DEEPEST, Frame, Lowering, MOST_INSTRUCTIONS, Phis, edge};
use crate::{
    llvm::{self, Kind, Terminator, Type, Value},
    run::{BlockId, Edge, End, Refusal, Slot, bits::wrapped},
};

impl<'m> Lowering<'m> {
    /// Inlines a function and gives its first block. `back`: where it returns to; without one the lane is done where
    /// the function returns.
    pub(super) fn inline(
        &mut self,
        place: usize,
        arguments: &[Vec<Slot>],
        back: Option<(BlockId, Range<u32>)>,
    ) -> Result<BlockId, Refusal> {
        let function = &self.module.functions[place];
        if self.within.contains(&place) {
            return self.refuse(format!("`{}` calls itself", function.name));
        }
        if self.within.len() >= DEEPEST {
            return self.refuse(format!("calls nested more than {DEEPEST} deep"));
        }
        let name = &function.name;
        if arguments.len() != function.arguments.len() {
            return self.refuse(format!(
                "`{name}` is called with other arguments than it has"
            ));
        }
        self.within.push(place);
        let mut locals = Vec::with_capacity(function.locals.len());
        for ty in &function.locals {
            let pieces = self.pieces(*ty)?.len();
            locals.push(self.slots(pieces)?);
        }
        let first_block = u32::try_from(self.program.blocks.len()).unwrap_or(u32::MAX);
        for _ in &function.blocks {
            self.new_block();
        }
        let mut frame = Frame {
            function,
            locals,
            first_block,
            phis: phis(function),
            back,
        };
        self.block = BlockId(first_block);
        self.pass_arguments(&frame, arguments)?;
        for (at, block) in function.blocks.iter().enumerate() {
            self.block = BlockId(first_block + u32::try_from(at).unwrap_or(u32::MAX));
            for instruction in &block.instructions {
                self.instructions += 1;
                if self.instructions > MOST_INSTRUCTIONS {
                    return self.refuse(format!(
                        "more than {MOST_INSTRUCTIONS} instructions with all functions inlined"
                    ));
                }
                self.instruction(&mut frame, instruction)?;
            }
            self.location = None;
            self.instructions += 1;
            self.count(block.end.opcode(), 0);
            let at = llvm::BlockId(u32::try_from(at).unwrap_or(u32::MAX));
            self.terminator(&frame, at, &block.end)?;
        }
        self.within.pop();
        Ok(BlockId(first_block))
    }

    fn pass_arguments(
        &mut self,
        frame: &Frame<'m>,
        arguments: &[Vec<Slot>],
    ) -> Result<(), Refusal> {
        let function = frame.function;
        for (argument, numbers) in function.arguments.iter().zip(arguments) {
            let local = frame.locals[argument.local.0 as usize].clone();
            if numbers.len() != local.len() {
                let name = &function.name;
                return self.refuse(format!("`{name}` is called with other types than it has"));
            }
            match argument.by_value {
                // Of a kernel's argument nobody else has the structure.
                Some(ty) if !argument.read_only && self.within.len() > 1 => {
                    let copy = self.copy_of(ty, numbers)?;
                    self.copy(&local, &[copy]);
                }
                _ => self.copy(&local, numbers),
            }
        }
        Ok(())
    }

    pub(super) fn value(
        &mut self,
        frame: &Frame<'m>,
        ty: llvm::TypeId,
        value: &Value,
    ) -> Result<Vec<Slot>, Refusal> {
        match value {
            Value::Local(local) => {
                let slots = frame.locals[local.0 as usize].clone();
                if slots.len() != self.pieces(ty)?.len() {
                    return self.refuse("a value used as of another type");
                }
                Ok(slots.map(Slot).collect())
            }
            Value::Constant(constant) => self.constant_slots(ty, constant),
        }
    }

    pub(super) fn operand(
        &mut self,
        frame: &Frame<'m>,
        operand: &llvm::Operand,
    ) -> Result<Vec<Slot>, Refusal> {
        self.value(frame, operand.ty, &operand.value)
    }

    fn edge(
        &mut self,
        frame: &Frame<'m>,
        from: llvm::BlockId,
        to: llvm::BlockId,
    ) -> Result<Edge, Refusal> {
        let mut copies = Vec::new();
        for (local, value) in frame.phis.get(&(to, from)).into_iter().flatten() {
            let slots = frame.locals[local.0 as usize].clone();
            let ty = frame.function.locals[local.0 as usize];
            let numbers = self.value(frame, ty, value)?;
            copies.extend(slots.map(Slot).zip(numbers));
        }
        Ok(Edge {
            to: BlockId(frame.first_block + to.0),
            copies,
        })
    }

    fn terminator(
        &mut self,
        frame: &Frame<'m>,
        at: llvm::BlockId,
        terminator: &Terminator,
    ) -> Result<(), Refusal> {
        let end = match terminator {
            Terminator::Unreachable => End::Return,
            Terminator::Return(value) => self.function_return(frame, value.as_ref())?,
            Terminator::Jump(to) => End::Jump(self.edge(frame, at, *to)?),
            Terminator::Branch {
                condition,
                then,
                other,
            } => {
                let condition = match condition {
                    Value::Local(local) => {
                        frame.locals[local.0 as usize].clone().map(Slot).collect()
                    }
                    Value::Constant(llvm::Constant::Integer(number)) => {
                        vec![self.constant(wrapped(*number, 1))?]
                    }
                    Value::Constant(_) => vec![self.constant(0)?],
                };
                End::Branch {
                    condition: self.one(&condition)?,
                    then: self.edge(frame, at, *then)?,
                    other: self.edge(frame, at, *other)?,
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let bits = match self.module.types.get(value.ty) {
                    Type::Integer(bits) => *bits,
                    _ => return self.refuse("a switch by what is no number"),
                };
                let slots = self.operand(frame, value)?;
                let mut edges = Vec::with_capacity(cases.len());
                for (number, to) in cases {
                    edges.push((wrapped(*number, bits), self.edge(frame, at, *to)?));
                }
                edges.sort_by_key(|(number, _)| *number);
                End::Switch {
                    value: self.one(&slots)?,
                    cases: edges,
                    default: self.edge(frame, at, *default)?,
                }
            }
        };
        self.end(end);
        Ok(())
    }

    /// The jump back from a function, with its value. In a kernel the lane is done.
    fn function_return(
        &mut self,
        frame: &Frame<'m>,
        value: Option<&llvm::Operand>,
    ) -> Result<End, Refusal> {
        let numbers = match value {
            Some(value) => self.operand(frame, value)?,
            None => Vec::new(),
        };
        let Some((to, slots)) = &frame.back else {
            return Ok(End::Return);
        };
        if slots.len() != numbers.len() {
            return self.refuse("a function returns another type than it says");
        }
        let mut edge = edge(*to);
        edge.copies = slots.clone().map(Slot).zip(numbers).collect();
        Ok(End::Jump(edge))
    }
}

/// The values that a function's phis take over.
fn phis(function: &llvm::Function) -> Phis<'_> {
    let mut phis = Phis::new();
    for (at, block) in function.blocks.iter().enumerate() {
        let at = llvm::BlockId(u32::try_from(at).unwrap_or(u32::MAX));
        for instruction in &block.instructions {
            if let (Kind::Phi { incoming }, Some(result)) = (&instruction.kind, instruction.result)
            {
                for (value, from) in incoming {
                    phis.entry((at, *from)).or_default().push((result, value));
                }
            }
        }
    }
    phis
}
