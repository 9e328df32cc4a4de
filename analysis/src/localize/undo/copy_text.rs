//! Elements of the source in the places of a tile's, as text.

use super::super::{formula::Formulas, subject::Subject, words::Words};
use crate::accesses::{Atom, Polynomial};

/// The place in the tile, by dimension, as an unknown of formulas: no access has this number.
pub(super) fn unknown(dimension: usize) -> Atom {
    Atom::Loaded(usize::MAX, dimension as u64)
}

/// `a[(get_group_id(1) * 16 + y) * n + start + k]`: the author's own subscripts in the place of the tile's.
pub(super) fn text(
    subject: Subject<'_>,
    formulas: &Formulas,
    array: usize,
    index: &Polynomial,
    subscripts: &[String],
) -> Option<String> {
    let words = Words {
        subject,
        formulas,
        sizes: [None, None, None],
        strips: Vec::new(),
    };
    let mut rest = index.clone();
    let mut parts = Vec::new();
    let mut order: Vec<(usize, Polynomial)> = Vec::new();
    for dimension in 0..subscripts.len() {
        let is_it = |atom: &usize| formulas.all.atoms.get(*atom) == &unknown(dimension);
        let own = rest
            .terms()
            .filter(|(factors, _)| factors.iter().any(is_it));
        let stride = own.map(|(factors, number)| {
            let others = factors.iter().filter(|it| !is_it(it)).copied();
            (others.collect::<Vec<_>>(), number)
        });
        let stride = Polynomial::from_terms(stride)?;
        let kept = rest
            .terms()
            .filter(|(factors, _)| !factors.iter().any(is_it));
        let kept = kept.map(|(factors, number)| (factors.to_vec(), number));
        rest = Polynomial::from_terms(kept.collect::<Vec<_>>())?;
        order.push((dimension, stride));
    }
    // Numbers last: all is a multiple of 1.
    order.sort_by_key(|(_, stride)| stride.as_constant() == Some(1));
    for (dimension, stride) in order {
        if stride.terms().next().is_none() {
            continue;
        }
        let (base, left) = divided(&rest, &stride)?;
        rest = left;
        let own = &subscripts[dimension];
        let is_word = own.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_alone = base.terms().next().is_none() && stride.as_constant() == Some(1);
        let own = match is_word || (is_alone && rest.terms().next().is_none() && parts.is_empty()) {
            true => own.clone(),
            false => format!("({own})"),
        };
        // What is taken away comes last, so that nothing on the way is below 0.
        let taken = base.terms().filter(|(_, number)| *number < 0);
        let taken = taken.map(|(factors, number)| (factors.to_vec(), -number));
        let taken = Polynomial::from_terms(taken.collect::<Vec<_>>())?;
        let added = base.plus(&taken)?;
        let mut sum = match added.terms().next() {
            None => own,
            Some(_) => format!("{} + {own}", words.sum(&added).ok()?),
        };
        if taken.terms().next().is_some() {
            // A product of what is below 0 may be of numbers without a sign.
            stride.as_constant().filter(|it| *it == 1)?;
            sum = format!("{sum} - {}", words.factor(&taken).ok()?);
        }
        parts.push(match stride.as_constant() {
            Some(1) => sum,
            _ if sum.contains(' ') => format!("({sum}) * {}", words.factor(&stride).ok()?),
            _ => format!("{sum} * {}", words.factor(&stride).ok()?),
        });
    }
    if rest.terms().next().is_some() {
        parts.push(words.sum(&rest).ok()?);
    }
    let array = &formulas.all.arrays[array].name;
    Some(format!("{array}[{}]", parts.join(" + ")))
}

/// What is a multiple of one summand, divided by it, and what is not; of several nothing is.
fn divided(of: &Polynomial, by: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    let mut terms = by.terms();
    let ((atoms, number), None) = (terms.next()?, terms.next()) else {
        return Some((Polynomial::default(), of.clone()));
    };
    let (mut base, mut left) = (Vec::new(), Vec::new());
    for (factors, own) in of.terms() {
        let mut others = factors.to_vec();
        let is_multiple = atoms.iter().all(|atom| {
            let at = others.iter().position(|it| it == atom);
            at.map(|at| others.remove(at)).is_some()
        });
        match is_multiple && own % number == 0 {
            true => base.push((others, own / number)),
            false => left.push((factors.to_vec(), own)),
        }
    }
    Some((Polynomial::from_terms(base)?, Polynomial::from_terms(left)?))
}
