//! Whole numbers of a given number of bits, in registers of 64.

/// A number whose lowest `bits` bits are 1.
pub(crate) fn mask(bits: u32) -> u64 {
    match bits {
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// The number that the lowest `bits` bits are, with a sign.
#[inline(always)]
pub(crate) fn signed(number: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    (number << unused).cast_signed() >> unused
}

/// The lowest bits, of a product or a sum.
#[expect(
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "two's complement"
)]
pub(crate) fn wrapped(number: i128, bits: u32) -> u64 {
    number as u64 & mask(bits)
}
