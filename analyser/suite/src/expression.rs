//! Expressions of launch files: `n * n`, `ceil_div(n, 16)`, `i < n / 2 ? 1.0 / n : 0`.
//!
//! Written by hand because a mistake must point at its column, every step must be checked for
//! overflow, and parameters may be called `max_steps` (exmex reads that as the operator `max`).

use std::fmt;

use thiserror::Error;

use super::{Number, Parameters, data::Before, random};

mod function;
mod parse;

use function::Function;
pub(crate) use parse::Misspelt;

/// A parsed expression over parameters, and over the element's index `i` in fills.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(Number),
    Name(String),
    Call(Function, Vec<Node>),
    /// `a && b`: the second is only evaluated if it decides.
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    /// `random(low, high)`, with its number among the expression's.
    Random(u64, Box<[Node; 2]>),
    /// `starts[i + 1]`: a number that an argument was filled with.
    Component(String, Box<Node>),
    /// `a ? b : c`: only one of the two is evaluated.
    Choice(Box<[Node; 3]>),
}

/// The reason why an expression has no value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Fault {
    /// The result of a step needs more than 64 bits.
    #[error("`{0}` needs more than 64 bits")]
    Overflow(String),
    /// A divisor is 0.
    #[error("`{0}` divides by zero")]
    DivisionByZero(String),
    /// log2 of 0 or less, a negative power, a shift by 64 bits.
    #[error("`{0}` is not defined")]
    Undefined(String),
    /// An operation on bits was given a number with a decimal point.
    #[error("`{0}` takes whole numbers")]
    NotWhole(String),
    /// A place beyond a buffer's ends.
    #[error("`{0}` is not there: it has {1} components")]
    NoComponent(String, usize),
    /// The first bound of random numbers is above the second.
    #[error("`random({0}, {1})` has no number to choose")]
    NoRandom(String, String),
    /// A parameter has no value here.
    #[error("`{0}` has no value")]
    NoValue(String),
}

/// The meanings of the names in an expression.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) parameters: &'a Parameters,
    /// The element that is filled; none outside fills.
    pub(crate) element: Option<Place<'a>>,
}

/// An element that is filled.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The element's index, `i`.
    pub(crate) index: i64,
    /// Seed of the argument's random numbers.
    pub(crate) seed: u64,
    /// Data of arguments that come before it.
    pub(crate) before: &'a Before<'a>,
}

impl Expression {
    /// The expression's value for these parameters.
    ///
    /// # Errors
    /// Overflow, division by zero, or a parameter that is not among `parameters`.
    pub fn value(&self, parameters: &Parameters) -> Result<Number, Fault> {
        let element = None;
        self.value_in(Scope {
            parameters,
            element,
        })
    }

    /// The expression's value with the meanings of names in `scope`.
    pub(crate) fn value_in(&self, scope: Scope<'_>) -> Result<Number, Fault> {
        self.root.value(scope)
    }

