//! Constants, and values as operands.

use super::{ReadError, functions::Names, lexer::Token, parser::Parser};
use crate::llvm::{Binary, Cast, Constant, Kind, Operand, Type, TypeId, Value};

impl<'a> Parser<'a> {
    /// Reads a type and a value: `float 1.0`, `i32 %x`.
    pub(super) fn operand(&mut self, names: &mut Names<'a>) -> Result<Operand, ReadError> {
        let ty = self.a_type()?;
        let value = self.value(ty, names)?;
        Ok(Operand { ty, value })
    }

    pub(super) fn value(&mut self, ty: TypeId, names: &mut Names<'a>) -> Result<Value, ReadError> {
        if let Token::Local(name) = self.peek() {
            self.next();
            return Ok(Value::Local(names.local(name)));
        }
        Ok(Value::Constant(self.constant(ty)?))
    }

    pub(super) fn typed_constant(&mut self) -> Result<Operand, ReadError> {
        let ty = self.a_type()?;
        let value = Value::Constant(self.constant(ty)?);
        Ok(Operand { ty, value })
    }

    pub(super) fn constant(&mut self, ty: TypeId) -> Result<Constant, ReadError> {
        self.deeper(|parser| parser.constant_here(ty))
    }

    fn constant_here(&mut self, ty: TypeId) -> Result<Constant, ReadError> {
        match self.peek() {
            Token::Number(text) => {
                let constant = match self.module.types.get(ty) {
                    Type::Integer(_) => text.parse().ok().map(Constant::Integer),
                    Type::Half | Type::Float | Type::Double => {
                        real(text, self.module.types.get(ty)).map(Constant::Real)
                    }
                    Type::OtherFloat(_) => Some(Constant::Undefined),
                    _ => None,
                };
                let Some(constant) = constant else {
                    return self.wrong("a constant of its type");
                };
                self.next();
                Ok(constant)
            }
            Token::Word("true") => self.one(Constant::Integer(1)),
            Token::Word("false") => self.one(Constant::Integer(0)),
            Token::Word("null" | "zeroinitializer" | "none") => self.one(Constant::Zero),
            Token::Word("undef" | "poison") => self.one(Constant::Undefined),
            Token::Global(name) => self.one(Constant::Symbol(name.to_owned())),
            Token::Bytes(text) => self.one(Constant::Bytes(unescaped(text))),
            Token::Sign(b'[') => self.aggregate(b'[', b']'),
            Token::Sign(b'{') => self.aggregate(b'{', b'}'),
            Token::Sign(b'<') if self.peek_second() == Token::Sign(b'{') => {
                self.next();
                let fields = self.aggregate(b'{', b'}')?;
                self.expect_sign(b'>')?;
                Ok(fields)
            }
            Token::Sign(b'<') => self.aggregate(b'<', b'>'),
            Token::Word(word) => self.expression(word),
            _ => self.wrong("a value"),
        }
    }

    fn one(&mut self, constant: Constant) -> Result<Constant, ReadError> {
        self.next();
        Ok(constant)
    }

    fn aggregate(&mut self, open: u8, close: u8) -> Result<Constant, ReadError> {
        self.expect_sign(open)?;
        let elements = self.typed_constants(close)?;
        self.expect_sign(close)?;
        Ok(Constant::Aggregate(elements))
    }

    fn typed_constants(&mut self, close: u8) -> Result<Vec<Operand>, ReadError> {
        let mut all = Vec::new();
        while !self.is_sign(close) {
            self.take_word("inrange");
            all.push(self.typed_constant()?);
            if !self.take_sign(b',') {
                break;
            }
        }
        Ok(all)
    }

    fn expression(&mut self, word: &str) -> Result<Constant, ReadError> {
        let expression = if word == "getelementptr" {
            self.next();
            self.take_word("inbounds");
            self.expect_sign(b'(')?;
            let source = self.a_type()?;
            self.expect_sign(b',')?;
            let base = self.typed_constant()?;
            let mut indices = Vec::new();
            if self.take_sign(b',') {
                indices = self.typed_constants(b')')?;
            }
            Kind::GetElementPtr {
                source,
                base,
                indices,
            }
        } else if let Some(cast) = Cast::of_word(word) {
            self.next();
            self.expect_sign(b'(')?;
            let from = self.typed_constant()?;
            self.expect_word("to")?;
            self.a_type()?;
            Kind::Cast { cast, from }
        } else if let Some(op) = Binary::of_word(word) {
            self.next();
            while matches!(self.peek(), Token::Word("nuw" | "nsw" | "exact")) {
                self.next();
            }
            self.expect_sign(b'(')?;
            let a = self.typed_constant()?;
            self.expect_sign(b',')?;
            let b = self.typed_constant()?.value;
            Kind::Binary { op, a, b }
        } else {
            return self.wrong("a value");
        };
        self.expect_sign(b')')?;
        Ok(Constant::Expression(Box::new(expression)))
    }
}

/// The bits of a floating-point constant. In hexadecimal the text has those of a `double`, also for a `float`.
fn real(text: &str, ty: &Type) -> Option<u64> {
    if let Some(bits) = text.strip_prefix("0xH") {
        let bits = u64::from_str_radix(bits, 16).ok()?;
        return (*ty == Type::Half).then_some(bits);
    }
    let number: f64 = match text.strip_prefix("0x") {
        Some(bits) => f64::from_bits(u64::from_str_radix(bits, 16).ok()?),
        None => text.parse().ok()?,
    };
    Some(match ty {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "LLVM only writes what a float holds"
        )]
        Type::Float => u64::from((number as f32).to_bits()),
        Type::Double => number.to_bits(),
        Type::Half => u64::from(half::f16::from_f64(number).to_bits()),
        _ => return None,
    })
}

/// The bytes of a text; `\0A` in it is a byte in hexadecimal.
fn unescaped(text: &str) -> Vec<u8> {
    let mut all = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|it| std::str::from_utf8(it).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) if *first == b'\\' => {
                all.push(byte);
                rest = &behind[2..];
            }
            _ => {
                all.push(*first);
                rest = behind;
            }
        }
    }
    all
}
