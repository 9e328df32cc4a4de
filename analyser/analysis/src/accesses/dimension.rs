//! Delinearisation: the index `row * width + column` becomes `[row][column]`.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Accesses,
    atom::{Atom, Atoms, Id, without},
    polynomial::{AtomId, Polynomial},
};

/// The most strides beside 1.
const MOST_STRIDES: usize = 2;
const MOST_SIZE_DEPTH: usize = 4;

/// Subscripts and strides, outermost first, the last stride 1.
type Dimensions = (Vec<Polynomial>, Vec<Polynomial>);

/// Evidence from other formulas of the kernel: which arguments are sizes rather than indices, and which rows arrays
/// have.
#[derive(Default)]
struct Evidence {
    /// Atoms that something is compared with, or that strides are made of.
    sizes: BTreeSet<AtomId>,
    /// Arrays, each with strides within which something varies.
    strides: BTreeSet<(Option<usize>, Vec<Polynomial>)>,
}

/// Gives dimensions to all accesses that have none in the text. Sizes that one access reveals help with the others.
pub(super) fn add_dimensions(all: &mut Accesses) {
    let mut evidence = Evidence::default();
    let guards = all.accesses.iter().flat_map(|it| &it.guards);
    let compared = guards.flat_map(|it| it.condition.atoms());
    evidence.sizes.extend(compared);
    let bounds = all.loops.iter().flat_map(|it| &it.upper);
    evidence.sizes.extend(bounds.flat_map(Polynomial::atoms));
    for _ in 0..2 {
        for access in &mut all.accesses {
            if !access.fields.is_empty() {
                continue;
            }
            (access.subscripts, access.strides) =
                delinearise(&access.index, &all.atoms, access.array, &evidence);
            let sizes = access.strides.iter().flat_map(Polynomial::atoms);
            evidence.sizes.extend(sizes);
            let last = access.subscripts.last();
            if last.is_some_and(|it| varies(it, &all.atoms)) {
                evidence
                    .strides
                    .insert((access.array, access.strides.clone()));
            }
        }
    }
}

/// The subscripts and strides of an index. Strides are what ids and loop variables are multiplied by. They must be made
/// of scalar arguments and sizes, and each must divide the next; otherwise the index stays one dimension.
fn delinearise(
    index: &Polynomial,
    atoms: &Atoms,
    array: Option<usize>,
    evidence: &Evidence,
) -> Dimensions {
    let one = || (vec![index.clone()], vec![Polynomial::constant(1)]);
    try_delinearise(index, atoms, array, evidence).unwrap_or_else(one)
}

fn try_delinearise(
    index: &Polynomial,
    atoms: &Atoms,
    array: Option<usize>,
    evidence: &Evidence,
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
        let strides = with_planes(nest_strides(strides)?, by.get(&Vec::new()), evidence)?;
        return split_index(&by, strides);
    }
    // `i * n + i` may be a diagonal, or the first column of rows of `n + 1`: other accesses tell.
    let own = nest_strides(strides.clone()).and_then(|it| split_index(&by, it));
    let is_row = |(_, strides): &Dimensions| evidence.strides.contains(&(array, strides.clone()));
    if own.as_ref().is_some_and(is_row) {
        return own;
    }
    let plain = |strides: Vec<Polynomial>| {
        let dimensions = split_index(&by, strides)?;
        let is_plain = dimensions.0.iter().all(|it| is_plain(it, atoms));
        is_plain.then_some(dimensions)
    };
    let mut of_array = evidence.strides.iter().filter(|(it, _)| *it == array);
    let as_others = of_array.find_map(|(_, strides)| {
        let (_, outer) = strides
            .split_last()
            .filter(|(_, outer)| !outer.is_empty())?;
        plain(outer.to_vec())
    });
    let products = strides.iter().flat_map(Polynomial::terms);
    let products = products.filter(|(factors, _)| !factors.is_empty());
    let products = products.map(|(factors, _)| Polynomial::from_terms([(factors.to_vec(), 1)]));
    let products: BTreeSet<Polynomial> = products.collect::<Option<_>>()?;
    let diagonal = || nest_strides(products.into_iter().collect()).and_then(plain);
    as_others.or_else(diagonal).or(own)
}

