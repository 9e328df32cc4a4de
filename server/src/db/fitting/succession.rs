//! Which models answer is chosen once, when models are stored: who is champion, and whether it may succeed the one
//! before.

use std::collections::BTreeMap;

use kerncast_models::{Contender, ErrorReport, rank};
use kerncast_training::{Question, Response};
use kerncast_wire::{Errors, HeldBecause, KernelErrors, Reasons};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

use super::hold_outs::{HeldOut, hold_out_rows, is_as_good};
use crate::db::{
    Result,
    convert::{number, to_json},
};

/// The models that a job has fitted to answer a question, of all variants.
pub(crate) struct Refit<'a> {
    pub(crate) question: &'a Question,
    /// All its models, also those that were there before.
    pub(crate) current: &'a [Uuid],
    /// The models that were not there before.
    pub(crate) new: &'a [Uuid],
    /// Whether there was anything to fit them to.
    pub(crate) has_rows: bool,
}

/// A champion in another's place.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) predecessor: Uuid,
    pub(crate) champion: Uuid,
}

/// What became of what was fitted.
pub(crate) enum Succession {
    /// It answers.
    Changed(Change),
    /// It waits, and this champion before it still answers.
    Held(Uuid),
    /// What answers is what did, or nothing did before, or nothing does now.
    Same,
}

struct Model {
    contender: Contender,
    is_refused: bool,
    rank: Option<i16>,
    /// Whether an admin has since rejected more than a twentieth of the samples that it was fitted to: then it can't hold a
    /// successor back. With fewer rejected samples it can, judged on the rest: otherwise one would switch the check off.
    is_distrusted: bool,
    held: Option<Reasons<HeldBecause>>,
    /// Whether a current one has the same specification.
    replaced: bool,
}

/// Puts the models that were just fitted in the place of their predecessors, and ranks all models that answer the
/// question. If the new champion may not succeed the old one, all new models are held, and everything else stays.
pub(crate) async fn succeed(
    connection: &mut PgConnection,
    refit: &Refit<'_>,
) -> Result<Succession> {
    let models = models(connection, refit).await?;
    // Other responses than times answer nobody who does not name the model.
    if matches!(refit.question.response, Response::Counter(_)) {
        supersede(connection, &outdated(refit, &models, false)).await?;
        return Ok(Succession::Same);
    }
    let is_current = |id: &Uuid| refit.current.contains(id);
    let next: BTreeMap<Uuid, &Contender> = models
        .iter()
        .filter(|(id, it)| is_current(id) || it.held.is_none() && !it.replaced)
        .filter(|(_, it)| !it.is_refused)
        .map(|(id, it)| (*id, &it.contender))
        .collect();
    let contenders: Vec<Contender> = next.values().map(|&it| it.clone()).collect();
    let ids: Vec<Uuid> = next.into_keys().collect();
    let ranked: Vec<Uuid> = rank(&contenders)
        .into_iter()
        .map(|place| ids[place])
        .collect();
    let champion = ranked.first().copied();
    let mut predecessor = models.iter();
    let predecessor = predecessor.find(|(_, it)| it.rank == Some(1));
    if let Some((&before, _)) = predecessor.filter(|(_, it)| !it.is_distrusted) {
        let rows = hold_out_rows(connection, before).await?;
        if let Err(why) = may_answer(connection, refit, (before, &rows), champion).await? {
            hold(connection, &models_to_hold(refit, &models), &why).await?;
            supersede(connection, &outdated(refit, &models, true)).await?;
            return Ok(Succession::Held(before));
        }
    }
    supersede(connection, &outdated(refit, &models, false)).await?;
    sqlx::query!(
        "UPDATE models SET held = NULL, held_because = NULL WHERE id = ANY ($1) AND held IS NOT NULL",
        refit.current
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "
        UPDATE models SET rank = place
        FROM unnest($1::uuid[]) WITH ORDINALITY AS ranked (model, place)
        WHERE id = model AND rank IS DISTINCT FROM place
        ",
        &ranked
    )
    .execute(connection)
    .await?;
    Ok(match (predecessor, champion) {
        (Some((&predecessor, _)), Some(champion)) if champion != predecessor => {
            Succession::Changed(Change {
                predecessor,
                champion,
            })
        }
        _ => Succession::Same,
    })
}

/// Why the champion to be may not answer in the place of the one before.
async fn may_answer(
    connection: &mut PgConnection,
    refit: &Refit<'_>,
    (before, rows): (Uuid, &[HeldOut]),
    champion: Option<Uuid>,
) -> Result<Result<(), Reasons<HeldBecause>>> {
    Ok(match champion {
        Some(champion) if champion == before => Ok(()),
        Some(champion) => {
            let now = hold_out_rows(connection, champion).await?;
            is_as_good(rows, &now).map_err(Reasons::from)
        }
        None if refit.has_rows => Err(HeldBecause::NoFit.into()),
        None => Ok(()),
    })
}

/// The models that wait: new ones, and those that waited before.
fn models_to_hold(refit: &Refit<'_>, models: &BTreeMap<Uuid, Model>) -> Vec<Uuid> {
    let waits =
        |id: &&Uuid| refit.new.contains(id) || models.get(id).is_some_and(|it| it.held.is_some());
    refit.current.iter().filter(waits).copied().collect()
}

/// Models that others have replaced. `held`: only held ones.
fn outdated(refit: &Refit<'_>, models: &BTreeMap<Uuid, Model>, held: bool) -> Vec<Uuid> {
    let others = models.iter().filter(|(id, _)| !refit.current.contains(id));
    others
        .filter(|(_, it)| it.held.is_some() || it.replaced && !held)
        .map(|(id, _)| *id)
        .collect()
}

