//! Operators and functions, over whole and real numbers.

use super::Fault;
use crate::Number;

/// An operator or a function of one or two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Negate,
    Not,
    BitNot,
    Min,
    Max,
    CeilDiv,
    Pow,
    Log2,
    Abs,
    Floor,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
}

/// Operators with two operands: text, function, and how strongly they bind, as in C. Longer texts come before their
/// beginnings.
pub(super) const OPERATORS: [(&str, Function, u8); 16] = [
    ("<<", Function::ShiftLeft, 6),
    (">>", Function::ShiftRight, 6),
    ("<=", Function::LessOrEqual, 5),
    (">=", Function::GreaterOrEqual, 5),
    ("==", Function::Equal, 4),
    ("!=", Function::NotEqual, 4),
    ("<", Function::Less, 5),
    (">", Function::Greater, 5),
    ("&", Function::BitAnd, 3),
    ("^", Function::BitXor, 2),
    ("|", Function::BitOr, 1),
    ("+", Function::Add, 7),
    ("-", Function::Subtract, 7),
    ("*", Function::Multiply, 8),
    ("/", Function::Divide, 8),
    ("%", Function::Remainder, 8),
];

/// Functions by name, with the number of their arguments.
pub(super) const FUNCTIONS: [(&str, Function, usize); 12] = [
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("ceil_div", Function::CeilDiv, 2),
    ("pow", Function::Pow, 2),
    ("log2", Function::Log2, 1),
    ("abs", Function::Abs, 1),
    ("floor", Function::Floor, 1),
    ("sqrt", Function::Sqrt, 1),
    ("exp", Function::Exp, 1),
    ("log", Function::Log, 1),
    ("sin", Function::Sin, 1),
    ("cos", Function::Cos, 1),
];

impl Function {
    pub(super) fn of_one(self, a: Number) -> Result<Number, Fault> {
        let value = match (self, a) {
            (Self::Not, a) => Number::from(!a.is_true()),
            (Self::BitNot, Number::Whole(a)) => Number::Whole(!a),
            (Self::BitNot, Number::Real(_)) => return Err(Fault::NotWhole(self.call_text(&[a]))),
            (Self::Negate, Number::Whole(a)) => self.whole(a.checked_neg(), &[a])?,
            (Self::Abs, Number::Whole(a)) => self.whole(a.checked_abs(), &[a])?,
            (Self::Log2, Number::Whole(a)) => match a.checked_ilog2() {
                Some(log) => Number::Whole(log.into()),
                None => return Err(Fault::Undefined(self.call_text(&[a]))),
            },
            (Self::Floor, Number::Whole(a)) => Number::Whole(a),
            (Self::Floor, Number::Real(a)) => self.whole(to_whole(a.floor()), &[a])?,
            (_, a) => {
                let real = a.real();
                // By libm in Rust: the same bits on every machine.
                let value = match self {
                    Self::Negate => -real,
                    Self::Abs => real.abs(),
                    Self::Log2 => libm::log2(real),
                    Self::Sqrt => real.sqrt(),
                    Self::Exp => libm::exp(real),
                    Self::Log => libm::log(real),
                    Self::Sin => libm::sin(real),
                    Self::Cos => libm::cos(real),
                    _ => unreachable!("the parser gives {self:?} two operands"),
                };
                self.real(value, &[a])?
            }
        };
        Ok(value)
    }

    pub(super) fn of_two(self, a: Number, b: Number) -> Result<Number, Fault> {
        match (a, b) {
            (Number::Whole(a), Number::Whole(b)) => self.of_wholes(a, b),
            _ => self.of_reals(a, b),
        }
    }

