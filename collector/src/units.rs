//! Numbers and lists as the command line prints them: times with four digits, so that close ones differ. The server's
//! sentences have three (`kerncast_wire::words`).

use std::fmt::Display;

/// Seconds as `1.234 ms`: four significant digits, and the unit that fits.
pub fn time(seconds: f64) -> String {
    let size = seconds.abs();
    let (value, unit) = match size {
        _ if size >= 1.0 => (seconds, "s"),
        _ if size >= 1e-3 => (seconds * 1e3, "ms"),
        _ if size >= 1e-6 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    let decimals = decimals(value);
    format!("{value:.decimals$} {unit}")
}

/// A rate as `4.312 TB/s`: four significant digits, and the prefix that fits.
pub fn rate(per_second: f64, unit: &str) -> String {
    let (value, prefix) = match per_second.abs() {
        size if size >= 1e12 => (per_second / 1e12, "T"),
        size if size >= 1e9 => (per_second / 1e9, "G"),
        size if size >= 1e6 => (per_second / 1e6, "M"),
        _ => (per_second, ""),
    };
    let decimals = decimals(value);
    format!("{value:.decimals$} {prefix}{unit}")
}

fn decimals(value: f64) -> usize {
    match value.abs() {
        value if value >= 1000.0 => 0,
        value if value >= 100.0 => 1,
        value if value >= 10.0 => 2,
        _ => 3,
    }
}

/// A number with its noun: `1 launch`, `2 launches`.
pub fn count(n: usize, noun: &str) -> String {
    let ending = match n {
        1 => "",
        _ if noun.ends_with(['s', 'h']) => "es",
        _ => "s",
    };
    format!("{n} {noun}{ending}")
}

/// The parts with the separator between them.
pub fn joined(parts: impl IntoIterator<Item: Display>, separator: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|it| it.to_string()).collect();
    parts.join(separator)
}

/// A fraction as `12.3 %`.
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    let decimals = if percent.abs() < 100.0 { 1 } else { 0 };
    format!("{percent:.decimals$} %")
}

/// Bytes as `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = if value.fract() == 0.0 { 0 } else { 1 };
    format!("{value:.decimals$} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_that_fits() {
        for (seconds, written) in [
            (12.345, "12.35 s"),
            (0.001_234, "1.234 ms"),
            (0.000_123_46, "123.5 µs"),
            (3.2e-8, "32.00 ns"),
            (-0.002, "-2.000 ms"),
        ] {
            assert_eq!(time(seconds), written);
        }
    }

    #[test]
    fn rates_have_the_prefix_that_fits() {
        for (per_second, written) in [
            (4.312_34e12, "4.312 TB/s"),
            (55.23e9, "55.23 GB/s"),
            (123.45e6, "123.5 MB/s"),
            (12.0, "12.00 B/s"),
        ] {
            assert_eq!(rate(per_second, "B/s"), written);
        }
    }

    #[test]
    fn one_is_no_plural() {
        let all = [
            (1, "launch"),
            (0, "access"),
            (2, "launch"),
            (1, "kernel"),
            (9, "kernel"),
        ];
        let words = all.map(|(n, noun)| count(n, noun));
        assert_eq!(
            words,
            [
                "1 launch",
                "0 accesses",
                "2 launches",
                "1 kernel",
                "9 kernels"
            ]
        );
    }
}
