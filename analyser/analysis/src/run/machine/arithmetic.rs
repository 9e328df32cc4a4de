//! Arithmetic on the numbers of a warp's lanes, side by side.

use std::cell::Cell;

use crate::{
    llvm::{AtomicOp, Binary, FloatPredicate, IntegerPredicate},
    run::{
        Operation, Real,
        bits::{mask, signed},
    },
};

type Cells<'a> = &'a [Cell<u64>];

/// The lanes that take part.
#[derive(Clone, Copy)]
pub(super) struct Active<'a> {
    /// Active lanes, in order.
    pub(super) lanes: &'a [u16],
    /// Lanes of the warp, active or not.
    pub(super) width: usize,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a slot's lower bits are the number"
)]
#[inline(always)]
fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

impl Active<'_> {
    /// Writes what `make` makes of each active lane's numbers; nothing if an operand is missing.
    #[inline(always)]
    pub(super) fn map<const N: usize>(
        self,
        to: Cells<'_>,
        from: [Cells<'_>; N],
        make: impl Fn([u64; N]) -> u64,
    ) {
        if from.iter().any(|it| it.len() != to.len()) {
            return;
        }
        let from = from.map(|it| &it[..to.len()]);
        let set = |lane: usize, to: &Cell<u64>| to.set(make(from.map(|it| it[lane].get())));
        if self.lanes.len() == self.width {
            to.iter().enumerate().for_each(|(lane, to)| set(lane, to));
            return;
        }
        for lane in self.lanes.iter().map(|lane| usize::from(*lane)) {
            if let Some(to) = to.get(lane) {
                set(lane, to);
            }
        }
    }

    /// Executes one operation with one result and up to three operands.
    pub(super) fn compute(self, operation: &Operation, to: Cells<'_>, operands: [Cells<'_>; 3]) {
        let [a, b, c] = operands;
        match *operation {
            Operation::Copy | Operation::Address => self.map(to, [a], |[a]| a),
            Operation::Integer(op, bits) => self.integer(op, bits, to, a, b),
            Operation::Float(op, real) => self.float(op, real, to, a, b),
            Operation::Negate(real) => {
                let sign = match real {
                    Real::Half => 1 << 15,
                    Real::Float => 1 << 31,
                    Real::Double => 1 << 63,
                };
                self.map(to, [a], |[a]| a ^ sign);
            }
            Operation::Compare(predicate, bits) => self.compare(predicate, bits, to, a, b),
            Operation::FloatCompare(predicate, real) => {
                self.map(to, [a, b], |[a, b]| {
                    u64::from(holds(predicate, real.number(a), real.number(b)))
                });
            }
            Operation::Select => {
                self.map(to, [a, b, c], |[a, b, c]| if a & 1 == 1 { b } else { c });
            }
            Operation::Index(bits, bytes) => {
                self.map(to, [a, b], |[a, b]| {
                    a.wrapping_add_signed(signed(b, bits).wrapping_mul(bytes))
                });
            }
            Operation::Offset(bytes) => self.map(to, [a], |[a]| a.wrapping_add_signed(bytes)),
            Operation::Mask(_)
            | Operation::SignExtend(..)
            | Operation::Resize(..)
            | Operation::ToInteger(..)
            | Operation::FromInteger(..)
            | Operation::Round(..) => self.convert(operation, to, a),
            Operation::Math1(..)
            | Operation::Math2(..)
            | Operation::Math3(..)
            | Operation::Test1(..)
            | Operation::Test2(..)
            | Operation::Whole1(..)
            | Operation::Whole2(..)
            | Operation::Whole3(..) => self.call(operation, to, operands),
            Operation::Pick
            | Operation::Place(_)
            | Operation::Access(_)
            | Operation::Barrier
            | Operation::Call(_)
            | Operation::Unknown(_) => {}
        }
    }

    /// Executes a conversion.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "conversions are asked for"
    )]
    fn convert(self, operation: &Operation, to: Cells<'_>, a: Cells<'_>) {
        match *operation {
            Operation::Mask(bits) => {
                let mask = mask(bits);
                self.map(to, [a], |[a]| a & mask);
            }
            Operation::SignExtend(from, bits) => {
                let mask = mask(bits);
                self.map(to, [a], |[a]| signed(a, from).cast_unsigned() & mask);
            }
            Operation::Resize(from, real) => self.map(to, [a], |[a]| real.bits(from.number(a))),
            Operation::ToInteger(real, bits, is_signed) => {
                let mask = mask(bits);
                self.map(to, [a], |[a]| {
                    let number = real.number(a);
                    // Below 0 an unsigned number is as a signed one.
                    let whole = if is_signed || number < 0.0 {
                        (number as i64).cast_unsigned()
                    } else {
                        number as u64
                    };
                    whole & mask
                });
            }
            Operation::FromInteger(bits, is_signed, real) => {
                self.map(to, [a], |[a]| match (is_signed, real) {
                    (true, Real::Float) => u64::from((signed(a, bits) as f32).to_bits()),
                    (false, Real::Float) => u64::from((a as f32).to_bits()),
                    (true, _) => real.bits(signed(a, bits) as f64),
                    (false, _) => real.bits(a as f64),
                });
            }
            Operation::Round(real, round, bits, is_signed) => {
                let mask = mask(bits);
                self.map(to, [a], |[a]| {
                    rounded(round(real.number(a)), bits, is_signed) & mask
                });
            }
            _ => {}
        }
    }

    /// Executes a function.
    fn call(self, operation: &Operation, to: Cells<'_>, [a, b, c]: [Cells<'_>; 3]) {
        match *operation {
            Operation::Math1(make, real) => {
                self.map(to, [a], |[a]| real.bits(make(real.number(a))));
            }
            Operation::Math2(make, real) => {
                self.map(to, [a, b], |[a, b]| {
                    real.bits(make(real.number(a), real.number(b)))
                });
            }
            Operation::Math3(make, real) => self.map(to, [a, b, c], |[a, b, c]| {
                real.bits(make(real.number(a), real.number(b), real.number(c)))
            }),
            Operation::Test1(test, real) => {
                self.map(to, [a], |[a]| u64::from(test(real.number(a))))
            }
            Operation::Test2(test, real) => {
                self.map(to, [a, b], |[a, b]| {
                    u64::from(test(real.number(a), real.number(b)))
                });
            }
            Operation::Whole1(make, bits) => self.map(to, [a], |[a]| make(a, bits)),
            Operation::Whole2(make, bits) => self.map(to, [a, b], |[a, b]| make(a, b, bits)),
            Operation::Whole3(make, bits) => {
                self.map(to, [a, b, c], |[a, b, c]| make(a, b, c, bits));
            }
            _ => {}
        }
    }

    fn integer(self, op: Binary, bits: u32, to: Cells<'_>, a: Cells<'_>, b: Cells<'_>) {
        let mask = mask(bits);
        let shift = |by: u64| (by < u64::from(bits)).then_some((by & 63) as u32);
        match op {
            Binary::Add => self.map(to, [a, b], |[a, b]| a.wrapping_add(b) & mask),
            Binary::Sub => self.map(to, [a, b], |[a, b]| a.wrapping_sub(b) & mask),
            Binary::Mul => self.map(to, [a, b], |[a, b]| a.wrapping_mul(b) & mask),
            Binary::And => self.map(to, [a, b], |[a, b]| a & b),
            Binary::Or => self.map(to, [a, b], |[a, b]| a | b),
            Binary::Xor => self.map(to, [a, b], |[a, b]| a ^ b),
            Binary::Shl => self.map(to, [a, b], |[a, b]| shift(b).map_or(0, |b| (a << b) & mask)),
            Binary::LShr => self.map(to, [a, b], |[a, b]| shift(b).map_or(0, |b| a >> b)),
            Binary::AShr => self.map(to, [a, b], |[a, b]| {
                let by = shift(b).unwrap_or(63);
                (signed(a, bits) >> by).cast_unsigned() & mask
            }),
            // A division by 0 has no result; here it is 0.
            Binary::UDiv => self.map(to, [a, b], |[a, b]| a.checked_div(b).unwrap_or(0)),
            Binary::URem => self.map(to, [a, b], |[a, b]| a.checked_rem(b).unwrap_or(0)),
            Binary::SDiv => self.map(to, [a, b], |[a, b]| {
                let (a, b) = (signed(a, bits), signed(b, bits));
                if b == 0 {
                    0
                } else {
                    a.wrapping_div(b).cast_unsigned() & mask
                }
            }),
            Binary::SRem => self.map(to, [a, b], |[a, b]| {
                let (a, b) = (signed(a, bits), signed(b, bits));
                if b == 0 {
                    0
                } else {
                    a.wrapping_rem(b).cast_unsigned() & mask
                }
            }),
            Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv | Binary::FRem => {}
        }
    }

    fn float(self, op: Binary, real: Real, to: Cells<'_>, a: Cells<'_>, b: Cells<'_>) {
        if real == Real::Float {
            let one = |make: fn(f32, f32) -> f32| {
                move |[a, b]: [u64; 2]| u64::from(make(float(a), float(b)).to_bits())
            };
            return match op {
                Binary::FAdd => self.map(to, [a, b], |[a, b]| {
                    u64::from((float(a) + float(b)).to_bits())
                }),
                Binary::FSub => self.map(to, [a, b], |[a, b]| {
                    u64::from((float(a) - float(b)).to_bits())
                }),
                Binary::FMul => self.map(to, [a, b], |[a, b]| {
                    u64::from((float(a) * float(b)).to_bits())
                }),
                Binary::FDiv => self.map(to, [a, b], one(|a, b| a / b)),
                _ => self.map(to, [a, b], one(|a, b| a % b)),
            };
        }
        let make: fn(f64, f64) -> f64 = match op {
            Binary::FAdd => |a, b| a + b,
            Binary::FSub => |a, b| a - b,
            Binary::FMul => |a, b| a * b,
            Binary::FDiv => |a, b| a / b,
            _ => |a, b| a % b,
        };
        self.map(to, [a, b], |[a, b]| {
            real.bits(make(real.number(a), real.number(b)))
        });
    }

    fn compare(
        self,
        predicate: IntegerPredicate,
        bits: u32,
        to: Cells<'_>,
        a: Cells<'_>,
        b: Cells<'_>,
    ) {
        let s = |number| signed(number, bits);
        match predicate {
            IntegerPredicate::Equal => self.map(to, [a, b], |[a, b]| u64::from(a == b)),
            IntegerPredicate::NotEqual => self.map(to, [a, b], |[a, b]| u64::from(a != b)),
            IntegerPredicate::UnsignedAbove => self.map(to, [a, b], |[a, b]| u64::from(a > b)),
            IntegerPredicate::UnsignedAtLeast => self.map(to, [a, b], |[a, b]| u64::from(a >= b)),
            IntegerPredicate::UnsignedBelow => self.map(to, [a, b], |[a, b]| u64::from(a < b)),
            IntegerPredicate::UnsignedAtMost => self.map(to, [a, b], |[a, b]| u64::from(a <= b)),
            IntegerPredicate::Above => self.map(to, [a, b], |[a, b]| u64::from(s(a) > s(b))),
            IntegerPredicate::AtLeast => self.map(to, [a, b], |[a, b]| u64::from(s(a) >= s(b))),
            IntegerPredicate::Below => self.map(to, [a, b], |[a, b]| u64::from(s(a) < s(b))),
            IntegerPredicate::AtMost => self.map(to, [a, b], |[a, b]| u64::from(s(a) <= s(b))),
        }
    }
}

