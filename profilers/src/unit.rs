/// What a unit is to be multiplied by to reach its base: nanoseconds, bytes, hertz, and so on per
/// second. These are the units of `ncu --print-units base`, so that a report printed with scaled
/// units gives the same numbers. Percentages stay as they are (their counters are named `.pct`), and
/// so does whatever has no prefix (sector, inst, register/thread). `kilo` is 1000 for ncu, 1024 for
/// nvprof.
pub(crate) fn to_base(unit: &str, kilo: f64) -> f64 {
    match unit.split_once('/') {
        Some((above, below)) => {
            let seconds = nanoseconds(below).map_or(1.0, |ns| ns / 1e9);
            word(above, kilo) / seconds
        }
        None => word(unit, kilo),
    }
}

/// A time's nanoseconds; none where it is no time.
pub(crate) fn nanoseconds(unit: &str) -> Option<f64> {
    match unit {
        "ns" | "nsecond" => Some(1.0),
        "us" | "usecond" => Some(1e3),
        "ms" | "msecond" => Some(1e6),
        "s" | "second" => Some(1e9),
        _ => None,
    }
}

fn word(unit: &str, kilo: f64) -> f64 {
    if let Some(ns) = nanoseconds(unit) {
        return ns;
    }
    let mut letters = unit.chars();
    let power = match letters.next() {
        Some('K' | 'k') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        _ => return 1.0,
    };
    match letters.as_str() {
        "byte" | "B" | "hz" | "Hz" | "inst" | "sector" | "cycle" | "request" | "warp" => {
            kilo.powi(power)
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_units_come_back_to_their_base() {
        for (unit, factor) in [
            ("usecond", 1e3),
            ("ms", 1e6),
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
        ] {
            assert!((to_base(unit, 1e3) / factor - 1.0).abs() < 1e-12, "{unit}");
        }
        assert!((to_base("KB/s", 1024.0) - 1024.0).abs() < 1e-9);
        assert!((to_base("GB/s", 1024.0) - 1_073_741_824.0).abs() < 1e-3);
    }
}
