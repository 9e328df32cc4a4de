//! SHA-256 and CRC-32 against the crates sha2 and crc32fast.

use sha2::{Digest, Sha256};

use crate::for_each_variant;

#[test]
fn sha256_is_the_standard_one() {
    for_each_variant("sha256", [("messages", 64)], |run| {
        let messages = run.inputs["messages"].as_u32().chunks_exact(16);
        let digests = run.outputs["digests"].as_u32().chunks_exact(8);
        for (message, digest) in messages.zip(digests) {
            let bytes = |words: &[u32]| -> Vec<u8> {
                words.iter().flat_map(|word| word.to_be_bytes()).collect()
            };
            assert_eq!(bytes(digest), Sha256::digest(bytes(message)).as_slice());
        }
    });
}

#[test]
fn crc32_is_zlibs() {
    const LENGTH: usize = 37;
    for_each_variant("crc32", [("records", 64), ("length", LENGTH)], |run| {
        let records = run.inputs["bytes"].as_u8().chunks_exact(LENGTH);
        let expected: Vec<u32> = records.map(crc32fast::hash).collect();
        assert_eq!(run.outputs["checksums"].as_u32(), expected);
    });
}
