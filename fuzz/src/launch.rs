//! A launch file: a suite or a mistake with its place; and every launch of the suite can be looked at and filled.

use std::{fs, sync::LazyLock};

use kerncast_suite::{Launch, Limits, load};
use tempfile::TempDir;

/// More take long to fill, and are filled no other way.
const FILLED: usize = 4096;

/// In memory; the files are those that launch files name.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::Builder::new()
        .prefix("kernel")
        .tempdir_in("/dev/shm")
        .unwrap();
    fs::create_dir(folder.path().join("k")).unwrap();
    for file in ["k.cl", "global.cl", "local.cl", "kernels.cl"] {
        fs::write(folder.path().join("k").join(file), "kernel void k() {}").unwrap();
    }
    folder
});

/// Tries one input; a panic is a find.
pub fn fuzz(text: &str) {
    let folder = FOLDER.path().join("k");
    fs::write(folder.join("launch.toml"), text).unwrap();
    let kernels = match load(&folder) {
        Ok(kernels) => kernels,
        Err(mistake) => {
            assert!(!mistake.to_string().is_empty());
            return;
        }
    };
    let device = Limits {
        work_group_items: 1024,
        buffer_bytes: 1 << 32,
        global_bytes: 1 << 34,
        local_bytes: 1 << 16,
        images: None,
    };
    for kernel in &kernels {
        for size in &kernel.sizes {
            for variant in &kernel.variants {
                let launch = Launch::new(kernel, variant, &size.parameters);
                let launch = launch.expect("load has looked at every launch");
                let _ = launch
                    .fits(device)
                    .map_err(|too_large| too_large.to_string());
                let _ = (launch.work_groups(), launch.global_bytes());
                let mut few = launch;
                for buffer in &mut few.buffers {
                    let most = FILLED * 16 / buffer.ty.bytes();
                    buffer.elements = buffer.elements.min(most.max(1));
                }
                let _ = few.inputs(&kernel.name, &size.parameters);
            }
        }
    }
}
