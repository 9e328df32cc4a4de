//! An expression at its place in a launch file.

use std::ops::Range;

use thiserror::Error;

use super::{Expression, Number, Parameters};

/// An expression, and the field it stands in.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What is evaluated.
    pub expression: Expression,
    /// The field, as `arguments.a.length`.
    pub field: String,
    /// Bytes of the launch file.
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
    /// What came out, and with which sizes.
    pub problem: String,
    /// What should have come out.
    pub expected: String,
    pub(crate) span: Range<usize>,
}

impl Formula {
    /// Its value.
    ///
    /// # Errors
    /// Overflow, or a division by zero.
    pub fn number(&self, parameters: &Parameters) -> Result<Number, BadValue> {
        self.expression.value(parameters).map_err(|fault| {
            let problem = format!("has no value: {fault}");
            self.bad(&problem, parameters, "a number of 64 bits")
        })
    }

    /// Its value as a number of things, at least one.
    ///
    /// # Errors
    /// As [`number`](Self::number), and values below 1.
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

/// `n=64 radius=2`.
pub fn sizes(parameters: &Parameters) -> String {
    let values: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    values.join(" ")
}
