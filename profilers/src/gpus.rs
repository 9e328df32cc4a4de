//! GPUs by their data sheets (`gpus.csv`): the facts from which a model of one forecasts another.

use std::sync::LazyLock;

use csv::Reader;
use kerncast_wire::{Facts, Holds, PerCycle};
use serde::Deserialize;

/// Compute capabilities, each with the operations of a multiprocessor in a cycle (NVIDIA, *CUDA C++ Programming Guide*,
/// "Throughput of Native Arithmetic Instructions": single and double precision, whole numbers, special functions) and
/// its capacity (there, "Technical Specifications": warps, work-groups, KiB of local memory, and KiB of local memory
/// and first cache together).
#[rustfmt::skip]
const ARCHITECTURES: [(&str, [f64; 4], [u32; 4]); 16] = [
    ("3.0",  [192.0,  8.0, 160.0, 32.0], [64, 16,  48,  64]),
    ("3.5",  [192.0, 64.0, 160.0, 32.0], [64, 16,  48,  64]),
    ("3.7",  [192.0, 64.0, 160.0, 32.0], [64, 16, 112, 128]),
    ("5.0",  [128.0,  4.0, 128.0, 32.0], [64, 32,  64,  88]),
    ("5.2",  [128.0,  4.0, 128.0, 32.0], [64, 32,  96, 144]),
    ("6.0",  [ 64.0, 32.0,  64.0, 16.0], [64, 32,  64,  88]),
    ("6.1",  [128.0,  4.0, 128.0, 32.0], [64, 32,  96, 144]),
    ("7.0",  [ 64.0, 32.0,  64.0, 16.0], [64, 32,  96, 128]),
    ("7.5",  [ 64.0,  2.0,  64.0, 16.0], [32, 16,  64,  96]),
    ("8.0",  [ 64.0, 32.0,  64.0, 16.0], [64, 32, 164, 192]),
    ("8.6",  [128.0,  2.0,  64.0, 16.0], [48, 16, 100, 128]),
    ("8.9",  [128.0,  2.0,  64.0, 16.0], [48, 24, 100, 128]),
    ("9.0",  [128.0, 64.0,  64.0, 16.0], [64, 32, 228, 256]),
    ("10.0", [128.0, 64.0,  64.0, 16.0], [64, 32, 228, 256]),
    ("12.0", [128.0,  2.0, 128.0, 16.0], [48, 24, 100, 128]),
    ("12.1", [128.0,  2.0, 128.0, 16.0], [48, 24, 100, 128]),
];

/// A line of `gpus.csv`.
#[derive(Deserialize)]
struct Line {
    name: String,
    architecture: String,
    multiprocessors: u32,
    clock_mhz: f64,
    dram_gb_per_s: f64,
    l2_kib: u32,
    memory_gib: u32,
    watts: f64,
    /// Double-precision operations in a cycle, where they are fewer than the architecture's.
    fp64_per_cycle: Option<f64>,
    source: String,
}

/// Architectures made for computing; the others are also made for games.
const COMPUTING_ARCHITECTURES: [&str; 5] = ["6.0", "7.0", "8.0", "9.0", "10.0"];

static ALL: LazyLock<Vec<Facts>> = LazyLock::new(|| {
    let mut reader = Reader::from_reader(include_str!("gpus.csv").as_bytes());
    let lines = reader.deserialize::<Line>();
    lines
        .map(|line| facts(line.expect("gpus.csv has a number in each column of numbers")))
        .collect()
});

fn facts(line: Line) -> Facts {
    let architecture = ARCHITECTURES.iter().find(|it| it.0 == line.architecture);
    let (_, [fp32, fp64, int32, special], [warps, work_groups, local_kib, l1_kib]) =
        *architecture.expect("ARCHITECTURES has each architecture of gpus.csv");
    Facts {
        name: line.name,
        architecture: line.architecture,
        multiprocessors: line.multiprocessors,
        clock_mhz: line.clock_mhz,
        dram_gb_per_s: line.dram_gb_per_s,
        l2_kib: line.l2_kib,
        memory_gib: line.memory_gib,
        watts: line.watts,
        source: line.source,
        per_cycle: PerCycle {
            fp32,
            fp64: line.fp64_per_cycle.unwrap_or(fp64),
            int32,
            special,
        },
        holds: Holds {
            warps,
            work_groups,
            local_kib,
            l1_kib,
        },
    }
}

