//! Which shards there are, and what is where.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use kerncast_wire::{Device, NewSample};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::on_shard::{TIMES, content};

/// A shard by its number and id.
pub(crate) type Numbered = (i16, Uuid);

/// Where the values of a device's new samples go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Into the database itself.
    Coordinator,
    /// To the shard of this number.
    Shard(i16),
    /// To all shards, each sample's to the one that its id chooses.
    All,
}

impl Home {
    fn new(spread: bool, shard: Option<i16>) -> Self {
        match (spread, shard) {
            (true, _) => Self::All,
            (false, Some(shard)) => Self::Shard(shard),
            (false, None) => Self::Coordinator,
        }
    }

    /// Where this sample's values belong, of these shards; none: into the database.
    pub(crate) fn of_sample(self, sample: Uuid, shards: &[Numbered]) -> Option<i16> {
        match self {
            Self::Coordinator => None,
            Self::Shard(shard) => Some(shard),
            Self::All => {
                let drawn = shards.iter().max_by_key(|(_, id)| draw(sample, *id));
                drawn.map(|(number, _)| *number)
            }
        }
    }
}

/// What a shard draws for a sample: the highest number has it, so that one that is added gets its share, and no sample
/// goes from one of the others to another.
fn draw(sample: Uuid, shard: Uuid) -> u64 {
    // splitmix64 of both, whose last halves are random (RFC 9562, versions 4 and 7).
    let mut it = sample.as_u64_pair().1 ^ shard.as_u64_pair().1.rotate_left(32);
    it = it.wrapping_add(0x9e37_79b9_7f4a_7c15);
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

/// Which shard has the values of an upload's samples.
#[derive(Default)]
pub(crate) struct Placed {
    /// By vendor and name, but for those whose values stay in the database.
    of_devices: HashMap<(String, String), Home>,
    shards: Vec<Numbered>,
}

impl Placed {
    /// Whether all belong into the database.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_devices.is_empty()
    }

    /// None where it belongs into the database.
    pub(crate) fn shard(&self, sample: &NewSample) -> Option<i16> {
        if self.is_empty() {
            return None;
        }
        let Device { vendor, name, .. } = &sample.device;
        let home = self.of_devices.get(&(vendor.clone(), name.clone()))?;
        home.of_sample(sample.id, &self.shards)
    }
}

/// Keeps other uses of advisory locks apart: setting shards up, and moving a device's values.
const SETTING_UP: i32 = 0x6b63_7375;
const MOVES: i32 = 0x6b63_736d;
/// What moves share, and a backup has alone.
const MOVES_AT_ALL: i32 = 0;

/// A shard that the database knows.
pub(crate) struct Known {
    pub(crate) number: i16,
    pub(crate) name: String,
    pub(crate) id: Uuid,
    pub(crate) swept_until: DateTime<Utc>,
    pub(crate) thinned_until: DateTime<Utc>,
}

/// All of them, in the order in which they were added.
pub(crate) async fn list(connection: &mut PgConnection) -> sqlx::Result<Vec<Known>> {
    sqlx::query_as!(
        Known,
        "SELECT number, name, id, swept_until, thinned_until FROM shards ORDER BY number"
    )
    .fetch_all(connection)
    .await
}

/// Makes whoever sets shards up wait for each other until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!(
        r#"SELECT pg_advisory_xact_lock($1, 0) AS "locked!: ()""#,
        SETTING_UP
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Adds a shard; returns its number.
pub(crate) async fn add(connection: &mut PgConnection, name: &str, id: Uuid) -> sqlx::Result<i16> {
    sqlx::query_scalar!(
        "
        INSERT INTO shards (number, name, id)
        SELECT coalesce(max(number), 0) + 1, $1, $2 FROM shards
        RETURNING number
        ",
        name,
        id
    )
    .fetch_one(connection)
    .await
}

/// Which of `shards` has the values of samples of these devices. A device that is new is stored, and gets one.
pub(crate) async fn of_devices(
    pool: &PgPool,
    shards: Vec<Numbered>,
    devices: &[&Device],
) -> sqlx::Result<Placed> {
    let vendors: Vec<String> = devices.iter().map(|it| it.vendor.clone()).collect();
    let names: Vec<String> = devices.iter().map(|it| it.name.clone()).collect();
    for new in [true, false] {
        let rows = sqlx::query!(
            r#"
            SELECT vendor, name, spread, shard
            FROM devices JOIN unnest($1::text[], $2::text[]) AS said (vendor, name) USING (vendor, name)
            "#,
            &vendors,
            &names
        )
        .fetch_all(pool)
        .await?;
        if rows.len() < devices.len() && new {
            let names = json!({ "devices": devices, "agents": [] });
            sqlx::query!(
                r#"SELECT store_devices_and_agents($1, false) AS "stored!: ()""#,
                names
            )
            .execute(pool)
            .await?;
            continue;
        }
        let homes = rows.into_iter().map(|row| {
            let home = Home::new(row.spread, row.shard);
            ((row.vendor, row.name), home)
        });
        return Ok(Placed {
            of_devices: homes.filter(|(_, it)| *it != Home::Coordinator).collect(),
            shards,
        });
    }
    Ok(Placed::default())
}

