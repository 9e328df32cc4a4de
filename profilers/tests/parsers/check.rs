//! What holds for every file that was accepted, and every message about one that was not.

use kerncast_profilers::{Error, Profile};

pub(crate) fn result(result: Result<Profile, Error>) {
    match result {
        Ok(profile) => accepted(&profile),
        Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
    }
}

fn accepted(profile: &Profile) {
    assert!(!profile.launches.is_empty());
    for launch in &profile.launches {
        assert!(launch.line > 0 && !launch.kernel.is_empty());
        assert!(
            launch
                .time_s
                .is_none_or(|time| time.is_finite() && time > 0.0)
        );
        let geometry = launch.geometry;
        assert!(
            geometry
                .is_none_or(|geometry| geometry.work_items > 0 && geometry.work_group_items > 0)
        );
        for (provider, counters) in &launch.counters {
            assert!(!provider.is_empty());
            for (name, value) in counters {
                assert!(
                    !name.is_empty() && value.is_finite() && *value >= 0.0,
                    "{name} {value}"
                );
            }
        }
    }
}
