//! An admin's word that a model which is held may answer.

use kerncast_wire::AuditAction;
use serde_json::json;
use sqlx::PgPool;
use uuid::Uuid;

use super::turn::{TooLong, wait_for_turn};
use crate::db::{
    self,
    access::audit::{self, Actor},
    fitting::succession,
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
    let (question, _) = question.ok_or(NotAccepted::Unknown)?;
    let device = i32::try_from(question.target).map_err(|_| NotAccepted::Unknown)?;
    let across = question.counted_on.is_some();
    let mut transaction = wait_for_turn(pool, device, across).await?;
    // Asked again now that no fit can change it.
    let waits = succession::question(&mut *transaction, model).await?;
    if !waits.is_some_and(|(_, waits)| waits) {
        return Err(NotAccepted::DoesNotWait);
    }
    let about = json!({
        "model": model, "device": question.target, "counted_on": question.counted_on,
        "provider": question.provider, "response": question.response.as_str(),
    });
    succession::accept(&mut transaction, question).await?;
    let action = AuditAction::AcceptModel;
    audit::note(&mut *transaction, actor, action, &about, Some(reason), None).await?;
    Ok(transaction.commit().await.map_err(db::Error::from)?)
}