#[expect(clippy::float_cmp, reason = "that is what the program asks")]
fn holds(predicate: FloatPredicate, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        FloatPredicate::Never => false,
        FloatPredicate::Always => true,
        FloatPredicate::Ordered => !unordered,
        FloatPredicate::Unordered => unordered,
        FloatPredicate::OrderedEqual => a == b,
        FloatPredicate::OrderedAbove => a > b,
        FloatPredicate::OrderedAtLeast => a >= b,
        FloatPredicate::OrderedBelow => a < b,
        FloatPredicate::OrderedAtMost => a <= b,
        FloatPredicate::OrderedNotEqual => a != b && !unordered,
        FloatPredicate::UnorderedEqual => a == b || unordered,
        FloatPredicate::UnorderedAbove => a > b || unordered,
        FloatPredicate::UnorderedAtLeast => a >= b || unordered,
        FloatPredicate::UnorderedBelow => a < b || unordered,
        FloatPredicate::UnorderedAtMost => a <= b || unordered,
        FloatPredicate::UnorderedNotEqual => a != b,
    }
}

/// A number clamped to the bounds of a type.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts keep within bounds"
)]
fn rounded(number: f64, bits: u32, is_signed: bool) -> u64 {
    if !is_signed {
        return (number as u64).min(mask(bits));
    }
    let top = i64::MAX >> (64 - bits.clamp(1, 64));
    (number as i64).clamp(-top - 1, top).cast_unsigned()
}

/// The number that an atomic operation leaves behind.
pub(super) fn atomic(op: AtomicOp, old: u64, operand: u64, bits: u32) -> u64 {
    let (a, b) = (signed(old, bits), signed(operand, bits));
    let new = match op {
        AtomicOp::Exchange => operand,
        AtomicOp::Add => old.wrapping_add(operand),
        AtomicOp::Sub => old.wrapping_sub(operand),
        AtomicOp::And => old & operand,
        AtomicOp::Nand => !(old & operand),
        AtomicOp::Or => old | operand,
        AtomicOp::Xor => old ^ operand,
        AtomicOp::Max => a.max(b).cast_unsigned(),
        AtomicOp::Min => a.min(b).cast_unsigned(),
        AtomicOp::UMax => old.max(operand),
        AtomicOp::UMin => old.min(operand),
        AtomicOp::FAdd => {
            let real = if bits == 64 {
                Real::Double
            } else {
                Real::Float
            };
            real.bits(real.number(old) + real.number(operand))
        }
    };
    new & mask(bits)
}
