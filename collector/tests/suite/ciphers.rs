//! Ciphers and modular powers; the references are held against published vectors first.

use std::array;

use crate::for_each_variant;

/// A block of ChaCha20, as RFC 8439 writes it down.
fn chacha20(key: &[u32], counter: u32, nonce: &[u32]) -> [u32; 16] {
    let mut start = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]
        .into_iter()
        .chain(key.iter().copied())
        .chain([counter])
        .chain(nonce.iter().copied());
    let start: [u32; 16] = array::from_fn(|_| start.next().expect("16 words"));
    let mut x = start;
    let columns = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
    let diagonals = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
    for [a, b, c, d] in [columns, diagonals].repeat(10).concat() {
        for (sum, with, turned, by) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            x[sum] = x[sum].wrapping_add(x[with]);
            x[turned] = (x[turned] ^ x[sum]).rotate_left(by);
        }
    }
    array::from_fn(|i| x[i].wrapping_add(start[i]))
}

#[test]
fn chacha20_is_that_of_rfc_8439() {
    let key = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| 0x0302_0100 + 0x0404_0404 * i);
    let block = chacha20(&key, 1, &[0x0900_0000, 0x4a00_0000, 0]);
    assert_eq!(block[..3], [0xe4e7_f110, 0x1559_3bd1, 0x1fdd_0f50]); // section 2.3.2
    assert_eq!(block[15], 0x4e3c_50a2);

    for_each_variant("chacha20", [("blocks", 64)], |run| {
        let [key, nonce] = ["key", "nonce"].map(|name| run.inputs[name].as_u32());
        let expected: Vec<u32> = (0..64).flat_map(|i| chacha20(key, i, nonce)).collect();
        assert_eq!(run.outputs["stream"].as_u32(), expected);
    });
}

/// A block of XTEA, as its authors wrote it down.
fn xtea(key: &[u32], [mut a, mut b]: [u32; 2]) -> [u32; 2] {
    let mix = |v: u32, sum: u32, at: u32| {
        let shifted = (v << 4 ^ v >> 5).wrapping_add(v);
        shifted ^ sum.wrapping_add(key[at as usize % 4])
    };
    let mut sum = 0_u32;
    for _ in 0..32 {
        a = a.wrapping_add(mix(b, sum, sum));
        sum = sum.wrapping_add(0x9E37_79B9);
        b = b.wrapping_add(mix(a, sum, sum >> 11));
    }
    [a, b]
}

#[test]
fn xtea_chained_mixes_each_block_with_the_last_cipher() {
    assert_eq!(xtea(&[0; 4], [0; 2]), [0xdee9_d4d8, 0xf713_1ed9]); // a published vector

    const BLOCKS: usize = 6;
    for_each_variant(
        "xtea_chained",
        [("messages", 32), ("blocks", BLOCKS)],
        |run| {
            let [key, plain] = ["key", "plain"].map(|name| run.inputs[name].as_u32());
            let messages = plain.chunks_exact(2 * BLOCKS);
            let ciphers = run.outputs["cipher"].as_u32().chunks_exact(2 * BLOCKS);
            for (message, cipher) in messages.zip(ciphers) {
                let mut last = [0; 2];
                for (plain, cipher) in message.chunks_exact(2).zip(cipher.chunks_exact(2)) {
                    last = xtea(key, [plain[0] ^ last[0], plain[1] ^ last[1]]);
                    assert_eq!(cipher, last);
                }
            }
        },
    );
}

/// The first bytes of RC4's stream.
fn rc4(key: &[u8], length: usize) -> Vec<u8> {
    let mut state: [u8; 256] = array::from_fn(|i| u8::try_from(i).expect("below 256"));
    let mut j = 0_u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
        state.swap(i, usize::from(j));
    }
    j = 0;
    let bytes = (1..=length).map(|n| {
        let i = n % 256;
        j = j.wrapping_add(state[i]);
        state.swap(i, usize::from(j));
        state[usize::from(state[i].wrapping_add(state[usize::from(j)]))]
    });
    bytes.collect()
}

#[test]
fn rc4_makes_a_stream_a_key() {
    assert_eq!(rc4(b"Key", 5), [0xEB, 0x9F, 0x77, 0x81, 0xB7]); // a published vector

    const STREAMS: usize = 64;
    for_each_variant("rc4", [("streams", STREAMS), ("length", 300)], |run| {
        let bytes = run.outputs["bytes"].as_u8();
        for (stream, key) in run.inputs["keys"].as_u8().chunks_exact(16).enumerate() {
            let own: Vec<u8> = bytes[stream..].iter().step_by(STREAMS).copied().collect();
            assert_eq!(own, rc4(key, 300));
        }
    });
}

#[test]
fn modular_powers_are_those_of_wide_arithmetic() {
    for_each_variant("modular_powers", [("numbers", 64)], |run| {
        let [bases, exponents, moduli] =
            ["bases", "exponents", "moduli"].map(|name| run.inputs[name].as_u64());
        for (i, power) in run.outputs["powers"].as_u64().iter().enumerate() {
            let modulus = u128::from(moduli[i] | 1);
            let expected = (0..64).rev().fold(1, |power: u128, bit| {
                let square = power * power % modulus;
                match exponents[i] >> bit & 1 {
                    0 => square,
                    _ => square * u128::from(bases[i]) % modulus,
                }
            });
            assert_eq!(u128::from(*power), expected, "number {i}");
        }
    });
}
