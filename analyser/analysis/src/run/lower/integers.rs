//! Built-in functions of whole numbers. Each gets the bits of its operands, and how many bits they have.

use crate::run::bits::{mask, signed, wrapped};

fn both(a: u64, b: u64, bits: u32) -> (i128, i128) {
    (signed(a, bits).into(), signed(b, bits).into())
}

fn bounds(bits: u32) -> (i128, i128) {
    let half = 1_i128 << (bits.clamp(1, 64) - 1);
    (-half, half - 1)
}

pub(super) fn umin(a: u64, b: u64, _: u32) -> u64 {
    a.min(b)
}

pub(super) fn umax(a: u64, b: u64, _: u32) -> u64 {
    a.max(b)
}

pub(super) fn smin(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped(a.min(b), bits)
}

pub(super) fn smax(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped(a.max(b), bits)
}

pub(super) fn uclamp(a: u64, low: u64, high: u64, _: u32) -> u64 {
    a.max(low).min(high)
}

pub(super) fn sclamp(a: u64, low: u64, high: u64, bits: u32) -> u64 {
    smin(smax(a, low, bits), high, bits)
}

pub(super) fn abs(a: u64, bits: u32) -> u64 {
    signed(a, bits).unsigned_abs() & mask(bits)
}

pub(super) fn abs_diff_signed(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped((a - b).abs(), bits)
}

pub(super) fn abs_diff(a: u64, b: u64, _: u32) -> u64 {
    a.abs_diff(b)
}

pub(super) fn popcount(a: u64, _: u32) -> u64 {
    u64::from(a.count_ones())
}

pub(super) fn leading_zeros(a: u64, bits: u32) -> u64 {
    u64::from((a.leading_zeros() + bits).saturating_sub(64))
}

pub(super) fn trailing_zeros(a: u64, bits: u32) -> u64 {
    u64::from(a.trailing_zeros().min(bits))
}

pub(super) fn swap_bytes(a: u64, bits: u32) -> u64 {
    a.swap_bytes() >> (64 - bits.clamp(1, 64))
}

pub(super) fn reverse_bits(a: u64, bits: u32) -> u64 {
    a.reverse_bits() >> (64 - bits.clamp(1, 64))
}

pub(super) fn rotate(a: u64, by: u64, bits: u32) -> u64 {
    funnel_left(a, a, by, bits)
}

pub(super) fn funnel_left(high: u64, low: u64, by: u64, bits: u32) -> u64 {
    let bits = bits.clamp(1, 64);
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    let by = (by % u64::from(bits)) as u32;
    if by == 0 {
        return high;
    }
    ((high << by) | (low >> (bits - by))) & mask(bits)
}

pub(super) fn funnel_right(high: u64, low: u64, by: u64, bits: u32) -> u64 {
    let bits = bits.clamp(1, 64);
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    let by = (by % u64::from(bits)) as u32;
    if by == 0 {
        return low;
    }
    ((high << (bits - by)) | (low >> by)) & mask(bits)
}

pub(super) fn mul_high(a: u64, b: u64, bits: u32) -> u64 {
    let product = (u128::from(a) * u128::from(b)) >> bits;
    #[expect(clippy::cast_possible_truncation, reason = "the higher half")]
    let high = product as u64;
    high & mask(bits)
}

pub(super) fn mul_high_signed(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped((a * b) >> bits, bits)
}

pub(super) fn mad_high(a: u64, b: u64, c: u64, bits: u32) -> u64 {
    mul_high(a, b, bits).wrapping_add(c) & mask(bits)
}

pub(super) fn mad_high_signed(a: u64, b: u64, c: u64, bits: u32) -> u64 {
    mul_high_signed(a, b, bits).wrapping_add(c) & mask(bits)
}

pub(super) fn mad_saturated(a: u64, b: u64, c: u64, bits: u32) -> u64 {
    let exact = u128::from(a) * u128::from(b) + u128::from(c);
    u64::try_from(exact).unwrap_or(u64::MAX).min(mask(bits))
}

pub(super) fn mad_saturated_signed(a: u64, b: u64, c: u64, bits: u32) -> u64 {
    let ((a, b), (low, high)) = (both(a, b, bits), bounds(bits));
    wrapped((a * b + i128::from(signed(c, bits))).clamp(low, high), bits)
}

pub(super) fn mul24(a: u64, b: u64, bits: u32) -> u64 {
    a.wrapping_mul(b) & mask(bits)
}

pub(super) fn mad24(a: u64, b: u64, c: u64, bits: u32) -> u64 {
    a.wrapping_mul(b).wrapping_add(c) & mask(bits)
}

pub(super) fn hadd(a: u64, b: u64, _: u32) -> u64 {
    (a & b) + ((a ^ b) >> 1)
}

pub(super) fn hadd_signed(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped((a + b) >> 1, bits)
}

pub(super) fn rhadd(a: u64, b: u64, _: u32) -> u64 {
    (a | b) - ((a ^ b) >> 1)
}

pub(super) fn rhadd_signed(a: u64, b: u64, bits: u32) -> u64 {
    let (a, b) = both(a, b, bits);
    wrapped((a + b + 1) >> 1, bits)
}

pub(super) fn add_saturated(a: u64, b: u64, bits: u32) -> u64 {
    a.saturating_add(b).min(mask(bits))
}

pub(super) fn sub_saturated(a: u64, b: u64, _: u32) -> u64 {
    a.saturating_sub(b)
}

pub(super) fn add_saturated_signed(a: u64, b: u64, bits: u32) -> u64 {
    let ((a, b), (low, high)) = (both(a, b, bits), bounds(bits));
    wrapped((a + b).clamp(low, high), bits)
}

pub(super) fn sub_saturated_signed(a: u64, b: u64, bits: u32) -> u64 {
    let ((a, b), (low, high)) = (both(a, b, bits), bounds(bits));
    wrapped((a - b).clamp(low, high), bits)
}

pub(super) fn bit_select(a: u64, b: u64, c: u64, _: u32) -> u64 {
    (a & !c) | (b & c)
}

/// `select(a, b, c)` of a scalar: b where c is not 0.
pub(super) fn is_set(c: u64, _: u32) -> u64 {
    u64::from(c != 0)
}

/// Whether the highest bit is set: truth of an element of a vector.
pub(super) fn is_negative(c: u64, bits: u32) -> u64 {
    u64::from(signed(c, bits) < 0)
}
