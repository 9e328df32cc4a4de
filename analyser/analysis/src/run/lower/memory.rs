//! Addresses and accesses.

use std::{iter, ops::Range};

use super::{Frame, Lowering, pieces::Piece};
use crate::{
    llvm::{self, Constant, Operand, Space, Type, TypeId, Value},
    run::{Access, AccessId, AccessKind, Object, ObjectKind, Operation, Part, Refusal, Slot},
};

/// The most numbers that `memcpy` is taken apart into.
const MOST_COPIED: u64 = 1 << 14;

impl<'m> Lowering<'m> {
    pub(super) fn element_address(
        &mut self,
        source: TypeId,
        base: &[Slot],
        indices: &[(&Operand, Vec<Slot>)],
    ) -> Result<Slot, Refusal> {
        let mut address = self.one(base)?;
        let module = self.module;
        let mut offset = 0_i64;
        let mut ty = source;
        for (place, (operand, index)) in indices.iter().enumerate() {
            let number = match &operand.value {
                Value::Constant(Constant::Integer(number)) => i64::try_from(*number).ok(),
                Value::Constant(Constant::Zero | Constant::Undefined) => Some(0),
                _ => None,
            };
            if place > 0 {
                ty = match module.types.get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => *element,
                    Type::Struct { fields, .. } => {
                        let at = number.and_then(|number| usize::try_from(number).ok());
                        let offsets = module.types.offsets(ty).unwrap_or_default();
                        let field = at.and_then(|at| Some((fields.get(at)?, offsets.get(at)?)));
                        let Some((field, start)) = field else {
                            return self.refuse("a field that is not there");
                        };
                        offset = offset.wrapping_add_unsigned(*start);
                        ty = *field;
                        continue;
                    }
                    _ => return self.refuse("an index into what has no elements"),
                };
            }
            let Ok(layout) = module.types.layout(ty) else {
                return self.refuse("an index into elements without a size");
            };
            let size = i64::try_from(layout.size).unwrap_or(i64::MAX);
            if let Some(number) = number {
                offset = offset.wrapping_add(number.wrapping_mul(size));
                continue;
            }
            let Type::Integer(bits @ 1..=64) = *module.types.get(operand.ty) else {
                return self.refuse("an index that is no number");
            };
            let index = self.one(index)?;
            address = self.make(Operation::Index(bits, size), vec![address, index])?;
        }
        if offset != 0 {
            address = self.make(Operation::Offset(offset), vec![address])?;
        }
        Ok(address)
    }

    /// The address space that a pointer points into.
    pub(super) fn space(&self, pointer: TypeId) -> Result<Space, Refusal> {
        let Type::Pointer { space, .. } = *self.module.types.get(pointer) else {
            return self.refuse("an access by what is no pointer");
        };
        match Space::numbered(space) {
            Some(space) => Ok(space),
            None => self.refuse(format!("an access to address space {space}")),
        }
    }

    /// Adds an access whose address is a multiple of `align` bytes; 0 if that is not known.
    pub(super) fn access(
        &mut self,
        kind: AccessKind,
        (space, align): (Space, u64),
        parts: Vec<Part>,
        operands: Vec<Slot>,
        results: Vec<Slot>,
    ) {
        let id = AccessId(u32::try_from(self.program.accesses.len()).unwrap_or(u32::MAX));
        let bytes = end(&parts);
        self.program.accesses.push(Access {
            kind,
            space,
            bytes,
            align: if align > 0 { align } else { bytes },
            parts,
            location: self.location,
        });
        self.emit(Operation::Access(id), operands, results);
    }

    /// The numbers of a type in memory.
    fn parts(&mut self, ty: TypeId) -> Result<Vec<Part>, Refusal> {
        let pieces = self.pieces(ty)?;
        let part = |piece: &Piece| Part {
            offset: piece.offset,
            bytes: u8::try_from(piece.scalar.bits().div_ceil(8).min(8)).unwrap_or(8),
        };
        Ok(pieces.iter().map(part).collect())
    }

    fn count_access(&mut self, name: &str, space: Space, bytes: u64) {
        let space = match space {
            Space::Private => "private",
            Space::Global => "global",
            Space::Constant => "constant",
            Space::Local => "local",
        };
        self.count(&format!("{name} {space}"), bytes);
    }

    pub(super) fn load(
        &mut self,
        frame: &Frame<'m>,
        (address, align): (&Operand, u64),
        ty: TypeId,
        results: Range<u32>,
    ) -> Result<(), Refusal> {
        let space = self.space(address.ty)?;
        let place = self.operand(frame, address)?;
        let parts = self.parts(ty)?;
        self.count_access("load", space, end(&parts));
        let results = results.map(Slot).collect();
        self.access(AccessKind::Load, (space, align), parts, place, results);
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        frame: &Frame<'m>,
        value: &Operand,
        (address, align): (&Operand, u64),
    ) -> Result<(), Refusal> {
        let space = self.space(address.ty)?;
        let mut operands = self.operand(frame, address)?;
        operands.extend(self.operand(frame, value)?);
        let parts = self.parts(value.ty)?;
        self.count_access("store", space, end(&parts));
        let place = (space, align);
        self.access(AccessKind::Store, place, parts, operands, Vec::new());
        Ok(())
    }

    pub(super) fn alloca(&mut self, ty: TypeId, count: Option<&Operand>) -> Result<Slot, Refusal> {
        let count = match count.map(|count| &count.value) {
            None => 1,
            Some(Value::Constant(Constant::Integer(count))) => u64::try_from(*count).unwrap_or(0),
            Some(_) => return self.refuse("an array whose length is only known when it runs"),
        };
        let Ok(layout) = self.module.types.layout(ty) else {
            return self.refuse("a variable without a size");
        };
        let (offset, bytes) =
            self.private_bytes(layout.size.saturating_mul(count), layout.align)?;
        self.private_object(offset, bytes)
    }

    fn private_object(&mut self, offset: u64, bytes: u64) -> Result<Slot, Refusal> {
        let address = self.slot()?;
        self.program.constants.push((address, offset));
        self.program.objects.push(Object {
            kind: ObjectKind::Private { offset, bytes },
            space: Space::Private,
            address,
        });
        Ok(address)
    }

    /// Copies a structure for a function that takes it by value. Returns the copy's address.
    pub(super) fn copy_of(&mut self, ty: TypeId, from: &[Slot]) -> Result<Slot, Refusal> {
        let (offset, bytes) = self.private(ty)?;
        let to = self.private_object(offset, bytes)?;
        let from = self.one(from)?;
        self.copy_bytes(Space::Private, to, Space::Private, from, bytes)?;
        Ok(to)
    }

    /// Copies bytes from one place to another, in numbers of eight.
    pub(super) fn copy_bytes(
        &mut self,
        to_space: Space,
        to: Slot,
        from_space: Space,
        from: Slot,
        bytes: u64,
    ) -> Result<(), Refusal> {
        let parts = self.parts_of_bytes(bytes)?;
        let slots: Vec<Slot> = self.slots(parts.len())?.map(Slot).collect();
        let stored = [vec![to], slots.clone()].concat();
        let (loaded, from) = (parts.clone(), vec![from]);
        self.access(AccessKind::Load, (from_space, 0), loaded, from, slots);
        self.access(AccessKind::Store, (to_space, 0), parts, stored, Vec::new());
        Ok(())
    }

    /// Fills memory with the same byte: `byte` holds it eight times.
    pub(super) fn fill_bytes(
        &mut self,
        space: Space,
        to: Slot,
        byte: Slot,
        bytes: u64,
    ) -> Result<(), Refusal> {
        let parts = self.parts_of_bytes(bytes)?;
        let operands = iter::once(to).chain(parts.iter().map(|_| byte)).collect();
        self.access(AccessKind::Store, (space, 0), parts, operands, Vec::new());
        Ok(())
    }

    fn parts_of_bytes(&self, bytes: u64) -> Result<Vec<Part>, Refusal> {
        if bytes > 8 * MOST_COPIED {
            return self.refuse(format!("{bytes} bytes copied at once"));
        }
        let starts = (0..bytes).step_by(8);
        let part = |offset: u64| Part {
            offset,
            bytes: u8::try_from((bytes - offset).min(8)).unwrap_or(8),
        };
        Ok(starts.map(part).collect())
    }

    /// A number that is known when the program is made.
    pub(super) fn constant_of(operand: &llvm::Operand) -> Option<u64> {
        match &operand.value {
            Value::Constant(Constant::Integer(number)) => u64::try_from(*number).ok(),
            Value::Constant(Constant::Zero) => Some(0),
            _ => None,
        }
    }
}

/// Bytes up to the end of the last part: a vector of three numbers takes as much room as one of four.
fn end(parts: &[Part]) -> u64 {
    parts.last().map_or(0, |it| it.offset + u64::from(it.bytes))
}
