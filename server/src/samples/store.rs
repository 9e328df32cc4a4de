use std::collections::HashMap;

use kerncast_wire::{BatchVerdict, SampleVerdict, Verdict};
use sqlx::PgPool;
use uuid::Uuid;

use super::Judged;
use crate::{
    content::{ContentHash, content_hash},
    db::upload::{self, Arrival, Uploader},
    problem::field,
};

/// Stores the samples that are in order, all in one transaction, and gives each its verdict.
///
/// # Errors
/// Where the database fails; then nothing is stored.
pub(crate) async fn store(
    pool: &PgPool,
    batch: Vec<Judged>,
    uploader: Uploader,
) -> sqlx::Result<BatchVerdict> {
    // The same sample twice in a batch goes to the database once.
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut places: HashMap<(Uuid, ContentHash), usize> = HashMap::new();
    let mut judged = Vec::with_capacity(batch.len());
    for Judged { id, sample } in batch {
        let arrival = sample.map(|sample| {
            let content_hash = content_hash(&sample);
            let place = *places
                .entry((sample.id, content_hash))
                .or_insert(arrivals.len());
            let first = place == arrivals.len();
            if first {
                arrivals.push(Arrival {
                    sample,
                    content_hash,
                });
            }
            (place, first)
        });
        judged.push((id, arrival));
    }
    let known = upload::store(pool, &arrivals, uploader).await?;

    let mut verdicts = Vec::with_capacity(judged.len());
    for (index, (id, arrival)) in judged.into_iter().enumerate() {
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
    let count = |wanted| {
        let n = verdicts.iter().filter(|it| it.verdict == wanted).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    };
    Ok(BatchVerdict {
        stored: count(Verdict::Stored),
        repeated: count(Verdict::Repeated),
        rejected: count(Verdict::Rejected),
        verdicts,
    })
}
