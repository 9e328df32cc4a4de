//! Numbers: what expressions give, and what components are made of.

use std::fmt;

/// A component before it has a type; what an expression comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number of 64 bits.
    Whole(i64),
    /// A finite floating-point number.
    Real(f64),
}

impl Number {
    /// Rounded, if it is a whole number above 2⁵³.
    pub fn real(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) => real,
        }
    }

    /// Whether it is true as in C: not 0.
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

/// Writes it as expressions do: a real number has a decimal point or an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(whole) => write!(f, "{whole}"),
            Self::Real(real) => write!(f, "{real:?}"),
        }
    }
}
