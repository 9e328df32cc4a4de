//! Variables that go back and forth between two values from iteration to iteration, as pointers that a loop swaps.

use super::{
    Accesses,
    atom::{Atom, Atoms, Operation},
    polynomial::{AtomId, Polynomial},
};

/// A carried variable that alternates: after two iterations of its loop it is what it was.
pub(super) struct Alternation {
    pub(super) first: Polynomial,
    pub(super) other: Other,
}

/// The variable's value after an odd number of iterations.
pub(super) enum Other {
    /// This sum less the first value.
    Sum(Polynomial),
    /// The first value with these bits flipped.
    Bits(Polynomial),
    /// The first value of the variable that it is swapped with.
    Swap(Polynomial),
}

/// How a carried variable alternates; none where it changes in another way.
pub(super) fn alternation(atoms: &Atoms, carried: usize) -> Option<Alternation> {
    let entry = &atoms.carried[carried];
    let (first, next) = (entry.first.as_ref()?, entry.next.as_ref()?);
    let is_own = |atom: &AtomId| atoms.get(*atom) == &Atom::Carried(carried);
    let is_fixed = |formula: &Polynomial| {
        let is_fixed = |atom: &AtomId| match atoms.get(*atom) {
            Atom::Id(..) | Atom::Scalar(..) => true,
            // The variable of a loop around its own.
            Atom::Loop(around) => *around < entry.around,
            _ => false,
        };
        formula.atoms().iter().all(is_fixed)
    };
    let with = |other: Other| Alternation {
        first: first.clone(),
        other,
    };
    if !is_fixed(first) {
        return None;
    }
    if let Some(own) = next.atoms().into_iter().find(is_own) {
        let sum = next.plus(&Polynomial::atom(own))?;
        return is_fixed(&sum).then(|| with(Other::Sum(sum.clone())));
    }
    let atom = atoms.get(next.as_atom()?);
    if let Atom::Carried(partner) = atom {
        let partner = &atoms.carried[*partner];
        let other = partner.first.as_ref().filter(|other| is_fixed(other))?;
        let back = partner.next.as_ref()?;
        let is_back = back.atoms().iter().all(is_own)
            && back.as_constant().is_none()
            && back.terms().count() == 1;
        return is_back.then(|| with(Other::Swap(other.clone())));
    }
    let Atom::Operation(Operation::Xor, both) = atom else {
        return None;
    };
    let [left, right] = both.as_slice() else {
        return None;
    };
    let is_itself = |it: &Polynomial| it.atoms().iter().any(is_own) && it.terms().count() == 1;
    match (is_itself(left), is_itself(right)) {
        (true, false) if is_fixed(right) => Some(with(Other::Bits(right.clone()))),
        (false, true) if is_fixed(left) => Some(with(Other::Bits(left.clone()))),
        _ => None,
    }
}

impl Accesses {
    /// The two values of a variable that a loop swaps with another.
    pub(crate) fn swap_values(&self, carried: usize) -> Option<[Polynomial; 2]> {
        let Alternation { first, other } = alternation(&self.atoms, carried)?;
        match other {
            Other::Swap(other) => Some([first, other]),
            _ => None,
        }
    }
}
