//! What polynomials are of.

use std::collections::{BTreeSet, HashMap};

use super::{
    calculation::Calculation,
    polynomial::{AtomId, Polynomial},
};
use crate::ast::{Kind, Place, Scalar};

/// A number that an index may be made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A work-item's id or a size of the launch, of this dimension.
    Id(Id, u8),
    /// A number passed by value: the parameter, the bytes into it, its size and whether it has a sign.
    Scalar(usize, u64, u8, bool),
    /// A loop's variable, or of a loop without one its passes from 0.
    Loop(usize),
    /// A number with a point without what is behind it, as so many bytes hold it, with or without a sign.
    Cut(Real, u8, bool),
    /// Arithmetic that is no polynomial.
    Operation(Operation, Vec<Polynomial>),
    /// One or the other.
    Select(Box<Condition>, Polynomial, Polynomial),
    /// What an access read, so many bytes into it.
    Loaded(usize, u64),
    /// What a variable holds at the beginning of a pass of a loop, which is not its own.
    Carried(usize),
    /// What is not followed.
    Computed(usize),
}

/// What a launch gives every work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are OpenCL's")]
pub enum Id {
    Global,
    Local,
    Group,
    GlobalSize,
    LocalSize,
    Groups,
    Dimensions,
}

/// Of whole numbers, as C has it; what has no value (a division by zero) has none here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are C's")]
pub enum Operation {
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Minimum,
    Maximum,
    /// Cut to so many bytes, with or without a sign.
    Wrap(u8, bool),
}

/// When something happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// At least 0.
    AtLeastZero(Polynomial),
    /// 0.
    Zero(Polynomial),
    /// Not 0.
    NotZero(Polynomial),
    /// All of them.
    All(Vec<Condition>),
    /// Any of them.
    Any(Vec<Condition>),
    /// Not followed; of these atoms.
    Opaque(BTreeSet<AtomId>),
}

/// What a variable holds that a loop changes by more than a step.
#[derive(Clone, Debug)]
pub struct Carried {
    /// The variable.
    pub name: String,
    /// The loop.
    pub of: usize,
    /// Before the first pass, where it is a whole number.
    pub first: Option<Polynomial>,
    /// After a pass, of what it was before; the same.
    pub next: Option<Polynomial>,
    /// All that it may come from.
    pub roots: BTreeSet<AtomId>,
}

/// What is not followed.
#[derive(Clone, Debug)]
pub struct Computed {
    /// Why.
    pub reason: String,
    /// Where.
    pub place: Place,
    /// What it comes from.
    pub roots: BTreeSet<AtomId>,
}

/// All atoms of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    all: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    pub(super) carried: Vec<Carried>,
    pub(super) computed: Vec<Computed>,
}

/// A number with a point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Real {
    /// By its bits: these can be compared.
    Number(u64),
    /// Passed by value: the parameter, the bytes into it and its size.
    Argument(usize, u64, u8),
    /// A whole number that is passed by value, or a size of the launch.
    Whole(Box<Atom>),
    /// Calculated.
    Step(Calculation, Vec<Real>),
}

impl Real {
    /// Numbers and steps.
    pub(super) fn parts(&self) -> usize {
        match self {
            Self::Step(_, of) => 1 + of.iter().map(Self::parts).sum::<usize>(),
            _ => 1,
        }
    }
}

impl Atoms {
    /// The atom's number; the same atom always has the same.
    pub fn id(&mut self, atom: Atom) -> AtomId {
        if let Some(id) = self.ids.get(&atom) {
            return *id;
        }
        self.all.push(atom.clone());
        self.ids.insert(atom, self.all.len() - 1);
        self.all.len() - 1
    }

    /// An atom as a polynomial.
    pub fn of(&mut self, atom: Atom) -> Polynomial {
        Polynomial::atom(self.id(atom))
    }

