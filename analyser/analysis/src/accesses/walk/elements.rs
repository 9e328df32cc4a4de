//! From bytes to elements.

use std::collections::BTreeMap;

use crate::accesses::{
    AtomId, Operation, Polynomial,
    atom::{Atom, Atoms},
};

/// The index of an access of so many bytes, the bytes of an element, and those into it: of the first size by which all
/// of its places lie in one element, or begin with one; else of the largest by which they begin with one.
pub(super) fn counted(
    atoms: &mut Atoms,
    offset: &Polynomial,
    bytes: u64,
    sizes: [u64; 2],
) -> (Polynomial, u64, u64) {
    for size in sizes {
        let Some(step) = i64::try_from(size).ok().filter(|size| *size > 0) else {
            continue;
        };
        let within = offset.constant_term().rem_euclid(step);
        let is_one = within == 0 || within.unsigned_abs().saturating_add(bytes) <= size;
        let begin = offset.minus(&Polynomial::constant(within));
        let begin = begin.filter(|_| is_one);
        if let Some(index) = begin.and_then(|begin| divided(atoms, &begin, step)) {
            return (index, size, within.unsigned_abs());
        }
    }
    let size = offset.greatest_divisor(sizes[0]);
    let index = i64::try_from(size)
        .ok()
        .and_then(|size| offset.divided(size));
    index.map_or_else(|| (offset.clone(), 1, 0), |index| (index, size, 0))
}

/// Bytes that a launch passes, or that a pointer was moved by, are taken to be whole elements, as C asks for: what
/// `y * pitch` is, is `pitch / 4` times `y`.
fn divided(atoms: &mut Atoms, of: &Polynomial, by: i64) -> Option<Polynomial> {
    let mut index = Polynomial::default();
    let mut passed: BTreeMap<Vec<AtomId>, Polynomial> = BTreeMap::new();
    for (factors, number) in of.terms() {
        let term = Polynomial::from_terms([(factors.to_vec(), number)])?;
        if let Some(whole) = term.divided(by) {
            index = index.plus(&whole)?;
            continue;
        }
        let is_told = |atom: &AtomId| {
            matches!(
                atoms.get(*atom),
                Atom::Id(..) | Atom::Loop(_) | Atom::Operation(..)
            )
        };
        let (told, bytes): (Vec<AtomId>, Vec<AtomId>) = factors.iter().partition(|it| is_told(it));
        if bytes.is_empty() {
            return None;
        }
        let sum = passed.entry(told).or_default();
        *sum = sum.plus(&Polynomial::from_terms([(bytes, number)])?)?;
    }
    for (told, bytes) in passed {
        let whole = atoms.operation(Operation::Divide, vec![bytes, Polynomial::constant(by)]);
        index = index.plus(&whole.times(&Polynomial::from_terms([(told, 1)])?)?)?;
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accesses::Id;

    #[test]
    fn elements_are_those_of_the_access_where_it_begins_with_one() {
        let mut atoms = Atoms::default();
        let x = atoms.of(Atom::Id(Id::Global, 0));
        let y = atoms.of(Atom::Id(Id::Global, 1));
        let pitch = atoms.of(Atom::Scalar(0, 0, 4, false));
        let bytes = |by: i64, more: i64| {
            let sum = x.scaled(by).expect("small");
            sum.plus(&Polynomial::constant(more)).expect("small")
        };
        let mut of = |offset: &Polynomial, bytes, sizes| counted(&mut atoms, offset, bytes, sizes);
        let alone = |index: i64| Polynomial::constant(index);
        assert_eq!(of(&bytes(16, 0), 16, [16, 4]), (x.clone(), 16, 0));
        // A component, and numbers that lie in two vectors.
        assert_eq!(of(&bytes(16, 8), 4, [16, 4]), (x.clone(), 16, 8));
        let four = x.scaled(4).expect("small");
        let apart = four.plus(&alone(3)).expect("small");
        assert_eq!(of(&bytes(16, 12), 16, [16, 4]), (apart, 4, 0));
        // Side by side, of a buffer of vectors.
        assert_eq!(of(&bytes(4, 0), 16, [16, 16]), (x.clone(), 4, 0));
        let row = y
            .times(&pitch)
            .expect("small")
            .plus(&bytes(4, 0))
            .expect("small");
        let (index, size, within) = of(&row, 4, [4, 1]);
        let passed = atoms.operation(Operation::Divide, vec![pitch, alone(4)]);
        let row = y.times(&passed).expect("small").plus(&x).expect("small");
        assert_eq!((index, size, within), (row, 4, 0));
    }
}
