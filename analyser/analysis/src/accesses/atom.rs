//! Atoms: the numbers that polynomials are made of, and conditions on them.

use std::collections::{BTreeSet, HashMap};

use super::{
    calculation::Calculation,
    polynomial::{AtomId, Polynomial},
};
use crate::ast::{Kind, Place, Scalar};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Atom {
    /// A work-item's id or a size of the launch, of this dimension.
    Id(Id, u8),
    /// A number passed by value: the parameter, the bytes into it, its size and whether it has a sign.
    Scalar(usize, u64, u8, bool),
    /// A loop's variable; for a loop without one, the number of its iterations, from 0.
    Loop(usize),
    /// A floating-point number without its fraction, in this many bytes, with or without a sign.
    Cut(Real, u8, bool),
    /// Arithmetic that is no polynomial.
    Operation(Operation, Vec<Polynomial>),
    /// A choice: the first value if the condition holds, else the second.
    Select(Box<Condition>, Polynomial, Polynomial),
    /// A value that an access read, this many bytes into it.
    Loaded(usize, u64),
    /// The value of a variable at the beginning of an iteration: a number of [`Carried`].
    Carried(usize),
    /// A value that is not followed: a number of [`Computed`].
    Computed(usize),
}

/// The numbers that a launch gives every work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Id {
    Global,
    Local,
    Group,
    GlobalSize,
    LocalSize,
    Groups,
    Dimensions,
}

/// Operations of whole numbers, as C has them. They have no value here where C leaves them undefined, as a division by
/// zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Operation {
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Minimum,
    Maximum,
    /// A cut to this many bytes, with or without a sign.
    Wrap(u8, bool),
}

/// The condition on which something happens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Condition {
    AtLeastZero(Polynomial),
    Zero(Polynomial),
    NotZero(Polynomial),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// A condition that is not followed; it depends on these atoms.
    Opaque(BTreeSet<AtomId>),
}

/// A variable that a loop changes in another way than by a step.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub(crate) name: String,
    pub(crate) around: usize,
    /// Its value before the first iteration, where that is a whole number.
    pub(crate) first: Option<Polynomial>,
    /// Its value after an iteration, as a formula of the one before the iteration; where that is a whole number.
    pub(crate) next: Option<Polynomial>,
    pub(crate) roots: BTreeSet<AtomId>,
}

/// A value that is not followed.
#[derive(Clone, Debug)]
pub(crate) struct Computed {
    pub(crate) reason: String,
    pub(crate) place: Place,
    pub(crate) roots: BTreeSet<AtomId>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms {
    all: Vec<Atom>,
    ids: HashMap<Atom, AtomId>,
    pub(super) carried: Vec<Carried>,
    pub(super) computed: Vec<Computed>,
}

/// A floating-point number that the text and the launch decide.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Real {
    /// A constant, as the bits of a `double`: these can be compared.
    Number(u64),
    /// An argument passed by value: the parameter, the bytes into it and its size.
    Argument(usize, u64, u8),
    /// A whole number that is passed by value, or a size of the launch.
    Whole(Box<Atom>),
    /// A step of a calculation with its operands.
    Step(Calculation, Vec<Real>),
}

impl Real {
    /// Number of constants, arguments and steps in it.
    pub(super) fn parts(&self) -> usize {
        match self {
            Self::Step(_, operands) => 1 + operands.iter().map(Self::parts).sum::<usize>(),
            _ => 1,
        }
    }
}

impl Atoms {
    /// The atom's number; the same atom always has the same.
    pub(crate) fn id(&mut self, atom: Atom) -> AtomId {
        if let Some(id) = self.ids.get(&atom) {
            return *id;
        }
        self.all.push(atom.clone());
        self.ids.insert(atom, self.all.len() - 1);
        self.all.len() - 1
    }

    pub(crate) fn formula(&mut self, atom: Atom) -> Polynomial {
        Polynomial::atom(self.id(atom))
    }