    /// The expression with numbers in place of parameters, except for `i`: for many evaluations.
    pub(crate) fn with(&self, parameters: &Parameters) -> Self {
        Self {
            text: self.text.clone(),
            root: self.root.with(parameters),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Node {
    fn with(&self, parameters: &Parameters) -> Self {
        let two = |nodes: &[Self; 2]| Box::new(nodes.each_ref().map(|node| node.with(parameters)));
        match self {
            Self::Number(number) => Self::Number(*number),
            Self::Name(name) => match parameters.get(name) {
                Some(number) if name != "i" => Self::Number(Number::Whole(*number)),
                _ => self.clone(),
            },
            Self::Call(function, operands) => {
                let operands = operands.iter().map(|operand| operand.with(parameters));
                Self::Call(*function, operands.collect())
            }
            Self::And(operands) => Self::And(two(operands)),
            Self::Or(operands) => Self::Or(two(operands)),
            Self::Random(call, bounds) => Self::Random(*call, two(bounds)),
            Self::Component(name, place) => {
                Self::Component(name.clone(), Box::new(place.with(parameters)))
            }
            Self::Choice(nodes) => {
                Self::Choice(Box::new(nodes.each_ref().map(|node| node.with(parameters))))
            }
        }
    }

    fn value(&self, scope: Scope<'_>) -> Result<Number, Fault> {
        let is_true = |node: &Self| node.value(scope).map(Number::is_true);
        Ok(match self {
            Self::Number(number) => *number,
            Self::Name(name) => match scope.element {
                Some(element) if name == "i" => Number::Whole(element.index),
                _ => match scope.parameters.get(name) {
                    Some(number) => Number::Whole(*number),
                    None => return Err(Fault::NoValue(name.clone())),
                },
            },
            Self::Call(function, operands) => match operands.as_slice() {
                [a] => function.of_one(a.value(scope)?)?,
                [a, b] => function.of_two(a.value(scope)?, b.value(scope)?)?,
                _ => unreachable!("the parser makes calls of one or two operands"),
            },
            Self::Random(call, bounds) => {
                let [low, high] = &**bounds;
                let (low, high) = (low.value(scope)?, high.value(scope)?);
                let no_value = || Fault::NoValue("random".to_owned());
                let element = scope.element.ok_or_else(no_value)?;
                random::between(
                    low,
                    high,
                    random::at_call(element.seed, *call, element.index),
                )
                .ok_or_else(|| Fault::NoRandom(low.to_string(), high.to_string()))?
            }
            Self::Component(name, place) => {
                let place = place.value(scope)?;
                let data = scope.element.and_then(|it| it.before.get(&**name));
                let data = data.ok_or_else(|| Fault::NoValue(name.clone()))?;
                let index = match place {
                    Number::Whole(place) => usize::try_from(place).ok(),
                    Number::Real(_) => None,
                };
                index
                    .and_then(|index| data.number(index))
                    .ok_or_else(|| Fault::NoComponent(format!("{name}[{place}]"), data.len()))?
            }
            Self::And(operands) => (is_true(&operands[0])? && is_true(&operands[1])?).into(),
            Self::Or(operands) => (is_true(&operands[0])? || is_true(&operands[1])?).into(),
            Self::Choice(nodes) => {
                let [condition, yes, no] = &**nodes;
                let branch = if is_true(condition)? { yes } else { no };
                branch.value(scope)?
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Data;

    fn value(text: &str) -> Result<Number, Fault> {
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
            ("abs(3 - n)", 7),
            // As in C, from the weakest to the strongest.
            ("n == 10 ? n > 3 ? 1 : 2 : 3", 1),
            ("n != 10 || n < 11 && n >= 10", 1),
            ("0 || n <= 9", 0),
            ("1 | 6 ^ 3 & 2", 5),
            ("(1 | 6 ^ 3) & 2", 0),
            ("n & 3 == 2", 0),
            ("1 << max_steps + 1", 16),
            ("-16 >> 2", -4),
            ("~n & 0xFF", 245),
            ("!n + !0", 1),
            // Only what decides is asked for.
            ("n > 0 || 1 / 0", 1),
            ("n < 0 && 1 / 0", 0),
            ("n ? 7 : 1 / 0", 7),
            // Of numbers with a decimal point to whole ones.
            ("floor(n / 4.0)", 2),
            ("floor(-0.5)", -1),
            ("n / 4.0 > 2.4", 1),
        ] {
            assert_eq!(value(text), Ok(Number::Whole(expected)), "{text}");
        }
    }

    #[test]
    fn one_decimal_point_makes_the_result_real() {
        for (text, expected) in [
            ("1.0 / n", 0.1),
            ("n / 4.0", 2.5),
            ("1 / n + 0.5", 0.5),
            ("7.5 % 2", 1.5),
            ("-1.5e1", -15.0),
            ("2.5e-1 * 4", 1.0),
            ("min(0.5, n)", 0.5),
            ("pow(2.0, -1)", 0.5),
            ("log2(0.25)", -2.0),
            ("sqrt(16)", 4.0),
            ("exp(0) + log(1) + sin(0) + cos(0)", 2.0),
        ] {
            assert_eq!(value(text), Ok(Number::Real(expected)), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        for (text, fault) in [
            ("n / (n - 10)", "`10 / 0` divides by zero"),
            ("n % 0", "`10 % 0` divides by zero"),
            ("1.0 / (n - 10)", "`1.0 / 0` divides by zero"),
            ("pow(n, 19)", "`pow(10, 19)` needs more than 64 bits"),
            (
                "9223372036854775807 + 1",
                "`9223372036854775807 + 1` needs more than 64 bits",
            ),
            ("1e308 * n", "`1e308 * 10` needs more than 64 bits"),
            ("log2(0)", "`log2(0)` is not defined"),
            ("sqrt(-1)", "`sqrt(-1)` is not defined"),
            ("1 << 64", "`1 << 64` is not defined"),
            ("n << 62", "`10 << 62` needs more than 64 bits"),
            ("n & 1.5", "`10 & 1.5` takes whole numbers"),
            ("~0.5", "`~0.5` takes whole numbers"),
            ("floor(1e300)", "`floor(1e300)` needs more than 64 bits"),
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
            ("n = 1", 2, "an operator or the end"),
            ("n ? 1", 5, "`:` and what holds otherwise"),
            ("1.", 0, "a number: 12, 0xFF, 0.5 or 1e-3"),
            ("1.5f", 3, "an operator or the end"),
            ("0xG", 0, "a number: 12, 0xFF, 0.5 or 1e-3"),
            ("1e999", 0, "a number that 64 bits can hold"),
            ("99999999999999999999", 0, "a number that 64 bits can hold"),
            ("", 0, "a number, a parameter, a function or `(`"),
            (
                "tan(n)",
                0,
                "one of the functions: min, max, ceil_div, pow, log2, abs, floor, sqrt, exp, log, sin, cos",
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

    #[test]
    fn fills_may_use_random_numbers_and_what_was_filled_before() {
        let starts = Data::Int(vec![0, 3, 7]);
        let before = Before::from([("starts", &starts)]);
        let value = |text: &str, index| {
            let element = Some(Place {
                index,
                seed: 1,
                before: &before,
            });
            let parameters = &Parameters::from([("n".into(), 10)]);
            let scope = Scope {
                parameters,
                element,
            };
            Expression::parse_fill(text, &["n", "i"], &["starts"])
                .expect("parses")
                .value_in(scope)
        };
        assert_eq!(value("starts[i + 1] - starts[i]", 1), Ok(Number::Whole(4)));
        assert_eq!(
            value("starts[i + 1]", 2).unwrap_err().to_string(),
            "`starts[3]` is not there: it has 3 components"
        );
        for index in 1..50 {
            let parent = value("random(0, i - 1)", index).expect("a value").real();
            assert!(parent >= 0.0 && parent < index as f64, "{index}: {parent}");
            let real = value("random(0.0, 1)", index).expect("a value");
            assert!(matches!(real, Number::Real(real) if (0.0..1.0).contains(&real)));
        }
        assert_ne!(value("random(0, n)", 1), value("random(0, n * n)", 1));
        assert!(value("random(0, 1000) != random(0, 1000)", 3) == Ok(Number::Whole(1)));
        assert_eq!(
            value("random(0, i - 1)", 0).unwrap_err().to_string(),
            "`random(0, -1)` has no number to choose"
        );
        let lengths = Expression::parse("random(0, n)", &["n"]).unwrap_err();
        assert!(
            lengths.expected.starts_with("one of the functions"),
            "{lengths:?}"
        );
    }

    #[test]
    fn neither_depth_nor_length_overflows_the_stack() {
        for text in [
            "(".repeat(10_000),
            "!".repeat(10_000),
            "n?".repeat(10_000),
            format!("n{}", "?n:n".repeat(10_000)),
            format!("n{}", "+n".repeat(100_000)),
        ] {
            assert!(Expression::parse(&text, &["n"]).is_err());
        }
    }
}
