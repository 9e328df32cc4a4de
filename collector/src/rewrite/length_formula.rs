//! Formulas of a buffer's length in a kernel's arguments.

use kerncast_analysis::{
    accesses::Accesses,
    ast::{Kind, Type, Unit},
    localize::{ArgumentFactor, LengthFormula},
};
use kerncast_suite::{Argument, ArgumentKind, Kernel, Number, Parameters, ScalarValue, Variant};

/// The most arguments in a product.
const MOST_ARGUMENTS: usize = 3;
/// The most that is added to or subtracted from an argument, for halos.
const MOST_PLUS: i64 = 8;
/// The largest factor of a product.
const MOST_FACTOR: i64 = 64;
/// Unusual sizes, at which a product that equals the length only by chance differs from it. Sizes are often halved or
/// divided by tiles.
const UNUSUAL_SIZES: [[i64; 8]; 3] = [
    [101, 103, 107, 109, 113, 127, 131, 137],
    [139, 149, 151, 157, 163, 167, 173, 179],
    [181, 191, 193, 197, 199, 211, 223, 227],
];
const COMMON_DIVISOR: i64 = 64;

/// An integer that is passed by value.
struct Scalar {
    parameter: usize,
    /// Offset in the argument, bytes.
    at: u64,
    /// Its values at the launch file's first sizes and at [`UNUSUAL_SIZES`].
    values: Vec<i64>,
}

/// The formula of a buffer's number of elements at any size, with as few arguments as possible; none where none is
/// found.
pub(super) fn length_formula(
    kernel: &Kernel,
    variant: &Variant,
    buffer: &Argument,
    element_bytes: u64,
    (unit, accesses): (&Unit, &Accesses),
) -> Option<LengthFormula> {
    let ArgumentKind::Buffer {
        ty: element,
        length,
        ..
    } = &buffer.kind
    else {
        return None;
    };
    let all = sizes(&kernel.sizes.first()?.parameters)?;
    let bytes = i64::try_from(element.bytes()).ok()?;
    let per = i64::try_from(element_bytes).ok()?;
    let lengths = all.iter().map(|at| {
        let Ok(Number::Whole(length)) = length.number(at) else {
            return None;
        };
        let bytes = length.checked_mul(bytes)?;
        (bytes % per == 0).then_some(bytes / per)
    });
    let lengths: Vec<i64> = lengths.collect::<Option<_>>()?;
    let scalars = scalars(kernel, variant, &all, unit, accesses);
    let plain: Vec<Summand<'_>> = scalars.iter().map(|it| (it, 0)).collect();
    let wider = scalars.iter();
    let wider = wider.flat_map(|it| (-MOST_PLUS..=MOST_PLUS).map(move |plus| (it, plus)));
    product(&lengths, &plain, false).or_else(|| product(&lengths, &wider.collect::<Vec<_>>(), true))
}

/// An argument, and what is added to it.
type Summand<'a> = (&'a Scalar, i64);

