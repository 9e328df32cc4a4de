//! Instructions: LLVM's words as [`Kind`]s.

use super::{ReadError, functions::Names, lexer::Token, parser::Parser};
use crate::llvm::{
    AtomicOp, Binary, Cast, FloatPredicate, Instruction, IntegerPredicate, Kind, Operand, Type,
    TypeId,
};

/// Flags that promise good behaviour of an instruction; they do not change its numbers.
const FLAGS: [&str; 16] = [
    "nuw", "nsw", "exact", "inbounds", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
    "reassoc", "volatile", "atomic", "weak", "disjoint",
];

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self, names: &mut Names<'a>) -> Result<Instruction, ReadError> {
        let result = match self.peek() {
            Token::Local(name) => {
                self.next();
                self.expect_sign(b'=')?;
                Some((names.local(name), name))
            }
            _ => None,
        };
        let (kind, ty) = self.kind(names)?;
        if let Some((local, name)) = result
            && !names.is_of(local, ty)
        {
            return self.fail(format!("a second `%{name}`"));
        }
        let last = self.last_line();
        Ok(Instruction {
            result: result.map(|(local, _)| local),
            kind,
            location: self.finish_line(last),
        })
    }

    /// Reads an instruction's kind, and the type of its result.
    fn kind(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let Token::Word(word) = self.peek() else {
            return self.wrong("an instruction");
        };
        self.next();
        if matches!(word, "tail" | "musttail" | "notail") {
            self.expect_word("call")?;
        }
        if matches!(word, "call" | "tail" | "musttail" | "notail") {
            return self.call(names);
        }
        self.flags();
        if let Some(op) = Binary::of_word(word) {
            let a = self.operand(names)?;
            self.expect_sign(b',')?;
            let b = self.value(a.ty, names)?;
            let ty = a.ty;
            return Ok((Kind::Binary { op, a, b }, ty));
        }
        if let Some(cast) = Cast::of_word(word) {
            let from = self.operand(names)?;
            self.expect_word("to")?;
            let ty = self.a_type()?;
            return Ok((Kind::Cast { cast, from }, ty));
        }
        match word {
            "fneg" | "freeze" => {
                let a = self.operand(names)?;
                let ty = a.ty;
                let kind = if word == "fneg" {
                    Kind::FNeg { a }
                } else {
                    Kind::Freeze { a }
                };
                Ok((kind, ty))
            }
            "icmp" | "fcmp" => self.compare(word, names),
            "select" => {
                let [condition, then, other] = self.three(names)?;
                let ty = then.ty;
                let kind = Kind::Select {
                    condition,
                    then,
                    other,
                };
                Ok((kind, ty))
            }
            "phi" => self.phi(names),
            "getelementptr" => self.get_element_ptr(names),
            "alloca" => self.alloca(names),
            "load" => self.load(names),
            "store" => self.store(names),
            "atomicrmw" => self.atomic_rmw(names),
            "cmpxchg" => self.compare_exchange(names),
            "fence" => Ok((Kind::Fence, self.nothing())),
            _ => self.aggregate_kind(word, names),
        }
    }

    fn load(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let ty = self.a_type()?;
        self.expect_sign(b',')?;
        let address = self.operand(names)?;
        let align = self.alignment()?;
        Ok((Kind::Load { address, align }, ty))
    }

    fn store(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let [value, address] = self.two(names)?;
        let align = self.alignment()?;
        let kind = Kind::Store {
            value,
            address,
            align,
        };
        Ok((kind, self.nothing()))
    }

    fn flags(&mut self) {
        while let Token::Word(word) = self.peek() {
            if !FLAGS.contains(&word) {
                return;
            }
            self.next();
        }
    }

    fn nothing(&mut self) -> TypeId {
        self.id(Type::Void)
    }

    pub(super) fn three(&mut self, names: &mut Names<'a>) -> Result<[Operand; 3], ReadError> {
        let [a, b] = self.two(names)?;
        self.expect_sign(b',')?;
        Ok([a, b, self.operand(names)?])
    }

    pub(super) fn two(&mut self, names: &mut Names<'a>) -> Result<[Operand; 2], ReadError> {
        let a = self.operand(names)?;
        self.expect_sign(b',')?;
        Ok([a, self.operand(names)?])
    }

    fn compare(&mut self, word: &str, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let Token::Word(predicate) = self.peek() else {
            return self.wrong("a predicate");
        };
        let whole = IntegerPredicate::of_word(predicate).filter(|_| word == "icmp");
        let real = FloatPredicate::of_word(predicate).filter(|_| word == "fcmp");
        if whole.is_none() && real.is_none() {
            return self.wrong("a predicate");
        }
        self.next();
        let a = self.operand(names)?;
        self.expect_sign(b',')?;
        let b = self.value(a.ty, names)?;
        let bit = self.id(Type::Integer(1));
        let ty = match self.module.types.get(a.ty) {
            Type::Vector { lanes, .. } => {
                let lanes = *lanes;
                self.id(Type::Vector {
                    element: bit,
                    lanes,
                })
            }
            _ => bit,
        };
        Ok(match (whole, real) {
            (Some(predicate), _) => (Kind::Compare { predicate, a, b }, ty),
            (_, Some(predicate)) => (Kind::FCompare { predicate, a, b }, ty),
            (None, None) => return self.wrong("a predicate"),
        })
    }

    fn phi(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let ty = self.a_type()?;
        let mut incoming = Vec::new();
        loop {
            self.expect_sign(b'[')?;
            let value = self.value(ty, names)?;
            self.expect_sign(b',')?;
            let Token::Local(block) = self.peek() else {
                return self.wrong("a block's name");
            };
            self.next();
            self.expect_sign(b']')?;
            incoming.push((value, names.block(block)));
            // Behind a comma there may be metadata.
            if !self.is_sign(b',') || self.peek_second() != Token::Sign(b'[') {
                break;
            }
            self.next();
        }
        Ok((Kind::Phi { incoming }, ty))
    }

    /// Reads `, align 4`; 0 where there is none.
    fn alignment(&mut self) -> Result<u64, ReadError> {
        if !self.is_sign(b',') || !matches!(self.peek_second(), Token::Word("align")) {
            return Ok(0);
        }
        self.next();
        self.next();
        self.number()
    }

    fn alloca(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let ty = self.a_type()?;
        let mut count = None;
        let mut space = 0;
        while self.is_sign(b',') && !matches!(self.peek_second(), Token::Meta(_)) {
            self.next();
            if self.take_word("align") {
                self.number::<u64>()?;
            } else if self.is_word("addrspace") {
                space = self.address_space()?;
            } else {
                count = Some(self.operand(names)?);
            }
        }
        let pointer = self.id(Type::Pointer {
            space,
            to: Some(ty),
        });
        Ok((Kind::Alloca { ty, count }, pointer))
    }

    fn atomic_rmw(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let op = match self.peek() {
            Token::Word(word) => AtomicOp::of_word(word),
            _ => None,
        };
        let Some(op) = op else {
            return self.wrong("an atomic operation");
        };
        self.next();
        let [address, value] = self.two(names)?;
        let ty = value.ty;
        Ok((Kind::AtomicRmw { op, address, value }, ty))
    }

    fn compare_exchange(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let [address, expected, new] = self.three(names)?;
        let bit = self.id(Type::Integer(1));
        let fields = vec![expected.ty, bit];
        let ty = self.id(Type::Struct {
            fields,
            packed: false,
        });
        let kind = Kind::CompareExchange {
            address,
            expected,
            new,
        };
        Ok((kind, ty))
    }
}
