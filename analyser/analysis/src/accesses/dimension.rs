//! From one index to several: `row * width + column` is `[row][column]`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Accesses,
    atom::{Atom, Atoms, Id, without},
    polynomial::{AtomId, Polynomial},
};

/// Strides beside 1.
const MOST: usize = 2;
/// Formulas in formulas.
const DEEPEST: usize = 4;

/// Subscripts and strides, outermost first, the last stride 1.
type Dimensions = (Vec<Polynomial>, Vec<Polynomial>);

/// What tells a size from an index that is passed by value, and what tells of which row a formula is.
#[derive(Default)]
struct Known {
    /// What is compared with, and what strides are made of.
    sizes: BTreeSet<AtomId>,
    /// By array: strides that something varies within.
    strides: BTreeSet<(Option<usize>, Vec<Polynomial>)>,
}

/// Gives all accesses dimensions that the text has given none. What one says of sizes helps with the others.
pub(super) fn divide(all: &mut Accesses) {
    let mut known = Known::default();
    let guards = all.accesses.iter().flat_map(|it| &it.guards);
    let compared = guards.flat_map(|it| it.condition.atoms());
    known.sizes.extend(compared);
    let bounds = all.loops.iter().flat_map(|of| &of.upper);
    known.sizes.extend(bounds.flat_map(Polynomial::atoms));
    for _ in 0..2 {
        for access in &mut all.accesses {
            if !access.fields.is_empty() {
                continue;
            }
            let found = delinearised(&access.index, &all.atoms, access.array, &known);
            (access.subscripts, access.strides) = found;
            let sizes = access.strides.iter().flat_map(Polynomial::atoms);
            known.sizes.extend(sizes);
            let last = access.subscripts.last();
            if last.is_some_and(|it| varies(it, &all.atoms)) {
                known.strides.insert((access.array, access.strides.clone()));
            }
        }
    }
}

/// What ids and loop variables are multiplied by are the strides, where it is a formula of scalar arguments and sizes, and
/// each goes into the next. Where they do not, it is one dimension.
fn delinearised(
    index: &Polynomial,
    atoms: &Atoms,
    array: Option<usize>,
    known: &Known,
) -> Dimensions {
    let one = || (vec![index.clone()], vec![Polynomial::constant(1)]);
    several(index, atoms, array, known).unwrap_or_else(one)
}

fn several(
    index: &Polynomial,
    atoms: &Atoms,
    array: Option<usize>,
    known: &Known,
) -> Option<Dimensions> {
    let by = factors(index, atoms)?;
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
    let mut varying = by.iter().filter(|(varying, _)| !varying.is_empty());
    let is_within = varying.any(|(_, factor)| factor.as_constant().is_some());
    if is_within || strides.iter().all(|it| it.terms().count() == 1) {
        let strides = with_planes(nested(strides)?, by.get(&Vec::new()), known)?;
        return split(&by, strides);
    }
    // `i * n + i` is as good a diagonal as a first column of rows of `n + 1`: others tell.
    let own = nested(strides.clone()).and_then(|it| split(&by, it));
    let is_row = |(_, strides): &Dimensions| known.strides.contains(&(array, strides.clone()));
    if own.as_ref().is_some_and(is_row) {
        return own;
    }
    let plain = |strides: Vec<Polynomial>| {
        let found = split(&by, strides)?;
        let is_plain = found.0.iter().all(|it| is_plain(it, atoms));
        is_plain.then_some(found)
    };
    let mut alike = known.strides.iter().filter(|(of, _)| *of == array);
    let alike = alike.find_map(|(_, strides)| {
        let (_, outer) = strides
            .split_last()
            .filter(|(_, outer)| !outer.is_empty())?;
        plain(outer.to_vec())
    });
    let products = strides.iter().flat_map(Polynomial::terms);
    let products = products.filter(|(factors, _)| !factors.is_empty());
    let products = products.map(|(factors, _)| Polynomial::from_terms([(factors.to_vec(), 1)]));
    let products: BTreeSet<Polynomial> = products.collect::<Option<_>>()?;
    let diagonal = || nested(products.into_iter().collect()).and_then(plain);
    alike.or_else(diagonal).or(own)
}

/// Whether nothing that varies is multiplied by a size.
fn is_plain(of: &Polynomial, atoms: &Atoms) -> bool {
    let by = factors(of, atoms).unwrap_or_default();
    by.iter()
        .all(|(varying, factor)| varying.is_empty() || factor.as_constant().is_some())
}

/// By what varies: what it is multiplied by.
fn factors(index: &Polynomial, atoms: &Atoms) -> Option<BTreeMap<Vec<AtomId>, Polynomial>> {
    let is_size = |atom: &AtomId| is_size(*atom, atoms, DEEPEST);
    let mut by: BTreeMap<Vec<AtomId>, Polynomial> = BTreeMap::new();
    for (factors, number) in index.terms() {
        let (sizes, varying): (Vec<AtomId>, Vec<AtomId>) =
            factors.iter().partition(|it| is_size(it));
        let own = by.entry(varying).or_default();
        *own = own.plus(&Polynomial::from_terms([(sizes, number)])?)?;
    }
    Some(by)
}

