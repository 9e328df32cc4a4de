//! Formulas: expressions at their places in a launch file.

use std::ops::Range;

use thiserror::Error;

use super::{Expression, Number, Parameters};

/// An expression, and the field it stands in.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The expression.
    pub expression: Expression,
    /// The field, as `arguments.a.length`.
    pub field: String,
    /// Its bytes in the launch file.
    pub(crate) span: Range<usize>,
}

/// A field whose value can't be used with some parameters.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{field} = \"{text}\" {problem}; expected {expected}")]
pub struct BadValue {
    /// The field, as `arguments.a.length`.
    pub field: String,
    /// The expression as the launch file has it.
    pub text: String,
    /// The value that came out, and the sizes.
    pub problem: String,
    /// The values that are allowed.
    pub expected: String,
    pub(crate) span: Range<usize>,
}

impl Formula {
    /// The formula's value.
    ///
    /// # Errors
    /// Overflow, or a division by zero.
    pub fn number(&self, parameters: &Parameters) -> Result<Number, BadValue> {
        self.expression.value(parameters).map_err(|fault| {
            let problem = format!("has no value: {fault}");
            self.bad(&problem, parameters, "a number of 64 bits")
        })
    }

    /// The formula's value as a number of things, at least one.
    ///
    /// # Errors
    /// Those of [`number`](Self::number), and values below 1.
    pub fn count(&self, parameters: &Parameters) -> Result<usize, BadValue> {
        let number = self.number(parameters)?;
        let Number::Whole(whole) = number else {
            return Err(self.bad(&format!("is {number}"), parameters, "a whole number"));
        };
        match usize::try_from(whole) {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(self.bad(&format!("is {number}"), parameters, "1 or more")),
        }
    }

    pub(crate) fn bad(&self, problem: &str, parameters: &Parameters, expected: &str) -> BadValue {
        BadValue {
            field: self.field.clone(),
            text: self.expression.to_string(),
            problem: format!("{problem} where {}", sizes(parameters)),
            expected: expected.to_owned(),
            span: self.span.clone(),
        }
    }
}

/// Parameters as text: `n=64 radius=2`.
pub fn sizes(parameters: &Parameters) -> String {
    let values: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(" ")
}
