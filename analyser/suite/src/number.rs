//! Numbers: values of expressions, and components before they have a type.

use std::fmt;

/// The value of an expression, or a component before it has a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number of 64 bits.
    Whole(i64),
    /// A finite floating-point number.
    Real(f64),
}

impl Number {
    /// The number as a floating-point one; a whole number above 2⁵³ is rounded.
    pub fn real(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// Whether the number is true as in C: not 0.
    pub(crate) fn is_true(self) -> bool {
        self.real() != 0.0
    }
}

impl From<i64> for Number {
    fn from(whole: i64) -> Self {
        Self::Whole(whole)
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl From<bool> for Number {
    fn from(is_true: bool) -> Self {
        Self::Whole(is_true.into())
    }
}

/// The number as expressions write it: a real number has a decimal point or an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => write!(f, "{whole}"),
            Self::Real(real) => write!(f, "{real:?}"),
        }
    }
}