/// Strides outermost first, where each goes into the one before it.
fn nested(mut strides: Vec<Polynomial>) -> Option<Vec<Polynomial>> {
    strides.sort_by_key(|stride| (degree(stride), stride.terms().count()));
    let goes_into = |pair: &[Polynomial]| {
        divided(&pair[1], &pair[0]).is_some_and(|(_, rest)| rest == Polynomial::default())
    };
    let is_nested = strides.len() <= MOST && strides.windows(2).all(goes_into);
    strides.reverse();
    is_nested.then_some(strides)
}

fn split(
    by: &BTreeMap<Vec<AtomId>, Polynomial>,
    mut strides: Vec<Polynomial>,
) -> Option<Dimensions> {
    let mut subscripts = vec![Polynomial::default(); strides.len() + 1];
    for (varying, factor) in by {
        let varying = Polynomial::from_terms([(varying.clone(), 1)])?;
        let mut rest = factor.clone();
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

/// Strides of what nothing but passed numbers walk, too: of `plane * n * n` the `n` is a size where anything else says
/// so, or where all that is passed is multiplied by it.
fn with_planes(
    mut strides: Vec<Polynomial>,
    passed: Option<&Polynomial>,
    known: &Known,
) -> Option<Vec<Polynomial>> {
    let passed = passed.cloned().unwrap_or_default();
    while strides.len() < MOST {
        let outermost = strides.first().cloned();
        let outermost = outermost.unwrap_or_else(|| Polynomial::constant(1));
        let Some(size) = plane(&divided(&passed, &outermost)?.0, known) else {
            break;
        };
        strides.insert(0, outermost.times(&Polynomial::atom(size))?);
    }
    Some(strides)
}

/// The one factor of all products that is a size.
fn plane(passed: &Polynomial, known: &Known) -> Option<AtomId> {
    let products = passed.terms().map(|(factors, _)| factors);
    let products: Vec<_> = products.filter(|it| !it.is_empty()).collect();
    let all = passed.atoms();
    let is_product = products.iter().any(|factors| factors.len() > 1);
    if !is_product || all.is_subset(&known.sizes) {
        return None;
    }
    let is_shared = |atom: &AtomId| products.iter().all(|factors| factors.contains(atom));
    let shared: BTreeSet<AtomId> = all.into_iter().filter(is_shared).collect();
    let mut sizes = &shared & &known.sizes;
    if shared.len() == 1 {
        sizes = shared;
    }
    sizes.pop_first().filter(|_| sizes.is_empty())
}

/// Whether anything in it differs from work-item to work-item, or from pass to pass.
fn varies(of: &Polynomial, atoms: &Atoms) -> bool {
    of.atoms()
        .iter()
        .any(|atom| !is_size(*atom, atoms, DEEPEST))
}

/// Whether scalar arguments and sizes alone decide it, as of `n / 4`.
fn is_size(atom: AtomId, atoms: &Atoms, left: usize) -> bool {
    match atoms.get(atom) {
        Atom::Scalar(..) | Atom::Cut(..) => true,
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
    let by = if leading(of)?.1 < 0 { -1 } else { 1 };
    of.divided(by * i64::try_from(of.greatest_divisor(0)).ok()?)
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
            delinearised(&index, &atoms, None, &Known::default()),
            (vec![row, column.clone()], vec![width.clone(), one.clone()])
        );
        // (z * (h + 2) + y + 1) * (w + 2) + x - 1
        let height = sum(&[&h, &two]);
        let middle = sum(&[&y, &one]);
        let index = sum(&[
            &times(&sum(&[&times(&z, &height), &middle]), &width),
            &column,
        ]);
        let (subscripts, strides) = delinearised(&index, &atoms, None, &Known::default());
        assert_eq!(subscripts, [z, middle, column]);
        assert_eq!(strides, [times(&height, &width), width, one]);
    }

    #[test]
    fn diagonals_have_no_row_of_their_own_length() {
        let (atoms, [x, y, _, w, h]) = atoms();
        let one = Polynomial::constant(1);
        let times = |a: &Polynomial, b: &Polynomial| a.times(b).expect("small");
        let of = |index: &Polynomial, known: &Known| delinearised(index, &atoms, None, known).0;
        let longer = sum(&[&w, &one]);
        let diagonal = times(&x, &longer);
        assert_eq!(of(&diagonal, &Known::default()), [x.clone(), x.clone()]);
        let rows = Known {
            strides: [(None, vec![longer, one])].into(),
            ..Known::default()
        };
        assert_eq!(of(&diagonal, &rows), [x.clone(), Polynomial::default()]);
        // Of each of many: (y * w + x) * w + x
        let many = sum(&[&times(&times(&y, &w), &w), &diagonal]);
        assert_eq!(of(&many, &Known::default()), [y, x.clone(), x.clone()]);
        // A row that is passed by value, where something else says which of them is a size.
        let passed = sum(&[&times(&h, &w), &x]);
        assert_eq!(
            of(&passed, &Known::default()),
            std::slice::from_ref(&passed)
        );
        let sizes = Known {
            sizes: w.atoms(),
            ..Known::default()
        };
        assert_eq!(of(&passed, &sizes), [h, x]);
    }
}
