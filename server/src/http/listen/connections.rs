use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{sync::oneshot, time::Instant};

/// All connections.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Vec<Place>>>);

struct Place {
    connection: Arc<Connection>,
    /// The connection closes when this is dropped.
    _close: oneshot::Sender<()>,
}

/// One of them; it leaves when this is dropped.
pub(super) struct Entered {
    pub(super) connection: Arc<Connection>,
    /// Ends when it has to make room.
    pub(super) closed: oneshot::Receiver<()>,
    connections: Connections,
}

/// Whether a connection waits for its client, and since when.
pub(super) struct Connection(Mutex<Waits>);

struct Waits {
    /// Since when it waits for a request, the rest of its body, or the client's interest in events. Absent while it is
    /// being answered.
    to_read: Option<Instant>,
    /// Since when it waits for the client to take what is written.
    to_write: Option<Instant>,
}

impl Connections {
    /// A new connection; where there are `most` already, another is asked to close first. None where all of
    /// them are being answered.
    pub(super) fn enter(&self, most: usize) -> Option<Entered> {
        let mut places = self.all();
        if places.len() >= most {
            let waiting = places.iter().enumerate();
            let waiting = waiting.filter_map(|(at, place)| Some((place.connection.waiting()?, at)));
            let (_, longest) = waiting.min()?;
            places.swap_remove(longest);
        }
        let connection = Arc::new(Connection(Mutex::new(Waits {
            to_read: Some(Instant::now()),
            to_write: None,
        })));
        let (close, closed) = oneshot::channel();
        places.push(Place {
            connection: Arc::clone(&connection),
            _close: close,
        });
        Some(Entered {
            connection,
            closed,
            connections: self.clone(),
        })
    }

    fn all(&self) -> MutexGuard<'_, Vec<Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let is_other = |place: &Place| !Arc::ptr_eq(&place.connection, &self.connection);
        self.connections.all().retain(is_other);
    }
}

impl Connection {
    /// Since when it waits for its client; none where the client waits for it.
    pub(super) fn waiting(&self) -> Option<Instant> {
        let waits = self.waits();
        waits.to_read.or(waits.to_write)
    }

    pub(super) fn waits_to_read(&self) {
        self.waits().to_read = Some(Instant::now());
    }

    pub(super) fn works(&self) {
        self.waits().to_read = None;
    }

    pub(super) fn waits_to_write(&self) {
        self.waits().to_write = Some(Instant::now());
    }

    pub(super) fn writes(&self) {
        self.waits().to_write = None;
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