/// A product of sums, times a number, that equals the lengths. Unless `is_exact`, a number may be added to the product.
fn product(lengths: &[i64], sums: &[Summand<'_>], is_exact: bool) -> Option<LengthFormula> {
    let mut products: Vec<(Vec<usize>, Vec<i64>)> = vec![(Vec::new(), vec![1; lengths.len()])];
    for _ in 0..MOST_ARGUMENTS {
        let mut longer = Vec::new();
        for (places, product) in &products {
            let first = places.last().copied().unwrap_or(0);
            for (place, (scalar, plus)) in sums.iter().enumerate().skip(first) {
                let values = product.iter().zip(&scalar.values);
                let values = values.map(|(one, other)| one.checked_mul(other + plus));
                let Some(values) = values.collect::<Option<Vec<i64>>>() else {
                    continue;
                };
                let mut pairs = lengths.iter().zip(&values);
                if is_exact && pairs.any(|(length, value)| *value <= 0 || length % value != 0) {
                    continue;
                }
                let places = [&places[..], &[place]].concat();
                if let Some((factor, plus)) = factor_and_rest(lengths, &values) {
                    let arguments = places.iter().map(|it| {
                        let (scalar, plus) = sums[*it];
                        ArgumentFactor {
                            parameter: scalar.parameter,
                            offset: scalar.at,
                            plus,
                        }
                    });
                    return Some(LengthFormula {
                        factor,
                        arguments: arguments.collect(),
                        plus,
                    });
                }
                longer.push((places, values));
            }
        }
        products = longer;
    }
    None
}

/// The launch file's first sizes, and the unusual ones.
fn sizes(first: &Parameters) -> Option<Vec<Parameters>> {
    let other = |numbers: &[i64; 8]| {
        let mut numbers = numbers.iter();
        let sizes = first.keys().map(|name| {
            let number = numbers.next()?;
            Some((name.clone(), number * COMMON_DIVISOR))
        });
        sizes.collect::<Option<Parameters>>()
    };
    let others = UNUSUAL_SIZES.iter().map(other);
    std::iter::once(Some(first.clone())).chain(others).collect()
}

/// The factor and the summand that turn all products into the lengths.
fn factor_and_rest(lengths: &[i64], products: &[i64]) -> Option<(u64, u64)> {
    let mut numbers = lengths.iter().zip(products).map(|(length, product)| {
        let is_there = *product > 0 && *length >= *product;
        is_there.then(|| (length / product, length % product))
    });
    let (factor, rest) = numbers.next()??;
    let is_same = numbers.all(|it| it == Some((factor, rest)));
    let is_small = (1..=MOST_FACTOR).contains(&factor);
    (is_same && is_small).then(|| (factor.unsigned_abs(), rest.unsigned_abs()))
}

/// The integers that a variant's first step passes by value.
fn scalars(
    kernel: &Kernel,
    variant: &Variant,
    all: &[Parameters],
    unit: &Unit,
    accesses: &Accesses,
) -> Vec<Scalar> {
    let mut scalars = Vec::new();
    let function = unit.function(&accesses.function);
    let (Some(step), Some(function)) = (variant.steps.first(), function) else {
        return scalars;
    };
    for (parameter, (place, id)) in step.arguments.iter().zip(&function.parameters).enumerate() {
        let ArgumentKind::Scalar { values, .. } = &kernel.arguments[*place].kind else {
            continue;
        };
        let values = values.concat();
        let places = places(&unit.variables[*id].ty, 0);
        // An argument of another layout than the launch file says is refused where it is launched.
        if places.len() != values.len() {
            continue;
        }
        for (at, value) in places.into_iter().zip(&values) {
            let ScalarValue::Formula(formula) = value else {
                continue;
            };
            let values = all.iter().map(|at| match formula.number(at) {
                Ok(Number::Whole(whole)) => Some(whole),
                _ => None,
            });
            if let (Some(at), Some(values)) = (at, values.collect::<Option<_>>()) {
                scalars.push(Scalar {
                    parameter,
                    at,
                    values,
                });
            }
        }
    }
    scalars
}

/// Offsets of the numbers of an argument, in order; none for numbers that are not whole.
fn places(ty: &Type, at: u64) -> Vec<Option<u64>> {
    match ty {
        Type::Record(record) => {
            let fields = record.fields.iter();
            let places = fields.flat_map(|it| places(&it.ty, at + it.offset));
            places.collect()
        }
        Type::Vector(scalar, lanes) => {
            let bytes = u64::from(scalar.bytes);
            let lanes = 0..u64::from(*lanes);
            let is_whole = scalar.kind != Kind::Float;
            let places = lanes.map(|lane| is_whole.then_some(at + lane * bytes));
            places.collect()
        }
        Type::Array(inner, length) => {
            let one = places(inner, 0).len();
            let all = usize::try_from(*length).unwrap_or(0).saturating_mul(one);
            vec![None; all.min(1 << 12)]
        }
        number => vec![number.is_whole().then_some(at)],
    }
}
