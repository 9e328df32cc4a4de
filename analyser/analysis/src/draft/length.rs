//! How long a buffer is: as its largest index says, as an expression of the sizes.

use super::sizes::{Sizes, TRIALS};
use crate::accesses::{Accesses, Does};

/// A buffer's length.
pub(super) struct Length {
    expression: String,
    /// The expression's factors, and what is added to their product.
    product: (Vec<Factor>, i64),
    known: Known,
    /// Whether a launch had a buffer of this length.
    is_traced: bool,
}

/// How a length is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// The largest index is one less at all sizes that were tried.
    Exactly,
    /// No shorter.
    AtLeast,
    /// Indices depend on data.
    Not,
}

/// Most factors of a length.
const FACTORS: usize = 3;

/// Borders are no wider on both sides together.
const WIDEST: i64 = 16;

/// Most elements of a row, where an array says where each begins.
pub(super) const IN_A_ROW: u32 = 8;

/// Whether a parameter says where rows begin: it is read at an index and at the next one.
pub(super) fn has_rows(accesses: &Accesses, parameter: usize) -> bool {
    let loads = || {
        let own = accesses.of_parameter(parameter);
        own.filter(|it| it.does == Does::Load)
    };
    loads().any(|one| {
        loads().any(|next| next.index.minus(&one.index).and_then(|it| it.as_constant()) == Some(1))
    })
}

/// Whether its indices follow from where rows begin.
pub(super) fn follows_rows(accesses: &Accesses, parameter: usize) -> bool {
    let own = accesses.of_parameter(parameter);
    let mut loads = own.flat_map(|it| it.depends_on.iter().chain(&it.happens_by));
    loads.any(|load| {
        let array = accesses.accesses[*load].array;
        let rows = array.and_then(|it| accesses.arrays[it].parameter);
        rows.is_some_and(|rows| rows != parameter && has_rows(accesses, rows))
    })
}

/// A size, and what a border adds to it.
type Factor = (usize, i64);

impl Length {
    pub(super) fn new(accesses: &Accesses, sizes: &Sizes, parameter: usize) -> Self {
        let guess = |known| Self {
            expression: match follows_rows(accesses, parameter) {
                true => format!("{IN_A_ROW} * {}", sizes.items()),
                false => sizes.items(),
            },
            product: (Vec::new(), 0),
            known,
            is_traced: false,
        };
        let array = accesses
            .arrays
            .iter()
            .find(|it| it.parameter == Some(parameter));
        let own = accesses.of_parameter(parameter);
        let aliased = own.map(|it| it.element_bytes).max();
        let bytes = aliased
            .or(array.map(|it| it.element_bytes))
            .unwrap_or(1)
            .max(1);
        let mut trials: Vec<(Vec<i64>, i64)> = Vec::new();
        let mut is_all = true;
        for trial in 0..TRIALS {
            let (geometry, values) = sizes.trial(trial);
            let Some((end, known)) = accesses.reach(parameter, &geometry) else {
                return guess(Known::Not);
            };
            is_all &= known;
            trials.push((
                values,
                i64::try_from(end.div_ceil(bytes)).unwrap_or(i64::MAX),
            ));
        }
        if trials.iter().any(|it| it.1 == 0) {
            return guess(Known::Not);
        }
        let of_known = |known| if is_all { known } else { Known::Not };
        let names = sizes.all();
        let all = products(names.len());
        let exact = all.iter().filter_map(|factors| {
            let mut off = trials
                .iter()
                .map(|(values, need)| need - value(factors, values));
            let first = off.next()?;
            off.all(|it| it == first)
                .then_some((first.abs(), factors, first))
        });
        if let Some((_, factors, off)) = exact.min_by_key(|it| (it.0, borders(it.1), it.1.len())) {
            return Self {
                expression: written(factors, off, &names),
                product: (factors.clone(), off),
                known: of_known(Known::Exactly),
                is_traced: false,
            };
        }
        let enough = all.iter().filter(|factors| {
            let mut all = trials.iter();
            all.all(|(values, need)| value(factors, values) >= *need)
        });
        match enough.min_by_key(|it| value(it, &trials[0].0)) {
            Some(factors) => Self {
                expression: written(factors, 0, &names),
                product: (factors.clone(), 0),
                known: of_known(Known::AtLeast),
                is_traced: false,
            },
            None => guess(Known::Not),
        }
    }

    /// Makes it as long as a launch's buffer was: the expression stays where it gives as many elements at that launch.
    pub(super) fn set_traced(&mut self, elements: i64, sizes: &Sizes) {
        let (factors, off) = &self.product;
        let is_same = |values: Vec<i64>| value(factors, &values) + off == elements;
        if self.known == Known::Not || !sizes.traced().is_some_and(is_same) {
            self.expression = match sizes.traced_items() == Some(elements) {
                true => sizes.items(),
                false => elements.to_string(),
            };
        }
        self.is_traced = true;
    }

    pub(super) fn expression(&self) -> &str {
        &self.expression
    }

    /// Whether it is exactly this for sure.
    pub(super) fn is_exactly(&self, expression: &str) -> bool {
        self.known == Known::Exactly && self.expression == expression
    }

    /// The line of a launch file.
    pub(super) fn line(&self) -> String {
        let why = match self.known {
            _ if self.is_traced => "",
            Known::Exactly => "",
            Known::AtLeast => "  # guess: long enough for its largest index",
            Known::Not => "  # guess: some indices depend on data",
        };
        match self.expression.parse::<i64>() {
            Ok(number) => format!("length = {number}{why}\n"),
            Err(_) => format!("length = \"{}\"{why}\n", self.expression),
        }
    }
}

/// Of so many names all products of up to three, with a border in none, the first or each of them; the empty one is 1.
fn products(names: usize) -> Vec<Vec<Factor>> {
    let mut plain: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last = plain.clone();
    for _ in 0..FACTORS {
        let longer = last.iter().flat_map(|factors| {
            (0..names).map(move |next| factors.iter().copied().chain([next]).collect())
        });
        last = longer.collect();
        plain.extend(last.iter().cloned());
    }
    let bordered = plain.iter().flat_map(|factors| {
        let with = |border: i64, of: usize| -> Vec<Factor> {
            let places = factors.iter().enumerate();
            places
                .map(|(place, it)| (*it, if place < of { border } else { 0 }))
                .collect()
        };
        let several = factors.len() > 1;
        let borders = (1..=WIDEST).filter(move |_| several);
        let borders = borders.flat_map(move |it| [with(it, 1), with(it, factors.len())]);
        std::iter::once(with(0, 0)).chain(borders)
    });
    bordered.collect()
}

fn borders(factors: &[Factor]) -> i64 {
    factors.iter().map(|it| it.1).sum()
}

fn value(factors: &[Factor], values: &[i64]) -> i64 {
    let product = factors.iter().map(|(size, border)| values[*size] + border);
    product.fold(1, i64::saturating_mul)
}

fn written(factors: &[Factor], off: i64, names: &[&str]) -> String {
    if factors.is_empty() {
        return (1 + off).to_string();
    }
    let factor = |(size, border): &Factor| match border {
        0 => names[*size].to_owned(),
        border => format!("({} + {border})", names[*size]),
    };
    let product: Vec<String> = factors.iter().map(factor).collect();
    let product = product.join(" * ");
    match off {
        0 => product,
        1.. => format!("{product} + {off}"),
        _ => format!("{product} - {}", -off),
    }
}
