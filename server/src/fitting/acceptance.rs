//! An admin's word that a model which is held may answer.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use kerncast_wire::AuditAction;
use serde_json::json;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{
    db::{
        self,
        access::audit::{self, Actor},
        fitting::{
            fit_key::FitKey,
            succession::{self, AnsweredQuestion},
        },
    },
    http::{Error, problem, unavailable},
};

/// Pause between two looks whether another fit of the device has ended.
const LOOK_PAUSE: Duration = Duration::from_millis(250);
/// Longest wait for that.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Lets a model that is held answer, and all that is held with it: what answers the same question.
/// Fails where the model is not held, or fits of its device go on for too long; then nothing has changed.
pub(crate) async fn accept(
    pool: &PgPool,
    model: Uuid,
    reason: &str,
    actor: &Actor,
) -> Result<(), Error> {
    let not_held = || {
        let detail = "the model does not wait for an admin";
        problem(StatusCode::CONFLICT, detail)
    };
    let question = succession::question(pool, model).await?;
    let key = question.ok_or_else(not_held)?.key;
    let mut transaction = wait_for_turn(pool, &key).await?;
    // Asked again now that no fit can change it.
    let question = succession::question(&mut *transaction, model).await?;
    let question = question.filter(|it| it.is_held);
    let AnsweredQuestion { response, .. } = question.ok_or_else(not_held)?;
    let about = json!({
        "model": model, "device": key.device, "counted_on": key.counted_on,
        "provider": key.provider, "response": response.as_str(),
    });
    succession::accept(&mut transaction, &key, response).await?;
    let action = AuditAction::AcceptModel;
    audit::note(&mut *transaction, actor, action, &about, Some(reason), None).await?;
    Ok(transaction.commit().await.map_err(db::Error::from)?)
}

/// Waits until no other fit of the device, or to it from others, is under way, and keeps others waiting. It holds no
/// connection meanwhile, so that however many wait, other requests are served.
async fn wait_for_turn(
    pool: &PgPool,
    key: &FitKey,
) -> Result<Transaction<'static, Postgres>, Error> {
    let start = Instant::now();
    loop {
        let mut transaction = pool.begin().await.map_err(db::Error::from)?;
        if key.try_lock(&mut transaction).await? {
            return Ok(transaction);
        }
        transaction.rollback().await.map_err(db::Error::from)?;
        if start.elapsed() > LONGEST_WAIT {
            let detail = "other fits of this device are still under way; try again later";
            return Err(unavailable(detail).into());
        }
        tokio::time::sleep(LOOK_PAUSE).await;
    }
}
