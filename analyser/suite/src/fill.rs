//! Contents of buffers before a launch.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use thiserror::Error;

use super::{
    Base, Data, Expression, Formula, Number, Parameters, Template,
    data::Before,
    expression::{Place, Scope},
    random::{between, random_from, seed, whole},
};

mod derived;
mod npy;

/// The argument that is filled, and what its fill may use.
#[derive(Clone, Copy)]
pub(crate) struct Filling<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) argument: &'a str,
    pub(crate) parameters: &'a Parameters,
    pub(crate) before: &'a Before<'a>,
}

/// Revision of fills, raised whenever the same launch file fills a buffer with other numbers: earlier counts were made
/// with other inputs.
pub const FILL_VERSION: u32 = 2;

/// A fill of a buffer, component by component.
#[derive(Clone, Debug)]
pub enum Fill {
    /// Uniform random numbers between two: whole numbers with both ends, real ones below the second (reached by
    /// rounding only).
    Uniform([Number; 2]),
    /// These numbers, again and again.
    Values(Vec<Number>),
    /// An expression over the parameters and the index `i`.
    Formula(Formula),
    /// Uniform random numbers between the values of two expressions.
    Between(Box<[Formula; 2]>),
    /// Each number from 0 on once, in a random order: for whole-number types.
    Permutation,
    /// A prefix sum: in each place the sum of the other fill's numbers before it; 0 in the first.
    PrefixSum(Box<Fill>),
    /// Several fills, one after the other, each with its length. The last has none: it fills the rest.
    Sections(Vec<(Option<Formula>, Fill)>),
    /// The numbers of a NumPy file.
    File {
        /// The file's name; it may depend on the size.
        name: Template,
        /// Contents of the files that it may be, by name.
        files: BTreeMap<String, Arc<[u8]>>,
    },
    /// A fill for each field of a structure, in order.
    Fields(Vec<Fill>),
}

/// A fill expression without a value that the type can hold.
#[derive(Clone, Debug, Error)]
#[error("{formula} {problem}")]
pub struct FillError {
    /// The first component that has no such value.
    pub index: usize,
    /// The field and its expression.
    formula: String,
    problem: String,
}

impl FillError {
    /// An error that concerns the whole fill. `problem` also says what was expected.
    fn new(argument: &str, problem: impl Into<String>) -> Self {
        Self {
            index: 0,
            formula: format!("arguments.{argument}.fill"),
            problem: problem.into(),
        }
    }
}

impl From<super::BadValue> for FillError {
    fn from(bad: super::BadValue) -> Self {
        Self {
            index: 0,
            formula: format!("{} = \"{}\"", bad.field, bad.text),
            problem: format!("{}; expected {}", bad.problem, bad.expected),
        }
    }
}

impl Fill {
    /// Whether the fill may depend on the data of the argument of this name.
    pub(crate) fn refers_to(&self, argument: &str) -> bool {
        match self {
            // Whatever has the name in it: to fill one buffer too many costs only time.
            Self::Formula(formula) => formula.expression.to_string().contains(argument),
            Self::PrefixSum(fill) => fill.refers_to(argument),
            Self::Sections(sections) => sections.iter().any(|(_, fill)| fill.refers_to(argument)),
            Self::Fields(fills) => fills.iter().any(|fill| fill.refers_to(argument)),
            Self::Uniform(_)
            | Self::Values(_)
            | Self::Between(_)
            | Self::Permutation
            | Self::File { .. } => false,
        }
    }

    /// Components of type `base`, `components` of them. The same kernel and argument always give the same.
    ///
    /// # Errors
    /// A fill expression failed, or its value does not fit `base`.
    pub(crate) fn data(
        &self,
        base: Base,
        components: usize,
        filling: Filling<'_>,
    ) -> Result<Data, FillError> {
        self.part(base, 0..components, filling)
    }

    /// Whether each number depends on its place alone, so that [`part`](Self::part) can be asked for any of them.
    pub(crate) fn is_by_place(&self) -> bool {
        match self {
            Self::Uniform(_) | Self::Values(_) | Self::Between(_) | Self::Formula(_) => true,
            Self::Permutation
            | Self::PrefixSum(_)
            | Self::Sections(_)
            | Self::File { .. }
            | Self::Fields(_) => false,
        }
    }

    /// [`data`](Self::data) in these places; from 0 on, unless [`is_by_place`](Self::is_by_place).
    pub(crate) fn part(
        &self,
        base: Base,
        places: Range<usize>,
        filling: Filling<'_>,
    ) -> Result<Data, FillError> {
        let (from, components) = (places.start, places.len());
        let seed = || seed(filling.kernel, filling.argument);
        match self {
            Self::Uniform([low, high]) => {
                let seed = seed();
                Data::generate(base, components, |start| {
                    let random = random_from(seed, from + start);
                    random.map(|random| Ok(between(*low, *high, random).unwrap_or(*low)))
                })
            }
            Self::Values(values) => Data::generate(base, components, |start| {
                let values = values.iter().cycle().skip((from + start) % values.len());
                values.map(|value| Ok(*value))
            }),
            Self::Between(bounds) => derived::between(bounds, base, places, filling),
            Self::File { name, files } => {
                let name = name.resolved(filling.parameters)?;
                let wrong = |problem| FillError::new(filling.argument, format!("{name} {problem}"));
                let missing =
                    || wrong("is not there; expected a NumPy file of the folder".to_owned());
                let bytes = files.get(&name).ok_or_else(missing)?;
                npy::numbers(bytes, base, components).map_err(wrong)
            }
            Self::Permutation => derived::permutation(base, components, filling),
            Self::PrefixSum(fill) => derived::prefix_sum(fill, base, components, filling),
            Self::Sections(sections) => derived::sections(sections, base, components, filling),
            Self::Fields(_) => unreachable!("structures are filled field by field"),
            Self::Formula(formula) => {
                let bound = &formula.expression.with(filling.parameters);
                let (seed, before) = (seed(), filling.before);
                Data::generate(base, components, |start| {
                    let indices = from + start..places.end;
                    indices.map(move |index| at(formula, bound, base, index, (seed, before)))
                })
            }
        }
    }
}

