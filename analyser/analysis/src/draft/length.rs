//! Lengths of buffers as expressions of the sizes, by their largest index.

use super::sizes::{Sizes, TRIALS};
use crate::accesses::{Accesses, Does};

pub(super) struct Length {
    expression: String,
    /// The product of sizes, unless it is a guess.
    product: Product,
    certainty: Certainty,
    /// Whether it is the length of a traced launch's buffer.
    is_traced: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Exact: the largest index is one less at all sizes that were tried.
    Exact,
    /// Enough: the largest index is less at all sizes that were tried.
    Enough,
    Guess,
}

/// A size, and the border that is added to it.
type Factor = (usize, i64);

/// A product of factors, and a number that is added to it.
#[derive(Clone, Default)]
struct Product {
    factors: Vec<Factor>,
    added: i64,
}

struct Trial {
    values: Vec<i64>,
    /// Number of elements that the buffer needs.
    elements: i64,
}

const MOST_FACTORS: usize = 3;

/// The widest border, both sides together.
const WIDEST_BORDER: i64 = 16;

/// The most elements of a row that a guess has, if an array says where each row begins.
pub(super) const MOST_IN_ROW: u32 = 8;

/// Whether a parameter says where rows begin: it is loaded at an index and at the next one.
pub(super) fn has_row_starts(accesses: &Accesses, parameter: usize) -> bool {
    let loads = || {
        let own = accesses.of_parameter(parameter);
        own.filter(|it| it.does == Does::Load)
    };
    loads().any(|one| {
        loads().any(|next| next.index.minus(&one.index).and_then(|it| it.as_constant()) == Some(1))
    })
}

/// Whether a parameter's indices depend on another parameter that says where rows begin.
pub(super) fn follows_rows(accesses: &Accesses, parameter: usize) -> bool {
    let own = accesses.of_parameter(parameter);
    let mut loads = own.flat_map(|it| it.depends_on.iter().chain(&it.happens_by));
    loads.any(|load| {
        let array = accesses.accesses[*load].array;
        let rows = array.and_then(|it| accesses.arrays[it].parameter);
        rows.is_some_and(|rows| rows != parameter && has_row_starts(accesses, rows))
    })
}

impl Length {
    pub(super) fn new(accesses: &Accesses, sizes: &Sizes, parameter: usize) -> Self {
        let guess = || {
            let mut expression = sizes.items();
            if follows_rows(accesses, parameter) {
                expression = format!("{MOST_IN_ROW} * {expression}");
            }
            Self {
                expression,
                product: Product::default(),
                certainty: Certainty::Guess,
                is_traced: false,
            }
        };
        let Some((trials, is_known)) = trials(accesses, sizes, parameter) else {
            return guess();
        };
        let names = sizes.all();
        let products = products(names.len());
        let exact = exact_product(&products, &trials).map(|it| (it, Certainty::Exact));
        let enough = || Some((smallest_product(&products, &trials)?, Certainty::Enough));
        let Some((product, certainty)) = exact.or_else(enough) else {
            return guess();
        };
        let guessed = Some(Certainty::Guess).filter(|_| !is_known);
        Self {
            expression: product.text(&names),
            product,
            certainty: guessed.unwrap_or(certainty),
            is_traced: false,
        }
    }

    /// Makes the length that of a traced launch's buffer. The expression stays if it gives as many elements at that
    /// launch.
    pub(super) fn set_traced(&mut self, elements: i64, sizes: &Sizes) {
        let is_same = |values: Vec<i64>| self.product.value(&values) == elements;
        if self.certainty == Certainty::Guess || !sizes.traced().is_some_and(is_same) {
            self.expression = if sizes.traced_items() == Some(elements) {
                sizes.items()
            } else {
                elements.to_string()
            };
        }
        self.is_traced = true;
    }

    pub(super) fn expression(&self) -> &str {
        &self.expression
    }

    /// Whether the length is exactly this expression, and no guess.
    pub(super) fn is_exactly(&self, expression: &str) -> bool {
        self.certainty == Certainty::Exact && self.expression == expression
    }

    pub(super) fn line(&self) -> String {
        let why = match self.certainty {
            _ if self.is_traced => "",
            Certainty::Exact => "",
            Certainty::Enough => "  # guess: long enough for its largest index",
            Certainty::Guess => "  # guess: some indices depend on data",
        };
        match self.expression.parse::<i64>() {
            Ok(number) => format!("length = {number}{why}\n"),
            Err(_) => format!("length = \"{}\"{why}\n", self.expression),
        }
    }
}

