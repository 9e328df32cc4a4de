//! Hashes, ciphers and codecs; where there are published vectors, the references are held against them first.

use std::{array, iter};

use crate::for_each_variant;

/// Four bytes of a structure.
pub(crate) fn field(bytes: &[u8], at: usize) -> [u8; 4] {
    array::from_fn(|i| bytes[at + i])
}

/// Keccak-f[1600] as FIPS 202 writes it down, lanes by x and y.
fn keccak(a: &mut [[u64; 5]; 5]) {
    let mut feedback = 1_u8;
    for _ in 0..24 {
        let parities = a.map(|column| column.into_iter().fold(0, |parity, lane| parity ^ lane));
        for (x, column) in a.iter_mut().enumerate() {
            let mixed = parities[(x + 4) % 5] ^ parities[(x + 1) % 5].rotate_left(1);
            column.iter_mut().for_each(|lane| *lane ^= mixed);
        }
        let mut moved = *a;
        let (mut x, mut y) = (1, 0);
        for t in 0..24 {
            let turned = a[x][y].rotate_left((t + 1) * (t + 2) / 2 % 64);
            (x, y) = (y, (2 * x + 3 * y) % 5);
            moved[x][y] = turned;
        }
        let next = |x: usize, y: usize| !moved[(x + 1) % 5][y] & moved[(x + 2) % 5][y];
        *a = array::from_fn(|x| array::from_fn(|y| moved[x][y] ^ next(x, y)));
        for j in 0..7 {
            a[0][0] ^= u64::from(feedback & 1) << ((1 << j) - 1);
            feedback = (feedback << 1) ^ ((feedback >> 7) * 0x71);
        }
    }
}

/// SHA3-256 of whole blocks.
fn sha3_256(words: &[u64]) -> [u64; 4] {
    let mut all = words.to_vec();
    all.extend([0; 17]);
    all[words.len()] ^= 0x06;
    all[words.len() + 16] ^= 1 << 63;
    let mut a = [[0; 5]; 5];
    for block in all.chunks_exact(17) {
        for (i, word) in block.iter().enumerate() {
            a[i % 5][i / 5] ^= word;
        }
        keccak(&mut a);
    }
    array::from_fn(|x| a[x][0])
}

#[test]
fn sponge_hashes_are_sha3_256() {
    let of_nothing = sha3_256(&[]).map(u64::swap_bytes); // FIPS 202's example
    assert_eq!(of_nothing[0], 0xa7ff_c6f8_bf1e_d766);
    assert_eq!(of_nothing[3], 0x82d8_0a4b_80f8_434a);

    const MESSAGES: usize = 50;
    let sizes = [("messages", MESSAGES), ("blocks", 3)];
    for_each_variant("sponge_hashes", sizes, |run| {
        let words = run.inputs["words"].as_u64();
        let digests = run.outputs["digests"].as_u64().chunks_exact(4);
        for (message, digest) in digests.enumerate() {
            let own: Vec<u64> = words[message..].iter().step_by(MESSAGES).copied().collect();
            assert_eq!(digest, sha3_256(&own), "message {message}");
        }
    });
}

