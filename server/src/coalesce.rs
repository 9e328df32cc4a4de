//! One answer for all who ask while it is made.

use std::sync::Arc;

use tokio::{sync::Mutex, time::Instant};

/// The newest answer.
pub(crate) struct Coalesced<T>(Mutex<Option<Made<T>>>);

struct Made<T> {
    answer: Arc<T>,
    begun: Instant,
}

impl<T> Default for Coalesced<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Coalesced<T> {
    /// What `make` comes to: at most one is made at a time. Who comes while one is made waits for the next, which
    /// all of them get: so each answer is of after it was asked for, and two hundred who ask at once cost two.
    pub(crate) async fn get<E>(
        &self,
        make: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let asked = Instant::now();
        let mut made = self.0.lock().await;
        if let Some(it) = &*made
            && it.begun >= asked
        {
            return Ok(Arc::clone(&it.answer));
        }
        let begun = Instant::now();
        let answer = Arc::new(make().await?);
        *made = Some(Made {
            answer: Arc::clone(&answer),
            begun,
        });
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible, time::Duration};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn two_hundred_who_ask_at_once_cost_two_and_who_asks_later_gets_a_newer_one() {
        let (coalesced, made) = (Coalesced::default(), Cell::new(0));
        let ask = || {
            let make = async || {
                tokio::time::sleep(Duration::from_secs(1)).await;
                made.set(made.get() + 1);
                Ok::<_, Infallible>(made.get())
            };
            coalesced.get(make)
        };
        let all = futures_util::future::join_all((0..200).map(|_| ask())).await;
        assert!(made.get() <= 2, "{}", made.get());
        assert!(all.iter().all(Result::is_ok));
        let before = made.get();
        let Ok(later) = ask().await;
        assert_eq!(*later, before + 1);
    }
}