/// Those of these samples that are stored.
pub(crate) async fn stored(pool: &PgPool, samples: &[Uuid]) -> sqlx::Result<HashSet<Uuid>> {
    let found = sqlx::query_scalar!("SELECT id FROM samples WHERE id = ANY ($1)", samples)
        .fetch_all(pool)
        .await?;
    Ok(found.into_iter().collect())
}

/// Those of these samples that have values or repetitions on this shard, with their contents as it knows them.
pub(crate) async fn on(
    pool: &PgPool,
    shard: i16,
    samples: &[Uuid],
) -> sqlx::Result<HashSet<(Uuid, Uuid)>> {
    let found = sqlx::query!(
        "
        SELECT id, content_hash FROM samples
        WHERE id = ANY ($1)
            AND (shard = $2 OR EXISTS (SELECT FROM readings WHERE sample_id = samples.id AND readings.shard = $2))
        ",
        samples,
        shard
    )
    .fetch_all(pool)
    .await?;
    let known = found
        .into_iter()
        .map(|row| Ok((row.id, content(&row.content_hash)?)));
    known.collect()
}

/// Notes until when what was written to a shard has been looked through.
pub(crate) async fn note_swept(
    pool: &PgPool,
    shard: i16,
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE shards SET swept_until = $2 WHERE number = $1 AND swept_until < $2",
        shard,
        until
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// Notes until when repetitions on a shard have been deleted that were thinned out.
pub(crate) async fn note_thinned(
    pool: &PgPool,
    shard: i16,
    until: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE shards SET thinned_until = $2 WHERE number = $1 AND thinned_until < $2",
        shard,
        until
    )
    .execute(pool)
    .await
    .map(|_| ())
}

/// A device, and where the values of its new samples go.
#[derive(Clone, Debug)]
pub struct OfDevice {
    /// Its number.
    pub device: i32,
    /// Its name.
    pub name: String,
    /// Where.
    pub home: Home,
    /// Where they would go were it new.
    pub wanted: Home,
    /// How many samples it has.
    pub samples: i64,
}

/// Every device.
///
/// # Errors
/// Where the database fails.
pub async fn devices(pool: &PgPool) -> sqlx::Result<Vec<OfDevice>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            id, name, spread, shard, shard_of(vendor, name) AS wanted,
            coalesce((SELECT sum(samples) FROM sample_counts WHERE device_id = devices.id), 0)::bigint AS "samples!"
        FROM devices ORDER BY id
        "#
    )
    .fetch_all(pool)
    .await?;
    let of_device = rows.into_iter().map(|row| OfDevice {
        device: row.id,
        name: row.name,
        home: Home::new(row.spread, row.shard),
        wanted: Home::new(row.spread, row.wanted),
        samples: row.samples,
    });
    Ok(of_device.collect())
}

/// Takes the moves of a device's values, for as long as the connection lasts. False where somebody else has them, or a
/// backup is made.
pub(crate) async fn try_lock_moves(
    connection: &mut PgConnection,
    device: i32,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"
        SELECT pg_try_advisory_lock_shared($1, $3) AND pg_try_advisory_lock($1, $2) AS "locked!"
        "#,
        MOVES,
        device,
        MOVES_AT_ALL
    )
    .fetch_one(connection)
    .await
}

/// Keeps values from being moved for as long as the connection lasts. False where some are being moved.
pub(crate) async fn try_lock_places(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_lock($1, $2) AS "locked!""#,
        MOVES,
        MOVES_AT_ALL
    )
    .fetch_one(connection)
    .await
}

/// Has the values of a device's new samples go there. False where there is no such device.
pub(crate) async fn place(
    connection: &mut PgConnection,
    device: i32,
    home: Home,
) -> sqlx::Result<bool> {
    let (spread, shard) = match home {
        Home::Coordinator => (false, None),
        Home::Shard(shard) => (false, Some(shard)),
        Home::All => (true, None),
    };
    sqlx::query!(
        "UPDATE devices SET spread = $2, shard = $3 WHERE id = $1",
        device,
        spread,
        shard
    )
    .execute(connection)
    .await
    .map(|it| it.rows_affected() == 1)
}

