//! Values of expressions.

use std::collections::{BTreeMap, BTreeSet};

use super::Walker;
use crate::{
    accesses::{
        AtomId, Polynomial, Real,
        atom::{Atom, Condition},
    },
    ast::{Place, Type, VariableId},
};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Whole(Polynomial),
    /// A floating-point number that the text and the launch decide.
    Real(Real),
    /// Anything else, made of these atoms.
    Opaque(BTreeSet<AtomId>),
    /// A pointer into an array.
    Pointer(Pointer),
    /// A pointer to a variable, this many bytes into it.
    Address(VariableId, u64),
    /// A pointer to somewhere in a variable, depending on these atoms.
    Within(VariableId, BTreeSet<AtomId>),
    /// Parts of a vector or a structure by the byte at which they begin; never parts of parts.
    Parts(BTreeMap<u64, Value>),
}

/// A pointer into an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pointer {
    /// The array; none where it is unknown.
    pub(super) array: Option<usize>,
    /// Other arrays that the pointer may be into instead.
    pub(super) also: BTreeSet<usize>,
    /// Bytes from the array's beginning.
    pub(super) offset: Polynomial,
    /// Bytes of what it points to: an element of the array or of a field, or what it was converted to.
    pub(super) element: u64,
    /// The index by the dimensions of the text, as far as the text has gone through them.
    pub(super) subscripts: Vec<Subscript>,
    /// Fields that it has entered since, each as `.field`.
    pub(super) field: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subscript {
    pub(super) index: Polynomial,
    pub(super) bytes: u64,
    /// The fields before it, each as `.field`.
    pub(super) field: String,
}

impl Pointer {
    /// A pointer to the beginning of an array with elements of `element` bytes.
    pub(super) fn to(array: usize, element: u64) -> Self {
        Self {
            array: Some(array),
            ..Self::unknown(Polynomial::default(), element)
        }
    }

    /// A pointer into an unknown array.
    pub(super) fn unknown(offset: Polynomial, element: u64) -> Self {
        Self {
            array: None,
            also: BTreeSet::new(),
            offset,
            element,
            subscripts: Vec::new(),
            field: String::new(),
        }
    }

    pub(super) fn arrays(&self) -> BTreeSet<usize> {
        self.array.iter().chain(&self.also).copied().collect()
    }

    /// Enters a dimension, at its first element.
    pub(super) fn enter(&mut self, bytes: u64) {
        self.subscripts.push(Subscript {
            index: Polynomial::default(),
            bytes,
            field: std::mem::take(&mut self.field),
        });
    }
}

/// Adds a value that begins at a byte; parts are added one by one.
pub(super) fn insert_part(parts: &mut BTreeMap<u64, Value>, at: u64, value: Value) {
    match value {
        Value::Parts(own) => {
            for (within, part) in own {
                parts.insert(at.saturating_add(within), part);
            }
        }
        value => {
            parts.insert(at, value);
        }
    }
}

impl Value {
    /// A value that nothing is known of.
    pub(super) fn nothing() -> Self {
        Self::Opaque(BTreeSet::new())
    }

    /// A whole number, or a pointer's offset.
    pub(super) fn number(&self) -> Option<Polynomial> {
        match self {
            Self::Whole(number) => Some(number.clone()),
            Self::Pointer(pointer) => Some(pointer.offset.clone()),
            _ => None,
        }
    }

    pub(super) fn is_pointer(&self) -> bool {
        matches!(
            self,
            Self::Pointer(_) | Self::Address(..) | Self::Within(..)
        )
    }

    pub(super) fn roots(&self) -> BTreeSet<AtomId> {
        match self {
            Self::Whole(value) => value.atoms(),
            Self::Opaque(roots) => roots.clone(),
            Self::Pointer(pointer) => pointer.offset.atoms(),
            Self::Address(..) | Self::Real(_) => BTreeSet::new(),
            Self::Within(_, atoms) => atoms.clone(),
            Self::Parts(parts) => parts.values().flat_map(Self::roots).collect(),
        }
    }
}

const UNFOLLOWED_NUMBERS: &str = "made from numbers that are not followed";

