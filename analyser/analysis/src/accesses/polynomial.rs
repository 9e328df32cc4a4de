//! Integer polynomials: sums of products of atoms, each with a whole number.

use std::collections::{BTreeMap, BTreeSet};

/// An atom's place in [`super::Atoms`].
pub(crate) type AtomId = usize;

/// The most terms of a polynomial: no index that a person writes has more.
const MOST_TERMS: usize = 64;
/// The most factors of a term.
const MOST_FACTORS: usize = 8;

/// A sum of terms: products of atoms (sorted, repeated for powers), times a number that is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Vec<AtomId>, i64>,
}

impl Polynomial {
    pub(crate) fn constant(value: i64) -> Self {
        let mut terms = BTreeMap::new();
        if value != 0 {
            terms.insert(Vec::new(), value);
        }
        Self { terms }
    }

    pub(crate) fn atom(atom: AtomId) -> Self {
        Self {
            terms: BTreeMap::from([(vec![atom], 1)]),
        }
    }

    /// The sum of terms; none where it is too large.
    pub(crate) fn from_terms(terms: impl IntoIterator<Item = (Vec<AtomId>, i64)>) -> Option<Self> {
        let mut sum = Self::default();
        for (factors, number) in terms {
            sum.add_term(factors, number)?;
        }
        Some(sum)
    }

    /// Terms, each as its factors and its number; the constant term comes first.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (&[AtomId], i64)> {
        self.terms
            .iter()
            .map(|(factors, number)| (factors.as_slice(), *number))
    }

    /// The number that the polynomial is, where it is one.
    pub(crate) fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The atom that the polynomial is, where it is one.
    pub(crate) fn as_atom(&self) -> Option<AtomId> {
        let mut terms = self.terms();
        match (terms.next(), terms.next()) {
            (Some(([atom], 1)), None) => Some(*atom),
            _ => None,
        }
    }

    pub(crate) fn constant_term(&self) -> i64 {
        self.terms.get(&Vec::new()).copied().unwrap_or_default()
    }

    pub(crate) fn atoms(&self) -> BTreeSet<AtomId> {
        self.terms.keys().flatten().copied().collect()
    }

    /// The sum; none where it is too large. The same holds for other results.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (factors, number) in &other.terms {
            sum.add_term(factors.clone(), *number)?;
        }
        Some(sum)
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.scaled(-1)?)
    }

    pub(crate) fn scaled(&self, by: i64) -> Option<Self> {
        let terms = self.terms.iter();
        Self::from_terms(
            terms
                .map(|(factors, number)| Some((factors.clone(), number.checked_mul(by)?)))
                .collect::<Option<Vec<_>>>()?,
        )
    }

    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for (left, by) in &self.terms {
            for (right, number) in &other.terms {
                let mut factors = [left.as_slice(), right].concat();
                factors.sort_unstable();
                product.add_term(factors, number.checked_mul(*by)?)?;
            }
        }
        Some(product)
    }

    /// The polynomial with other formulas in the place of its atoms.
    pub(crate) fn substituted(&self, mut by: impl FnMut(AtomId) -> Option<Self>) -> Option<Self> {
        let mut sum = Self::default();
        for (factors, number) in self.terms() {
            let mut term = Self::constant(number);
            for atom in factors {
                term = term.times(&by(*atom)?)?;
            }
            sum = sum.plus(&term)?;
        }
        Some(sum)
    }

    /// The quotient by a number; none where something remains.
    pub(crate) fn divided(&self, by: i64) -> Option<Self> {
        let terms = self.terms.iter().map(|(factors, number)| {
            let is_whole = number.checked_rem(by)? == 0;
            is_whole.then_some((factors.clone(), number.checked_div(by)?))
        });
        Self::from_terms(terms.collect::<Option<Vec<_>>>()?)
    }

    /// The greatest common divisor of this number and the numbers of all terms.
    pub(crate) fn greatest_divisor(&self, number: u64) -> u64 {
        self.terms.values().fold(number, |mut a, number| {
            let mut b = number.unsigned_abs();
            while b > 0 {
                (a, b) = (b, a % b);
            }
            a
        })
    }

    fn add_term(&mut self, factors: Vec<AtomId>, number: i64) -> Option<()> {
        if number == 0 {
            return Some(());
        }
        let sum = self.terms.get(&factors).copied().unwrap_or_default();
        match sum.checked_add(number)? {
            0 => {
                self.terms.remove(&factors);
            }
            sum => {
                if factors.len() > MOST_FACTORS || self.terms.len() >= MOST_TERMS {
                    return None;
                }
                self.terms.insert(factors, sum);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn value(polynomial: &Polynomial, atoms: &[i64]) -> i64 {
        let term_value = |(factors, number): (&[AtomId], i64)| {
            factors
                .iter()
                .fold(number, |product, atom| product * atoms[*atom])
        };
        polynomial.terms().map(term_value).sum()
    }

    fn polynomial() -> impl Strategy<Value = Polynomial> {
        let term = (vec(0_usize..3, 0..3), -9_i64..9);
        vec(term, 0..5).prop_map(|terms| {
            let sorted = terms.into_iter().map(|(mut factors, number)| {
                factors.sort_unstable();
                (factors, number)
            });
            Polynomial::from_terms(sorted).expect("small")
        })
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_the_values(
            left in polynomial(), right in polynomial(), atoms in [-20_i64..20, -20..20, -20..20]
        ) {
            let (l, r) = (value(&left, &atoms), value(&right, &atoms));
            prop_assert_eq!(value(&left.plus(&right).expect("small"), &atoms), l + r);
            prop_assert_eq!(value(&left.minus(&right).expect("small"), &atoms), l - r);
            prop_assert_eq!(value(&left.times(&right).expect("small"), &atoms), l * r);
            prop_assert_eq!(left.scaled(7).expect("small").divided(7), Some(left.clone()));
            prop_assert_eq!(left.minus(&left).and_then(|it| it.as_constant()), Some(0));
        }

        #[test]
        fn nothing_overflows(number in any::<i64>(), by in any::<i64>()) {
            let large = Polynomial::constant(number);
            let _ = (large.times(&Polynomial::constant(by)), large.scaled(by), large.divided(by));
            let _ = (large.plus(&Polynomial::constant(by)), large.minus(&Polynomial::constant(by)));
        }
    }
}