/// The next samples of a device after `after`, at most `most`, by id.
pub(crate) async fn samples_of(
    connection: &mut PgConnection,
    device: i32,
    after: Uuid,
    most: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM samples WHERE device_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        device,
        after,
        most
    )
    .fetch_all(connection)
    .await
}

/// A reading, and where its values are; or a sample's repetitions.
pub(crate) struct Place {
    pub(crate) sample: Uuid,
    /// [`TIMES`] of repetitions.
    pub(crate) provider: String,
    pub(crate) content_hash: Vec<u8>,
    /// Where they are here.
    pub(crate) values: Option<Vec<f64>>,
    /// Where they are not.
    pub(crate) shard: Option<i16>,
}

/// Readings of these samples whose values are elsewhere than on this shard, or in the database; and samples whose
/// repetitions are, but for those that were thinned out, or are too few to be.
pub(crate) async fn elsewhere(
    connection: &mut PgConnection,
    samples: &[Uuid],
    than: Option<i16>,
) -> sqlx::Result<Vec<Place>> {
    sqlx::query_as!(
        Place,
        r#"
        SELECT
            sample_id AS "sample!", provider AS "provider!", content_hash AS "content_hash!", values AS "values: Vec<f64>",
            readings.shard
        FROM readings JOIN samples ON samples.id = sample_id
        WHERE sample_id = ANY ($1) AND refusal IS NULL AND readings.shard IS DISTINCT FROM $2::smallint
        UNION ALL
        SELECT id, $3, content_hash, CASE WHEN shard IS NULL THEN repetitions || cold_repetitions END, shard
        FROM samples
        WHERE id = ANY ($1) AND shard IS DISTINCT FROM $2::smallint
            AND (shard IS NOT NULL OR repetitions_were IS NULL AND cardinality(repetitions) > 3)
        "#,
        samples,
        than,
        TIMES
    )
    .fetch_all(connection)
    .await
}

/// Says that the values and repetitions of these samples, which were on `from` or here, are on `to`.
pub(crate) async fn say_on(
    connection: &mut PgConnection,
    samples: &[Uuid],
    from: Option<i16>,
    to: i16,
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE readings
        SET shard = $3, counter_ids = NULL, values = NULL,
            list_id = coalesce(
                list_id,
                (SELECT id FROM counter_lists WHERE list = sha256(array_send(readings.counter_ids)))
            )
        WHERE sample_id = ANY ($1) AND shard IS NOT DISTINCT FROM $2::smallint AND refusal IS NULL
        ",
        samples,
        from,
        to
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "
        UPDATE samples
        SET shard = $3,
            repetitions_were = coalesce(repetitions_were, cardinality(repetitions)),
            cold_were = coalesce(cold_were, cardinality(cold_repetitions)),
            repetitions = CASE WHEN shard IS NULL THEN warm_of(repetitions, min_s, median_s) ELSE repetitions END,
            cold_repetitions = CASE WHEN shard IS NULL THEN cold_of(cold_repetitions) ELSE cold_repetitions END
        WHERE id = ANY ($1) AND shard IS NOT DISTINCT FROM $2::smallint
            AND (shard IS NOT NULL OR repetitions_were IS NULL AND cardinality(repetitions) > 3)
        ",
        samples,
        from,
        to
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Takes the values of a reading back into the database from this shard.
pub(crate) async fn bring_back(
    connection: &mut PgConnection,
    sample: Uuid,
    provider: &str,
    from: i16,
    values: &[f64],
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE readings
        SET shard = NULL, values = $4::float8[]
        WHERE sample_id = $1 AND provider = $2 AND shard = $3
        ",
        sample,
        provider,
        from,
        values
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Takes the repetitions of a sample back into the database from this shard, unless they were thinned out meanwhile.
pub(crate) async fn bring_times_back(
    connection: &mut PgConnection,
    sample: Uuid,
    from: i16,
    times: &[f64],
) -> sqlx::Result<()> {
    sqlx::query!(
        "
        UPDATE samples
        SET shard = NULL, repetitions_were = NULL, cold_were = NULL,
            repetitions = ($3::float8[])[:repetitions_were], cold_repetitions = ($3::float8[])[repetitions_were + 1:]
        WHERE id = $1 AND shard = $2
        ",
        sample,
        from,
        times
    )
    .execute(connection)
    .await
    .map(|_| ())
}
