//! Champions of every device and provider, and what there is in all.

use std::collections::{BTreeMap, HashMap};

use kerncast_wire::{Attention, Because, Doubt, HeldBecause, ProviderOverview, Reasons, Uploads};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::db::Result;

/// Kernels and samples stored.
pub(crate) async fn totals(pool: &PgPool) -> Result<(i64, i64)> {
    let row = sqlx::query!(
        r#"
        SELECT
            (SELECT count(*) FROM kernels WHERE NOT generated) AS "kernels!",
            (SELECT coalesce(sum(samples), 0)::bigint FROM sample_counts) AS "samples!"
        "#
    )
    .fetch_one(pool)
    .await?;
    Ok((row.kernels, row.samples))
}

/// What is forecast of times on each device, by device.
pub(crate) async fn providers(pool: &PgPool) -> Result<BTreeMap<i64, Vec<ProviderOverview>>> {
    let rows = sqlx::query!(
        r#"
        WITH cells AS (
            SELECT
                device_id, provider, count(refusal) AS refused,
                (array_agg(refusal ORDER BY id DESC) FILTER (WHERE refusal IS NOT NULL))[1] AS refusal,
                (array_agg(models.refused ORDER BY id DESC) FILTER (WHERE refusal IS NOT NULL))[1] AS why
            FROM models
            WHERE NOT superseded AND held IS NULL AND response = 'time' AND counted_on_device_id IS NULL
            GROUP BY device_id, provider
        )
        SELECT
            cells.device_id::bigint AS "device!",
            json_build_object(
                'provider', cells.provider, 'refused', cells.refused, 'refusal', cells.refusal, 'why', cells.why,
                'champion', CASE WHEN champion.id IS NOT NULL THEN json_build_object(
                    'model', champion.id, 'method', champion.method, 'variant', champion.variant,
                    'created_at', champion.created_at, 'samples', cardinality(champion.sample_ids),
                    'kernels', champion.kernels, 'leave_one_kernel_out', errors_json(headline),
                    'coverage', to_json(coverages), 'mean_ape_before', before.mean_ape,
                    'judged_by', champion.judged_by, 'factor', judged.factor, 'factor_before', before.factor,
                    'worst_kernel', CASE WHEN worst.kernel IS NOT NULL THEN
                        json_build_object('kernel', worst.kernel, 'mean_ape', worst.mean_ape) END
                ) END
            ) AS "provider!: Json<ProviderOverview>"
        FROM cells
        LEFT JOIN models AS champion
            ON champion.device_id = cells.device_id AND champion.provider = cells.provider
                AND champion.counted_on_device_id IS NULL AND champion.response = 'time' AND champion.rank = 1
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = champion.id AND headline.key = 'kernel' AND headline.kernel = ''
        LEFT JOIN hold_out_errors AS judged
            ON judged.model_id = champion.id AND judged.key = champion.judged_by AND judged.kernel = ''
        LEFT JOIN coverages ON coverages.model_id = champion.id
        LEFT JOIN LATERAL (
            SELECT kernel, mean_ape FROM hold_out_errors
            WHERE model_id = champion.id AND key = 'kernel' AND kernel <> ''
            ORDER BY mean_ape DESC NULLS LAST LIMIT 1
        ) AS worst ON worst.mean_ape IS NOT NULL
        LEFT JOIN LATERAL (
            SELECT errors.mean_ape, judged.factor
            FROM models AS older
            LEFT JOIN hold_out_errors AS errors
                ON errors.model_id = older.id AND errors.key = 'kernel' AND errors.kernel = ''
            LEFT JOIN hold_out_errors AS judged
                ON judged.model_id = older.id AND judged.key = champion.judged_by AND judged.kernel = ''
            WHERE older.superseded AND older.id < champion.id
                AND have_same_specification(older, champion) AND was_settled(older, champion)
            ORDER BY older.id DESC LIMIT 1
        ) AS before ON true
        ORDER BY cells.device_id, cells.provider
        "#
    )
    .fetch_all(pool)
    .await?;
    let mut providers: BTreeMap<i64, Vec<ProviderOverview>> = BTreeMap::new();
    for row in rows {
        let of_device = providers.entry(row.device).or_default();
        of_device.push(row.provider.0);
    }
    Ok(providers)
}