/// SHA-1, as FIPS 180 writes it down.
fn sha1(message: &[u8]) -> Vec<u8> {
    let mut bytes = [message, &[0x80]].concat();
    bytes.resize((bytes.len() + 8).next_multiple_of(64) - 8, 0);
    bytes.extend((8 * message.len() as u64).to_be_bytes());
    let mut state = [
        0x6745_2301_u32,
        0xefcd_ab89,
        0x98ba_dcfe,
        0x1032_5476,
        0xc3d2_e1f0,
    ];
    for block in bytes.chunks_exact(64) {
        let words = block.chunks_exact(4);
        let mut words: Vec<u32> = words.map(|it| u32::from_be_bytes(field(it, 0))).collect();
        for t in 16..80 {
            let mixed = words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16];
            words.push(mixed.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (t, word) in words.into_iter().enumerate() {
            let (mixed, constant) = match t / 20 {
                0 => ((b & c) | (!b & d), 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6),
            };
            let parts = [mixed, e, constant, word].into_iter();
            let next = parts.fold(a.rotate_left(5), u32::wrapping_add);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(part);
        }
    }
    state.into_iter().flat_map(u32::to_be_bytes).collect()
}

/// PBKDF2's first block, with a key of at most 64 bytes.
fn pbkdf2(password: &[u8], salt: &[u8], iterations: usize) -> Vec<u8> {
    let mixed = |with: u8| -> Vec<u8> {
        let padded = (0..64).map(|i| password.get(i).copied().unwrap_or(0));
        padded.map(|byte| byte ^ with).collect()
    };
    let hmac = |message: &[u8]| {
        let inner = sha1(&[mixed(0x36), message.to_vec()].concat());
        sha1(&[mixed(0x5c), inner].concat())
    };
    let first = hmac(&[salt, &[0, 0, 0, 1]].concat());
    let hashes = iter::successors(Some(first), |last| Some(hmac(last)));
    hashes.take(iterations).fold(vec![0; 20], |key, hash| {
        key.iter().zip(hash).map(|(a, b)| a ^ b).collect()
    })
}

#[test]
fn key_derivation_is_that_of_rfc_6070() {
    let published = pbkdf2(b"password", b"salt", 2);
    assert_eq!(published[..5], [0xea, 0x6c, 0x01, 0x4d, 0xc7]);

    let sizes = [("passwords", 40), ("iterations", 5)];
    for_each_variant("key_derivation", sizes, |run| {
        let bytes = |words: &[u32]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_be_bytes()).collect()
        };
        let salt = bytes(&[0x4e61_4366, 0x53b9_c0e2, 0x0d15_ea5e, 0x7a57_e5a1]);
        let passwords = run.inputs["passwords"].as_u32().chunks_exact(4);
        let keys = run.outputs["keys.words"].as_u32().chunks_exact(5);
        for (password, key) in passwords.zip(keys) {
            assert_eq!(bytes(key), pbkdf2(&bytes(password), &salt, 5));
        }
    });
}

/// A block of Blowfish's network, as its author wrote it down.
fn feistel(tables: &[u32], keys: &[u32], [mut left, mut right]: [u32; 2]) -> [u32; 2] {
    for key in &keys[..16] {
        left ^= key;
        let [a, b, c, d] = left.to_be_bytes().map(usize::from);
        let mixed = tables[a].wrapping_add(tables[256 + b]) ^ tables[512 + c];
        right ^= mixed.wrapping_add(tables[768 + d]);
        (left, right) = (right, left);
    }
    [right ^ keys[17], left ^ keys[16]]
}

#[test]
fn feistel_blocks_can_be_deciphered() {
    for_each_variant("feistel_blocks", [("blocks", 1000)], |run| {
        let [tables, keys] = ["tables", "keys"].map(|name| run.inputs[name].as_u32());
        let backwards: Vec<u32> = keys.iter().rev().copied().collect();
        let plain = run.inputs["plain"].as_u32().chunks_exact(2);
        let ciphers = run.outputs["cipher"].as_u32().chunks_exact(2);
        for (plain, cipher) in plain.zip(ciphers) {
            assert_eq!(feistel(tables, keys, [plain[0], plain[1]]), cipher);
            let again = feistel(tables, &backwards, [cipher[0], cipher[1]]);
            assert_eq!(again, plain);
        }
    });
}

fn base64(bytes: &[u8]) -> Vec<u8> {
    let letters = (b'A'..=b'Z').chain(b'a'..=b'z').chain(b'0'..=b'9');
    let alphabet: Vec<u8> = letters.chain(*b"+/").collect();
    let four = |three: &[u8]| -> [u8; 4] {
        let byte = |i: usize| usize::from(three.get(i).copied().unwrap_or(0));
        let bits = (byte(0) << 16) + (byte(1) << 8) + byte(2);
        array::from_fn(|i| {
            if i <= three.len() {
                alphabet[(bits >> (18 - 6 * i)) % 64]
            } else {
                b'='
            }
        })
    };
    bytes.chunks(3).flat_map(four).collect()
}

