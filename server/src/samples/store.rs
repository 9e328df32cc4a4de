use std::collections::HashMap;

use kerncast_wire::{BatchVerdict, SampleVerdict, Verdict};
use uuid::Uuid;

use super::Judged;
use crate::{
    App,
    db::upload::{self, Arrival, Uploader},
    problem::field,
};

/// Stores the samples that are in order, all in one transaction, and gives each its verdict.
///
/// # Errors
/// Where the database fails; then nothing is stored.
pub(crate) async fn store(
    app: &App,
    mut batch: Vec<Judged>,
    uploader: &Uploader,
) -> sqlx::Result<Vec<SampleVerdict>> {
    let mut transaction = app.pool.begin().await?;
    let agent = uploader.agent.as_deref();
    let names = app.names.admit(&mut transaction, &mut batch, agent).await?;
    // Of samples of the same id the first goes to the database.
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut places: HashMap<Uuid, usize> = HashMap::new();
    let mut judged = Vec::with_capacity(batch.len());
    for Judged { index, id, sample } in batch {
        let arrival = sample.map(|arrival| {
            let place = *places.entry(arrival.sample.id).or_insert(arrivals.len());
            let hash = arrival.content_hash;
            let first = place == arrivals.len();
            if first {
                arrivals.push(arrival);
            }
            (place, first, hash)
        });
        judged.push((index, id, arrival));
    }
    let known = upload::store(&mut transaction, &arrivals, uploader).await?;
    transaction.commit().await?;
    app.names.see(names);

    let mut verdicts = Vec::with_capacity(judged.len());
    for (index, id, arrival) in judged {
        let (verdict, problems) = match arrival {
            Err(problems) => (Verdict::Rejected, problems),
            Ok((place, first, hash)) => match known.get(&place) {
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