/// All GPUs, in the table's order.
#[must_use]
pub fn all() -> &'static [Facts] {
    &ALL
}

/// Words of a name that say nothing about a GPU, or that drivers leave out.
const IGNORED_WORDS: [&str; 3] = ["nvidia", "geforce", "tesla"];

fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let words = name.split(|it: char| !it.is_alphanumeric() && it != '.');
    let words = words.filter(|it| !it.is_empty() && !IGNORED_WORDS.contains(it));
    words.map(str::to_owned).collect()
}

/// The GPUs of the table that a name may mean, as drivers or people write it (`RTX 4090`): the one whose name has
/// exactly these words, or else all whose names contain them.
#[must_use]
pub fn matching(name: &str) -> Vec<&'static Facts> {
    let wanted_words = words(name);
    if wanted_words.is_empty() {
        return Vec::new();
    }
    let has_all = |it: &&Facts| {
        let own = words(&it.name);
        wanted_words.iter().all(|word| own.contains(word))
    };
    let candidates: Vec<&Facts> = ALL.iter().filter(has_all).collect();
    let exact = candidates
        .iter()
        .find(|it| words(&it.name).len() == wanted_words.len());
    exact.map_or_else(|| candidates.clone(), |it| vec![*it])
}

/// The distance of two architectures, 0 for the same: by version, with a large step between those for computing and
/// those for games.
fn architecture_distance(one: &Facts, other: &Facts) -> f64 {
    let number = |gpu: &Facts| gpu.architecture.parse::<f64>().unwrap_or(f64::NAN);
    let kind = |gpu: &Facts| COMPUTING_ARCHITECTURES.contains(&&*gpu.architecture);
    let kinds = if kind(one) == kind(other) { 0.0 } else { 10.0 };
    (number(one) - number(other)).abs() + kinds
}

/// The known GPU that is most similar to another: by architecture, then by bandwidth.
#[must_use]
pub fn nearest<T: Copy>(
    to: &Facts,
    known: impl IntoIterator<Item = (T, &'static Facts)>,
) -> Option<(T, &'static Facts)> {
    let distance = |gpu: &Facts| {
        let bandwidth = (gpu.dram_gb_per_s / to.dram_gb_per_s).ln().abs();
        (architecture_distance(gpu, to), bandwidth)
    };
    let by = |one: &Facts, other: &Facts| {
        let (one, other) = (distance(one), distance(other));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
    };
    known.into_iter().min_by(|one, other| by(one.1, other.1))
}

/// The GPU of this name, as drivers or people write it; none where the name fits no GPU or several.
#[must_use]
pub fn find(name: &str) -> Option<&'static Facts> {
    let same = ALL.iter().find(|it| it.name == name);
    same.or_else(|| match matching(name)[..] {
        [one] => Some(one),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_is_found_by_what_its_driver_and_people_call_it() {
        let names =
            |name: &str| -> Vec<&str> { matching(name).iter().map(|it| &*it.name).collect() };
        for (words, name) in [
            ("RTX 4090", "NVIDIA GeForce RTX 4090"),
            ("nvidia geforce rtx 3080", "NVIDIA GeForce RTX 3080"),
            ("H100 80GB HBM3", "NVIDIA H100 80GB HBM3"),
            ("h200", "NVIDIA H200"),
            ("T4", "Tesla T4"),
        ] {
            assert_eq!(names(words), [name], "{words}");
        }
        assert_eq!(names("V100").len(), 5);
        // Three generations have one, and one has two.
        assert_eq!(names("RTX 6000").len(), 4);
        assert!(names("RTX").len() > 20);
        assert!(names("RTX 9999").is_empty() && names("NVIDIA").is_empty());
    }

    #[test]
    fn the_table_is_sound() {
        for gpu in all() {
            let numbers = [gpu.clock_mhz, gpu.dram_gb_per_s, gpu.watts];
            assert!(gpu.l2_kib > 0 && gpu.memory_gib > 0, "{gpu:?}");
            assert!(
                numbers.iter().all(|it| it.is_finite() && *it > 0.0),
                "{gpu:?}"
            );
            assert_eq!(matching(&gpu.name), [gpu], "each has a name of its own");
            assert!(!gpu.source.is_empty(), "{gpu:?}");
        }
        let volta = |it: &&Facts| it.architecture.parse::<f64>().is_ok_and(|it| it >= 7.0);
        assert!(all().iter().filter(volta).count() >= 40);
    }
}
