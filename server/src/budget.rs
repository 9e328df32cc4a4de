//! Memory for requests. Small ones need none of it; of large ones as many are at work at once as there is memory
//! for, and the others wait, or are told to come again. So the server stays as small as it is meant to be,
//! whatever is sent to it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    body::{Body, HttpBody},
    http::StatusCode,
    response::Response,
};
use kerncast_wire::{BUSY, Problem};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{held::Held, problem::problem};

/// Bytes of a request, or of an answer, that need no permission: there are a thousand connections at most.
pub(crate) const SMALL: usize = 32 << 10;

/// How long a request waits for memory.
const PATIENCE: Duration = Duration::from_secs(10);

/// Of large requests so many are done in a second, at least (docs/scale.md), as long as nothing is known of those that come.
const A_SECOND: f64 = 8.0;
/// So long those that were done are counted before they tell that more are done in a second, …
const MORE_AFTER: Duration = Duration::from_millis(100);
/// … and before they tell that fewer are.
const KNOWN_AFTER: Duration = Duration::from_secs(1);
/// No agent waits longer for what it is told.
const LONGEST_WAIT_S: u64 = 30;

const MIB: usize = 1 << 20;
const UNIT: usize = 1 << 10;

/// Memory for requests without a token, and for those with one: whoever has none can't keep agents from
/// uploading.
pub(crate) struct Budget {
    pub(crate) open: Share,
    pub(crate) trusted: Share,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            open: Share::new(64 * MIB, 256 * MIB),
            trusted: Share::new(128 * MIB, 256 * MIB),
        }
    }
}

/// Memory for some requests. What waits for its client, a body on its way, has a part of its own: so it never
/// waits for itself.
pub(crate) struct Share {
    bodies: Arc<Pool>,
    work: Arc<Pool>,
}

struct Pool {
    free: Arc<Semaphore>,
    all: usize,
    turned_away: Mutex<TurnedAway>,
}

/// How many had to be told to come again, less those that were done since.
#[derive(Default)]
struct TurnedAway {
    count: u64,
    /// Since when there are any, and how many were done since.
    began: Option<Instant>,
    done: u64,
}

impl Share {
    fn new(bodies: usize, work: usize) -> Self {
        Self {
            bodies: Pool::new(bodies),
            work: Pool::new(work),
        }
    }

    /// For a body that is on its way: nothing yet, see [`Memory::grow`].
    pub(crate) fn body(&self) -> Memory {
        Memory {
            pool: Arc::clone(&self.bodies),
            held: None,
            refused: false,
        }
    }

    /// For what is made of a request: about `bytes`, or all that there is.
    ///
    /// # Errors
    /// Where there is not so much within some seconds.
    pub(crate) async fn work(&self, bytes: usize) -> Result<Memory, Problem> {
        let units = units(bytes.min(self.work.all));
        let held = Arc::clone(&self.work.free).acquire_many_owned(units);
        match timeout(PATIENCE, held).await {
            Ok(Ok(held)) => Ok(Memory {
                pool: Arc::clone(&self.work),
                held: Some(held),
                refused: false,
            }),
            Ok(Err(_)) | Err(_) => Err(self.work.none_left()),
        }
    }
}

impl Pool {
    fn new(all: usize) -> Arc<Self> {
        Arc::new(Self {
            free: Arc::new(Semaphore::new(all / UNIT)),
            all,
            turned_away: Mutex::default(),
        })
    }

    /// Where many come at once, each is told to wait longer, so that they do not all send their bodies for nothing again.
    fn none_left(&self) -> Problem {
        let detail = "the server is at work on as many large requests as it has memory for; send it again later";
        let wait = self.turned_away().wait_s(Instant::now());
        Problem {
            kind: BUSY.to_owned(),
            retry_after_s: Some(wait),
            ..problem(StatusCode::SERVICE_UNAVAILABLE, detail)
        }
    }

    fn turned_away(&self) -> MutexGuard<'_, TurnedAway> {
        self.turned_away
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl TurnedAway {
    /// One was done.
    fn done(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.done += 1;
    }

    /// Of one more: whole seconds, at least one.
    fn wait_s(&mut self, now: Instant) -> u64 {
        if self.count == 0 {
            (self.began, self.done) = (Some(now), 0);
        }
        self.count += 1;
        let since = self.began.map_or(Duration::ZERO, |began| now - began);
        let a_second = if since < MORE_AFTER {
            A_SECOND
        } else {
            // The next one is about to be: where none is yet, that says little.
            let done = (self.done + 1) as f64 / since.as_secs_f64();
            match since < KNOWN_AFTER {
                true => done.max(A_SECOND),
                false => done,
            }
        };
        let seconds = (1..=LONGEST_WAIT_S).find(|it| (self.count as f64) < a_second * *it as f64);
        seconds.unwrap_or(LONGEST_WAIT_S)
    }
}

/// Memory that a request may use; given back when it is dropped.
pub(crate) struct Memory {
    pool: Arc<Pool>,
    held: Option<OwnedSemaphorePermit>,
    /// Whether there was not as much as it wanted.
    refused: bool,
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.held.is_some() && !self.refused {
            self.pool.turned_away().done();
        }
    }
}

