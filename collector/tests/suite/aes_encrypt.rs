//! Ciphertext against FIPS 197, as it writes AES down, and against its own example.

use std::fs;

use kerncast_suite::load;

use crate::{folder, for_each_variant, parameters, run_once};

/// FIPS 197, appendices A.1 and B: the launch file's round keys are this key, expanded.
const KEY: [u8; 16] = *b"\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c";

/// The product in GF(2⁸), modulo x⁸ + x⁴ + x³ + x + 1.
fn product(mut a: u8, b: u8) -> u8 {
    let mut sum = 0;
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            sum ^= a;
        }
        a = a << 1 ^ if a >= 0x80 { 0x1b } else { 0 };
    }
    sum
}

/// The S-box: the inverse, which is the 254th power, and an affine map of it.
fn substituted(byte: u8) -> u8 {
    let inverse = (0..254).fold(1, |power, _| product(power, byte));
    (0..5).fold(0x63, |sum, turns| sum ^ inverse.rotate_left(turns))
}

/// AES-128 of a block, as FIPS 197 writes it down, column by column.
fn encrypted(block: &[u8]) -> Vec<u8> {
    let mut words: Vec<Vec<u8>> = KEY.chunks_exact(4).map(<[u8]>::to_vec).collect();
    let mut constant = 1;
    while words.len() < 44 {
        let mut word = words[words.len() - 1].clone();
        if words.len().is_multiple_of(4) {
            word.rotate_left(1);
            word = word.into_iter().map(substituted).collect();
            word[0] ^= constant;
            constant = product(constant, 2);
        }
        let before = &words[words.len() - 4];
        words.push(word.iter().zip(before).map(|(a, b)| a ^ b).collect());
    }
    let keys = words.concat();
    let plus = |state: &[u8], key: &[u8]| state.iter().zip(key).map(|(a, b)| a ^ b).collect();
    let mut state: Vec<u8> = plus(block, &keys[..16]);
    for round in 1..=10 {
        let shifted: Vec<u8> = (0..16)
            .map(|i| substituted(state[(i + i % 4 * 4) % 16]))
            .collect();
        let mixed = |i: usize| {
            let column = |row: usize| shifted[i / 4 * 4 + (i + row) % 4];
            product(column(0), 2) ^ product(column(1), 3) ^ column(2) ^ column(3)
        };
        let last = round == 10;
        let mixed: Vec<u8> = (0..16)
            .map(|i| if last { shifted[i] } else { mixed(i) })
            .collect();
        state = plus(&mixed, &keys[16 * round..16 * round + 16]);
    }
    state
}

#[test]
fn is_aes_128() {
    for_each_variant("aes_encrypt", [("blocks", 96)], |run| {
        let plaintext = run.inputs["plaintext"].as_u8();
        let ciphertext = run.outputs["ciphertext"].as_u8();
        assert_eq!(plaintext.len(), 96 * 16);
        for (plain, cipher) in plaintext.chunks_exact(16).zip(ciphertext.chunks_exact(16)) {
            assert_eq!(cipher, encrypted(plain));
        }
    });
}

#[test]
fn is_the_example_of_fips_197_appendix_b() {
    let plaintext = "0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34";
    let expected = b"\x39\x25\x84\x1d\x02\xdc\x09\xfb\xdc\x11\x85\x97\x19\x6a\x0b\x32";

    // The suite's folder with other plaintext: every block is the example's.
    let original = folder("aes_encrypt");
    let place = tempfile::tempdir().expect("a temporary folder");
    let launch = fs::read_to_string(original.join("launch.toml")).expect("a launch file");
    let changed = launch.replace("uniform = [0, 255]", &format!("values = [{plaintext}]"));
    assert_ne!(changed, launch);
    let copy = place.path().join("aes_encrypt");
    fs::create_dir(&copy).expect("a folder");
    fs::write(copy.join("launch.toml"), changed).expect("written");
    fs::copy(original.join("aes_encrypt.cl"), copy.join("aes_encrypt.cl")).expect("copied");

    let kernel = &load(&copy).expect("it loads")[0];
    for variant in ["global", "local"] {
        let run = run_once(kernel, variant, &parameters([("blocks", 32)])).expect("it runs");
        for block in run.outputs["ciphertext"].as_u8().chunks_exact(16) {
            assert_eq!(block, expected, "{variant}");
        }
    }
}
