//! Converts offsets in bytes to indices in elements.

use std::collections::BTreeMap;

use crate::accesses::{
    AtomId, Operation, Polynomial,
    atom::{Atom, Atoms},
};

#[derive(Debug, PartialEq)]
pub(super) struct ElementIndex {
    pub(super) index: Polynomial,
    pub(super) element_bytes: u64,
    /// Bytes from the element's beginning.
    pub(super) within: u64,
}

/// The index of an access of this many bytes. Elements have the first of the sizes with which the access lies in one
/// element or begins with one; else the largest size with which it begins with one.
pub(super) fn element_index(
    atoms: &mut Atoms,
    offset: &Polynomial,
    bytes: u64,
    sizes: [u64; 2],
) -> ElementIndex {
    for size in sizes {
        let Some(step) = i64::try_from(size).ok().filter(|size| *size > 0) else {
            continue;
        };
        let within = offset.constant_term().rem_euclid(step);
        let is_one = within == 0 || within.unsigned_abs().saturating_add(bytes) <= size;
        let begin = offset.minus(&Polynomial::constant(within));
        let begin = begin.filter(|_| is_one);
        if let Some(index) = begin.and_then(|begin| divide_bytes(atoms, &begin, step)) {
            return ElementIndex {
                index,
                element_bytes: size,
                within: within.unsigned_abs(),
            };
        }
    }
    let size = offset.greatest_divisor(sizes[0]);
    let index = i64::try_from(size)
        .ok()
        .and_then(|size| offset.divided(size));
    let (index, element_bytes) = index.map_or_else(|| (offset.clone(), 1), |index| (index, size));
    ElementIndex {
        index,
        element_bytes,
        within: 0,
    }
}

/// Divides an offset by an element's bytes. Bytes that a launch passes, or by which a pointer was moved, are taken to
/// be whole elements, as C requires: `y * pitch` bytes are `y * (pitch / 4)` elements.
fn divide_bytes(atoms: &mut Atoms, offset: &Polynomial, by: i64) -> Option<Polynomial> {
    let mut index = Polynomial::default();
    let mut rest: BTreeMap<Vec<AtomId>, Polynomial> = BTreeMap::new();
    for (factors, number) in offset.terms() {
        let term = Polynomial::from_terms([(factors.to_vec(), number)])?;
        if let Some(whole) = term.divided(by) {
            index = index.plus(&whole)?;
            continue;
        }
        let counts_elements = |atom: &AtomId| {
            matches!(
                atoms.get(*atom),
                Atom::Id(..) | Atom::Loop(_) | Atom::Operation(..)
            )
        };
        let (elements, bytes): (Vec<AtomId>, Vec<AtomId>) =
            factors.iter().partition(|it| counts_elements(it));
        if bytes.is_empty() {
            return None;
        }
        let sum = rest.entry(elements).or_default();
        *sum = sum.plus(&Polynomial::from_terms([(bytes, number)])?)?;
    }
    for (elements, bytes) in rest {
        let whole = atoms.operation(Operation::Divide, vec![bytes, Polynomial::constant(by)]);
        index = index.plus(&whole.times(&Polynomial::from_terms([(elements, 1)])?)?)?;
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
        let x = atoms.formula(Atom::Id(Id::Global, 0));
        let y = atoms.formula(Atom::Id(Id::Global, 1));
        let pitch = atoms.formula(Atom::Scalar(0, 0, 4, false));
        let bytes = |by: i64, more: i64| {
            let sum = x.scaled(by).expect("small");
            sum.plus(&Polynomial::constant(more)).expect("small")
        };
        let mut element = |offset: &Polynomial, bytes, sizes| {
            let it = element_index(&mut atoms, offset, bytes, sizes);
            (it.index, it.element_bytes, it.within)
        };
        let alone = |index: i64| Polynomial::constant(index);
        assert_eq!(element(&bytes(16, 0), 16, [16, 4]), (x.clone(), 16, 0));
        // A component, and numbers that lie in two vectors.
        assert_eq!(element(&bytes(16, 8), 4, [16, 4]), (x.clone(), 16, 8));
        let four = x.scaled(4).expect("small");
        let apart = four.plus(&alone(3)).expect("small");
        assert_eq!(element(&bytes(16, 12), 16, [16, 4]), (apart, 4, 0));
        // Side by side, of a buffer of vectors.
        assert_eq!(element(&bytes(4, 0), 16, [16, 16]), (x.clone(), 4, 0));
        let row = y
            .times(&pitch)
            .expect("small")
            .plus(&bytes(4, 0))
            .expect("small");
        let (index, size, within) = element(&row, 4, [4, 1]);
        let passed = atoms.operation(Operation::Divide, vec![pitch, alone(4)]);
        let row = y.times(&passed).expect("small").plus(&x).expect("small");
        assert_eq!((index, size, within), (row, 4, 0));
    }
}
