//! What buffers hold before a launch.

use std::iter;

use rand_xoshiro::{
    SplitMix64,
    rand_core::{Rng, SeedableRng},
};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Base, Data, Expression, Formula, Number, Parameters, expression::Scope};

/// Changes whenever the same launch file fills a buffer with other numbers: what was counted before
/// was counted with other inputs.
pub const FILL_VERSION: u32 = 2;

/// How a buffer is filled, component by component.
#[derive(Clone, Debug)]
pub enum Fill {
    /// Random, both ends included: for whole-number types.
    UniformWhole {
        /// Smallest.
        low: i64,
        /// Largest.
        high: i64,
    },
    /// Random in [low, high): for floating-point types.
    UniformReal {
        /// Smallest.
        low: f64,
        /// Never reached, but by rounding.
        high: f64,
    },
    /// These, again and again: for floating-point types.
    Reals(Vec<f64>),
    /// These, again and again: for whole-number types.
    Wholes(Vec<i64>),
    /// Over the parameters and the index `i`.
    Formula(Formula),
    /// Each field of a structure by itself, in order.
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

impl Fill {
    /// `components` numbers of type `base`; the same for the same kernel and argument, always.
    ///
    /// # Errors
    /// A fill expression failed, or its value does not fit `base`.
    pub fn data(
        &self,
        base: Base,
        components: usize,
        (kernel, argument): (&str, &str),
        parameters: &Parameters,
    ) -> Result<Data, FillError> {
        match self {
            Self::UniformWhole { low, high } => {
                let seed = seed(kernel, argument);
                Data::generate(base, components, |start| {
                    let random = random_from(seed, start);
                    random.map(|random| Ok(Number::Whole(whole(random, *low, *high))))
                })
            }
            Self::UniformReal { low, high } => {
                let seed = seed(kernel, argument);
                Data::generate(base, components, |start| {
                    let random = random_from(seed, start);
                    random.map(|random| Ok(Number::Real(real(random, *low, *high))))
                })
            }
            Self::Reals(values) => Data::generate(base, components, |start| {
                let values = values.iter().cycle().skip(start % values.len());
                values.map(|value| Ok(Number::Real(*value)))
            }),
            Self::Wholes(values) => Data::generate(base, components, |start| {
                let values = values.iter().cycle().skip(start % values.len());
                values.map(|value| Ok(Number::Whole(*value)))
            }),
            Self::Fields(_) => unreachable!("structures are filled field by field"),
            Self::Formula(formula) => {
                let bound = formula.expression.with(parameters);
                Data::generate(base, components, |start| {
                    let indices = start..components;
                    indices.map(|index| at(formula, &bound, base, index))
                })
            }
        }
    }
}

fn seed(kernel: &str, argument: &str) -> u64 {
    // The lengths keep ("a", "bc") and ("ab", "c") apart.
    let seed = format!("{}:{kernel}{}:{argument}", kernel.len(), argument.len());
    let hash = Sha256::digest(seed);
    hash.iter()
        .take(8)
        .fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// The random numbers of a seed from place `start` on.
///
/// SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014)
/// mixes a counter, so that each part of a buffer can be filled by itself.
fn random_from(seed: u64, start: usize) -> impl Iterator<Item = u64> {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let counter = seed.wrapping_add(STEP.wrapping_mul(start as u64));
    let mut random = SplitMix64::from_seed(counter.to_le_bytes());
    iter::repeat_with(move || random.next_u64())
}

// The two conversions are written out, so that no library's next version can change the inputs
// that stored samples were measured with.

fn whole(random: u64, low: i64, high: i64) -> i64 {
    let span = i128::from(high) - i128::from(low) + 1;
    let scaled = (i128::from(random) * span) >> 64;
    (i128::from(low) + scaled).try_into().unwrap_or(high)
}

fn real(random: u64, low: f64, high: f64) -> f64 {
    // 53 bits: every value of [0, 1) that is a multiple of 2⁻⁵³.
    let unit = (random >> 11) as f64 / (1_u64 << 53) as f64;
    low + (high - low) * unit
}

fn at(
    formula: &Formula,
    bound: &Expression,
    base: Base,
    index: usize,
) -> Result<Number, FillError> {
    let wrong = |problem| FillError {
        index,
        formula: format!("{} = \"{}\"", formula.field, formula.expression),
        problem,
    };
    let scope = Scope {
        parameters: &Parameters::new(),
        index: Some(i64::try_from(index).unwrap_or(i64::MAX)),
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

    #[test]
    fn a_long_buffer_begins_as_a_short_one() {
        let reals = Fill::UniformReal {
            low: -1.0,
            high: 1.0,
        };
        let fill = |components| {
            let data = reals.data(Base::Float, components, ("a", "b"), &Parameters::new());
            data.unwrap()
        };
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
        let filled = formula.data(Base::Int, 3 << 20, ("a", "b"), &Parameters::new());
        let fault = filled.unwrap_err();
        assert_eq!(fault.index, 1_000_000);
        assert!(fault.to_string().contains("has no value"), "{fault}");
    }
}
