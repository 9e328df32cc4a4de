//! What a sample says of its times. Real launches on PoCL.

use crate::common::{Place, expect_exit, fixture, rows};
use serde_json::Value;

#[test]
fn launches_are_timed_warm_and_cold() {
    let place = Place::new();
    let kernels = fixture("kernels/scale");
    let rows = rows(&expect_exit(place.times(&kernels, &[]), 0));
    assert_eq!(rows.len(), 4);
    for row in rows {
        let times = |name: &str| -> Vec<f64> {
            let times = row["sample"]["times"][name].as_array();
            let times = times.into_iter().flatten().map(Value::as_f64);
            times.map(|time| time.expect("a number")).collect()
        };
        let (warm, cold) = (times("repetitions_s"), times("cold_repetitions_s"));
        assert!(warm.iter().chain(&cold).all(|time| *time > 0.0), "{row}");
        assert!(!warm.is_empty() && (1..=5).contains(&cold.len()), "{row}");
        // A CPU's driver does not tell: absent, and no guess.
        assert!(row["sample"].get("conditions").is_none(), "{row}");
    }
}
