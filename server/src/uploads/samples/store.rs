use std::collections::{HashMap, HashSet};

use kerncast_wire::{BatchVerdict, Origin, SampleVerdict, Verdict};
use sqlx::PgPool;
use uuid::Uuid;

use super::CheckedSample;
use crate::{
    db::{
        self,
        catalogue::devices::counter_names,
        uploads::store_samples::{self, Arrival, NamesRefused, Uploader},
    },
    http::{escaped, field},
};

/// Stores the samples that are in order, all in one transaction, and gives each its verdict. Where their counters would
/// have too many names, those with names that are not there yet are refused.
/// Fails where the database fails; then nothing is stored.
pub(crate) async fn store(
    pool: &PgPool,
    mut batch: Vec<CheckedSample>,
    uploader: &Uploader,
) -> db::Result<Vec<SampleVerdict>> {
    free_ids(pool, &mut batch).await?;
    loop {
        let result = store_all(pool, &batch, uploader).await;
        match result.as_ref().err().and_then(NamesRefused::from_error) {
            None => return result,
            Some(NamesRefused::TooMany(why)) => {
                refuse_new_names(&mut batch, &counter_names(pool).await?, &why);
            }
            Some(NamesRefused::BesideStored) => leave_out_stored(pool, &mut batch).await?,
        }
    }
}

/// A shipped sample goes by another id where a sample that is none has its own: these ids are public, and whoever uploads
/// first must not keep it out. (Only an admin's token brings shipped ones.)
async fn free_ids(pool: &PgPool, batch: &mut [CheckedSample]) -> db::Result<()> {
    let mut shipped: Vec<(&mut Option<Uuid>, &mut Arrival)> = batch
        .iter_mut()
        .filter_map(|it| Some((&mut it.id, it.sample.as_mut().ok()?)))
        .filter(|(_, arrival)| arrival.sample.origin == Origin::Shipped)
        .collect();
    if shipped.is_empty() {
        return Ok(());
    }
    let free = store_samples::free_ids(pool, shipped.iter().map(|(_, arrival)| &**arrival)).await?;
    for (id, arrival) in &mut shipped {
        if let Some(&other) = free.get(&arrival.sample.id) {
            arrival.sample.id = other;
            **id = Some(other);
        }
    }
    Ok(())
}

/// Leaves nothing but id and hash of samples whose id is there: these say whether they repeat what is.
async fn leave_out_stored(pool: &PgPool, batch: &mut [CheckedSample]) -> db::Result<()> {
    let arrivals = batch.iter_mut().flat_map(|it| &mut it.sample);
    let mut arrivals: Vec<&mut Arrival> = arrivals.collect();
    let ids: Vec<Uuid> = arrivals.iter().map(|it| it.sample.id).collect();
    let stored = store_samples::stored_ids(pool, &ids).await?;
    for arrival in &mut arrivals {
        if stored.contains(&arrival.sample.id) {
            arrival.sample.readings.clear();
        }
    }
    Ok(())
}

fn refuse_new_names(batch: &mut [CheckedSample], known_names: &[(String, String)], why: &str) {
    let known: HashSet<(&str, &str)> = known_names.iter().map(|(a, b)| (&**a, &**b)).collect();
    for CheckedSample { index, sample, .. } in batch {
        let readings = sample.iter().flat_map(|it| &it.sample.readings);
        let mut names = readings.flat_map(|(provider, reading)| {
            let names = reading.counters.keys();
            names.map(move |name| (&**provider, &**name))
        });
        if let Some((provider, name)) = names.find(|it| !known.contains(it)) {
            let (in_pointer, counter) = (escaped(provider), escaped(name));
            let at = format!("/samples/{index}/readings/{in_pointer}/counters/{counter}");
            *sample = Err(vec![field(at, name, why)]);
        }
    }
}

async fn store_all(
    pool: &PgPool,
    batch: &[CheckedSample],
    uploader: &Uploader,
) -> db::Result<Vec<SampleVerdict>> {
    let mut transaction = pool.begin().await?;
    // Of samples of the same id the first goes to the database.
    let mut arrivals: Vec<&Arrival> = Vec::new();
    let mut places: HashMap<Uuid, usize> = HashMap::new();
    let mut placed = Vec::with_capacity(batch.len());
    for CheckedSample { index, id, sample } in batch {
        let arrival = sample.as_ref().map(|arrival| {
            let place = *places.entry(arrival.sample.id).or_insert(arrivals.len());
            let hash = arrival.content_hash;
            let first = place == arrivals.len();
            if first {
                arrivals.push(arrival);
            }
            (place, first, hash)
        });
        placed.push((index, id, arrival));
    }
    let stored_before = store_samples::store(&mut transaction, &arrivals, uploader).await?;
    transaction.commit().await?;

    let mut verdicts = Vec::with_capacity(placed.len());
    for (index, id, arrival) in placed {
        let (verdict, problems) = match arrival {
            Err(problems) => (Verdict::Rejected, problems.clone()),
            Ok((place, first, hash)) => match stored_before.get(&place) {
                None if first => (Verdict::Stored, Vec::new()),
                stored if hash == *stored.unwrap_or(&arrivals[place].content_hash) => {
                    (Verdict::Repeated, Vec::new())
                }
                _ => {
                    let at = format!("/samples/{index}/id");
                    let expected = "a new id: another sample has this one";
                    let id = arrivals[place].sample.id;
                    (Verdict::Rejected, vec![field(at, id, expected)])
                }
            },
        };
        verdicts.push(SampleVerdict {
            index: u32::try_from(*index).unwrap_or(u32::MAX),
            id: *id,
            verdict,
            problems,
        });
    }
    Ok(verdicts)
}

/// The verdict on a batch: its samples' verdicts, counted.
pub(crate) fn batch_verdict(verdicts: Vec<SampleVerdict>) -> BatchVerdict {
    let count = |verdict| {
        let n = verdicts.iter().filter(|it| it.verdict == verdict).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    BatchVerdict {
        stored: count(Verdict::Stored),
        repeated: count(Verdict::Repeated),
        rejected: count(Verdict::Rejected),
        verdicts,
    }
}
