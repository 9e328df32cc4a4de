//! Types: `[16 x float] addrspace(3)*`.

use super::{ReadError, lexer::Token, parser::Parser};
use crate::llvm::{Type, TypeId};

impl Parser<'_> {
    /// Whether a type begins here.
    pub(super) fn is_type(&self) -> bool {
        match self.peek() {
            Token::Word(word) => of_word(word).is_some() || word == "ptr",
            Token::Local(_) | Token::Sign(b'[' | b'{' | b'<') => true,
            _ => false,
        }
    }

    pub(super) fn a_type(&mut self) -> Result<TypeId, ReadError> {
        self.deeper(Self::a_type_here)
    }

    fn a_type_here(&mut self) -> Result<TypeId, ReadError> {
        let mut ty = match self.peek() {
            Token::Word("ptr") => {
                self.next();
                let space = self.address_space()?;
                self.id(Type::Pointer { space, to: None })
            }
            Token::Word(word) => match of_word(word) {
                Some(ty) => {
                    self.next();
                    self.id(ty)
                }
                None => return self.wrong("a type"),
            },
            Token::Local(name) => {
                self.next();
                self.module.types.named(name)
            }
            Token::Sign(b'[') => self.array()?,
            Token::Sign(b'<') if self.peek_second() == Token::Sign(b'{') => {
                self.next();
                let ty = self.structure(true)?;
                self.expect_sign(b'>')?;
                ty
            }
            Token::Sign(b'<') => self.vector()?,
            Token::Sign(b'{') => self.structure(false)?,
            _ => return self.wrong("a type"),
        };
        // What hangs on behind: pointers to it, functions that return it.
        for _ in 0..64 {
            if self.is_sign(b'*') || self.is_word("addrspace") {
                let (space, to) = (self.address_space()?, Some(ty));
                self.expect_sign(b'*')?;
                ty = self.id(Type::Pointer { space, to });
            } else if self.is_sign(b'(') {
                self.skip_brackets();
                ty = self.id(Type::Function { returns: ty });
            } else {
                return Ok(ty);
            }
        }
        self.fail("a pointer to pointers without an end")
    }

    pub(super) fn id(&mut self, ty: Type) -> TypeId {
        self.module.types.id(ty)
    }

    /// Reads `addrspace(3)`; 0 where there is none.
    pub(super) fn address_space(&mut self) -> Result<u32, ReadError> {
        if !self.take_word("addrspace") {
            return Ok(0);
        }
        self.expect_sign(b'(')?;
        let space = self.number()?;
        self.expect_sign(b')')?;
        Ok(space)
    }

    fn array(&mut self) -> Result<TypeId, ReadError> {
        self.expect_sign(b'[')?;
        let length = self.number()?;
        self.expect_word("x")?;
        let element = self.a_type()?;
        self.expect_sign(b']')?;
        Ok(self.id(Type::Array { element, length }))
    }

    fn vector(&mut self) -> Result<TypeId, ReadError> {
        self.expect_sign(b'<')?;
        let lanes: u32 = self.number()?;
        if lanes == 0 || lanes > 1 << 16 {
            return self.fail(format!("a vector of {lanes}"));
        }
        self.expect_word("x")?;
        let element = self.a_type()?;
        self.expect_sign(b'>')?;
        Ok(self.id(Type::Vector { element, lanes }))
    }

    fn structure(&mut self, packed: bool) -> Result<TypeId, ReadError> {
        self.expect_sign(b'{')?;
        let mut fields = Vec::new();
        while !self.is_sign(b'}') {
            fields.push(self.a_type()?);
            if !self.take_sign(b',') {
                break;
            }
        }
        self.expect_sign(b'}')?;
        Ok(self.id(Type::Struct { fields, packed }))
    }
}

fn of_word(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "half" => Type::Half,
        "float" => Type::Float,
        "double" => Type::Double,
        "bfloat" => Type::OtherFloat(2),
        "x86_fp80" | "fp128" | "ppc_fp128" => Type::OtherFloat(16),
        "label" | "metadata" | "token" | "opaque" | "x86_mmx" => Type::Other,
        _ => {
            let bits = word.strip_prefix('i')?.parse().ok()?;
            if !(1..=1 << 16).contains(&bits) {
                return None;
            }
            Type::Integer(bits)
        }
    })
}
