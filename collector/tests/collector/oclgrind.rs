//! Counts by the real Oclgrind, against counts by hand.

use crate::common::{Place, expect_exit, fixture, rows};
use serde_json::Value;

fn readings(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["run", "--json", "--no-upload", "--provider", "oclgrind"];
    all.extend(arguments);
    let output = expect_exit(place.kerncast(&all), 0);
    rows(&output)
        .iter()
        .map(|row| row["sample"]["readings"]["oclgrind"].clone())
        .collect()
}

#[test]
fn counts_are_those_by_hand() {
    let place = Place::new();
    let calls = fixture("kernels/calls");
    let reading = &readings(&place, &["--kernels", &calls])[0];
    assert_eq!(reading["scope"], "full");
    // 64 work-items; each loads one float, stores one, calls two `max` and its own `twice` once.
    for (counter, expected) in [
        ("load_global", 64.0),
        ("load_global_bytes", 256.0),
        ("store_global", 64.0),
        ("store_global_bytes", 256.0),
        ("call_get_global_id", 64.0),
        ("call_max", 128.0),
        ("call_twice", 64.0),
    ] {
        assert_eq!(reading["counters"][counter], expected, "{counter}");
    }
    // Measured, and zero; what Oclgrind knows nothing of is absent.
    assert_eq!(reading["counters"]["load_local"], 0.0);
    assert!(reading["counters"].get("cycles").is_none());

    let scale = fixture("kernels/scale");
    let scale = readings(&place, &["--kernels", &scale, "--size", "n=256"]);
    let [global, local] = &scale[..] else {
        panic!("two variants: {scale:?}")
    };
    // float4 a, uchar, two ints loaded; float4 b and two ints stored; in `local` a tile both ways.
    assert_eq!(
        global["counters"]["load_global_bytes"],
        256.0 * (16.0 + 1.0 + 4.0 + 4.0)
    );
    assert_eq!(
        global["counters"]["store_global_bytes"],
        256.0 * (16.0 + 4.0 + 4.0)
    );
    assert_eq!(local["counters"]["load_local_bytes"], 256.0 * 16.0);
    assert_eq!(local["counters"]["store_local"], 256.0);
    assert_eq!(local["counters"]["call_barrier"], 256.0);
}

#[test]
fn a_launch_that_takes_too_long_is_counted_by_its_source() {
    let place = Place::new();
    let uniform = fixture("kernels/uniform");
    // 2²⁰ work-groups.
    let run = ["--kernels", &uniform, "--count-limit", "4s"];
    let first = readings(&place, &run);
    assert_eq!(first.len(), 1);
    let reading = &first[0];
    assert_eq!(reading["scope"], "full", "{reading}");
    let items = 4096.0 * 1024.0;
    assert_eq!(reading["counters"]["store_global"], items);
    assert_eq!(reading["counters"]["store_global_bytes"], 4.0 * items);
    assert_eq!(reading["counters"]["ret"], items);

    // The second time the counts come from the cache: Oclgrind itself is not asked again.
    assert_eq!(readings(&place, &run), first);
    let cached = std::fs::read_dir(place.path("cache/kerncast/oclgrind"))
        .expect("a cache")
        .count();
    assert_eq!(cached, 1);
}
