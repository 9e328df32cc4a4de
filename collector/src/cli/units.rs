//! Numbers as people write them.

use std::time::Duration;

use kerncast_suite::Parameters;
use kerncast_wire::DeviceKind;
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error as Misspelt},
};

/// `1.234 ms`: four digits that count, and the unit that fits.
pub(super) fn time(seconds: f64) -> String {
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

/// `4.312 TB/s`: four digits that count, and the prefix that fits.
pub(super) fn rate(per_second: f64, unit: &str) -> String {
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

/// `1 launch`, `2 launches`.
pub(super) fn count(n: usize, noun: &str) -> String {
    let many = if noun.ends_with(['s', 'h']) {
        "es"
    } else {
        "s"
    };
    format!("{n} {noun}{}", if n == 1 { "" } else { many })
}

/// `12.3 %`.
pub(super) fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    let decimals = if percent.abs() < 100.0 { 1 } else { 0 };
    format!("{percent:.decimals$} %")
}

/// `1.5 GiB`.
pub(super) fn bytes(bytes: u64) -> String {
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

/// No machine holds an array as long as this, bytes.
const LONGEST: u64 = 1 << 50;

/// Reads `3GiB`, `512MiB`, `100`, in bytes: above 0, at most 1 PiB.
pub(super) fn read_bytes(text: &str) -> Result<u64, String> {
    let units = [
        ("EiB", 60),
        ("PiB", 50),
        ("TiB", 40),
        ("GiB", 30),
        ("MiB", 20),
        ("KiB", 10),
        ("B", 0),
        ("", 0),
    ];
    let mut read = units.iter().filter_map(|&(unit, shift)| {
        let digits = text.strip_suffix(unit)?.trim();
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        let number = digits.parse::<u64>().unwrap_or(u64::MAX);
        is_number.then(|| number.saturating_mul(1 << shift))
    });
    match read.next() {
        None => Err(format!(
            "`{text}` is no size; expected as 3GiB, 512MiB, 4096"
        )),
        Some(0) => Err(format!("`{text}` is nothing; expected more than 0 bytes")),
        Some(bytes) if bytes > LONGEST => Err(format!(
            "`{text}` is more than any machine holds; expected at most 1PiB"
        )),
        Some(bytes) => Ok(bytes),
    }
}

/// Reads OpenCL's word for a kind of device, as JSON has it.
pub(super) fn device_kind(word: &str) -> Result<DeviceKind, Misspelt> {
    DeviceKind::deserialize(word.into_deserializer())
}

/// Reads `90s`, `500ms`, `1h 30m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|error| {
        format!("`{text}` is no duration ({error}); expected as 500ms, 90s, 7m30s, 1h")
    })?;
    if duration.is_zero() {
        Err("expected more than 0".to_owned())
    } else {
        Ok(duration)
    }
}

/// Units of times, the longer names first, in seconds.
const UNITS: [(&str, f64); 5] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
];

/// Reads how long something took, `2.3ms`, in seconds: with decimals, unlike a [`duration`].
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let units = UNITS.iter();
    let mut read = units.filter_map(|(unit, s)| {
        let number = text.strip_suffix(unit)?.trim().parse::<f64>().ok()?;
        Some(number * s).filter(|it| it.is_finite())
    });
    read.next()
        .ok_or_else(|| format!("`{text}` is no time; expected as 120us, 2.3ms, 1.5s"))
}

/// Reads `n=64,m=2`.
pub(super) fn parameters(text: &str) -> Result<Parameters, String> {
    let mut parameters = Parameters::new();
    for part in text.split(',') {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("`{part}` is no size; expected NAME=NUMBER, as in n=64,m=2"))?;
        let value = value
            .trim()
            .parse()
            .map_err(|_| format!("`{value}` is no value for {name}; expected a whole number"))?;
        if parameters.insert(name.trim().to_owned(), value).is_some() {
            return Err(format!("`{name}` is there twice"));
        }
    }
    Ok(parameters)
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

    #[test]
    fn bytes_are_read() {
        assert_eq!(read_bytes("3GiB"), Ok(3 << 30));
        assert_eq!(read_bytes("512 MiB"), Ok(512 << 20));
        assert_eq!(read_bytes("4096"), Ok(4096));
        for (wrong, words) in [
            ("3GB", "no size"),
            ("GiB", "no size"),
            ("-1", "no size"),
            ("1.5GiB", "no size"),
            ("0", "expected more than 0 bytes"),
            ("100PiB", "expected at most 1PiB"),
            ("99999999999TiB", "expected at most 1PiB"),
            ("99999999999999999999999", "expected at most 1PiB"),
        ] {
            let told = read_bytes(wrong).expect_err(wrong);
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn durations_and_sizes_are_read() {
        assert_eq!(duration("7m15s"), Ok(Duration::from_secs(435)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["10", "m", "-3s", "0s", "10 fortnights", "1e400h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        for (text, expected) in [("2.3ms", 2.3e-3), ("120us", 120e-6), ("1.5 s", 1.5)] {
            let read = seconds(text).expect("a time");
            assert!((read / expected - 1.0).abs() < 1e-12, "{text}: {read}");
        }
        for wrong in ["2.3", "ms", "2.3m", "infs"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            parameters("n=64,m=2"),
            Ok([("m".into(), 2), ("n".into(), 64)].into())
        );
        for wrong in ["n", "n=", "n=1.5", "n=1,n=2", ""] {
            assert!(parameters(wrong).is_err(), "{wrong}");
        }
    }
}
