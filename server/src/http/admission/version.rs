//! Which agents and servers work together.

/// Before it paths and samples were others.
const OLDEST: (u32, u32) = (0, 3);

/// Whether an agent of one version and a server of another work together: neither is older than 0.3, and their minor
/// versions are at most one apart. What is no version is asked nothing.
pub(super) fn work_together(one: &str, other: &str) -> bool {
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => {
            one.min(other) >= OLDEST && one.0 == other.0 && one.1.abs_diff(other.1) <= 1
        }
        _ => true,
    }
}

fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_minor_version_apart_works() {
        for (one, other) in [
            ("0.3.0", "0.3.7"),
            ("0.3.0", "0.4.0-rc.1"),
            ("1.0.0", "1.1.0"),
        ] {
            assert!(work_together(one, other) && work_together(other, one));
        }
        for (one, other) in [
            ("0.3.0", "0.2.9"),
            ("0.3.0", "0.5.0"),
            ("0.3.0", "1.3.0"),
            ("0.10.0", "0.1.0"),
        ] {
            assert!(!work_together(one, other) && !work_together(other, one));
        }
        assert!(work_together("0.3.0", "curl") && work_together("", "0.3.0"));
    }
}