fn at(
    formula: &Formula,
    bound: &Expression,
    base: Base,
    index: usize,
    (seed, before): (u64, &Before<'_>),
) -> Result<Number, FillError> {
    let wrong = |problem| FillError {
        index,
        formula: format!("{} = \"{}\"", formula.field, formula.expression),
        problem,
    };
    let scope = Scope {
        parameters: &Parameters::new(),
        element: Some(Place {
            index: i64::try_from(index).unwrap_or(i64::MAX),
            seed,
            before,
        }),
    };
    match bound.value_in(scope) {
        Ok(value) if base.holds(value) => Ok(value),
        Ok(value) => Err(wrong(format!(
            "is {value} at i = {index}; expected {}",
            base.numbers()
        ))),
        Err(fault) => Err(wrong(format!("has no value at i = {index}: {fault}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(fill: &Fill, base: Base, components: usize) -> Result<Data, FillError> {
        let filling = Filling {
            kernel: "a",
            argument: "b",
            parameters: &Parameters::from([("n".to_owned(), 10)]),
            before: &Before::new(),
        };
        fill.data(base, components, filling)
    }

    fn formula(text: &str) -> Formula {
        Formula {
            expression: Expression::parse_fill(text, &["n", "i"], &[]).unwrap(),
            field: "arguments.b.fill".to_owned(),
            span: 0..0,
        }
    }

    #[test]
    fn sums_permutations_and_sections_are_what_they_say() {
        let wholes = |values: [i64; 2]| Fill::Values(values.map(Number::Whole).to_vec());
        let ones = || Box::new(wholes([1, 2]));
        let sums = filled(&Fill::PrefixSum(ones()), Base::Int, 5).unwrap();
        assert_eq!(sums.as_i32(), [0, 1, 3, 4, 6]);
        let fault = filled(&Fill::PrefixSum(ones()), Base::Char, 200).unwrap_err();
        assert!(fault.to_string().contains("char can hold"), "{fault}");

        let order = filled(&Fill::Permutation, Base::Uint, 1000).unwrap();
        let mut sorted = order.as_u32().to_vec();
        assert!(!sorted.is_sorted());
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
        let fault = filled(&Fill::Permutation, Base::Char, 200).unwrap_err();
        assert!(fault.to_string().contains("char can hold"), "{fault}");

        let parts = |first: &str| {
            let first = (Some(formula(first)), Fill::Formula(formula("i * 10")));
            Fill::Sections(vec![first, (None, wholes([-1, -2]))])
        };
        let data = filled(&parts("n / 3"), Base::Int, 6).unwrap();
        assert_eq!(data.as_i32(), [0, 10, 20, -1, -2, -1]);
        let fault = filled(&parts("n"), Base::Int, 6).unwrap_err();
        assert!(fault.to_string().contains("6 components"), "{fault}");

        let bounds = Fill::Between(Box::new([formula("-n"), formula("n / 2.0")]));
        let data = filled(&bounds, Base::Float, 1000).unwrap();
        assert!(data.as_f32().iter().all(|it| (-10.0..5.0).contains(it)));
        let fault = filled(&bounds, Base::Int, 1000).unwrap_err();
        assert!(fault.to_string().contains("whole number"), "{fault}");
    }

    #[test]
    fn a_long_buffer_begins_as_a_short_one() {
        let reals = Fill::Uniform([-1.0, 1.0].map(Number::Real));
        let fill = |components| filled(&reals, Base::Float, components).unwrap();
        // Long enough to be shared among threads; the short one is filled by one.
        let (long, short) = (fill(3 << 20), fill(1000));
        assert_eq!(long.as_f32()[..1000], *short.as_f32());
        let tail = fill((3 << 20) - 1);
        assert_eq!(long.as_f32()[..tail.len()], *tail.as_f32());
    }

    #[test]
    fn of_several_faults_the_first_is_told() {
        let text = "1 / ((i - 1000000) * (i - 2000000))";
        let formula = Fill::Formula(Formula {
            expression: Expression::parse(text, &["i"]).unwrap(),
            field: "arguments.a.fill".to_owned(),
            span: 0..0,
        });
        let fault = filled(&formula, Base::Int, 3 << 20).unwrap_err();
        assert_eq!(fault.index, 1_000_000);
        assert!(fault.to_string().contains("has no value"), "{fault}");
    }
}