    fn of_wholes(self, a: i64, b: i64) -> Result<Number, Fault> {
        let wide = match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide | Self::Remainder | Self::CeilDiv if b == 0 => {
                return Err(Fault::DivisionByZero(self.call_text(&[a, b])));
            }
            Self::Divide => a.checked_div(b),
            Self::Remainder => a.checked_rem(b),
            // Rounds up for every sign; i64::div_ceil is not stable yet.
            Self::CeilDiv => a.checked_div(b).map(|quotient| {
                let up = a % b != 0 && (a < 0) == (b < 0);
                quotient + i64::from(up)
            }),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::Pow => match u32::try_from(b) {
                Ok(exponent) => a.checked_pow(exponent),
                Err(_) => return Err(Fault::Undefined(self.call_text(&[a, b]))),
            },
            Self::BitAnd => Some(a & b),
            Self::BitOr => Some(a | b),
            Self::BitXor => Some(a ^ b),
            Self::ShiftLeft | Self::ShiftRight if !(0..64).contains(&b) => {
                return Err(Fault::Undefined(self.call_text(&[a, b])));
            }
            Self::ShiftLeft => Some(a << b).filter(|shifted| shifted >> b == a),
            Self::ShiftRight => Some(a >> b),
            _ => return Ok(self.compared(&a, &b).into()),
        };
        self.whole(wide, &[a, b])
    }

    fn of_reals(self, a: Number, b: Number) -> Result<Number, Fault> {
        let (x, y) = (a.real(), b.real());
        let value = match self {
            Self::Add => x + y,
            Self::Subtract => x - y,
            Self::Multiply => x * y,
            Self::Divide | Self::Remainder | Self::CeilDiv if y == 0.0 => {
                return Err(Fault::DivisionByZero(self.call_text(&[a, b])));
            }
            Self::Divide => x / y,
            Self::Remainder => x % y,
            Self::CeilDiv => (x / y).ceil(),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            Self::Pow => libm::pow(x, y),
            Self::BitAnd | Self::BitOr | Self::BitXor | Self::ShiftLeft | Self::ShiftRight => {
                return Err(Fault::NotWhole(self.call_text(&[a, b])));
            }
            _ => return Ok(self.compared(&x, &y).into()),
        };
        self.real(value, &[a, b])
    }

    fn compared<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Self::Less => a < b,
            Self::LessOrEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterOrEqual => a >= b,
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            _ => unreachable!("the parser gives {self:?} one operand"),
        }
    }

    fn whole<T: Into<Number> + Copy>(
        self,
        value: Option<i64>,
        operands: &[T],
    ) -> Result<Number, Fault> {
        match value {
            Some(value) => Ok(Number::Whole(value)),
            None => Err(Fault::Overflow(self.call_text(operands))),
        }
    }

    fn real<T: Into<Number> + Copy>(self, value: f64, operands: &[T]) -> Result<Number, Fault> {
        if value.is_finite() {
            return Ok(Number::Real(value));
        }
        let text = self.call_text(operands);
        // Of numbers that are one: log of 0 and below, roots and powers of negative ones.
        if value.is_nan() || self == Self::Log || self == Self::Log2 {
            return Err(Fault::Undefined(text));
        }
        Err(Fault::Overflow(text))
    }

    /// The call with its operands as text, as in a launch file.
    fn call_text<T: Into<Number> + Copy>(self, operands: &[T]) -> String {
        let operands = operands.iter().map(|&operand| operand.into().to_string());
        let operands: Vec<String> = operands.collect();
        if let Some((name, ..)) = FUNCTIONS.iter().find(|(_, function, _)| *function == self) {
            return format!("{name}({})", operands.join(", "));
        }
        let operator = OPERATORS.iter().find(|(_, function, _)| *function == self);
        match (self, operator) {
            (_, Some((operator, ..))) => operands.join(&format!(" {operator} ")),
            (Self::Negate, _) => format!("-({})", operands.join("")),
            (Self::BitNot, _) => format!("~{}", operands.join("")),
            _ => format!("!{}", operands.join("")),
        }
    }
}

/// A real number without decimals, where 64 bits hold it.
#[expect(clippy::cast_possible_truncation, reason = "it lies within 64 bits")]
fn to_whole(real: f64) -> Option<i64> {
    let most = 2_f64.powi(63);
    (-most..most).contains(&real).then_some(real as i64)
}
