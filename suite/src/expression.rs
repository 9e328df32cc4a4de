//! Whole-number expressions of launch files: `n * n`, `ceil_div(n, 16)`.
//!
//! Written by hand because a mistake must point at its column, every step must be checked for
//! overflow, and parameters may be called `max_steps` (exmex reads that as the operator `max`).

use std::fmt;

use thiserror::Error;

use super::Parameters;

mod parse;

/// A parsed expression over parameters, and over the element's index `i` in fills.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(i64),
    Name(String),
    Call(Function, Vec<Node>),
}

#[derive(Clone, Copy, Debug)]
enum Function {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Negate,
    Min,
    Max,
    CeilDiv,
    Pow,
    Log2,
}

/// Why an expression has no value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The result of a step needs more than 64 bits.
    #[error("`{0}` needs more than 64 bits")]
    Overflow(String),
    /// A divisor is 0.
    #[error("`{0}` divides by zero")]
    DivisionByZero(String),
    /// log2 of 0 or less, or a negative power.
    #[error("`{0}` is not defined")]
    Undefined(String),
    /// A parameter has no value here.
    #[error("`{0}` has no value")]
    NoValue(String),
}

impl Expression {
    /// Its value for these parameters.
    ///
    /// # Errors
    /// Overflow, division by zero, or a parameter that is not among `parameters`.
    pub fn value(&self, parameters: &Parameters) -> Result<i64, Fault> {
        self.root.value(parameters, None)
    }

    /// With numbers in the place of parameters, except of `i`: to be asked for many values.
    pub(crate) fn with(&self, parameters: &Parameters) -> Self {
        Self {
            text: self.text.clone(),
            root: self.root.with(parameters),
        }
    }

    /// Its value for element `index` of a buffer.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn value_at(&self, parameters: &Parameters, index: i64) -> Result<i64, Fault> {
        self.root.value(parameters, Some(index))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    fn with(&self, parameters: &Parameters) -> Self {
        match self {
            Self::Number(number) => Self::Number(*number),
            Self::Name(name) => match parameters.get(name) {
                Some(number) if name != "i" => Self::Number(*number),
                _ => self.clone(),
            },
            Self::Call(function, operands) => {
                let operands = operands.iter().map(|operand| operand.with(parameters));
                Self::Call(*function, operands.collect())
            }
        }
    }

    fn value(&self, parameters: &Parameters, index: Option<i64>) -> Result<i64, Fault> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Name(name) => match index {
                Some(index) if name == "i" => Ok(index),
                _ => parameters
                    .get(name)
                    .copied()
                    .ok_or_else(|| Fault::NoValue(name.clone())),
            },
            Self::Call(function, operands) => match operands.as_slice() {
                [a] => function.of(a.value(parameters, index)?, 0),
                [a, b] => function.of(a.value(parameters, index)?, b.value(parameters, index)?),
                _ => unreachable!("the parser makes calls of one or two operands"),
            },
        }
    }
}

impl Function {
    fn of(self, a: i64, b: i64) -> Result<i64, Fault> {
        let wide = match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide | Self::Remainder | Self::CeilDiv if b == 0 => {
                return Err(Fault::DivisionByZero(self.written(a, b)));
            }
            Self::Divide => a.checked_div(b),
            Self::Remainder => a.checked_rem(b),
            // Rounds up for every sign; i64::div_ceil is not stable yet.
            Self::CeilDiv => a.checked_div(b).map(|quotient| {
                let up = a % b != 0 && (a < 0) == (b < 0);
                quotient + i64::from(up)
            }),
            Self::Negate => a.checked_neg(),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Pow if b < 0 => return Err(Fault::Undefined(self.written(a, b))),
            Self::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            Self::Log2 => match a.checked_ilog2() {
                Some(log) => Some(i64::from(log)),
                None => return Err(Fault::Undefined(self.written(a, b))),
            },
        };
        wide.ok_or_else(|| Fault::Overflow(self.written(a, b)))
    }

    fn written(self, a: i64, b: i64) -> String {
        match self {
            Self::Add => format!("{a} + {b}"),
            Self::Subtract => format!("{a} - {b}"),
            Self::Multiply => format!("{a} * {b}"),
            Self::Divide => format!("{a} / {b}"),
            Self::Remainder => format!("{a} % {b}"),
            Self::Negate => format!("-({a})"),
            Self::Min => format!("min({a}, {b})"),
            Self::Max => format!("max({a}, {b})"),
            Self::CeilDiv => format!("ceil_div({a}, {b})"),
            Self::Pow => format!("pow({a}, {b})"),
            Self::Log2 => format!("log2({a})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i64, Fault> {
        let parameters = Parameters::from([("n".into(), 10), ("max_steps".into(), 3)]);
        Expression::parse(text, &["n", "max_steps"])
            .expect("parses")
            .value(&parameters)
    }

    #[test]
    fn precedence_parentheses_and_functions() {
        for (text, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("100 / 7 / 2", 7),
            ("-n + 1", -9),
            ("2 * -3", -6),
            ("-7 / 2", -3),
            ("17 % 5", 2),
            ("max_steps*n", 30),
            ("min(n, max(3, max_steps))", 3),
            ("ceil_div(n, 4)", 3),
            ("ceil_div(-7, 2)", -3),
            ("pow(2, max_steps)", 8),
            ("log2(n)", 3),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, fault) in [
            ("n / (n - 10)", "`10 / 0` divides by zero"),
            ("n % 0", "`10 % 0` divides by zero"),
            ("pow(n, 19)", "`pow(10, 19)` needs more than 64 bits"),
            (
                "9223372036854775807 + 1",
                "`9223372036854775807 + 1` needs more than 64 bits",
            ),
            ("log2(0)", "`log2(0)` is not defined"),
        ] {
            assert_eq!(value(text).unwrap_err().to_string(), fault, "{text}");
        }
    }

    #[test]
    fn mistakes_point_at_their_place() {
        for (text, at, expected) in [
            ("n *", 3, "a number, a parameter, a function or `(`"),
            ("n n", 2, "an operator or the end"),
            ("(n", 2, "`)`"),
            ("m + 1", 0, "one of the parameters: n, max_steps"),
            ("min(n)", 5, "`,`: min takes 2 values"),
            ("max(1, 2, 3)", 8, "`)`: max takes 2 values"),
            ("1.5", 1, "an operator or the end"),
            (
                "99999999999999999999",
                0,
                "a number up to 9223372036854775807",
            ),
            ("", 0, "a number, a parameter, a function or `(`"),
            (
                "sin(n)",
                0,
                "one of the functions: min, max, ceil_div, pow, log2",
            ),
        ] {
            let mistake = Expression::parse(text, &["n", "max_steps"]).unwrap_err();
            assert_eq!(
                (mistake.at, mistake.expected.as_str()),
                (at, expected),
                "{text}"
            );
        }
    }
}
