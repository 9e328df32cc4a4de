//! What buffers hold before a launch.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Base, Fault, Formula, Parameters};
use crate::data::{Data, Number};

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
    /// Over the parameters and the index `i`: for whole-number types.
    Formula(Formula),
}

/// A fill expression without a value that the type can hold.
#[derive(Clone, Debug, Error)]
pub enum FillError {
    /// The expression failed.
    #[error("{field} = \"{text}\" has no value at i = {index}: {fault}")]
    Fault {
        /// As `arguments.a.fill`.
        field: String,
        /// The expression.
        text: String,
        /// The component.
        index: usize,
        /// Why.
        fault: Fault,
    },
    /// The value does not fit.
    #[error(
        "{field} = \"{text}\" is {value} at i = {index}; expected a number that {base} can hold"
    )]
    Range {
        /// As `arguments.a.fill`.
        field: String,
        /// The expression.
        text: String,
        /// The component.
        index: usize,
        /// What came out.
        value: i64,
        /// The type.
        base: Base,
    },
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
        let mut random = random(kernel, argument);
        let numbers = (0..components).map(|index| {
            Ok(match self {
                Self::UniformWhole { low, high } => Number::Whole(whole(&mut random, *low, *high)),
                Self::UniformReal { low, high } => Number::Real(real(&mut random, *low, *high)),
                Self::Reals(values) => Number::Real(values[index % values.len()]),
                Self::Wholes(values) => Number::Whole(values[index % values.len()]),
                Self::Formula(formula) => Number::Whole(at(formula, base, index, parameters)?),
            })
        });
        Data::collect(base, numbers)
    }
}

fn random(kernel: &str, argument: &str) -> ChaCha8Rng {
    // The lengths keep ("a", "bc") and ("ab", "c") apart.
    let seed = format!("{}:{kernel}{}:{argument}", kernel.len(), argument.len());
    ChaCha8Rng::from_seed(Sha256::digest(seed).into())
}

// The two conversions are written out, so that no library's next version can change the inputs
// that stored samples were measured with.

fn whole(random: &mut ChaCha8Rng, low: i64, high: i64) -> i64 {
    let span = i128::from(high) - i128::from(low) + 1;
    let scaled = (i128::from(random.next_u64()) * span) >> 64;
    (i128::from(low) + scaled).try_into().unwrap_or(high)
}

fn real(random: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    // 53 bits: every value of [0, 1) that is a multiple of 2⁻⁵³.
    let unit = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    low + (high - low) * unit
}

fn at(
    formula: &Formula,
    base: Base,
    index: usize,
    parameters: &Parameters,
) -> Result<i64, FillError> {
    let (field, text) = (formula.field.clone(), formula.expression.to_string());
    match formula
        .expression
        .value_at(parameters, i64::try_from(index).unwrap_or(i64::MAX))
    {
        Err(fault) => Err(FillError::Fault {
            field,
            text,
            index,
            fault,
        }),
        Ok(value) if base.holds(value) => Ok(value),
        Ok(value) => Err(FillError::Range {
            field,
            text,
            index,
            value,
            base,
        }),
    }
}