    pub(crate) fn get(&self, id: AtomId) -> &Atom {
        &self.all[id]
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// A new atom for a value that is not followed.
    pub(crate) fn computed(
        &mut self,
        reason: &str,
        place: &Place,
        roots: BTreeSet<AtomId>,
    ) -> Polynomial {
        self.computed.push(Computed {
            reason: reason.to_owned(),
            place: place.clone(),
            roots,
        });
        self.formula(Atom::Computed(self.computed.len() - 1))
    }

    /// The operation of these operands, simplified where that is easy.
    pub(crate) fn operation(
        &mut self,
        operation: Operation,
        operands: Vec<Polynomial>,
    ) -> Polynomial {
        let numbers: Option<Vec<i64>> = operands.iter().map(Polynomial::as_constant).collect();
        if let Some(value) = numbers.and_then(|numbers| operation.apply(&numbers)) {
            return Polynomial::constant(value);
        }
        let simple = match (operation, operands.as_slice()) {
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
        simple.unwrap_or_else(|| self.formula(Atom::Operation(operation, operands)))
    }
}

fn power(by: &Polynomial) -> Option<i64> {
    let by = u32::try_from(by.as_constant()?).ok()?;
    (by < 62).then(|| 1 << by)
}

/// The quotient by a number, or by a product that all terms have; none where something remains.
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

/// `factors` without those of `removed`; none where it lacks one.
pub(super) fn without(factors: &[AtomId], removed: &[AtomId]) -> Option<Vec<AtomId>> {
    let mut rest = factors.to_vec();
    for factor in removed {
        rest.remove(rest.iter().position(|it| it == factor)?);
    }
    Some(rest)
}

impl Operation {
    pub(crate) fn apply(self, values: &[i64]) -> Option<i64> {
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

/// The number that `bytes` bytes hold of `value`.
pub(crate) fn wrapped(value: i64, bytes: u8, signed: bool) -> i64 {
    if bytes >= 8 {
        return value;
    }
    let unused = 64 - 8 * u32::from(bytes.max(1));
    if signed {
        (value << unused) >> unused
    } else {
        ((value.cast_unsigned() << unused) >> unused).cast_signed()
    }
}

/// The number that a type holds of `value`, as [`wrapped`].
pub(crate) fn wrapped_to(value: i64, scalar: Scalar) -> i64 {
    match scalar.kind {
        Kind::Bool => i64::from(value != 0),
        kind => wrapped(value, scalar.bytes, kind == Kind::Signed),
    }
}

/// Whether all hold; none where that is not known. A single one that does not hold decides.
pub(super) fn all_hold(each: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for holds in each {
        match holds {
            Some(true) => {}
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

impl Condition {
    pub(crate) fn negated(&self) -> Self {
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

    /// Whether the condition holds, where that needs no values of atoms.
    pub(crate) fn decided(&self) -> Option<bool> {
        match self {
            Self::AtLeastZero(it) => Some(it.as_constant()? >= 0),
            Self::Zero(it) => Some(it.as_constant()? == 0),
            Self::NotZero(it) => Some(it.as_constant()? != 0),
            Self::All(all) => all_hold(all.iter().map(Self::decided)),
            Self::Any(_) => self.negated().decided().map(|it| !it),
            Self::Opaque(_) => None,
        }
    }

    pub(crate) fn atoms(&self) -> BTreeSet<AtomId> {
        match self {
            Self::AtLeastZero(it) | Self::Zero(it) | Self::NotZero(it) => it.atoms(),
            Self::All(all) | Self::Any(all) => all.iter().flat_map(Self::atoms).collect(),
            Self::Opaque(roots) => roots.clone(),
        }
    }

    /// Whether part of the condition can't be told from ids, loops and arguments.
    pub(crate) fn is_opaque(&self) -> bool {
        match self {
            Self::Opaque(_) => true,
            Self::All(all) | Self::Any(all) => all.iter().any(Self::is_opaque),
            _ => false,
        }
    }
}
