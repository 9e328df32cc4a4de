//! One instruction.

use super::{ReadError, functions::Names, lexer::Token, parser::Parser};
use crate::llvm::{
    AtomicOp, Binary, CallArgument, Callee, Cast, FloatPredicate, Instruction, IntegerPredicate,
    Kind, Operand, Type, TypeId, Value,
};

/// An instruction may be promised to be well-behaved in many ways; the numbers are the same.
const FLAGS: [&str; 16] = [
    "nuw", "nsw", "exact", "inbounds", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
    "reassoc", "volatile", "atomic", "weak", "disjoint",
];

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self, names: &mut Names<'a>) -> Result<Instruction, ReadError> {
        let line = self.line();
        let result = match self.peek() {
            Token::Local(name) => {
                self.next();
                self.expect_sign(b'=')?;
                Some((names.local(name), name))
            }
            _ => None,
        };
        let (kind, of) = self.kind(names)?;
        if let Some((local, name)) = result
            && !names.is_of(local, of)
        {
            return self.fail(format!("a second `%{name}`"));
        }
        let last = self.last_line();
        Ok(Instruction {
            result: result.map(|(local, _)| local),
            kind,
            location: self.finish_line(last),
            line,
        })
    }

    /// What it does, and the type of what it makes.
    fn kind(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let Token::Word(word) = self.peek() else {
            return self.wrong("an instruction");
        };
        self.next();
        if matches!(word, "tail" | "musttail" | "notail") {
            self.expect_word("call")?;
            return self.call(names);
        }
        if word == "call" {
            return self.call(names);
        }
        self.flags();
        if let Some(op) = Binary::of_word(word) {
            let a = self.operand(names)?;
            self.expect_sign(b',')?;
            let b = self.value(a.of, names)?;
            let of = a.of;
            return Ok((Kind::Binary { op, a, b }, of));
        }
        if let Some(cast) = Cast::of_word(word) {
            let from = self.operand(names)?;
            self.expect_word("to")?;
            let of = self.a_type()?;
            return Ok((Kind::Cast { cast, from }, of));
        }
        match word {
            "fneg" | "freeze" => {
                let a = self.operand(names)?;
                let of = a.of;
                Ok(match word {
                    "fneg" => (Kind::FNeg { a }, of),
                    _ => (Kind::Freeze { a }, of),
                })
            }
            "icmp" | "fcmp" => self.compare(word, names),
            "select" => {
                let condition = self.operand(names)?;
                self.expect_sign(b',')?;
                let then = self.operand(names)?;
                self.expect_sign(b',')?;
                let other = self.operand(names)?;
                let of = then.of;
                let kind = Kind::Select {
                    condition,
                    then,
                    other,
                };
                Ok((kind, of))
            }
            "phi" => self.phi(names),
            "getelementptr" => self.get_element_ptr(names),
            "alloca" => self.alloca(names),
            "load" => {
                let of = self.a_type()?;
                self.expect_sign(b',')?;
                let address = self.operand(names)?;
                let align = self.alignment()?;
                Ok((Kind::Load { address, align }, of))
            }
            "store" => {
                let value = self.operand(names)?;
                self.expect_sign(b',')?;
                let address = self.operand(names)?;
                let align = self.alignment()?;
                let kind = Kind::Store {
                    value,
                    address,
                    align,
                };
                Ok((kind, self.nothing()))
            }
            "atomicrmw" => self.atomic_rmw(names),
            "cmpxchg" => {
                let [address, expected, new] = self.three(names)?;
                let bit = self.id(Type::Integer(1));
                let fields = vec![expected.of, bit];
                let of = self.id(Type::Struct {
                    fields,
                    packed: false,
                });
                let kind = Kind::CompareExchange {
                    address,
                    expected,
                    new,
                };
                Ok((kind, of))
            }
            "fence" => Ok((Kind::Fence, self.nothing())),
            "extractelement" => {
                let vector = self.operand(names)?;
                self.expect_sign(b',')?;
                let index = self.operand(names)?;
                let of = self.element_of(vector.of)?;
                Ok((Kind::ExtractElement { vector, index }, of))
            }
            "insertelement" => {
                let [vector, element, index] = self.three(names)?;
                let of = vector.of;
                let kind = Kind::InsertElement {
                    vector,
                    element,
                    index,
                };
                Ok((kind, of))
            }
            "shufflevector" => self.shuffle(names),
            "extractvalue" => {
                let aggregate = self.operand(names)?;
                let path = self.path()?;
                let of = self.along(aggregate.of, &path)?;
                Ok((Kind::ExtractValue { aggregate, path }, of))
            }
            "insertvalue" => {
                let aggregate = self.operand(names)?;
                self.expect_sign(b',')?;
                let element = self.operand(names)?;
                let path = self.path()?;
                let of = aggregate.of;
                let kind = Kind::InsertValue {
                    aggregate,
                    element,
                    path,
                };
                Ok((kind, of))
            }
            _ => self.fail(format!(
                "the instruction `{}` is not known",
                word.chars().take(40).collect::<String>()
            )),
        }
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

    fn three(&mut self, names: &mut Names<'a>) -> Result<[Operand; 3], ReadError> {
        let a = self.operand(names)?;
        self.expect_sign(b',')?;
        let b = self.operand(names)?;
        self.expect_sign(b',')?;
        Ok([a, b, self.operand(names)?])
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
        let b = self.value(a.of, names)?;
        let bit = self.id(Type::Integer(1));
        let of = match self.module.types.get(a.of) {
            Type::Vector { lanes, .. } => {
                let lanes = *lanes;
                self.id(Type::Vector { of: bit, lanes })
            }
            _ => bit,
        };
        Ok(match (whole, real) {
            (Some(predicate), _) => (Kind::Compare { predicate, a, b }, of),
            (_, Some(predicate)) => (Kind::FCompare { predicate, a, b }, of),
            (None, None) => return self.wrong("a predicate"),
        })
    }

    fn phi(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let of = self.a_type()?;
        let mut incoming = Vec::new();
        loop {
            self.expect_sign(b'[')?;
            let value = self.value(of, names)?;
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
        Ok((Kind::Phi { incoming }, of))
    }

    fn get_element_ptr(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let source = self.a_type()?;
        self.expect_sign(b',')?;
        let base = self.operand(names)?;
        let mut indices = Vec::new();
        while self.is_sign(b',') && !matches!(self.peek_second(), Token::Meta(_)) {
            self.next();
            indices.push(self.operand(names)?);
        }
        let Type::Pointer { space, .. } = *self.module.types.get(base.of) else {
            return self.fail("vectors of pointers are not known");
        };
        if indices
            .iter()
            .any(|index| !matches!(self.module.types.get(index.of), Type::Integer(_)))
        {
            return self.fail("vectors of pointers are not known");
        }
        let to = self.pointed_at(source, &indices)?;
        let of = self.id(Type::Pointer { space, to });
        let kind = Kind::GetElementPtr {
            source,
            base,
            indices,
        };
        Ok((kind, of))
    }

    fn pointed_at(&self, source: TypeId, indices: &[Operand]) -> Result<Option<TypeId>, ReadError> {
        let mut of = source;
        for index in indices.iter().skip(1) {
            of = match self.module.types.get(of) {
                Type::Array { of, .. } | Type::Vector { of, .. } => *of,
                Type::Struct { fields, .. } => {
                    let place = match &index.value {
                        Value::Constant(crate::llvm::Constant::Integer(place)) => *place,
                        Value::Constant(crate::llvm::Constant::Zero) => 0,
                        _ => return self.fail("a field that is only known when it runs"),
                    };
                    let field = usize::try_from(place).ok().and_then(|at| fields.get(at));
                    match field {
                        Some(field) => *field,
                        None => return self.fail("a field that is not there"),
                    }
                }
                _ => return self.fail("an index into what has no elements"),
            };
        }
        Ok(Some(of))
    }

    /// `, align 4`, or 0.
    fn alignment(&mut self) -> Result<u64, ReadError> {
        if !self.is_sign(b',') || !matches!(self.peek_second(), Token::Word("align")) {
            return Ok(0);
        }
        self.next();
        self.next();
        self.number()
    }

    fn alloca(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let of = self.a_type()?;
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
            to: Some(of),
        });
        Ok((Kind::Alloca { of, count }, pointer))
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
        let address = self.operand(names)?;
        self.expect_sign(b',')?;
        let value = self.operand(names)?;
        let of = value.of;
        Ok((Kind::AtomicRmw { op, address, value }, of))
    }

    fn shuffle(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let a = self.operand(names)?;
        self.expect_sign(b',')?;
        let b = self.operand(names)?;
        self.expect_sign(b',')?;
        let line = self.line();
        let mask_type = self.a_type()?;
        let Type::Vector { lanes, .. } = *self.module.types.get(mask_type) else {
            return self.fail("a mask that is no vector");
        };
        let mask = match self.constant(mask_type)? {
            crate::llvm::Constant::Zero => vec![Some(0); lanes as usize],
            crate::llvm::Constant::Undefined => vec![None; lanes as usize],
            crate::llvm::Constant::Aggregate(places) => {
                let place = |place: Operand| match place.value {
                    Value::Constant(crate::llvm::Constant::Integer(place)) => {
                        u32::try_from(place).ok()
                    }
                    Value::Constant(crate::llvm::Constant::Zero) => Some(0),
                    _ => None,
                };
                places.into_iter().map(place).collect()
            }
            _ => return Err(ReadError::new(line, "a mask that is no constant")),
        };
        if mask.len() != lanes as usize {
            return self.fail("a mask of another length than its type's");
        }
        let of = self.element_of(a.of)?;
        let of = self.id(Type::Vector { of, lanes });
        Ok((Kind::ShuffleVector { a, b, mask }, of))
    }

    fn element_of(&self, vector: TypeId) -> Result<TypeId, ReadError> {
        match self.module.types.get(vector) {
            Type::Vector { of, .. } => Ok(*of),
            _ => self.fail("an element of what is no vector"),
        }
    }

    /// `, 0, 1`
    fn path(&mut self) -> Result<Vec<u32>, ReadError> {
        let mut path = Vec::new();
        while self.is_sign(b',') && matches!(self.peek_second(), Token::Number(_)) {
            self.next();
            path.push(self.number()?);
        }
        Ok(path)
    }

    fn along(&self, aggregate: TypeId, path: &[u32]) -> Result<TypeId, ReadError> {
        let mut of = aggregate;
        for place in path {
            of = match self.module.types.get(of) {
                Type::Array { of, .. } => *of,
                Type::Struct { fields, .. } => match fields.get(*place as usize) {
                    Some(field) => *field,
                    None => return self.fail("a field that is not there"),
                },
                _ => return self.fail("a field of what has none"),
            };
        }
        Ok(of)
    }

    fn call(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
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
        let of = self.a_type()?;
        let returns = match self.module.types.get(of) {
            Type::Function { returns } => *returns,
            _ => of,
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
        let of = self.a_type()?;
        if *self.module.types.get(of) == Type::Other {
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
                Token::Word(word) if is_attribute(word) => {
                    self.next();
                    if self.is_sign(b'(') {
                        self.skip_brackets();
                    }
                }
                Token::Text(_) | Token::Mark | Token::Sign(b'=') => {
                    self.next();
                }
                _ => break,
            }
        }
        let value = self.value(of, names)?;
        Ok(CallArgument {
            operand: Some(Operand { of, value }),
        })
    }

    /// Up to the comma or bracket behind.
    fn skip_metadata(&mut self) {
        while !matches!(self.peek(), Token::End | Token::Sign(b',' | b')')) {
            self.next();
            if matches!(self.peek(), Token::Sign(b'(' | b'{')) {
                self.skip_brackets();
            }
        }
    }
}

/// Whether a word before a value says something of it, and is not itself the value.
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