    /// The atom of this number.
    pub fn get(&self, id: AtomId) -> &Atom {
        &self.all[id]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What is not followed, and why.
    pub fn computed(&mut self, reason: &str, place: &Place, roots: BTreeSet<AtomId>) -> Polynomial {
        self.computed.push(Computed {
            reason: reason.to_owned(),
            place: place.clone(),
            roots,
        });
        self.of(Atom::Computed(self.computed.len() - 1))
    }

    /// `operation` of these, simplified where that is simple.
    pub fn operation(&mut self, operation: Operation, of: Vec<Polynomial>) -> Polynomial {
        let numbers: Option<Vec<i64>> = of.iter().map(Polynomial::as_constant).collect();
        if let Some(value) = numbers.and_then(|numbers| operation.of(&numbers)) {
            return Polynomial::constant(value);
        }
        let simple = match (operation, of.as_slice()) {
            (Operation::Divide, [dividend, divisor]) => quotient(dividend, divisor),
            (Operation::Remainder, [dividend, divisor]) => {
                quotient(dividend, divisor).map(|_| Polynomial::default())
            }
            (Operation::ShiftLeft, [value, by]) => power(by).and_then(|by| value.scaled(by)),
            (Operation::ShiftRight, [value, by]) => power(by).and_then(|by| value.divided(by)),
            (Operation::Minimum | Operation::Maximum, [left, right]) if left == right => {
                Some(left.clone())
            }
            (Operation::Or | Operation::Xor, [value, none] | [none, value])
                if none.as_constant() == Some(0) =>
            {
                Some(value.clone())
            }
            (Operation::And, [_, none] | [none, _]) if none.as_constant() == Some(0) => {
                Some(Polynomial::default())
            }
            _ => None,
        };
        simple.unwrap_or_else(|| self.of(Atom::Operation(operation, of)))
    }
}

/// 2 to the power of a number.
fn power(by: &Polynomial) -> Option<i64> {
    let by = u32::try_from(by.as_constant()?).ok()?;
    (by < 62).then(|| 1 << by)
}

/// Where nothing remains: by a number, or by a product that all terms have.
fn quotient(dividend: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    if let Some(by) = divisor.as_constant() {
        return dividend.divided(by);
    }
    let mut terms = divisor.terms();
    let (factors, number) = terms.next()?;
    if terms.next().is_some() {
        return None;
    }
    let divided = dividend.divided(number)?;
    let terms = divided
        .terms()
        .map(|(own, number)| Some((without(own, factors)?, number)));
    Polynomial::from_terms(terms.collect::<Option<Vec<_>>>()?)
}

/// `factors` without those of `taken`; none where it lacks one.
pub(super) fn without(factors: &[AtomId], taken: &[AtomId]) -> Option<Vec<AtomId>> {
    let mut left = factors.to_vec();
    for factor in taken {
        left.remove(left.iter().position(|it| it == factor)?);
    }
    Some(left)
}

impl Operation {
    /// Its value.
    pub fn of(self, values: &[i64]) -> Option<i64> {
        Some(match (self, values) {
            (Self::Divide, [a, b]) => a.checked_div(*b)?,
            (Self::Remainder, [a, b]) => a.checked_rem(*b)?,
            (Self::And, [a, b]) => a & b,
            (Self::Or, [a, b]) => a | b,
            (Self::Xor, [a, b]) => a ^ b,
            (Self::ShiftLeft, [a, b]) => {
                a.checked_mul(1_i64.checked_shl(u32::try_from(*b).ok()?)?)?
            }
            (Self::ShiftRight, [a, b]) => a.checked_shr(u32::try_from(*b).ok()?)?,
            (Self::Minimum, [a, b]) => *a.min(b),
            (Self::Maximum, [a, b]) => *a.max(b),
            (Self::Wrap(bytes, signed), [a]) => wrapped(*a, bytes, signed),
            _ => return None,
        })
    }
}

/// The number that `bytes` bytes hold of it.
pub fn wrapped(value: i64, bytes: u8, signed: bool) -> i64 {
    if bytes >= 8 {
        return value;
    }
    let unused = 64 - 8 * u32::from(bytes.max(1));
    match signed {
        true => (value << unused) >> unused,
        false => ((value.cast_unsigned() << unused) >> unused).cast_signed(),
    }
}

/// As [`wrapped`], of a type.
pub fn wrapped_to(value: i64, of: Scalar) -> i64 {
    match of.kind {
        Kind::Bool => i64::from(value != 0),
        kind => wrapped(value, of.bytes, kind == Kind::Signed),
    }
}

/// Whether all hold, where that is known: one that does not is enough.
pub(super) fn all_hold(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for holds in each {
        match holds {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

impl Condition {
    /// Always so.
    pub fn always() -> Self {
        Self::All(Vec::new())
    }

    /// The opposite.
    pub fn negated(&self) -> Self {
        match self {
            Self::AtLeastZero(it) => {
                let opposite = it
                    .scaled(-1)
                    .and_then(|it| it.minus(&Polynomial::constant(1)));
                opposite.map_or_else(|| Self::Opaque(it.atoms()), Self::AtLeastZero)
            }
            Self::Zero(it) => Self::NotZero(it.clone()),
            Self::NotZero(it) => Self::Zero(it.clone()),
            Self::All(all) => Self::Any(all.iter().map(Self::negated).collect()),
            Self::Any(all) => Self::All(all.iter().map(Self::negated).collect()),
            Self::Opaque(roots) => Self::Opaque(roots.clone()),
        }
    }

    /// Whether it holds, where that needs no values.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Self::AtLeastZero(it) => Some(it.as_constant()? >= 0),
            Self::Zero(it) => Some(it.as_constant()? == 0),
            Self::NotZero(it) => Some(it.as_constant()? != 0),
            Self::All(all) => all_hold(all.iter().map(Self::decided)),
            Self::Any(_) => self.negated().decided().map(|it| !it),
            Self::Opaque(_) => None,
        }
    }

    /// Atoms in it.
    pub fn atoms(&self) -> BTreeSet<AtomId> {
        match self {
            Self::AtLeastZero(it) | Self::Zero(it) | Self::NotZero(it) => it.atoms(),
            Self::All(all) | Self::Any(all) => all.iter().flat_map(Self::atoms).collect(),
            Self::Opaque(roots) => roots.clone(),
        }
    }
}
