//! Parses values of options: sizes, bytes and times, as people write them.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use kerncast_suite::Parameters;
use kerncast_wire::DeviceKind;
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error as Misspelt},
};

/// The largest size that is accepted, bytes: no machine holds a longer array.
const MAX_BYTES: u64 = 1 << 50;

/// Parses a size as `3GiB`, `512MiB` or `100`, in bytes: above 0, at most 1 PiB.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
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
    let mut values = units.iter().filter_map(|&(unit, shift)| {
        let digits = text.strip_suffix(unit)?.trim();
        let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        let number = digits.parse::<u64>().unwrap_or(u64::MAX);
        is_number.then(|| number.saturating_mul(1 << shift))
    });
    match values.next() {
        None => Err(format!(
            "`{text}` is no size; expected as 3GiB, 512MiB, 4096"
        )),
        Some(0) => Err(format!("`{text}` is nothing; expected more than 0 bytes")),
        Some(bytes) if bytes > MAX_BYTES => Err(format!(
            "`{text}` is more than any machine holds; expected at most 1PiB"
        )),
        Some(bytes) => Ok(bytes),
    }
}

/// A parser of the names of `all`.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(all.iter().map(|it| name(*it)));
    names.map(move |word| {
        let mut all = all.iter();
        *all.find(|it| name(**it) == word).expect("one of the names")
    })
}

/// Parses OpenCL's word for a kind of device, as JSON has it.
pub(super) fn device_kind(word: &str) -> Result<DeviceKind, Misspelt> {
    DeviceKind::deserialize(word.into_deserializer())
}

/// Parses a duration as `90s`, `500ms` or `1h 30m`.
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

/// Parses a time as `2.3ms`, in seconds: with decimals, unlike a [`duration`].
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let units = UNITS.iter();
    let mut values = units.filter_map(|(unit, s)| {
        let number = text.strip_suffix(unit)?.trim().parse::<f64>().ok()?;
        Some(number * s).filter(|it| it.is_finite())
    });
    let value = values.next();
    value.ok_or_else(|| format!("`{text}` is no time; expected as 120us, 2.3ms, 1.5s"))
}

/// Parses sizes as `n=64,m=2`.
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
    fn bytes_are_read() {
        assert_eq!(bytes("3GiB"), Ok(3 << 30));
        assert_eq!(bytes("512 MiB"), Ok(512 << 20));
        assert_eq!(bytes("4096"), Ok(4096));
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
            let problem = bytes(wrong).expect_err(wrong);
            assert!(problem.contains(words), "{problem}");
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
            let value = seconds(text).expect("a time");
            assert!((value / expected - 1.0).abs() < 1e-12, "{text}: {value}");
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
