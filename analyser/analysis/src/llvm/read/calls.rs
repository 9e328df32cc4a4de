//! Calls, their arguments and attributes.

use super::{ReadError, functions::Names, lexer::Token, parser::Parser};
use crate::llvm::{Binary, CallArgument, Callee, Cast, Kind, Operand, Type, TypeId};

impl<'a> Parser<'a> {
    pub(super) fn call(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        // Conventions and attributes.
        while !self.is_type() {
            match self.next() {
                Token::Word(_) => {
                    if self.is_sign(b'(') {
                        self.skip_brackets();
                    }
                }
                Token::Number(_) | Token::Text(_) | Token::Mark | Token::Sign(b'=') => {}
                _ => return self.wrong("a type"),
            }
        }
        let ty = self.a_type()?;
        let returns = match self.module.types.get(ty) {
            Type::Function { returns } => *returns,
            _ => ty,
        };
        let callee = match self.next() {
            Token::Global(name) => Callee::Named(name.to_owned()),
            Token::Local(name) => {
                names.local(name);
                Callee::Unknown
            }
            Token::Word("asm") => {
                while !self.is_sign(b'(') && self.peek() != Token::End {
                    self.next();
                }
                Callee::Unknown
            }
            _ => return self.wrong("a function's name"),
        };
        let mut arguments = Vec::new();
        if matches!(&callee, Callee::Named(name) if name.starts_with("llvm.dbg.")) {
            self.skip_brackets();
            return Ok((Kind::Call { callee, arguments }, returns));
        }
        self.expect_sign(b'(')?;
        while !self.is_sign(b')') {
            arguments.push(self.call_argument(names)?);
            if !self.take_sign(b',') {
                break;
            }
        }
        self.expect_sign(b')')?;
        Ok((Kind::Call { callee, arguments }, returns))
    }

    fn call_argument(&mut self, names: &mut Names<'a>) -> Result<CallArgument, ReadError> {
        let ty = self.a_type()?;
        if *self.module.types.get(ty) == Type::Other {
            self.skip_metadata();
            return Ok(CallArgument { operand: None });
        }
        loop {
            match self.peek() {
                Token::Word("align") => {
                    self.next();
                    if let Token::Number(_) = self.peek() {
                        self.next();
                    } else if self.is_sign(b'(') {
                        self.skip_brackets();
                    }
                }
                Token::Word(word) if is_attribute(word) => self.skip_attribute(),
                Token::Text(_) | Token::Mark | Token::Sign(b'=') => {
                    self.next();
                }
                _ => break,
            }
        }
        let value = self.value(ty, names)?;
        Ok(CallArgument {
            operand: Some(Operand { ty, value }),
        })
    }

    /// Skips metadata, up to the comma or bracket behind it.
    fn skip_metadata(&mut self) {
        while !matches!(self.peek(), Token::End | Token::Sign(b',' | b')')) {
            self.next();
            if matches!(self.peek(), Token::Sign(b'(' | b'{')) {
                self.skip_brackets();
            }
        }
    }
}

/// Whether a word before a value is an attribute, and not the value itself.
fn is_attribute(word: &str) -> bool {
    let values = [
        "true",
        "false",
        "null",
        "none",
        "undef",
        "poison",
        "zeroinitializer",
        "getelementptr",
        "blockaddress",
        "dso_local_equivalent",
        "no_cfi",
        "select",
        "icmp",
        "fcmp",
    ];
    !values.contains(&word) && Cast::of_word(word).is_none() && Binary::of_word(word).is_none()
}