/// Attention for quarantined samples by device and agent, the most first, with the commonest reason; at most `most`.
pub(crate) async fn quarantined_samples(pool: &PgPool, most: i64) -> Result<Vec<Attention>> {
    let rows = sqlx::query!(
        r#"
        SELECT
            device_id::bigint AS "device!", agents.name AS agent, count(*) AS "samples!",
            mode() WITHIN GROUP (ORDER BY judgement_doubts) AS "why!: Json<Reasons<Doubt>>"
        FROM standings JOIN agents ON agents.id = agent_id
        WHERE standing = 'quarantined'
        GROUP BY device_id, agents.name
        ORDER BY count(*) DESC, device_id, agents.name
        LIMIT $1
        "#,
        most
    );
    let rows = rows.fetch_all(pool).await?.into_iter();
    let attention = rows.map(|row| Attention {
        agent: Some(row.agent),
        device: Some(row.device),
        ..Attention::from(Because::SamplesQuarantined {
            samples: row.samples,
            why: row.why.0,
        })
    });
    Ok(attention.collect())
}

/// A model that would be champion, and waits for an admin.
pub(crate) struct HeldModel {
    pub(crate) device: i64,
    pub(crate) counted_on: Option<i64>,
    pub(crate) provider: String,
    pub(crate) response: String,
    pub(crate) model: Uuid,
    /// The champion before, which still answers.
    pub(crate) before: Option<Uuid>,
    pub(crate) why: Json<Reasons<HeldBecause>>,
}

/// Held models, for each question the one that would answer: all of a question are held for one reason.
pub(crate) async fn held_models(pool: &PgPool) -> Result<Vec<HeldModel>> {
    Ok(sqlx::query_as!(
        HeldModel,
        r#"
        SELECT DISTINCT ON (models.device_id, models.counted_on_device_id, models.provider, models.response)
            models.device_id::bigint AS "device!", models.counted_on_device_id::bigint AS counted_on, models.provider,
            models.response, models.id AS model, champion.id AS "before?",
            models.held_because AS "why!: Json<Reasons<HeldBecause>>"
        FROM models
        LEFT JOIN hold_out_errors AS headline
            ON headline.model_id = models.id AND headline.key = models.judged_by AND headline.kernel = ''
        LEFT JOIN models AS champion
            ON champion.rank = 1 AND champion.device_id = models.device_id
                AND champion.counted_on_device_id IS NOT DISTINCT FROM models.counted_on_device_id
                AND champion.provider = models.provider AND champion.response = models.response
        WHERE models.held IS NOT NULL AND NOT models.superseded
        ORDER BY models.device_id, models.counted_on_device_id, models.provider, models.response,
            models.variant IS NOT NULL, (unpredicted = 0 AND negative = 0) IS NOT TRUE, factor NULLS LAST, models.id
        "#
    )
    .fetch_all(pool)
    .await?)
}

/// For each of these models, who stored how many samples of its devices since the champion before it was fitted; whoever
/// stored most comes first. `pairs`: the champion before, and the model.
pub(crate) async fn uploads_between(
    pool: &PgPool,
    pairs: &[(Uuid, Uuid)],
) -> Result<HashMap<Uuid, Vec<Uploads>>> {
    let (before, models): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"
        SELECT now.id AS model, agents.name AS agent, count(*) AS "samples!"
        FROM unnest($1::uuid[], $2::uuid[]) AS pair (before_id, model_id)
        JOIN models AS before ON before.id = before_id
        JOIN models AS now ON now.id = model_id
        JOIN samples ON samples.device_id IN (now.device_id, now.counted_on_device_id)
            AND received_at >= before.created_at AND received_at < now.created_at
        JOIN agents ON agents.id = agent_id
        GROUP BY now.id, agents.name
        ORDER BY now.id, count(*) DESC, agents.name
        "#,
        &before,
        &models
    )
    .fetch_all(pool)
    .await?;
    let mut uploads: HashMap<Uuid, Vec<Uploads>> = HashMap::new();
    for row in rows {
        uploads.entry(row.model).or_default().push(Uploads {
            agent: row.agent,
            samples: row.samples,
        });
    }
    Ok(uploads)
}
