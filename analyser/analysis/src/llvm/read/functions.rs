//! Functions: `define … { … }`.

use std::collections::HashMap;

use super::{ReadError, lexer::Token, parser::Parser};
use crate::llvm::{Argument, Block, BlockId, Function, Local, Symbol, Terminator, Type, TypeId};

/// A function's names, numbered as the text first has them.
#[derive(Default)]
pub(super) struct Names<'a> {
    locals: HashMap<&'a str, Local>,
    /// The type of each local, once its instruction has been read.
    types: Vec<Option<TypeId>>,
    blocks: HashMap<&'a str, BlockId>,
    /// The contents of each block, once they have been read.
    bodies: Vec<Option<Block>>,
}

fn count(all: usize) -> u32 {
    u32::try_from(all).unwrap_or(u32::MAX)
}

impl<'a> Names<'a> {
    pub(super) fn local(&mut self, name: &'a str) -> Local {
        let next = Local(count(self.types.len()));
        let local = *self.locals.entry(name).or_insert(next);
        if local == next {
            self.types.push(None);
        }
        local
    }

    /// Sets the type of a local. Returns false if it is set already.
    pub(super) fn is_of(&mut self, local: Local, ty: TypeId) -> bool {
        match self.types.get_mut(local.0 as usize) {
            Some(none @ None) => {
                *none = Some(ty);
                true
            }
            _ => false,
        }
    }

    /// The block of this name.
    pub(super) fn block(&mut self, name: &'a str) -> BlockId {
        let next = BlockId(count(self.bodies.len()));
        let block = *self.blocks.entry(name).or_insert(next);
        if block == next {
            self.bodies.push(None);
        }
        block
    }
}

impl<'a> Parser<'a> {
    /// Reads what stands behind `define`: returned type and name.
    fn heading(&mut self) -> Result<(TypeId, &'a str), ReadError> {
        while !self.is_type() {
            match self.peek() {
                Token::End => return self.wrong("a type"),
                Token::Word(_) => self.skip_attribute(),
                _ => {
                    self.next();
                }
            }
        }
        let returns = self.a_type()?;
        let Token::Global(name) = self.peek() else {
            return self.wrong("a function's name");
        };
        self.next();
        Ok((returns, name))
    }

    pub(super) fn declaration(&mut self) -> Result<(), ReadError> {
        // Metadata may stand before the type.
        let line = self.line();
        self.finish_line(line);
        Ok(())
    }

    pub(super) fn definition(&mut self, numbers: &'a [String]) -> Result<(), ReadError> {
        let (returns, name) = self.heading()?;
        let mut names = Names::default();
        self.expect_sign(b'(')?;
        let mut arguments = Vec::new();
        let mut unnamed = 0;
        while !self.is_sign(b')') {
            if self.take_word("...") {
                break;
            }
            arguments.push(self.argument(&mut names, &mut unnamed, numbers)?);
            if !self.take_sign(b',') {
                break;
            }
        }
        self.expect_sign(b')')?;
        while !self.is_sign(b'{') {
            if self.next() == Token::End {
                return self.wrong("a function's body");
            }
        }
        self.expect_sign(b'{')?;
        self.blocks(&mut names, numbers.get(unnamed))?;
        let count = names.bodies.len();
        let blocks: Vec<Block> = names.bodies.into_iter().flatten().collect();
        let locals: Vec<TypeId> = names.types.into_iter().flatten().collect();
        if blocks.len() != count {
            return self.fail("a branch to a block that is not there");
        }
        if locals.len() != names.locals.len() {
            return self.fail("a value that nothing makes");
        }
        let place = Symbol::Function(self.module.functions.len());
        self.module.symbols.insert(name.to_owned(), place);
        self.module.functions.push(Function {
            name: name.to_owned(),
            returns,
            arguments,
            blocks,
            locals,
        });
        Ok(())
    }

    /// The blocks of a body, up to its end. A first block without a name takes the next number.
    fn blocks(
        &mut self,
        names: &mut Names<'a>,
        number: Option<&'a String>,
    ) -> Result<(), ReadError> {
        let mut label = match (self.peek(), number) {
            (Token::Label(label), _) => {
                self.next();
                label
            }
            (_, Some(number)) => number.as_str(),
            (_, None) => return self.fail("too many arguments without names"),
        };
        loop {
            let id = names.block(label);
            let block = self.block(names)?;
            match names.bodies.get_mut(id.0 as usize) {
                Some(none @ None) => *none = Some(block),
                _ => return self.fail(format!("a second block `{label}`")),
            }
            match self.peek() {
                Token::Label(next) => {
                    self.next();
                    label = next;
                }
                _ => return self.expect_sign(b'}'),
            }
        }
    }