/// The elements that a buffer needs at some launches, and whether that is known of all its accesses. None where some
/// launch needs none or does not tell.
fn trials(accesses: &Accesses, sizes: &Sizes, parameter: usize) -> Option<(Vec<Trial>, bool)> {
    let mut arrays = accesses.arrays.iter();
    let array = arrays.find(|it| it.parameter == Some(parameter));
    let accessed_as = accesses.of_parameter(parameter).map(|it| it.element_bytes);
    let bytes = accessed_as.max().or(array.map(|it| it.element_bytes));
    let bytes = bytes.unwrap_or(1).max(1);
    let (mut trials, mut is_known) = (Vec::new(), true);
    for trial in 0..TRIALS {
        let (geometry, values) = sizes.trial(trial);
        let (end, is_certain) = accesses.touched_bytes(parameter, &geometry)?;
        is_known &= is_certain;
        trials.push(Trial {
            values,
            elements: i64::try_from(end.div_ceil(bytes)).unwrap_or(i64::MAX),
        });
    }
    let needs_some = trials.iter().all(|it| it.elements != 0);
    needs_some.then_some((trials, is_known))
}

/// The product that lacks the same number in all trials: the smallest, then with the narrowest borders and fewest
/// factors.
fn exact_product(products: &[Product], trials: &[Trial]) -> Option<Product> {
    let exact = products.iter().filter_map(|product| {
        let mut rests = trials
            .iter()
            .map(|it| it.elements - product.value(&it.values));
        let added = rests.next()?;
        let is_exact = rests.all(|it| it == added);
        is_exact.then(|| Product {
            added,
            ..product.clone()
        })
    });
    exact.min_by_key(|it| {
        let borders: i64 = it.factors.iter().map(|factor| factor.1).sum();
        (it.added.abs(), borders, it.factors.len())
    })
}

/// The smallest product that is enough in all trials.
fn smallest_product(products: &[Product], trials: &[Trial]) -> Option<Product> {
    let enough = products.iter().filter(|product| {
        let mut trials = trials.iter();
        trials.all(|it| product.value(&it.values) >= it.elements)
    });
    let smallest = enough.min_by_key(|it| it.value(&trials[0].values));
    smallest.cloned()
}

/// All products of up to three of `names` sizes, with a border in none, the first or each of them. The empty product is
/// 1.
fn products(names: usize) -> Vec<Product> {
    let mut plain: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last = plain.clone();
    for _ in 0..MOST_FACTORS {
        let longer = last.iter().flat_map(|sizes| {
            (0..names).map(move |next| sizes.iter().copied().chain([next]).collect())
        });
        last = longer.collect();
        plain.extend(last.iter().cloned());
    }
    let bordered = plain.iter().flat_map(|sizes| {
        let with = |border: i64, bordered: usize| {
            let places = sizes.iter().enumerate();
            let factors = places.map(|(at, it)| (*it, if at < bordered { border } else { 0 }));
            Product {
                factors: factors.collect(),
                added: 0,
            }
        };
        let borders = (1..=WIDEST_BORDER).filter(move |_| sizes.len() > 1);
        let borders = borders.flat_map(move |it| [with(it, 1), with(it, sizes.len())]);
        std::iter::once(with(0, 0)).chain(borders)
    });
    bordered.collect()
}

impl Product {
    fn value(&self, values: &[i64]) -> i64 {
        let factors = self.factors.iter();
        let factors = factors.map(|(size, border)| values[*size] + border);
        factors.fold(1, i64::saturating_mul) + self.added
    }

    fn text(&self, names: &[&str]) -> String {
        if self.factors.is_empty() {
            return (1 + self.added).to_string();
        }
        let factor = |(size, border): &Factor| match border {
            0 => names[*size].to_owned(),
            border => format!("({} + {border})", names[*size]),
        };
        let factors: Vec<String> = self.factors.iter().map(factor).collect();
        let product = factors.join(" * ");
        match self.added {
            0 => product,
            added @ 1.. => format!("{product} + {added}"),
            added => format!("{product} - {}", -added),
        }
    }
}
