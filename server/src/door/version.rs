//! Which agents and servers work together.

/// Whether an agent of one version and a server of another work together: their minor versions are at most one apart.
/// What is no version is asked nothing.
pub(super) fn work_together(one: &str, other: &str) -> bool {
    match (numbers(one), numbers(other)) {
        (Some((major, minor)), Some((other_major, other_minor))) => {
            major == other_major && minor.abs_diff(other_minor) <= 1
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
            ("0.2.0", "0.2.7"),
            ("0.2.0", "0.1.9"),
            ("0.2.0", "0.3.0-rc.1"),
        ] {
            assert!(work_together(one, other) && work_together(other, one));
        }
        for (one, other) in [("0.2.0", "0.4.0"), ("0.2.0", "1.2.0"), ("0.10.0", "0.1.0")] {
            assert!(!work_together(one, other) && !work_together(other, one));
        }
        assert!(work_together("0.2.0", "curl") && work_together("", "0.2.0"));
    }
}
