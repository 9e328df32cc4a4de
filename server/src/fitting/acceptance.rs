//! An admin's word that a model which is held may answer.

use kerncast_wire::AuditAction;
use serde_json::json;
use sqlx::PgPool;
use uuid::Uuid;

use super::turn::{TooLong, wait_for_turn};
use crate::db::{
    self,
    access::audit::{self, Actor},
    fitting::succession::{self, AnsweredQuestion},
};

/// Why a model was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum NotAccepted {
    /// There is none of this id.
    #[error("there is no such model")]
    Unknown,
    /// It answers, or something has replaced it.
    #[error("the model does not wait for an admin")]
    DoesNotWait,
    /// Fits go on for too long.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] db::Error),
}

/// Lets a model that is held answer, and all that is held with it: what answers the same question.
///
/// # Errors
/// [`NotAccepted`]; then nothing has changed.
pub async fn accept(
    pool: &PgPool,
    model: Uuid,
    reason: &str,
    actor: &Actor,
) -> Result<(), NotAccepted> {
    let question = succession::question(pool, model).await?;
    let question = question.ok_or(NotAccepted::Unknown)?;
    let mut transaction = wait_for_turn(pool, &question.key).await?;
    // Asked again now that no fit can change it.
    let question = succession::question(&mut *transaction, model).await?;
    let AnsweredQuestion { key, response, .. } = question
        .filter(|it| it.is_held)
        .ok_or(NotAccepted::DoesNotWait)?;
    let about = json!({
        "model": model, "device": key.device, "counted_on": key.counted_on,
        "provider": key.provider, "response": response.as_str(),
    });
    succession::accept(&mut transaction, &key, response).await?;
    let action = AuditAction::AcceptModel;
    audit::note(&mut *transaction, actor, action, &about, Some(reason), None).await?;
    Ok(transaction.commit().await.map_err(db::Error::from)?)
}