#[test]
fn base64_encode_is_that_of_rfc_4648() {
    assert_eq!(base64(b"foobar"), b"Zm9vYmFy");
    assert_eq!(base64(b"fooba"), b"Zm9vYmE=");
    assert_eq!(base64(b"foob"), b"Zm9vYg==");

    for length in [1000, 1001, 1002] {
        for_each_variant("base64_encode", [("length", length)], |run| {
            let expected = base64(run.inputs["bytes"].as_u8());
            assert_eq!(run.outputs["text"].as_u8(), expected);
        });
    }
}

#[test]
fn packed_deltas_are_read_bit_by_bit() {
    for_each_variant("packed_deltas", [("blocks", 45)], |run| {
        let words = run.inputs["words"].as_u32();
        let bit = |at: usize| i64::from(words[at / 32] >> (at % 32) & 1);
        let headers = run.inputs["headers"].as_u8().chunks_exact(16);
        let values = run.outputs["values"].as_i32().chunks_exact(128);
        for (header, values) in headers.zip(values) {
            let [base, least] = [4, 8].map(|at| i64::from(i32::from_le_bytes(field(header, at))));
            let width = usize::from(header[12]);
            let mut at = 32 * u32::from_le_bytes(field(header, 0)) as usize;
            let mut expected = base;
            for value in values {
                let packed: i64 = (0..width).map(|place| bit(at + place) << place).sum();
                expected += least + packed;
                at += width;
                assert_eq!(i64::from(*value), expected);
            }
        }
    });
}

#[test]
fn match_search_finds_the_longest_of_the_candidates() {
    const LENGTH: usize = 3000;
    const STEPS: usize = 6;
    let sizes = [("length", LENGTH), ("steps", STEPS)];
    for_each_variant("match_search", sizes, |run| {
        let text = run.inputs["text"].as_u8();
        let previous = run.inputs["previous"].as_i32();
        let [lengths, distances] =
            ["length", "distance"].map(|name| run.outputs[&format!("matches.{name}")].as_u16());
        for here in 0..LENGTH {
            let before = |at: usize| usize::try_from(previous[at]).ok();
            let candidates = iter::successors(before(here), |at| before(*at)).take(STEPS);
            let mut best = (0, 0);
            for at in candidates {
                let pairs = text[at..].iter().zip(&text[here..]).take(258);
                let length = pairs.take_while(|(a, b)| a == b).count();
                if length > best.0 {
                    best = (length, here - at);
                }
                if best.0 >= 100.min(LENGTH - here) {
                    break;
                }
            }
            let found = (usize::from(lengths[here]), usize::from(distances[here]));
            assert_eq!(found, best, "place {here}");
        }
    });
}

#[test]
fn field_polynomials_are_sums_of_powers() {
    const PRIME: u64 = 998_244_353;
    const POINTS: usize = 4 * 50;
    const TERMS: usize = 70;
    let sizes = [("quads", POINTS / 4), ("polynomials", 8), ("terms", TERMS)];
    for_each_variant("field_polynomials", sizes, |run| {
        let [points, coefficients] =
            ["points", "coefficients"].map(|name| run.inputs[name].as_u32());
        for (i, value) in run.outputs["values"].as_u32().iter().enumerate() {
            let point = u64::from(points[i % POINTS]);
            let powers = iter::successors(Some(1), |power| Some(power * point % PRIME));
            let own = coefficients[i / POINTS * TERMS..][..TERMS].iter().rev();
            let terms = own.zip(powers).map(|(of, power)| u64::from(*of) * power);
            let sum = terms.fold(0, |sum, term| (sum + term) % PRIME);
            assert_eq!(u64::from(*value), sum, "value {i}");
        }
    });
}