/// Whether nothing that varies is multiplied by a size.
fn is_plain(subscript: &Polynomial, atoms: &Atoms) -> bool {
    let by = factors(subscript, atoms).unwrap_or_default();
    by.iter()
        .all(|(varying, factor)| varying.is_empty() || factor.as_constant().is_some())
}

/// Each product of atoms that vary, with its factor.
fn factors(index: &Polynomial, atoms: &Atoms) -> Option<BTreeMap<Vec<AtomId>, Polynomial>> {
    let is_size = |atom: &AtomId| is_size(*atom, atoms, MOST_SIZE_DEPTH);
    let mut by: BTreeMap<Vec<AtomId>, Polynomial> = BTreeMap::new();
    for (factors, number) in index.terms() {
        let (sizes, varying): (Vec<AtomId>, Vec<AtomId>) =
            factors.iter().partition(|it| is_size(it));
        let own = by.entry(varying).or_default();
        *own = own.plus(&Polynomial::from_terms([(sizes, number)])?)?;
    }
    Some(by)
}

/// Strides outermost first; none where one does not divide the one before it.
fn nest_strides(mut strides: Vec<Polynomial>) -> Option<Vec<Polynomial>> {
    strides.sort_by_key(|stride| (degree(stride), stride.terms().count()));
    let divides = |pair: &[Polynomial]| {
        divide(&pair[1], &pair[0]).is_some_and(|(_, rest)| rest == Polynomial::default())
    };
    let is_nested = strides.len() <= MOST_STRIDES && strides.windows(2).all(divides);
    strides.reverse();
    is_nested.then_some(strides)
}

fn split_index(
    by: &BTreeMap<Vec<AtomId>, Polynomial>,
    mut strides: Vec<Polynomial>,
) -> Option<Dimensions> {
    let mut subscripts = vec![Polynomial::default(); strides.len() + 1];
    for (varying, factor) in by {
        let varying = Polynomial::from_terms([(varying.clone(), 1)])?;
        let mut rest = factor.clone();
        for (stride, subscript) in strides.iter().zip(&mut subscripts) {
            let (quotient, remainder) = divide(&rest, stride)?;
            *subscript = subscript.plus(&quotient.times(&varying)?)?;
            rest = remainder;
        }
        let last = subscripts.last_mut()?;
        *last = last.plus(&rest.times(&varying)?)?;
    }
    strides.push(Polynomial::constant(1));
    Some((subscripts, strides))
}

/// Adds the strides of dimensions that only scalar arguments index: in `plane * n * n` the `n` is a size if anything
/// else says so, or if every product of arguments has it as a factor.
fn with_planes(
    mut strides: Vec<Polynomial>,
    scalar_part: Option<&Polynomial>,
    evidence: &Evidence,
) -> Option<Vec<Polynomial>> {
    let scalar_part = scalar_part.cloned().unwrap_or_default();
    while strides.len() < MOST_STRIDES {
        let outermost = strides.first().cloned();
        let outermost = outermost.unwrap_or_else(|| Polynomial::constant(1));
        let Some(size) = plane_size(&divide(&scalar_part, &outermost)?.0, evidence) else {
            break;
        };
        strides.insert(0, outermost.times(&Polynomial::atom(size))?);
    }
    Some(strides)
}

/// The only factor of all products that is a size.
fn plane_size(scalar_part: &Polynomial, evidence: &Evidence) -> Option<AtomId> {
    let products = scalar_part.terms().map(|(factors, _)| factors);
    let products: Vec<_> = products.filter(|it| !it.is_empty()).collect();
    let all = scalar_part.atoms();
    let is_product = products.iter().any(|factors| factors.len() > 1);
    if !is_product || all.is_subset(&evidence.sizes) {
        return None;
    }
    let is_shared = |atom: &AtomId| products.iter().all(|factors| factors.contains(atom));
    let shared: BTreeSet<AtomId> = all.into_iter().filter(is_shared).collect();
    let mut sizes = &shared & &evidence.sizes;
    if shared.len() == 1 {
        sizes = shared;
    }
    sizes.pop_first().filter(|_| sizes.is_empty())
}

/// Whether the subscript differs from work-item to work-item, or from iteration to iteration.
fn varies(subscript: &Polynomial, atoms: &Atoms) -> bool {
    subscript
        .atoms()
        .iter()
        .any(|atom| !is_size(*atom, atoms, MOST_SIZE_DEPTH))
}

