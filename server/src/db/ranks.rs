//! Which model answers is chosen once, when models are stored.

use std::collections::BTreeMap;

use kerncast_models::{Contender, rank};
use kerncast_training::Question;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{validations::OVERALL, words::number};

/// Ranks all models that answer what this question asks, whatever their variant.
pub(crate) async fn store(connection: &mut PgConnection, question: &Question) -> sqlx::Result<()> {
    let Question {
        target,
        counted_on,
        provider,
        variant: _,
        response,
    } = question;
    let device: i32 = number(*target)?;
    let counted_on: Option<i32> = counted_on.map(number).transpose()?;
    let rows = sqlx::query!(
        r#"
        SELECT
            id, complexity, variant, kernel AS "kernel?", unpredicted AS "unpredicted?",
            CASE response WHEN 'speedup' THEN ln(factor) ELSE mean_ape END AS "error: f64"
        FROM models
        LEFT JOIN hold_out_errors ON model_id = id AND key = 'kernel'
        WHERE NOT superseded AND refusal IS NULL AND device_id = $1
            AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3 AND response = $4
        ORDER BY id
        "#,
        device,
        counted_on,
        provider,
        response.as_str()
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut models: BTreeMap<Uuid, Contender> = BTreeMap::new();
    for row in rows {
        let contender = models.entry(row.id).or_insert_with(|| Contender {
            all_variants: row.variant.is_none(),
            complete: false,
            complexity: row.complexity,
            error: None,
            kernels: BTreeMap::new(),
        });
        match row.kernel {
            Some(kernel) if kernel == OVERALL => {
                contender.complete = row.unpredicted == Some(0);
                contender.error = row.error;
            }
            Some(kernel) => {
                contender.kernels.insert(kernel, row.error);
            }
            None => {}
        }
    }
    let (ids, contenders): (Vec<Uuid>, Vec<Contender>) = models.into_iter().unzip();
    let ids: Vec<Uuid> = rank(&contenders)
        .into_iter()
        .map(|place| ids[place])
        .collect();
    sqlx::query!(
        "
        UPDATE models SET rank = place
        FROM unnest($1::uuid[]) WITH ORDINALITY AS ranked (model, place)
        WHERE id = model AND rank IS DISTINCT FROM place
        ",
        &ids
    )
    .execute(connection)
    .await
    .map(|_| ())
}
