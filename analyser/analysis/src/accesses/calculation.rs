//! Floating-point calculations that the text and the launch decide.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Calculation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Ceil,
    Floor,
    Trunc,
    Round,
    Rint,
    /// A rounding to a `float`.
    Narrow,
}

impl Calculation {
    /// The result for these operands, in double precision; none for a wrong number of them.
    pub(super) fn apply(self, values: &[f64]) -> Option<f64> {
        Some(match (self, values) {
            (Self::Add, [a, b]) => a + b,
            (Self::Subtract, [a, b]) => a - b,
            (Self::Multiply, [a, b]) => a * b,
            (Self::Divide, [a, b]) => a / b,
            (Self::Ceil, [a]) => a.ceil(),
            (Self::Floor, [a]) => a.floor(),
            (Self::Trunc, [a]) => a.trunc(),
            (Self::Round, [a]) => a.round(),
            (Self::Rint, [a]) => a.round_ties_even(),
            (Self::Narrow, [a]) => *a,
            _ => return None,
        })
    }

    pub(super) fn rounds(self) -> bool {
        matches!(
            self,
            Self::Ceil | Self::Floor | Self::Trunc | Self::Round | Self::Rint
        )
    }
}