/// Whether an atom is made of scalar arguments and sizes alone, as `n / 4` is.
fn is_size(atom: AtomId, atoms: &Atoms, depth: usize) -> bool {
    match atoms.get(atom) {
        Atom::Scalar(..) | Atom::Cut(..) => true,
        Atom::Id(id, _) => matches!(id, Id::GlobalSize | Id::LocalSize | Id::Groups),
        Atom::Operation(_, operands) if depth > 0 => {
            let mut parts = operands.iter().flat_map(Polynomial::atoms);
            parts.all(|part| is_size(part, atoms, depth - 1))
        }
        _ => false,
    }
}

fn degree(formula: &Polynomial) -> usize {
    formula
        .terms()
        .map(|(factors, _)| factors.len())
        .max()
        .unwrap_or_default()
}

/// The stride divided by the greatest common divisor of its numbers, with a leading term above 0.
fn without_number(stride: &Polynomial) -> Option<Polynomial> {
    let by = if leading(stride)?.1 < 0 { -1 } else { 1 };
    stride.divided(by * i64::try_from(stride.greatest_divisor(0)).ok()?)
}

fn leading(formula: &Polynomial) -> Option<(&[AtomId], i64)> {
    formula
        .terms()
        .max_by_key(|(factors, _)| (factors.len(), *factors))
}

/// Quotient and remainder by the divisor's leading term.
fn divide(dividend: &Polynomial, divisor: &Polynomial) -> Option<(Polynomial, Polynomial)> {
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
        let mut id = |dimension| atoms.formula(Atom::Id(Id::Global, dimension));
        let (x, y, z) = (id(0), id(1), id(2));
        let mut scalar = |parameter| atoms.formula(Atom::Scalar(parameter, 0, 4, true));
        let (w, h) = (scalar(0), scalar(1));
        (atoms, [x, y, z, w, h])
    }

    fn sum(operands: &[&Polynomial]) -> Polynomial {
        operands.iter().fold(Polynomial::default(), |sum, it| {
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
            delinearise(&index, &atoms, None, &Evidence::default()),
            (vec![row, column.clone()], vec![width.clone(), one.clone()])
        );
        // (z * (h + 2) + y + 1) * (w + 2) + x - 1
        let height = sum(&[&h, &two]);
        let middle = sum(&[&y, &one]);
        let index = sum(&[
            &times(&sum(&[&times(&z, &height), &middle]), &width),
            &column,
        ]);
        let (subscripts, strides) = delinearise(&index, &atoms, None, &Evidence::default());
        assert_eq!(subscripts, [z, middle, column]);
        assert_eq!(strides, [times(&height, &width), width, one]);
    }

    #[test]
    fn diagonals_have_no_row_of_their_own_length() {
        let (atoms, [x, y, _, w, h]) = atoms();
        let one = Polynomial::constant(1);
        let times = |a: &Polynomial, b: &Polynomial| a.times(b).expect("small");
        let subscripts =
            |index: &Polynomial, evidence: &Evidence| delinearise(index, &atoms, None, evidence).0;
        let longer = sum(&[&w, &one]);
        let diagonal = times(&x, &longer);
        assert_eq!(
            subscripts(&diagonal, &Evidence::default()),
            [x.clone(), x.clone()]
        );
        let rows = Evidence {
            strides: [(None, vec![longer, one])].into(),
            ..Evidence::default()
        };
        assert_eq!(
            subscripts(&diagonal, &rows),
            [x.clone(), Polynomial::default()]
        );
        // Of each of many: (y * w + x) * w + x
        let many = sum(&[&times(&times(&y, &w), &w), &diagonal]);
        assert_eq!(
            subscripts(&many, &Evidence::default()),
            [y, x.clone(), x.clone()]
        );
        // A row that is passed by value, where something else says which of them is a size.
        let scalar_part = sum(&[&times(&h, &w), &x]);
        assert_eq!(
            subscripts(&scalar_part, &Evidence::default()),
            std::slice::from_ref(&scalar_part)
        );
        let sizes = Evidence {
            sizes: w.atoms(),
            ..Evidence::default()
        };
        assert_eq!(subscripts(&scalar_part, &sizes), [h, x]);
    }
}