    fn argument(
        &mut self,
        names: &mut Names<'a>,
        unnamed: &mut usize,
        numbers: &'a [String],
    ) -> Result<Argument, ReadError> {
        let ty = self.a_type()?;
        let (mut by_value, mut read_only) = (None, false);
        loop {
            match self.peek() {
                Token::Word("byval") => {
                    self.next();
                    by_value = Some(self.in_brackets(ty)?);
                }
                Token::Word(word) => {
                    read_only |= matches!(word, "readonly" | "readnone");
                    self.skip_attribute();
                }
                Token::Number(_) | Token::Text(_) | Token::Mark | Token::Sign(b'=') => {
                    self.next();
                }
                _ => break,
            }
        }
        let name = match (self.peek(), numbers.get(*unnamed)) {
            (Token::Local(name), _) => {
                self.next();
                *unnamed += usize::from(name.bytes().all(|byte| byte.is_ascii_digit()));
                name
            }
            (_, Some(number)) => {
                *unnamed += 1;
                number.as_str()
            }
            (_, None) => return self.fail("too many arguments without names"),
        };
        let local = names.local(name);
        if !names.is_of(local, ty) {
            return self.fail(format!("a second argument `%{name}`"));
        }
        Ok(Argument {
            local,
            ty,
            by_value,
            read_only,
        })
    }

    /// Reads the type in `byval(%struct.tree)`, or that of a typed pointer with `byval` alone.
    fn in_brackets(&mut self, pointer: TypeId) -> Result<TypeId, ReadError> {
        if self.take_sign(b'(') {
            let ty = self.a_type()?;
            self.expect_sign(b')')?;
            return Ok(ty);
        }
        match self.module.types.get(pointer) {
            Type::Pointer { to: Some(to), .. } => Ok(*to),
            _ => self.wrong("what a pointer points to"),
        }
    }

    fn block(&mut self, names: &mut Names<'a>) -> Result<Block, ReadError> {
        let mut instructions = Vec::new();
        loop {
            if let Some(end) = self.terminator(names)? {
                let last = self.last_line();
                self.finish_line(last);
                return Ok(Block { instructions, end });
            }
            instructions.push(self.instruction(names)?);
        }
    }

    fn terminator(&mut self, names: &mut Names<'a>) -> Result<Option<Terminator>, ReadError> {
        let Token::Word(word) = self.peek() else {
            return Ok(None);
        };
        Ok(Some(match word {
            "ret" => {
                self.next();
                let ty = self.a_type()?;
                if *self.module.types.get(ty) == Type::Void {
                    Terminator::Return(None)
                } else {
                    let value = self.value(ty, names)?;
                    Terminator::Return(Some(crate::llvm::Operand { ty, value }))
                }
            }
            "unreachable" => {
                self.next();
                Terminator::Unreachable
            }
            "br" => {
                self.next();
                if self.is_word("label") {
                    Terminator::Jump(self.label(names)?)
                } else {
                    let condition = self.operand(names)?;
                    self.expect_sign(b',')?;
                    let then = self.label(names)?;
                    self.expect_sign(b',')?;
                    let other = self.label(names)?;
                    Terminator::Branch {
                        condition: condition.value,
                        then,
                        other,
                    }
                }
            }
            "switch" => {
                self.next();
                self.switch(names)?
            }
            "indirectbr" | "invoke" | "callbr" | "resume" | "catchswitch" | "catchret"
            | "cleanupret" => return self.fail(format!("`{word}` is not of OpenCL C")),
            _ => return Ok(None),
        }))
    }

    fn label(&mut self, names: &mut Names<'a>) -> Result<BlockId, ReadError> {
        self.expect_word("label")?;
        let Token::Local(name) = self.peek() else {
            return self.wrong("a block's name");
        };
        self.next();
        Ok(names.block(name))
    }

    fn switch(&mut self, names: &mut Names<'a>) -> Result<Terminator, ReadError> {
        let value = self.operand(names)?;
        self.expect_sign(b',')?;
        let default = self.label(names)?;
        self.expect_sign(b'[')?;
        let mut cases = Vec::new();
        while !self.is_sign(b']') {
            self.a_type()?;
            let case = self.number()?;
            self.expect_sign(b',')?;
            cases.push((case, self.label(names)?));
        }
        self.expect_sign(b']')?;
        Ok(Terminator::Switch {
            value,
            cases,
            default,
        })
    }
}
