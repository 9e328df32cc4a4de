//! What is uploaded by itself: a device's ceilings, rates of its streams, a stream's run. Each is one row, with its device
//! and its agent, in one transaction.

use kerncast_wire::{Agent, AuditAction, Device, Origin};
use serde_json::json;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use super::{
    audit,
    described::{Described, described, note_changes},
    upload::Uploader,
};
use crate::content::ContentHash;

/// What became of it.
pub(crate) enum Outcome {
    /// New, and durably stored.
    Stored,
    /// Already there.
    Repeated,
    /// Another has its id.
    Taken,
}

impl Outcome {
    /// Of what was there already, as `known`.
    pub(crate) fn of_known(known: &[u8], content_hash: ContentHash) -> Self {
        match known == content_hash {
            true => Self::Repeated,
            false => Self::Taken,
        }
    }
}

/// On its way into the database: its device and its agent are there.
pub(crate) struct Alone<'a> {
    pub(crate) transaction: Transaction<'static, Postgres>,
    agent: &'a Agent,
    uploader: &'a Uploader,
    named: [String; 1],
    before: Described,
}

impl<'a> Alone<'a> {
    pub(crate) async fn begin(
        pool: &PgPool,
        device: &Device,
        agent: &'a Agent,
        uploader: &'a Uploader,
    ) -> sqlx::Result<Self> {
        let mut transaction = pool.begin().await?;
        let names = json!({ "devices": [device], "agents": [agent] });
        let named = [device.name.clone()];
        let before = described(&mut transaction, &named, &[]).await?;
        let describes = uploader.describes();
        sqlx::query!("SELECT store_devices_and_agents($1, $2)", names, describes)
            .execute(&mut *transaction)
            .await?;
        Ok(Self {
            transaction,
            agent,
            uploader,
            named,
            before,
        })
    }

    /// Its row is there, and new; `what` it is and which is told where it came with Kerncast.
    pub(crate) async fn stored(mut self, origin: Origin, what: (&str, Uuid)) -> sqlx::Result<()> {
        let (agent, actor) = (self.agent, &self.uploader.actor);
        sqlx::query!(
            "UPDATE agents SET last_seen_at = now() WHERE name = $1 AND version = $2",
            agent.name,
            agent.version
        )
        .execute(&mut *self.transaction)
        .await?;
        if self.uploader.describes() {
            let after = described(&mut self.transaction, &self.named, &[]).await?;
            note_changes(&mut self.transaction, actor, &self.before, &after).await?;
        }
        if origin == Origin::Shipped {
            let about = json!({ "devices": self.named, what.0: what.1 });
            let action = AuditAction::BringShipped;
            audit::note(&mut *self.transaction, actor, action, &about, None, None).await?;
        }
        self.transaction.commit().await
    }

    /// There is one of its id already: what is refused leaves no name behind either.
    pub(crate) async fn refused(self) -> sqlx::Result<()> {
        self.transaction.rollback().await
    }
}
