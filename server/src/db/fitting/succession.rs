//! Which models answer is chosen once, when models are stored: who is champion, and whether it may succeed the one
//! before.

use std::collections::BTreeMap;

use kerncast_models::{Contender, ErrorReport, rank};
use kerncast_training::Response;
use kerncast_wire::{Errors, HeldBecause, KernelErrors, Reasons};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

use super::{
    fit_key::FitKey,
    hold_outs::{hold_out_rows, is_as_good},
};
use crate::db::{Result, to_json};

/// The models that a job has fitted, of all variants: they answer one question.
pub(crate) struct Refit {
    pub(crate) response: Response,
    /// All its models, also those that were there before.
    pub(crate) current: Vec<Uuid>,
    /// The models that were not there before.
    pub(crate) new: Vec<Uuid>,
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
    is_replaced: bool,
}

/// Puts the models that were just fitted in the place of their predecessors, and ranks all models that answer the
/// question. If the new champion may not succeed the old one, all new models are held, and everything else stays.
pub(crate) async fn succeed(
    connection: &mut PgConnection,
    key: &FitKey,
    refit: &Refit,
) -> Result<Succession> {
    let models = models(connection, key, refit).await?;
    // Other responses than times answer nobody who does not name the model.
    if matches!(refit.response, Response::Counter(_)) {
        supersede(connection, &refit.outdated(&models, false)).await?;
        return Ok(Succession::Same);
    }
    let ranked = refit.ranked(&models);
    let champion = ranked.first().copied();
    let predecessor = models.iter().find(|(_, it)| it.rank == Some(1));
    if let Some((&predecessor, _)) = predecessor.filter(|(_, it)| !it.is_distrusted)
        && let Some(why) = why_not(connection, refit, predecessor, champion).await?
    {
        hold(connection, &refit.waiting(&models), &why).await?;
        supersede(connection, &refit.outdated(&models, true)).await?;
        return Ok(Succession::Held(predecessor));
    }
    supersede(connection, &refit.outdated(&models, false)).await?;
    let_answer(connection, refit, &ranked).await?;
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

impl Refit {
    /// The models that answer if nothing is held, the champion first.
    fn ranked(&self, models: &BTreeMap<Uuid, Model>) -> Vec<Uuid> {
        let may_answer = |(id, it): &(&Uuid, &Model)| {
            !it.is_refused && (self.current.contains(id) || it.held.is_none() && !it.is_replaced)
        };
        let models = models.iter().filter(may_answer);
        let (ids, contenders): (Vec<Uuid>, Vec<Contender>) =
            models.map(|(id, it)| (*id, it.contender.clone())).unzip();
        rank(&contenders).into_iter().map(|it| ids[it]).collect()
    }

    /// The models that wait where the new champion may not answer: new ones, and those that waited before.
    fn waiting(&self, models: &BTreeMap<Uuid, Model>) -> Vec<Uuid> {
        let waited = |id: &Uuid| models.get(id).is_some_and(|it| it.held.is_some());
        let current = self.current.iter().copied();
        let waiting = current.filter(|id| self.new.contains(id) || waited(id));
        waiting.collect()
    }

    /// Models that others have replaced. `only_held`: of these only held ones.
    fn outdated(&self, models: &BTreeMap<Uuid, Model>, only_held: bool) -> Vec<Uuid> {
        let others = models.iter().filter(|(id, _)| !self.current.contains(id));
        let outdated = others.filter(|(_, it)| it.held.is_some() || it.is_replaced && !only_held);
        outdated.map(|(id, _)| *id).collect()
    }
}

/// Why the champion to be may not answer in the place of its predecessor; none where it may.
async fn why_not(
    connection: &mut PgConnection,
    refit: &Refit,
    predecessor: Uuid,
    champion: Option<Uuid>,
) -> Result<Option<Reasons<HeldBecause>>> {
    let Some(champion) = champion else {
        return Ok(refit.has_rows.then(|| HeldBecause::NoFit.into()));
    };
    if champion == predecessor {
        return Ok(None);
    }
    let before = hold_out_rows(connection, predecessor).await?;
    let now = hold_out_rows(connection, champion).await?;
    Ok(is_as_good(&before, &now).err().map(Reasons::from))
}

/// Holds none of the current models any more, and ranks those that answer.
async fn let_answer(connection: &mut PgConnection, refit: &Refit, ranked: &[Uuid]) -> Result<()> {
    sqlx::query!(
        "UPDATE models SET held = NULL, held_because = NULL WHERE id = ANY ($1) AND held IS NOT NULL",
        &refit.current
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "
        UPDATE models SET rank = place
        FROM unnest($1::uuid[]) WITH ORDINALITY AS ranked (model, place)
        WHERE id = model AND rank IS DISTINCT FROM place
        ",
        ranked
    )
    .execute(connection)
    .await?;
    Ok(())
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
    key: &FitKey,
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
        key.device,
        key.counted_on,
        key.provider,
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
async fn models(
    connection: &mut PgConnection,
    key: &FitKey,
    refit: &Refit,
) -> Result<BTreeMap<Uuid, Model>> {
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
        key.device,
        key.counted_on,
        key.provider,
        refit.response.as_str(),
        &refit.current
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
            is_replaced: row.replaced,
        };
        (row.id, model)
    });
    Ok(models.collect())
}

/// The question that a model answers, and whether the model waits for an admin.
pub(crate) struct AnsweredQuestion {
    pub(crate) key: FitKey,
    pub(crate) response: Response,
    pub(crate) is_held: bool,
}

/// The question that a model answers; None where there is no such model.
pub(crate) async fn question(
    executor: impl PgExecutor<'_>,
    model: Uuid,
) -> Result<Option<AnsweredQuestion>> {
    let row = sqlx::query!(
        r#"
        SELECT
            device_id AS device, counted_on_device_id AS counted_on, provider, response,
            held IS NOT NULL AND NOT superseded AS "is_held!"
        FROM models WHERE id = $1
        "#,
        model
    )
    .fetch_optional(executor)
    .await?;
    Ok(row.map(|row| AnsweredQuestion {
        key: FitKey {
            device: row.device,
            counted_on: row.counted_on,
            provider: row.provider,
        },
        response: row.response.as_str().into(),
        is_held: row.is_held,
    }))
}

/// Lets the held models of a question answer.
pub(crate) async fn accept(
    connection: &mut PgConnection,
    key: &FitKey,
    response: Response,
) -> Result<()> {
    // Nobody is champion any more, so nobody has to be succeeded.
    let current = sqlx::query_scalar!(
        "
        WITH question AS (
            SELECT id, held, superseded, rank FROM models
            WHERE device_id = $1 AND counted_on_device_id IS NOT DISTINCT FROM $2
                AND provider = $3 AND response = $4
        ), unranked AS (
            UPDATE models SET rank = NULL
            WHERE id IN (SELECT id FROM question WHERE rank IS NOT NULL)
        )
        SELECT id FROM question WHERE held IS NOT NULL AND NOT superseded
        ",
        key.device,
        key.counted_on,
        key.provider,
        response.as_str()
    )
    .fetch_all(&mut *connection)
    .await?;
    let refit = Refit {
        response,
        current,
        new: Vec::new(),
        has_rows: true,
    };
    succeed(connection, key, &refit).await?;
    Ok(())
}
