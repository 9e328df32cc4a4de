//! From one index to several: `row * width + column` is `[row][column]`.

use std::collections::BTreeMap;

use super::{
    atom::{Atom, Atoms, Id, without},
    polynomial::{AtomId, Polynomial},
};

/// Strides beside 1.
const MOST: usize = 2;
/// Formulas in formulas.
const DEEPEST: usize = 4;

/// Subscripts and strides, outermost first, the last stride 1. What ids and loop variables are multiplied by are the
/// strides, where it is a formula of scalar arguments and sizes, and each goes into the next. Where they do not, it is
/// one dimension.
pub(super) fn delinearised(
    index: &Polynomial,
    atoms: &Atoms,
) -> (Vec<Polynomial>, Vec<Polynomial>) {
    several(index, atoms).unwrap_or_else(|| (vec![index.clone()], vec![Polynomial::constant(1)]))
}

fn several(index: &Polynomial, atoms: &Atoms) -> Option<(Vec<Polynomial>, Vec<Polynomial>)> {
    let is_size = |atom: &AtomId| is_size(*atom, atoms, DEEPEST);
    // By what varies: what it is multiplied by.
    let mut by: BTreeMap<Vec<AtomId>, Polynomial> = BTreeMap::new();
    for (factors, number) in index.terms() {
        let (sizes, varying): (Vec<AtomId>, Vec<AtomId>) =
            factors.iter().partition(|it| is_size(it));
        let own = by.entry(varying).or_default();
        *own = own.plus(&Polynomial::from_terms([(sizes, number)])?)?;
    }
    let mut strides: Vec<Polynomial> = Vec::new();
    for (varying, factor) in &by {
        if varying.is_empty() || factor.as_constant().is_some() {
            continue;
        }
        let stride = without_number(factor)?;
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
    strides.sort_by_key(|stride| (degree(stride), stride.terms().count()));
    let goes_into = |pair: &[Polynomial]| {
        divided(&pair[1], &pair[0]).is_some_and(|(_, rest)| rest == Polynomial::default())
    };
    if strides.is_empty() || strides.len() > MOST || !strides.windows(2).all(goes_into) {
        return None;
    }
    strides.reverse();
    let mut subscripts = vec![Polynomial::default(); strides.len() + 1];
    for (varying, factor) in by {
        let varying = Polynomial::from_terms([(varying, 1)])?;
        let mut rest = factor;
        for (stride, subscript) in strides.iter().zip(&mut subscripts) {
            let (quotient, remainder) = divided(&rest, stride)?;
            *subscript = subscript.plus(&quotient.times(&varying)?)?;
            rest = remainder;
        }
        let last = subscripts.last_mut()?;
        *last = last.plus(&rest.times(&varying)?)?;
    }
    strides.push(Polynomial::constant(1));
    Some((subscripts, strides))
}

/// Whether scalar arguments and sizes alone decide it, as of `n / 4`.
fn is_size(atom: AtomId, atoms: &Atoms, left: usize) -> bool {
    match atoms.get(atom) {
        Atom::Scalar(..) => true,
        Atom::Id(id, _) => matches!(id, Id::GlobalSize | Id::LocalSize | Id::Groups),
        Atom::Operation(_, of) if left > 0 => {
            let mut parts = of.iter().flat_map(Polynomial::atoms);
            parts.all(|part| is_size(part, atoms, left - 1))
        }
        _ => false,
    }
}

fn degree(of: &Polynomial) -> usize {
    of.terms()
        .map(|(factors, _)| factors.len())
        .max()
        .unwrap_or_default()
}

/// Divided by the number that goes into all of it, and not negative at its largest term.
fn without_number(of: &Polynomial) -> Option<Polynomial> {
    let (mut greatest, mut by) = (0_u64, 1);
    for (_, number) in of.terms() {
        let (mut a, mut b) = (greatest, number.unsigned_abs());
        while b > 0 {
            (a, b) = (b, a % b);
        }
        greatest = a;
    }
    if leading(of)?.1 < 0 {
        by = -1;
    }
    of.divided(i64::try_from(greatest).ok()?.checked_mul(by)?)
}

/// The term with the most factors.
fn leading(of: &Polynomial) -> Option<(&[AtomId], i64)> {
    of.terms()
        .max_by_key(|(factors, _)| (factors.len(), *factors))
}

/// Quotient and remainder, by the divisor's leading term.
fn divided(dividend: &Polynomial, divisor: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    let (factors, number) = leading(divisor)?;
    let (mut quotient, mut rest) = (Polynomial::default(), dividend.clone());
    // Each step takes a term away; it may bring smaller ones.
    for _ in 0..64 {
        let next = rest
            .terms()
            .filter(|(own, by)| by % number == 0 && without(own, factors).is_some())
            .last();
        let Some((own, by)) = next else {
            return Some((quotient, rest));
        };
        let step = Polynomial::from_terms([(without(own, factors)?, by.checked_div(number)?)])?;
        rest = rest.minus(&step.times(divisor)?)?;
        quotient = quotient.plus(&step)?;
    }
    None
}

/// Of an array that is declared with these lengths.
pub(super) fn strides(lengths: &[u64]) -> Vec<Polynomial> {
    let mut stride = 1_i64;
    let mut strides = Vec::new();
    for length in lengths.iter().rev() {
        strides.push(Polynomial::constant(stride));
        stride = stride.saturating_mul(i64::try_from(*length).unwrap_or(i64::MAX));
    }
    strides.reverse();
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Atoms x, y, z, w(idth), h(eight).
    fn atoms() -> (Atoms, [Polynomial; 5]) {
        let mut atoms = Atoms::default();
        let mut id = |dimension| atoms.of(Atom::Id(Id::Global, dimension));
        let (x, y, z) = (id(0), id(1), id(2));
        let mut scalar = |parameter| atoms.of(Atom::Scalar(parameter, 0, 4, true));
        let (w, h) = (scalar(0), scalar(1));
        (atoms, [x, y, z, w, h])
    }

    fn sum(of: &[&Polynomial]) -> Polynomial {
        of.iter().fold(Polynomial::default(), |sum, it| {
            sum.plus(it).expect("small")
        })
    }

    #[test]
    fn padded_rows_and_planes_are_found() {
        let (atoms, [x, y, z, w, h]) = atoms();
        let (one, two) = (Polynomial::constant(1), Polynomial::constant(2));
        let times = |a: &Polynomial, b: &Polynomial| a.times(b).expect("small");
        // (y - 1) * (w + 2) + x - 1
        let row = sum(&[&y, &one.scaled(-1).expect("small")]);
        let column = sum(&[&x, &one.scaled(-1).expect("small")]);
        let width = sum(&[&w, &two]);
        let index = sum(&[&times(&row, &width), &column]);
        assert_eq!(
            delinearised(&index, &atoms),
            (vec![row, column.clone()], vec![width.clone(), one.clone()])
        );
        // (z * (h + 2) + y + 1) * (w + 2) + x - 1
        let height = sum(&[&h, &two]);
        let middle = sum(&[&y, &one]);
        let index = sum(&[
            &times(&sum(&[&times(&z, &height), &middle]), &width),
            &column,
        ]);
        let (subscripts, strides) = delinearised(&index, &atoms);
        assert_eq!(subscripts, [z, middle, column]);
        assert_eq!(strides, [times(&height, &width), width, one]);
    }
}
