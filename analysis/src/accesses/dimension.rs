//! From one index to several: `row * width + column` is `[row][column]`.

use super::{
    atom::{Atom, Atoms, Id, without},
    polynomial::{AtomId, Polynomial},
};

/// Strides beside 1.
const MOST: usize = 2;

/// Subscripts and strides, outermost first, the last stride 1: terms with the same product of scalar arguments and
/// sizes belong together, where these products divide each other. Where they do not, it is one dimension.
pub(super) fn delinearised(index: &Polynomial, atoms: &Atoms) -> (Vec<Polynomial>, Vec<Polynomial>) {
    let one = || (vec![index.clone()], vec![Polynomial::constant(1)]);
    let is_size = |atom: &AtomId| match atoms.get(*atom) {
        Atom::Scalar(..) => true,
        Atom::Id(id, _) => matches!(id, Id::GlobalSize | Id::LocalSize | Id::Groups),
        _ => false,
    };
    let mut strides: Vec<Vec<AtomId>> = Vec::new();
    for (factors, _) in index.terms() {
        let (sizes, rest): (Vec<AtomId>, Vec<AtomId>) = factors.iter().partition(|it| is_size(it));
        if !rest.is_empty() && !sizes.is_empty() && !strides.contains(&sizes) {
            strides.push(sizes);
        }
    }
    strides.sort_by_key(Vec::len);
    let nested = strides.windows(2).all(|pair| without(&pair[1], &pair[0]).is_some());
    if strides.is_empty() || strides.len() > MOST || !nested {
        return one();
    }
    strides.insert(0, Vec::new());
    strides.reverse();
    let mut subscripts: Vec<Vec<(Vec<AtomId>, i64)>> = vec![Vec::new(); strides.len()];
    for (factors, number) in index.terms() {
        let mut fitting = strides.iter().zip(&mut subscripts);
        let fit = fitting.find_map(|(stride, terms)| Some((without(factors, stride)?, terms)));
        if let Some((rest, terms)) = fit {
            terms.push((rest, number));
        }
    }
    let subscripts: Option<Vec<Polynomial>> = subscripts.into_iter().map(Polynomial::from_terms).collect();
    let strides: Option<Vec<Polynomial>> =
        strides.into_iter().map(|factors| Polynomial::from_terms([(factors, 1)])).collect();
    subscripts.zip(strides).unwrap_or_else(one)
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
