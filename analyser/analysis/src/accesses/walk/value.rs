//! What an expression is worth.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    accesses::{
        AtomId, Polynomial, Real,
        atom::{Atom, Condition},
    },
    ast::{Place, Type, VariableId},
};

use super::Walker;

/// What an expression is worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A whole number.
    Whole(Polynomial),
    /// One with a point that the text and the launch decide.
    Real(Real),
    /// Anything else, of these atoms.
    Opaque(BTreeSet<AtomId>),
    /// Into an array.
    Pointer(Pointer),
    /// To a variable, so many bytes in.
    Address(VariableId, u64),
    /// To somewhere in a variable, by these atoms.
    Within(VariableId, BTreeSet<AtomId>),
    /// Numbers of a vector or a structure, by the byte that they begin at; never parts of parts.
    Parts(BTreeMap<u64, Value>),
}

/// Into an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pointer {
    /// None where it is not known.
    pub(super) array: Option<usize>,
    /// Other arrays that it may be into instead.
    pub(super) also: BTreeSet<usize>,
    /// Bytes from its beginning.
    pub(super) offset: Polynomial,
    /// Bytes of what it counts: the array's elements, those of a field, or what it was turned to.
    pub(super) element: u64,
    /// The index by the dimensions of the text, as far as they were gone through.
    pub(super) subscripts: Vec<Subscript>,
    /// Fields that it went into since, with a point before each.
    pub(super) field: String,
}

/// A dimension of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subscript {
    pub(super) index: Polynomial,
    /// Bytes of a step.
    pub(super) bytes: u64,
    /// The fields before it.
    pub(super) field: String,
}

impl Pointer {
    /// The beginning of an array of such elements.
    pub(super) fn to(array: usize, element: u64) -> Self {
        Self {
            array: Some(array),
            ..Self::lost(Polynomial::default(), element)
        }
    }

    /// Nobody knows into which array.
    pub(super) fn lost(offset: Polynomial, element: u64) -> Self {
        Self {
            array: None,
            also: BTreeSet::new(),
            offset,
            element,
            subscripts: Vec::new(),
            field: String::new(),
        }
    }

    /// Goes on through a dimension, from its first element.
    pub(super) fn enter(&mut self, bytes: u64) {
        self.subscripts.push(Subscript {
            index: Polynomial::default(),
            bytes,
            field: std::mem::take(&mut self.field),
        });
    }
}

/// Adds what lies `at` bytes in.
pub(super) fn put(parts: &mut BTreeMap<u64, Value>, at: u64, value: Value) {
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
    pub(super) fn nothing() -> Self {
        Self::Opaque(BTreeSet::new())
    }

    /// Atoms that it is made of.
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

impl Pointer {
    /// Arrays that it may be into.
    pub(super) fn arrays(&self) -> BTreeSet<usize> {
        self.array.iter().chain(&self.also).copied().collect()
    }
}

impl Walker<'_> {
    /// Whether one pointer can be into any of them, with the same index.
    pub(super) fn are_alike(&self, arrays: &BTreeSet<usize>) -> bool {
        let mut kinds = arrays.iter().map(|array| {
            let array = &self.found.arrays[*array];
            (array.space, array.element_bytes)
        });
        let first = kinds.next();
        kinds.all(|kind| Some(kind) == first)
    }

    /// The value as a whole number.
    pub(super) fn whole(&mut self, value: Value, place: &Place) -> Polynomial {
        match value {
            Value::Whole(value) => value,
            Value::Opaque(roots) => {
                self.unknown("made from numbers that are not followed", place, roots)
            }
            other => {
                let roots = other.roots();
                self.unknown("no whole number", place, roots)
            }
        }
    }

    /// What lies so many bytes into a value.
    pub(super) fn part(&mut self, value: &Value, at: u64, of: &Type, place: &Place) -> Value {
        match (value, of) {
            (Value::Parts(parts), Type::Vector(..) | Type::Record(_)) => {
                let end = at.saturating_add(of.bytes().unwrap_or_default());
                let within = parts.range(at..end);
                Value::Parts(within.map(|(own, part)| (own - at, part.clone())).collect())
            }
            (Value::Parts(parts), _) => match parts.get(&at).cloned() {
                Some(part) => self.part(&part, 0, of, place),
                None => Value::nothing(),
            },
            // A union's bits may be those of another number.
            (Value::Whole(_), _) if at == 0 && of.is_whole() => value.clone(),
            (Value::Real(_), _) if at == 0 && !of.is_whole() => value.clone(),
            (Value::Pointer(_) | Value::Address(..) | Value::Within(..), _) if at == 0 => {
                value.clone()
            }
            (other, _) => self.opaque(other.roots(), at, of, place),
        }
    }

    /// A part of what is not followed; of what a single access read it is a number by itself.
    fn opaque(&mut self, roots: BTreeSet<AtomId>, at: u64, of: &Type, place: &Place) -> Value {
        if !of.is_whole() {
            return Value::Opaque(roots);
        }
        if let Some(only) = roots.first().filter(|_| roots.len() == 1)
            && let Atom::Loaded(access, begin) = self.found.atoms.get(*only).clone()
        {
            let begin = begin.saturating_add(at);
            return Value::Whole(self.atoms().of(Atom::Loaded(access, begin)));
        }
        Value::Whole(self.unknown("made from numbers that are not followed", place, roots))
    }

    /// One value or the other.
    pub(super) fn either(&mut self, condition: &Condition, yes: Value, no: Value) -> Value {
        match condition.decided() {
            Some(true) => return yes,
            Some(false) => return no,
            None if yes == no => return yes,
            None => {}
        }
        match (yes, no) {
            (Value::Whole(yes), Value::Whole(no)) => Value::Whole(self.select(condition, yes, no)),
            (Value::Pointer(yes), Value::Pointer(no)) => {
                let mut arrays = yes.arrays();
                arrays.extend(no.arrays());
                let is_known = yes.array.is_some() && no.array.is_some() && self.are_alike(&arrays);
                Value::Pointer(Pointer {
                    array: arrays.pop_first().filter(|_| is_known),
                    also: arrays,
                    ..Pointer::lost(
                        self.select(condition, yes.offset, no.offset),
                        yes.element.min(no.element),
                    )
                })
            }
            (Value::Parts(yes), Value::Parts(no)) => {
                let places: BTreeSet<u64> = yes.keys().chain(no.keys()).copied().collect();
                let mut parts = BTreeMap::new();
                for at in places {
                    let of = |all: &BTreeMap<u64, Value>| {
                        all.get(&at).cloned().unwrap_or_else(Value::nothing)
                    };
                    let part = self.either(condition, of(&yes), of(&no));
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

    fn select(&mut self, condition: &Condition, yes: Polynomial, no: Polynomial) -> Polynomial {
        if yes == no {
            return yes;
        }
        self.atoms()
            .of(Atom::Select(Box::new(condition.clone()), yes, no))
    }
}
