//! Changes, from the database to all who watch: one listener per server, however many watch.

use std::{error::Error, future::Future, time::Duration};

use kerncast_wire::Event;
use sqlx::PgPool;
use tokio::sync::broadcast::{self, Receiver, Sender, WeakSender};

use crate::db::{self, events::listen};

/// Events that a slow watcher may lag behind. Beyond that it is told that it missed some.
const MOST_EVENTS_BEHIND: usize = 256;
/// Pause before listening again after the database failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Where to watch.
#[derive(Clone)]
pub struct Events(WeakSender<Event>);

impl Events {
    /// Events from now on; none where nobody listens any more: the server is ending.
    pub(crate) fn watch(&self) -> Option<Receiver<Event>> {
        Some(self.0.upgrade()?.subscribe())
    }
}

/// Where to watch, and the listener: a future that never ends. Dropped, it ends every watcher's stream.
pub fn events(pool: PgPool) -> (Events, impl Future<Output = ()> + Send + 'static) {
    let (sender, _) = broadcast::channel(MOST_EVENTS_BEHIND);
    (Events(sender.downgrade()), keep_listening(pool, sender))
}

async fn keep_listening(pool: PgPool, sender: Sender<Event>) {
    loop {
        if let Err(error) = forward_changes(&pool, &sender).await {
            tracing::error!(error = &error as &dyn Error, "changes can't be listened to");
            // Caches are not believed until somebody listens again, which says so once more.
            let _ = sender.send(Event::Missed);
        }
        tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
    }
}

async fn forward_changes(pool: &PgPool, sender: &Sender<Event>) -> db::Result<()> {
    let mut changes = listen(pool).await?;
    // Whatever changed before is not known.
    let _ = sender.send(Event::Missed);
    loop {
        // An error says only that nobody watches.
        let _ = sender.send(changes.next().await?);
    }
}