impl Memory {
    /// Some of it, at once.
    ///
    /// # Errors
    /// Where there is no more.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Problem> {
        let more = Arc::clone(&self.pool.free).try_acquire_many_owned(units(bytes));
        let Ok(more) = more else {
            self.refused = true;
            return Err(self.pool.none_left());
        };
        match &mut self.held {
            Some(held) => held.merge(more),
            none => *none = Some(more),
        }
        Ok(())
    }

    /// Gives back what is above `bytes`.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        if let Some(held) = &mut self.held {
            let above = held.num_permits().saturating_sub(bytes.div_ceil(UNIT));
            drop(held.split(above));
        }
    }

    /// Until the answer is sent, or its client is gone.
    pub(crate) fn until_sent(mut self, response: Response) -> Response {
        if let Some(bytes) = response.body().size_hint().exact() {
            self.shrink_to(usize::try_from(bytes).unwrap_or(usize::MAX));
        }
        response.map(|body| Body::new(Held::new(body, self)))
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn memory_is_given_back_and_waited_for() {
        let share = Share::new(4 * UNIT, 4 * UNIT);
        let mut first = share.work(100 * UNIT).await.expect("all of it");
        let refused = share.work(1).await.err().expect("nothing is left");
        assert_eq!((refused.status, &*refused.kind), (503, BUSY));
        first.shrink_to(3 * UNIT);
        share.work(UNIT).await.expect("one is free again");
        let waiting = async { share.work(2 * UNIT).await.is_ok() };
        let giving_back = async {
            tokio::time::sleep(PATIENCE / 2).await;
            drop(first);
        };
        assert!(tokio::join!(waiting, giving_back).0);
    }

    #[test]
    fn the_more_are_turned_away_the_later_they_come_again() {
        let (mut turned_away, start) = (TurnedAway::default(), Instant::now());
        let waits: Vec<u64> = (0..1000).map(|_| turned_away.wait_s(start)).collect();
        assert_eq!((waits[0], waits[6], waits[7], waits[99]), (1, 1, 2, 13));
        assert_eq!(waits[999], LONGEST_WAIT_S);
        // Of 1000 half were done in five seconds, a hundred a second: the other half takes as long.
        let later = |seconds| start + Duration::from_secs(seconds);
        (0..500).for_each(|_| turned_away.done());
        assert_eq!(turned_away.wait_s(later(5)), 6);
        // Where hardly any is done, it takes long.
        assert_eq!(turned_away.wait_s(later(1000)), LONGEST_WAIT_S);
        // After all were done the next ones are others.
        (0..600).for_each(|_| turned_away.done());
        assert_eq!(turned_away.wait_s(later(2000)), 1);
    }

    #[test]
    fn in_the_first_second_more_may_be_known_to_be_done_but_not_fewer() {
        let start = Instant::now();
        let after = |milliseconds, done| {
            let mut turned_away = TurnedAway::default();
            for _ in 0..200 {
                turned_away.wait_s(start);
            }
            (0..done).for_each(|_| turned_away.done());
            turned_away.wait_s(start + Duration::from_millis(milliseconds))
        };
        // Two hundred a second.
        assert_eq!((after(50, 40), after(200, 40), after(1200, 40)), (21, 1, 5));
        // None yet.
        assert_eq!((after(200, 0), after(1200, 0)), (26, LONGEST_WAIT_S));
    }

    #[test]
    fn a_body_grows_until_nothing_is_left() {
        let share = Share::new(4 * UNIT, 0);
        let (mut one, mut other) = (share.body(), share.body());
        one.grow(3 * UNIT).expect("three");
        assert_eq!(other.grow(2 * UNIT).expect_err("one is left").status, 503);
        // Who was refused has had no turn; the other one has.
        drop(other);
        assert_eq!(share.bodies.turned_away().count, 1);
        drop(one);
        assert_eq!(share.bodies.turned_away().count, 0);
        share.body().grow(4 * UNIT).expect("all of it");
    }
}
