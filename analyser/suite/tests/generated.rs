//! Generated kernels: always the same, and every one a kernel that loads.

use std::{collections::BTreeMap, fs};

use kerncast_suite::{Kernel, Launch, generate, load};
use kerncast_wire::DeviceKind;
use sha2::{Digest, Sha256};

const MANY: u32 = 500;

/// The first kernels of seed 1, written to a folder and read again.
fn loaded() -> Vec<Kernel> {
    let folder = tempfile::tempdir().expect("a folder");
    for kernel in generate(1, MANY) {
        let path = folder.path().join(&kernel.name);
        fs::create_dir(&path).expect("a folder of its own");
        for (name, text) in &kernel.files {
            fs::write(path.join(name), text).expect("written");
        }
    }
    load(folder.path()).expect("every launch file is right")
}

/// The hash was written down when the generator was last changed. If it differs now, samples of the same names would be
/// of other kernels: raise `GENERATOR_VERSION` with it.
#[test]
fn a_seed_gives_the_same_kernels_on_every_machine() {
    let mut hash = Sha256::new();
    for kernel in generate(1, MANY) {
        for (name, text) in &kernel.files {
            hash.update(format!("{}/{name}\0{text}\0", kernel.name));
        }
    }
    let hash: String = (hash.finalize().iter())
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        hash,
        "453bf70a355d0694e52adc203313dd96fee661b1c11823a718e0f493656cbb6f"
    );
}

#[test]
fn fewer_are_the_first_of_more_and_another_seed_gives_others() {
    let many = generate(1, MANY);
    assert_eq!(many[..60], generate(1, 60)[..]);
    let texts = |seed| -> Vec<String> {
        let kernels = generate(seed, MANY).into_iter();
        let sources = kernels.flat_map(|kernel| kernel.files.into_values());
        // Without its name.
        let nameless = |text: String| text.replace(&format!("_s{seed}_"), "");
        sources.map(nameless).collect()
    };
    let (first, second) = (texts(1), texts(2));
    let same = first.iter().zip(&second).filter(|(a, b)| a == b).count();
    assert!(same * 20 < first.len(), "{same} of {}", first.len());
}

/// Generated kernels have sizes that the suite has few of: most launches are smaller than a large GPU, some far larger.
#[test]
fn each_loads_with_a_size_for_every_kind_of_device_from_one_warp_to_several_waves() {
    let kernels = loaded();
    let mut by_warps: BTreeMap<&str, usize> = BTreeMap::new();
    assert_eq!(kernels.len(), MANY as usize);
    for kernel in &kernels {
        let name = &kernel.name;
        assert!(kernel.generated, "{name}");
        assert!(name.starts_with("generated_v1_s1_"), "{name}");
        for kind in [DeviceKind::Cpu, DeviceKind::Gpu, DeviceKind::Accelerator] {
            let of_kind = kernel
                .sizes
                .iter()
                .filter(|size| size.on.is_empty() || size.on.contains(&kind));
            assert_eq!(of_kind.count(), 1, "{name} on {kind}");
        }
        let mut warps = 0;
        for size in &kernel.sizes {
            let launch =
                Launch::new(kernel, kernel.reference(), &size.parameters).expect("a launch");
            assert!(
                launch.global_bytes() < 1_500_000_000,
                "{name}: {}",
                launch.global_bytes()
            );
            warps = launch.work_items() / 32;
        }
        // The last size is a GPU's; an H200 has 528 schedulers.
        let group = match warps {
            0..=32 => "a few",
            33..=528 => "one a scheduler",
            529..=2112 => "four a scheduler",
            2113..=8448 => "one wave",
            _ => "more",
        };
        *by_warps.entry(group).or_default() += 1;
    }
    assert_eq!(by_warps.len(), 5, "{by_warps:?}");
    assert!(by_warps.values().all(|count| *count >= 50), "{by_warps:?}");
}
