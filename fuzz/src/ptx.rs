//! PTX of a driver, patched for another: whatever the driver says, the patch is text or a refusal.

use kerncast_collector::cuda::ptx::patch;

/// Tries one input; a panic is a find.
pub fn fuzz(binary: &[u8]) {
    let text = String::from_utf8_lossy(binary);
    let entries = text.split(".entry ").skip(1);
    let names = entries.filter_map(|rest| Some(rest.split_once('(')?.0));
    for name in names.take(4).chain(["k"]) {
        for dimensions in 1..=3 {
            if let Ok(patched) = patch(binary, name, dimensions) {
                assert!(
                    !patched.text.contains('\0'),
                    "CUDA reads up to the first NUL"
                );
            }
        }
    }
}
