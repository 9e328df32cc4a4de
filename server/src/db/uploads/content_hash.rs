//! A hash of what was uploaded: tells a repeat from different content under the same id.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// SHA-256 of an upload's content.
pub(crate) type ContentHash = [u8; 32];

/// The hash of a checked upload as its wire type writes it: order, blanks and spelling of numbers in the body make no
/// difference.
pub(crate) fn content_hash(upload: &impl Serialize) -> ContentHash {
    let text = serde_json::to_vec(upload).expect("only finite numbers and text keys");
    Sha256::digest(text).into()
}
