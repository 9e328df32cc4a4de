//! What people call devices: as short as tells one from the others.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_wire::{platform, short_name, with_platform, with_units};
use sqlx::PgPool;

use crate::db::Result;

/// A device as it is stored.
struct Named {
    id: i64,
    vendor: String,
    name: String,
    compute_units: Option<i64>,
}

/// The short names of all devices, by id.
pub(super) async fn short_names(pool: &PgPool) -> Result<BTreeMap<i64, String>> {
    let devices = sqlx::query_as!(
        Named,
        r#"SELECT id::bigint AS "id!", vendor, name, compute_units FROM devices ORDER BY id"#
    )
    .fetch_all(pool)
    .await?;
    Ok(name_devices(&devices))
}

/// Names say the platform where several have the same hardware. Whoever came first keeps that name, and later ones say how
/// many units they have, or their number. So a newcomer changes no other's name, unless it brings another platform.
fn name_devices(devices: &[Named]) -> BTreeMap<i64, String> {
    let mut names = BTreeMap::new();
    let mut used = BTreeSet::new();
    for device in devices {
        let short = short_name(&device.name);
        let own = platform(&device.vendor);
        let is_twin = |it: &Named| short_name(&it.name) == short && platform(&it.vendor) != own;
        let first = if devices.iter().any(is_twin) {
            with_platform(&device.name, &device.vendor)
        } else {
            short.clone()
        };
        let units = device.compute_units.and_then(|it| u32::try_from(it).ok());
        let second = units.map(|units| with_units(&device.name, &device.vendor, units));
        let mut possible_names = [Some(first), second].into_iter().flatten();
        let name = possible_names.find(|it| !used.contains(it));
        let name = name.unwrap_or_else(|| format!("{short} ({own}, id {})", device.id));
        used.insert(name.clone());
        names.insert(device.id, name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const POCL: &str = "The pocl project";

    fn names(devices: &[(&str, &str, Option<i64>)]) -> Vec<String> {
        let devices = devices
            .iter()
            .zip(1..)
            .map(|(&(vendor, name, compute_units), id)| Named {
                id,
                vendor: vendor.to_owned(),
                name: name.to_owned(),
                compute_units,
            });
        let names = name_devices(&devices.collect::<Vec<_>>());
        names.into_values().collect()
    }

    #[test]
    fn the_same_hardware_by_two_platforms_has_both_platforms_names() {
        let devices = [
            ("NVIDIA Corporation", "NVIDIA H200", Some(132)),
            (POCL, "pthread-skylake-avx512-AMD EPYC", Some(2)),
            ("Intel(R) Corporation", "AMD EPYC", Some(2)),
        ];
        assert_eq!(names(&devices), ["H200", "EPYC (PoCL)", "EPYC (Intel)"]);
    }

    #[test]
    fn of_one_platform_the_first_keeps_its_name_and_later_ones_have_units_or_numbers() {
        let devices = [
            (
                POCL,
                "cpu-skylake-avx512-Intel(R) Xeon(R) Processor",
                Some(12),
            ),
            (
                POCL,
                "pthread-skylake-avx512-Intel(R) Xeon(R) Processor",
                Some(2),
            ),
            (POCL, "cpu-haswell-Intel(R) Xeon(R) Processor", Some(2)),
            (POCL, "pthread-haswell-Intel(R) Xeon(R) Processor", None),
        ];
        let expected = [
            "Xeon",
            "Xeon (PoCL, 2 units)",
            "Xeon (PoCL, id 3)",
            "Xeon (PoCL, id 4)",
        ];
        assert_eq!(names(&devices), expected);
        for n in 1..devices.len() {
            assert_eq!(names(&devices[..n]), expected[..n]);
        }
    }

    #[test]
    fn two_of_one_platform_and_one_of_another_are_all_told_apart() {
        let devices = [
            (POCL, "pthread-haswell-AMD EPYC", Some(2)),
            ("Intel(R) Corporation", "AMD EPYC", Some(2)),
            (POCL, "cpu-haswell-AMD EPYC", Some(4)),
        ];
        assert_eq!(
            names(&devices),
            ["EPYC (PoCL)", "EPYC (Intel)", "EPYC (PoCL, 4 units)"]
        );
    }
}