async fn hold(
    connection: &mut PgConnection,
    models: &[Uuid],
    why: &Reasons<HeldBecause>,
) -> Result<()> {
    sqlx::query!(
        "UPDATE models SET held = $2, held_because = $3 WHERE id = ANY ($1)",
        models,
        why.to_string(),
        to_json(why)?
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Supersedes what was fitted to samples that are set aside now and that nothing has replaced: without them nobody
/// asks its question any more. `current`: what is asked for, or answers in the place of what is held.
pub(crate) async fn retire(
    connection: &mut PgConnection,
    device: i32,
    counted_on: Option<i32>,
    provider: &str,
    current: &[Uuid],
) -> Result<()> {
    sqlx::query!(
        "
        UPDATE models SET superseded = true, rank = NULL
        WHERE NOT superseded AND device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2
            AND provider = $3 AND id <> ALL ($4)
            AND EXISTS (
                SELECT FROM standings
                WHERE standing IN ('quarantined', 'rejected') AND sample_id = ANY (fitted_to(models))
            )
        ",
        device,
        counted_on,
        provider,
        current
    )
    .execute(connection)
    .await?;
    Ok(())
}

async fn supersede(connection: &mut PgConnection, models: &[Uuid]) -> Result<()> {
    sqlx::query!(
        "UPDATE models SET superseded = true, rank = NULL WHERE id = ANY ($1)",
        models
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// All models of the question that are not superseded.
async fn models(connection: &mut PgConnection, refit: &Refit<'_>) -> Result<BTreeMap<Uuid, Model>> {
    let question = refit.question;
    let device: i32 = number(question.target)?;
    let counted_on: Option<i32> = question.counted_on.map(number).transpose()?;
    let rows = sqlx::query!(
        r#"
        SELECT
            id, complexity, variant, errors_of.overall AS "overall: Json<Errors>",
            errors_of.kernels AS "kernels: Json<Vec<KernelErrors>>", refusal IS NOT NULL AS "is_refused!", rank,
            held_because AS "held: Json<Reasons<HeldBecause>>",
            rank IS NOT DISTINCT FROM 1 AND 20 * (
                SELECT count(*) FROM standings
                WHERE standing = 'rejected' AND sample_id = ANY (fitted_to(models))
            ) > cardinality(sample_ids) AS "is_distrusted!",
            EXISTS (
                SELECT FROM models AS it
                WHERE it.id = ANY ($5) AND it.id <> models.id AND have_same_specification(it, models)
            ) AS "replaced!"
        FROM models
        CROSS JOIN LATERAL (
            SELECT
                (array_agg(errors_json(it)) FILTER (WHERE kernel = ''))[1] AS overall,
                json_agg(json_build_object('kernel', kernel, 'errors', errors_json(it)))
                    FILTER (WHERE kernel <> '') AS kernels
            FROM hold_out_errors AS it
            WHERE model_id = models.id AND key = judged_by
        ) AS errors_of
        WHERE NOT superseded AND device_id = $1
            AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3 AND response = $4
        ORDER BY id
        "#,
        device,
        counted_on,
        question.provider,
        question.response.as_str(),
        refit.current
    )
    .fetch_all(connection)
    .await?;
    let models = rows.into_iter().map(|row| {
        let report = ErrorReport {
            overall: row.overall.map(|Json(errors)| errors),
            kernels: row.kernels.map(|Json(kernels)| kernels).unwrap_or_default(),
        };
        let model = Model {
            contender: Contender::new(row.variant.is_none(), row.complexity, &report),
            is_refused: row.is_refused,
            rank: row.rank,
            is_distrusted: row.is_distrusted,
            held: row.held.map(|Json(why)| why),
            replaced: row.replaced,
        };
        (row.id, model)
    });
    Ok(models.collect())
}

/// The question of a model, and whether it waits for an admin; None where there is no such model.
pub(crate) async fn question(
    executor: impl PgExecutor<'_>,
    model: Uuid,
) -> Result<Option<(Question, bool)>> {
    let row = sqlx::query!(
        r#"
        SELECT
            device_id::bigint AS "device!", counted_on_device_id::bigint AS counted_on, provider, response,
            held IS NOT NULL AND NOT superseded AS "waits!"
        FROM models WHERE id = $1
        "#,
        model
    )
    .fetch_optional(executor)
    .await?;
    Ok(row.map(|row| {
        let question = Question {
            target: row.device,
            counted_on: row.counted_on,
            provider: row.provider,
            variant: None,
            response: row.response.as_str().into(),
        };
        (question, row.waits)
    }))
}

/// Lets the held models of a question answer.
pub(crate) async fn accept(connection: &mut PgConnection, question: &Question) -> Result<()> {
    let device: i32 = number(question.target)?;
    let counted_on: Option<i32> = question.counted_on.map(number).transpose()?;
    let waiting = sqlx::query_scalar!(
        "
        SELECT id FROM models
        WHERE held IS NOT NULL AND NOT superseded AND device_id = $1
            AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3 AND response = $4
        ",
        device,
        counted_on,
        question.provider,
        question.response.as_str()
    )
    .fetch_all(&mut *connection)
    .await?;
    // Nobody is champion any more, so nobody has to be succeeded.
    sqlx::query!(
        "
        UPDATE models SET rank = NULL
        WHERE rank IS NOT NULL AND device_id = $1
            AND counted_on_device_id IS NOT DISTINCT FROM $2 AND provider = $3 AND response = $4
        ",
        device,
        counted_on,
        question.provider,
        question.response.as_str()
    )
    .execute(&mut *connection)
    .await?;
    let refit = Refit {
        question,
        current: &waiting,
        new: &[],
        has_rows: true,
    };
    succeed(connection, &refit).await?;
    Ok(())
}
