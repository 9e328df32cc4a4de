//! Calls of the program's functions, and of built-in ones.

use std::ops::Range;

use super::{Frame, Lowering, mangled::Mangled};
use crate::{
    llvm::{CallArgument, Callee, Instruction, Symbol, TypeId},
    run::{End, Operation, Refusal, Slot},
};

impl<'m> Lowering<'m> {
    pub(super) fn call(
        &mut self,
        frame: &Frame<'m>,
        instruction: &Instruction,
        callee: &Callee,
        call_arguments: &[CallArgument],
    ) -> Result<(), Refusal> {
        let Callee::Named(name) = callee else {
            return self.refuse("a call of what is only known when it runs");
        };
        if name.starts_with("llvm.dbg.") {
            return Ok(());
        }
        self.count(&format!("call {name}()"), 0);
        let result = instruction.result.map(|local| local.0 as usize);
        let ty = result.map(|local| frame.function.locals[local]);
        let slots = result.map_or(0..0, |local| frame.locals[local].clone());
        let mut arguments: Vec<(TypeId, Vec<Slot>)> = Vec::new();
        for argument in call_arguments {
            let Some(operand) = &argument.operand else {
                continue;
            };
            // A function's address, which only calls of unknown functions use.
            let slots = self.operand(frame, operand)?;
            arguments.push((operand.ty, slots));
        }
        if let Some(Symbol::Function(place)) = self.module.symbols.get(name) {
            let operands: Vec<Vec<Slot>> = arguments.into_iter().map(|(_, slots)| slots).collect();
            return self.inline_call(*place, &operands, ty.map(|_| slots));
        }
        let results = match name.strip_prefix("llvm.") {
            Some(intrinsic) => self.intrinsic(intrinsic, &arguments, call_arguments, ty)?,
            None => match Mangled::parse(name) {
                Some(mangled) => self.builtin(mangled, &arguments, ty)?,
                None => None,
            },
        };
        let results = match results {
            Some(results) if results.len() == slots.len() || ty.is_none() => results,
            // Built-in functions have their types in their names, but for this one.
            _ if !is_builtin(name) && name != "printf" => {
                return self.refuse(format!(
                    "the function `{name}` has no body here, and is none of OpenCL C's"
                ));
            }
            _ => {
                // It may write to what its pointers point to, too.
                let operands: Vec<Slot> =
                    arguments.into_iter().flat_map(|(_, slots)| slots).collect();
                let function = Mangled::parse(name).map_or(name.as_str(), |it| it.name);
                let unknown = Operation::Call(function.to_owned());
                self.emit(unknown, operands, slots.map(Slot).collect());
                return Ok(());
            }
        };
        self.copy(&slots, &results);
        Ok(())
    }

    /// Inlines a function of the program, and goes on behind it. `slots`: those of its result, if that is used.
    fn inline_call(
        &mut self,
        place: usize,
        operands: &[Vec<Slot>],
        slots: Option<Range<u32>>,
    ) -> Result<(), Refusal> {
        let (here, back) = (self.block, self.new_block());
        // A result that nobody takes has slots all the same.
        let slots = match slots {
            Some(slots) => slots,
            None => {
                let pieces = self.pieces(self.module.functions[place].returns)?.len();
                self.slots(pieces)?
            }
        };
        let location = self.location;
        let begins = self.inline(place, operands, Some((back, slots)))?;
        self.location = location;
        self.block = here;
        self.end(End::Jump(super::edge(begins)));
        self.block = back;
        Ok(())
    }
}

fn is_builtin(name: &str) -> bool {
    name.starts_with("llvm.") || Mangled::parse(name).is_some()
}
