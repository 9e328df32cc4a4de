use std::collections::HashMap;

use kerncast_wire::{BatchVerdict, SampleVerdict, Verdict};
use uuid::Uuid;

use super::{Judged, names::TooMany};
use crate::{
    App,
    content::ContentHash,
    db::upload::{self, Arrival, Uploader},
    problem::{escaped, field},
};

/// Stores the samples that are in order, all in one transaction, and gives each its verdict.
///
/// # Errors
/// Where the database fails; then nothing is stored.
pub(crate) async fn store(
    app: &App,
    mut batch: Vec<Judged>,
    uploader: Uploader,
) -> sqlx::Result<Vec<SampleVerdict>> {
    refuse_new_names(app, &mut batch).await?;
    // The same sample twice in a batch goes to the database once.
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut places: HashMap<(Uuid, ContentHash), usize> = HashMap::new();
    let mut judged = Vec::with_capacity(batch.len());
    for Judged { index, id, sample } in batch {
        let arrival = sample.map(|arrival| {
            let place = *places
                .entry((arrival.sample.id, arrival.content_hash))
                .or_insert(arrivals.len());
            let first = place == arrivals.len();
            if first {
                arrivals.push(arrival);
            }
            (place, first)
        });
        judged.push((index, id, arrival));
    }
    let known = upload::store(&app.pool, &arrivals, uploader).await?;

    let mut verdicts = Vec::with_capacity(judged.len());
    for (index, id, arrival) in judged {
        let (verdict, problems) = match arrival {
            Err(problems) => (Verdict::Rejected, problems),
            Ok((place, first)) => match known.get(&place) {
                None if first => (Verdict::Stored, Vec::new()),
                None => (Verdict::Repeated, Vec::new()),
                Some(hash) if *hash == arrivals[place].content_hash => {
                    (Verdict::Repeated, Vec::new())
                }
                Some(_) => {
                    let at = format!("/samples/{index}/id");
                    let expected = "a new id: another sample has this one";
                    (
                        Verdict::Rejected,
                        vec![field(at, arrivals[place].sample.id, expected)],
                    )
                }
            },
        };
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        verdicts.push(SampleVerdict {
            index,
            id,
            verdict,
            problems,
        });
    }
    Ok(verdicts)
}

/// The verdict on a batch, of those on its samples.
pub(crate) fn verdict(verdicts: Vec<SampleVerdict>) -> BatchVerdict {
    let count = |wanted| {
        let n = verdicts.iter().filter(|it| it.verdict == wanted).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    BatchVerdict {
        stored: count(Verdict::Stored),
        repeated: count(Verdict::Repeated),
        rejected: count(Verdict::Rejected),
        verdicts,
    }
}

/// Rejects samples whose counters' names would be too many beside those that there are.
async fn refuse_new_names(app: &App, batch: &mut [Judged]) -> sqlx::Result<()> {
    let mut known = app.names.known(&app.pool).await?;
    for Judged { index, sample, .. } in batch {
        let Ok(arrival) = sample else {
            continue;
        };
        if let Err(TooMany {
            provider,
            found,
            expected,
        }) = app.names.add(&mut known, &arrival.sample.readings)
        {
            let at = format!("/samples/{index}/readings/{}", escaped(provider));
            *sample = Err(vec![field(at, found, expected)]);
        }
    }
    Ok(())
}
