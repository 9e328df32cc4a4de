//! Units of counters and times, and their factors to base units.

/// The factor that converts a unit to its base: nanoseconds, bytes, hertz, and so on per second; none where the unit is
/// unknown. Base units are those of `ncu --print-units base`, so that a report with scaled units gives the same
/// numbers. Percentages stay as they are (their counters are named `.pct`), and so do units without a prefix (sector,
/// inst, register/thread). `kilo` is 1000 for ncu, 1024 for nvprof.
pub(crate) fn to_base(unit: &str, kilo: f64) -> Option<f64> {
    match unit.split_once('/') {
        Some((above, below)) => {
            let seconds = match nanoseconds(below) {
                Some(ns) => ns / 1e9,
                None => word(below, kilo)?,
            };
            Some(word(above, kilo)? / seconds)
        }
        None => word(unit, kilo),
    }
}

/// Names of counted things: all units of ncu and nvprof except those of time.
const COUNTED_WORDS: &str = "1 % B Hz SM bank block branch byte cluster cta cycle element event flop gpc hz inst instruction \
                     item lane line message node op packet page pass pixel quad query register request sector slice tag \
                     texel thread tpc transaction warp wavefront";

/// The nanoseconds of a unit of time; none for other units.
pub(crate) fn nanoseconds(unit: &str) -> Option<f64> {
    match unit {
        "ns" | "nsec" | "nsecond" => Some(1.0),
        "us" | "usec" | "usecond" => Some(1e3),
        "ms" | "msec" | "msecond" => Some(1e6),
        "s" | "sec" | "second" => Some(1e9),
        _ => None,
    }
}

/// The factor of a single word of a unit; none where the word is unknown.
fn word(unit: &str, kilo: f64) -> Option<f64> {
    if let Some(ns) = nanoseconds(unit) {
        return Some(ns);
    }
    let is_known = |unit: &str| {
        let singular = [Some(unit), unit.strip_suffix('s'), unit.strip_suffix("es")];
        COUNTED_WORDS
            .split(' ')
            .any(|word| singular.contains(&Some(word)))
    };
    if unit.is_empty() || is_known(unit) {
        return Some(1.0);
    }
    let mut letters = unit.chars();
    let power = match letters.next()? {
        'K' | 'k' => 1,
        'M' => 2,
        'G' => 3,
        'T' => 4,
        _ => return None,
    };
    is_known(letters.as_str()).then(|| kilo.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_units_come_back_to_their_base() {
        for (unit, factor) in [
            ("usecond", 1e3),
            ("ms", 1e6),
            ("nsec", 1.0),
            ("Kbyte", 1e3),
            ("Gbyte/second", 1e9),
            ("Kbyte/block", 1e3),
            ("byte/nsecond", 1e9),
            ("Ghz", 1e9),
            ("cycle/nsecond", 1e9),
            ("%", 1.0),
            ("", 1.0),
            ("register/thread", 1.0),
            ("sector", 1.0),
            ("branches", 1.0),
            ("Kthreads", 1e3),
        ] {
            let base = to_base(unit, 1e3).expect(unit);
            assert!((base / factor - 1.0).abs() < 1e-12, "{unit}");
        }
        assert_eq!(to_base("KB/s", 1024.0), Some(1024.0));
        assert_eq!(to_base("GB/s", 1024.0), Some(1_073_741_824.0));
    }

    #[test]
    fn unknown_units_have_no_base() {
        for unit in ["minute", "K", "Kminute", "byte/hour", "Pbyte", "widget"] {
            assert_eq!(to_base(unit, 1e3), None, "{unit}");
        }
    }
}