impl Walker<'_> {
    /// Whether arrays lie in the same memory and have elements of the same size, so that one index serves all.
    pub(super) fn are_interchangeable(&self, arrays: &BTreeSet<usize>) -> bool {
        let mut kinds = arrays.iter().map(|array| {
            let array = &self.output.arrays[*array];
            (array.space, array.element_bytes)
        });
        let first = kinds.next();
        kinds.all(|kind| Some(kind) == first)
    }

    pub(super) fn whole(&mut self, value: Value, place: &Place) -> Polynomial {
        match value {
            Value::Whole(value) => value,
            Value::Opaque(roots) => self.unknown(UNFOLLOWED_NUMBERS, place, roots),
            other => self.unknown("no whole number", place, other.roots()),
        }
    }

    /// The part of a value that begins at a byte.
    pub(super) fn part(&mut self, value: &Value, at: u64, ty: &Type, place: &Place) -> Value {
        match (value, ty) {
            (Value::Parts(parts), Type::Vector(..) | Type::Record(_)) => {
                let end = at.saturating_add(ty.bytes().unwrap_or_default());
                let within = parts.range(at..end);
                Value::Parts(within.map(|(own, part)| (own - at, part.clone())).collect())
            }
            (Value::Parts(parts), _) => match parts.get(&at).cloned() {
                Some(part) => self.part(&part, 0, ty, place),
                None => Value::nothing(),
            },
            // In a union the bits may be those of another number.
            (Value::Whole(_), _) if at == 0 && ty.is_whole() => value.clone(),
            (Value::Real(_), _) if at == 0 && !ty.is_whole() => value.clone(),
            (pointer, _) if at == 0 && pointer.is_pointer() => value.clone(),
            (other, _) => self.unfollowed_part(other.roots(), at, ty, place),
        }
    }

    /// A part of a value that is not followed. If a single access has loaded the value, the part is an atom.
    fn unfollowed_part(
        &mut self,
        roots: BTreeSet<AtomId>,
        at: u64,
        ty: &Type,
        place: &Place,
    ) -> Value {
        if !ty.is_whole() {
            return Value::Opaque(roots);
        }
        if let Some(only) = roots.first().filter(|_| roots.len() == 1)
            && let Atom::Loaded(access, begin) = self.output.atoms.get(*only).clone()
        {
            let begin = begin.saturating_add(at);
            return Value::Whole(self.atoms().formula(Atom::Loaded(access, begin)));
        }
        Value::Whole(self.unknown(UNFOLLOWED_NUMBERS, place, roots))
    }

    /// The first value where the condition holds, else the second.
    pub(super) fn select(&mut self, condition: &Condition, yes: Value, no: Value) -> Value {
        match condition.decided() {
            Some(true) => return yes,
            Some(false) => return no,
            None if yes == no => return yes,
            None => {}
        }
        match (yes, no) {
            (Value::Whole(yes), Value::Whole(no)) => {
                Value::Whole(self.select_number(condition, yes, no))
            }
            (Value::Pointer(yes), Value::Pointer(no)) => {
                let mut arrays = yes.arrays();
                arrays.extend(no.arrays());
                let is_known =
                    yes.array.is_some() && no.array.is_some() && self.are_interchangeable(&arrays);
                Value::Pointer(Pointer {
                    array: arrays.pop_first().filter(|_| is_known),
                    also: arrays,
                    ..Pointer::unknown(
                        self.select_number(condition, yes.offset, no.offset),
                        yes.element.min(no.element),
                    )
                })
            }
            (Value::Parts(yes), Value::Parts(no)) => {
                let places: BTreeSet<u64> = yes.keys().chain(no.keys()).copied().collect();
                let mut parts = BTreeMap::new();
                for at in places {
                    let at_byte = |parts: &BTreeMap<u64, Value>| {
                        parts.get(&at).cloned().unwrap_or_else(Value::nothing)
                    };
                    let part = self.select(condition, at_byte(&yes), at_byte(&no));
                    parts.insert(at, part);
                }
                Value::Parts(parts)
            }
            (yes, no) => {
                let roots = &yes.roots() | &no.roots();
                Value::Opaque(&roots | &condition.atoms())
            }
        }
    }

    fn select_number(
        &mut self,
        condition: &Condition,
        yes: Polynomial,
        no: Polynomial,
    ) -> Polynomial {
        if yes == no {
            return yes;
        }
        self.atoms()
            .formula(Atom::Select(Box::new(condition.clone()), yes, no))
    }
}
