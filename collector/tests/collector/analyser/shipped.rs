//! The suite and what was counted of it: the shipped data (data/), by workload.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use kerncast_suite::{Kernel, Parameters, Variant};
use serde_json::Value;

pub(crate) type Counters = BTreeMap<String, f64>;

/// Kernel, variant, sizes.
pub(crate) type Key = (String, String, String);

pub(crate) fn key(kernel: &Kernel, variant: &Variant, parameters: &Parameters) -> Key {
    let parameters = serde_json::json!(parameters).to_string();
    (kernel.name.clone(), variant.name.clone(), parameters)
}

/// What a provider counted fully.
pub(crate) fn counted(file: &str, provider: &str) -> BTreeMap<Key, Counters> {
    let file = File::open(Path::new("../data").join(file)).expect("the shipped data");
    let lines = BufReader::new(zstd::Decoder::new(file).expect("zstd")).lines();
    let mut all = BTreeMap::new();
    for line in lines {
        let sample: Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        let (workload, reading) = (&sample["workload"], &sample["readings"][provider]);
        if reading["scope"] == "full" && reading["refusal"].is_null() && reading.is_object() {
            let word = |name: &str| workload[name].as_str().unwrap_or_default().to_owned();
            let key = (
                word("kernel"),
                word("variant"),
                workload["parameters"].to_string(),
            );
            let counters = serde_json::from_value(reading["counters"].clone());
            all.insert(key, counters.expect("counters"));
        }
    }
    all
}

/// What `each` finds of every variant of every kernel, on all cores.
pub(crate) fn of_each_variant<T: Send>(
    kernels: &[Kernel],
    each: impl Fn(&Kernel, &Variant) -> T + Sync,
) -> Vec<T> {
    let variants: Vec<(&Kernel, &Variant)> = kernels
        .iter()
        .flat_map(|kernel| kernel.variants.iter().map(move |variant| (kernel, variant)))
        .collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((kernel, variant)) =
                    variants.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let of_variant = each(kernel, variant);
                    found.lock().expect("no panic").push(of_variant);
                }
            });
        }
    });
    found.into_inner().expect("no panic")
}
