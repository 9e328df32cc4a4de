//! What people call devices: as short as tells one from the others.

use std::collections::BTreeMap;

use kerncast_wire::{platform, short_name, with_platform};
use sqlx::PgPool;

/// A device as it is stored.
struct Named {
    id: i64,
    vendor: String,
    name: String,
}

/// Of every device, by id.
pub(super) async fn short_names(pool: &PgPool) -> sqlx::Result<BTreeMap<i64, String>> {
    let devices = sqlx::query_as!(
        Named,
        r#"SELECT id::bigint AS "id!", vendor, name FROM devices ORDER BY id"#
    )
    .fetch_all(pool)
    .await?;
    Ok(tell_apart(&devices))
}

/// `EPYC (PoCL)` where the same hardware is there twice; whole names where that tells nothing either.
fn tell_apart(devices: &[Named]) -> BTreeMap<i64, String> {
    let mut alike: BTreeMap<String, Vec<&Named>> = BTreeMap::new();
    for device in devices {
        alike
            .entry(short_name(&device.name))
            .or_default()
            .push(device);
    }
    let mut names = BTreeMap::new();
    for (short, alike) in alike {
        if let [device] = alike[..] {
            names.insert(device.id, short);
            continue;
        }
        let mut platforms: Vec<&str> = alike.iter().map(|it| platform(&it.vendor)).collect();
        platforms.sort_unstable();
        platforms.dedup();
        for device in &alike {
            let name = match platforms.len() == alike.len() {
                true => with_platform(&device.name, &device.vendor),
                false => format!("{} ({})", device.name, device.id),
            };
            names.insert(device.id, name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(devices: &[(&str, &str)]) -> Vec<String> {
        let devices = devices.iter().zip(1..).map(|(&(vendor, name), id)| Named {
            id,
            vendor: vendor.to_owned(),
            name: name.to_owned(),
        });
        let names = tell_apart(&devices.collect::<Vec<_>>());
        names.into_values().collect()
    }

    #[test]
    fn the_same_hardware_by_two_platforms_has_both_platforms_names() {
        let devices = [
            ("NVIDIA Corporation", "NVIDIA H200"),
            ("The pocl project", "pthread-skylake-avx512-AMD EPYC"),
            ("Intel(R) Corporation", "AMD EPYC"),
        ];
        assert_eq!(names(&devices), ["H200", "EPYC (PoCL)", "EPYC (Intel)"]);
    }

    #[test]
    fn what_no_short_name_tells_apart_keeps_its_whole_name_and_its_number() {
        let devices = [
            ("The pocl project", "pthread-haswell-AMD EPYC"),
            ("The pocl project", "cpu-haswell-AMD EPYC"),
        ];
        let whole = ["pthread-haswell-AMD EPYC (1)", "cpu-haswell-AMD EPYC (2)"];
        assert_eq!(names(&devices), whole);
    }
}
