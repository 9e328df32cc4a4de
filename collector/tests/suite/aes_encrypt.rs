//! Ciphertext against the crate `aes`, and against FIPS 197's own example.

use std::fs;

use aes::{
    Aes128,
    cipher::{Array, BlockCipherEncrypt, KeyInit},
};
use kerncast_suite::load;

use crate::{for_each_variant, parameters, run_once, suite};

/// FIPS 197, appendices A.1 and B: the launch file's round keys are this key, expanded.
const KEY: [u8; 16] = *b"\x2b\x7e\x15\x16\x28\xae\xd2\xa6\xab\xf7\x15\x88\x09\xcf\x4f\x3c";

#[test]
fn is_aes_128() {
    let cipher = Aes128::new(&KEY.into());
    for_each_variant("aes_encrypt", [("blocks", 96)], |run| {
        let plaintext = run.inputs["plaintext"].as_u8();
        let ciphertext = run.outputs["ciphertext"].as_u8();
        assert_eq!(plaintext.len(), 96 * 16);
        for (plain, encrypted) in plaintext.chunks_exact(16).zip(ciphertext.chunks_exact(16)) {
            let mut block = Array::try_from(plain).expect("16 bytes");
            cipher.encrypt_block(&mut block);
            assert_eq!(encrypted, block.as_slice());
        }
    });
}

#[test]
fn is_the_example_of_fips_197_appendix_b() {
    let plaintext = "0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34";
    let expected = b"\x39\x25\x84\x1d\x02\xdc\x09\xfb\xdc\x11\x85\x97\x19\x6a\x0b\x32";

    // The suite's folder with other plaintext: every block is the example's.
    let suite = suite();
    let original = &suite
        .iter()
        .find(|kernel| kernel.name == "aes_encrypt")
        .expect("in the suite")
        .folder;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let launch = fs::read_to_string(original.join("launch.toml")).expect("a launch file");
    let changed = launch.replace("uniform = [0, 255]", &format!("values = [{plaintext}]"));
    assert_ne!(changed, launch);
    let copy = folder.path().join("aes_encrypt");
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
