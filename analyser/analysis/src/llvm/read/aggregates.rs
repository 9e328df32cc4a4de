//! Instructions on vectors, arrays and structures, and addresses within them.

use super::{ReadError, functions::Names, lexer::Token, parser::Parser};
use crate::llvm::{Constant, Kind, Operand, Type, TypeId, Value};

impl<'a> Parser<'a> {
    /// The kind of the instruction `word` on an aggregate, and the type of its result.
    pub(super) fn aggregate_kind(
        &mut self,
        word: &str,
        names: &mut Names<'a>,
    ) -> Result<(Kind, TypeId), ReadError> {
        match word {
            "extractelement" => {
                let [vector, index] = self.two(names)?;
                let ty = self.element_of(vector.ty)?;
                Ok((Kind::ExtractElement { vector, index }, ty))
            }
            "insertelement" => {
                let [vector, element, index] = self.three(names)?;
                let ty = vector.ty;
                let kind = Kind::InsertElement {
                    vector,
                    element,
                    index,
                };
                Ok((kind, ty))
            }
            "shufflevector" => self.shuffle(names),
            "extractvalue" => {
                let aggregate = self.operand(names)?;
                let path = self.path()?;
                let ty = self.type_at(aggregate.ty, &path)?;
                Ok((Kind::ExtractValue { aggregate, path }, ty))
            }
            "insertvalue" => {
                let [aggregate, element] = self.two(names)?;
                let path = self.path()?;
                let ty = aggregate.ty;
                let kind = Kind::InsertValue {
                    aggregate,
                    element,
                    path,
                };
                Ok((kind, ty))
            }
            _ => self.fail(format!(
                "the instruction `{}` is not known",
                word.chars().take(40).collect::<String>()
            )),
        }
    }

    pub(super) fn get_element_ptr(
        &mut self,
        names: &mut Names<'a>,
    ) -> Result<(Kind, TypeId), ReadError> {
        let source = self.a_type()?;
        self.expect_sign(b',')?;
        let base = self.operand(names)?;
        let mut indices = Vec::new();
        while self.is_sign(b',') && !matches!(self.peek_second(), Token::Meta(_)) {
            self.next();
            indices.push(self.operand(names)?);
        }
        let Type::Pointer { space, .. } = *self.module.types.get(base.ty) else {
            return self.fail("vectors of pointers are not known");
        };
        if indices
            .iter()
            .any(|index| !matches!(self.module.types.get(index.ty), Type::Integer(_)))
        {
            return self.fail("vectors of pointers are not known");
        }
        let to = self.pointed_at(source, &indices)?;
        let ty = self.id(Type::Pointer { space, to });
        let kind = Kind::GetElementPtr {
            source,
            base,
            indices,
        };
        Ok((kind, ty))
    }

    fn pointed_at(&self, source: TypeId, indices: &[Operand]) -> Result<Option<TypeId>, ReadError> {
        let mut ty = source;
        for index in indices.iter().skip(1) {
            ty = match self.module.types.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                Type::Struct { fields, .. } => {
                    let place = match &index.value {
                        Value::Constant(Constant::Integer(place)) => *place,
                        Value::Constant(Constant::Zero) => 0,
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
        Ok(Some(ty))
    }

    fn shuffle(&mut self, names: &mut Names<'a>) -> Result<(Kind, TypeId), ReadError> {
        let [a, b] = self.two(names)?;
        self.expect_sign(b',')?;
        let line = self.line();
        let mask_type = self.a_type()?;
        let Type::Vector { lanes, .. } = *self.module.types.get(mask_type) else {
            return self.fail("a mask that is no vector");
        };
        let mask = match self.constant(mask_type)? {
            Constant::Zero => vec![Some(0); lanes as usize],
            Constant::Undefined => vec![None; lanes as usize],
            Constant::Aggregate(places) => {
                let place = |place: Operand| match place.value {
                    Value::Constant(Constant::Integer(place)) => u32::try_from(place).ok(),
                    Value::Constant(Constant::Zero) => Some(0),
                    _ => None,
                };
                places.into_iter().map(place).collect()
            }
            _ => return Err(ReadError::new(line, "a mask that is no constant")),
        };
        if mask.len() != lanes as usize {
            return self.fail("a mask of another length than its type's");
        }
        let element = self.element_of(a.ty)?;
        let ty = self.id(Type::Vector { element, lanes });
        Ok((Kind::ShuffleVector { a, b, mask }, ty))
    }

    fn element_of(&self, vector: TypeId) -> Result<TypeId, ReadError> {
        match self.module.types.get(vector) {
            Type::Vector { element, .. } => Ok(*element),
            _ => self.fail("an element of what is no vector"),
        }
    }

    /// Reads a path: `, 0, 1`.
    fn path(&mut self) -> Result<Vec<u32>, ReadError> {
        let mut path = Vec::new();
        while self.is_sign(b',') && matches!(self.peek_second(), Token::Number(_)) {
            self.next();
            path.push(self.number()?);
        }
        Ok(path)
    }

    fn type_at(&self, aggregate: TypeId, path: &[u32]) -> Result<TypeId, ReadError> {
        let mut ty = aggregate;
        for place in path {
            ty = match self.module.types.get(ty) {
                Type::Array { element, .. } => *element,
                Type::Struct { fields, .. } => match fields.get(*place as usize) {
                    Some(field) => *field,
                    None => return self.fail("a field that is not there"),
                },
                _ => return self.fail("a field of what has none"),
            };
        }
        Ok(ty)
    }
}
