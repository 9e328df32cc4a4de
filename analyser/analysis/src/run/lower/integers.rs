//! Built-in functions of whole numbers, by name and by whether the numbers are signed. Each gets the bits of its
//! operands, and how many bits they have.

use crate::run::bits::{mask, signed, wrapped};

type One = fn(u64, u32) -> u64;
type Two = fn(u64, u64, u32) -> u64;
type Three = fn(u64, u64, u64, u32) -> u64;

pub(super) fn one(name: &str, is_signed: bool) -> Option<One> {
    Some(match name {
        "abs" if is_signed => |a, bits| signed(a, bits).unsigned_abs() & mask(bits),
        "abs" => |a, _| a,
        "popcount" => |a, _| u64::from(a.count_ones()),
        "clz" => |a, bits| u64::from((a.leading_zeros() + bits).saturating_sub(64)),
        "ctz" => |a, bits| u64::from(a.trailing_zeros().min(bits)),
        "bswap" => |a, bits| a.swap_bytes() >> (64 - bits.clamp(1, 64)),
        "bitreverse" => |a, bits| a.reverse_bits() >> (64 - bits.clamp(1, 64)),
        _ => return None,
    })
}

pub(super) fn two(name: &str, is_signed: bool) -> Option<Two> {
    Some(match (name, is_signed) {
        ("min", true) => smin,
        ("min", false) => umin,
        ("max", true) => smax,
        ("max", false) => |a, b, _| a.max(b),
        ("abs_diff", true) => |a, b, bits| exact(a, b, bits, |a, b| (a - b).abs()),
        ("abs_diff", false) => |a, b, _| a.abs_diff(b),
        ("rotate", _) => |a, by, bits| funnel_left(a, a, by, bits),
        ("mul_hi", true) => mul_high_signed,
        ("mul_hi", false) => mul_high,
        ("mul24", _) => |a, b, bits| a.wrapping_mul(b) & mask(bits),
        ("hadd", true) => |a, b, bits| exact(a, b, bits, |a, b| (a + b) >> 1),
        ("hadd", false) => |a, b, _| (a & b) + ((a ^ b) >> 1),
        ("rhadd", true) => |a, b, bits| exact(a, b, bits, |a, b| (a + b + 1) >> 1),
        ("rhadd", false) => |a, b, _| (a | b) - ((a ^ b) >> 1),
        ("add_sat", true) => |a, b, bits| saturated(whole(a, bits) + whole(b, bits), bits),
        ("add_sat", false) => |a, b, bits| a.saturating_add(b).min(mask(bits)),
        ("sub_sat", true) => |a, b, bits| saturated(whole(a, bits) - whole(b, bits), bits),
        ("sub_sat", false) => |a, b, _| a.saturating_sub(b),
        _ => return None,
    })
}

pub(super) fn three(name: &str, is_signed: bool) -> Option<Three> {
    Some(match (name, is_signed) {
        ("clamp", true) => sclamp,
        ("clamp", false) => |a, low, high, _| a.max(low).min(high),
        ("fshl", _) => funnel_left,
        ("fshr", _) => funnel_right,
        ("mad24", _) => |a, b, c, bits| a.wrapping_mul(b).wrapping_add(c) & mask(bits),
        ("mad_hi", true) => {
            |a, b, c, bits| mul_high_signed(a, b, bits).wrapping_add(c) & mask(bits)
        }
        ("mad_hi", false) => |a, b, c, bits| mul_high(a, b, bits).wrapping_add(c) & mask(bits),
        ("mad_sat", true) => {
            |a, b, c, bits| saturated(whole(a, bits) * whole(b, bits) + whole(c, bits), bits)
        }
        ("mad_sat", false) => |a, b, c, bits| {
            let exact = u128::from(a) * u128::from(b) + u128::from(c);
            u64::try_from(exact).unwrap_or(u64::MAX).min(mask(bits))
        },
        _ => return None,
    })
}

fn whole(a: u64, bits: u32) -> i128 {
    signed(a, bits).into()
}

/// A function of signed numbers without overflow.
fn exact(a: u64, b: u64, bits: u32, make: fn(i128, i128) -> i128) -> u64 {
    wrapped(make(whole(a, bits), whole(b, bits)), bits)
}

fn saturated(number: i128, bits: u32) -> u64 {
    let half = 1_i128 << (bits.clamp(1, 64) - 1);
    wrapped(number.clamp(-half, half - 1), bits)
}

pub(super) fn umin(a: u64, b: u64, _: u32) -> u64 {
    a.min(b)
}

pub(super) fn smin(a: u64, b: u64, bits: u32) -> u64 {
    exact(a, b, bits, i128::min)
}

pub(super) fn smax(a: u64, b: u64, bits: u32) -> u64 {
    exact(a, b, bits, i128::max)
}

pub(super) fn sclamp(a: u64, low: u64, high: u64, bits: u32) -> u64 {
    smin(smax(a, low, bits), high, bits)
}

fn funnel_left(high: u64, low: u64, by: u64, bits: u32) -> u64 {
    let bits = bits.clamp(1, 64);
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    let by = (by % u64::from(bits)) as u32;
    if by == 0 {
        return high;
    }
    ((high << by) | (low >> (bits - by))) & mask(bits)
}

fn funnel_right(high: u64, low: u64, by: u64, bits: u32) -> u64 {
    let bits = bits.clamp(1, 64);
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    let by = (by % u64::from(bits)) as u32;
    if by == 0 {
        return low;
    }
    ((high << (bits - by)) | (low >> by)) & mask(bits)
}

fn mul_high(a: u64, b: u64, bits: u32) -> u64 {
    let product = (u128::from(a) * u128::from(b)) >> bits;
    #[expect(clippy::cast_possible_truncation, reason = "the higher half")]
    let high = product as u64;
    high & mask(bits)
}

fn mul_high_signed(a: u64, b: u64, bits: u32) -> u64 {
    wrapped((whole(a, bits) * whole(b, bits)) >> bits, bits)
}

pub(super) fn bit_select(a: u64, b: u64, c: u64, _: u32) -> u64 {
    (a & !c) | (b & c)
}

/// The choice of `select(a, b, c)` for a scalar: b if c is not 0.
pub(super) fn is_set(c: u64, _: u32) -> u64 {
    u64::from(c != 0)
}

/// Whether the highest bit is set: the truth of an element of a vector.
pub(super) fn is_negative(c: u64, bits: u32) -> u64 {
    u64::from(signed(c, bits) < 0)
}
