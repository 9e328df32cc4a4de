//! Parts of a module outside functions.

use super::{ReadError, lexer::Token, parser::Parser};
use crate::llvm::{Global, Module, Symbol, Type};

/// The most arguments without names; a kernel has at most some dozens.
const MOST_UNNAMED: usize = 1024;

pub(super) fn module(tokens: &[(Token<'_>, u32)]) -> Result<Module, ReadError> {
    let numbers: Vec<String> = (0..MOST_UNNAMED).map(|number| number.to_string()).collect();
    let mut parser = Parser::new(tokens);
    while parser.peek() != Token::End {
        parser.entity(&numbers)?;
    }
    Ok(parser.module)
}

impl<'a> Parser<'a> {
    fn entity(&mut self, numbers: &'a [String]) -> Result<(), ReadError> {
        let line = self.line();
        match self.peek() {
            Token::MetaLine(text) => {
                self.next();
                self.module.locations.take(text);
                Ok(())
            }
            Token::Word("define") => {
                self.next();
                self.definition(numbers)
            }
            Token::Word("declare") => {
                self.next();
                self.declaration()
            }
            Token::Word("target") => {
                self.next();
                if self.take_word("datalayout") {
                    self.expect_sign(b'=')?;
                    if let Token::Text(text) = self.peek() {
                        self.data_layout(text);
                    }
                }
                self.finish_line(line);
                Ok(())
            }
            Token::Word(
                "attributes" | "source_filename" | "module" | "uselistorder" | "uselistorder_bb",
            )
            | Token::Mark => {
                self.finish_line(line);
                Ok(())
            }
            Token::Local(name) => {
                self.next();
                self.expect_sign(b'=')?;
                self.expect_word("type")?;
                if !self.take_word("opaque") {
                    let is = self.a_type()?;
                    self.module.types.define(name, is);
                }
                Ok(())
            }
            Token::Global(name) => {
                self.next();
                self.global(name, line)
            }
            _ => self.wrong("a function or a variable"),
        }
    }

    /// Reads the size of pointers from a data layout: `e-p:32:32-i64:64`.
    fn data_layout(&mut self, text: &str) {
        for part in text.split('-') {
            let mut fields = part.split(':');
            if matches!(fields.next(), Some("p" | "p0"))
                && let Some(Ok(bits)) = fields.next().map(str::parse::<u64>)
                && matches!(bits, 32 | 64)
            {
                self.module.types.pointer_bytes = bits / 8;
            }
        }
    }

    fn global(&mut self, name: &str, line: u32) -> Result<(), ReadError> {
        self.expect_sign(b'=')?;
        let mut space = 0;
        let mut is_external = false;
        loop {
            match self.peek() {
                Token::Word("addrspace") => space = self.address_space()?,
                Token::Word("global" | "constant") => {
                    self.next();
                    break;
                }
                Token::Word("alias" | "ifunc") => {
                    self.finish_line(line);
                    return Ok(());
                }
                Token::Word(word) => {
                    is_external |= matches!(word, "external" | "extern_weak");
                    self.skip_attribute();
                }
                _ => return self.wrong("`global` or `constant`"),
            }
        }
        let ty = self.a_type()?;
        let holds = if is_external || *self.module.types.get(ty) == Type::Other {
            None
        } else {
            Some(self.constant(ty)?)
        };
        let mut align = 0;
        while self.peek() != Token::End && self.line() == line {
            if self.next() == Token::Word("align")
                && let Token::Number(text) = self.peek()
            {
                align = text.parse().unwrap_or(0);
            }
        }
        let place = Symbol::Global(self.module.globals.len());
        self.module.symbols.insert(name.to_owned(), place);
        self.module.globals.push(Global {
            name: name.to_owned(),
            space,
            ty,
            holds,
            align,
        });
        Ok(())
    }
}
