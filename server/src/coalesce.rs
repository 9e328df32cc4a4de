//! Coalesced requests: one answer for all who ask for it at the same time.

use std::sync::Arc;

use tokio::{sync::Mutex, time::Instant};

/// An answer that all who ask for it at the same time share; it keeps the newest.
pub(crate) struct Coalesced<T>(Mutex<Option<Answer<T>>>);

struct Answer<T> {
    value: Arc<T>,
    begun_at: Instant,
}

impl<T> Default for Coalesced<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Coalesced<T> {
    /// Returns what `make` comes to. One answer is made at a time. Whoever asks meanwhile waits for the next one and
    /// shares it: no answer is older than its question, and two hundred who ask at once cost two.
    pub(crate) async fn get<E>(
        &self,
        make: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let asked_at = Instant::now();
        let mut newest = self.0.lock().await;
        if let Some(answer) = &*newest
            && answer.begun_at >= asked_at
        {
            return Ok(Arc::clone(&answer.value));
        }
        let begun_at = Instant::now();
        let value = Arc::new(make().await?);
        *newest = Some(Answer {
            value: Arc::clone(&value),
            begun_at,
        });
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible, time::Duration};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn two_hundred_who_ask_at_once_cost_two_and_who_asks_later_gets_a_newer_one() {
        let (coalesced, answers) = (Coalesced::default(), Cell::new(0));
        let ask = || {
            let make = async || {
                tokio::time::sleep(Duration::from_secs(1)).await;
                answers.set(answers.get() + 1);
                Ok::<_, Infallible>(answers.get())
            };
            coalesced.get(make)
        };
        let all = futures_util::future::join_all((0..200).map(|_| ask())).await;
        assert!(answers.get() <= 2, "{}", answers.get());
        assert!(all.iter().all(Result::is_ok));
        let before = answers.get();
        let Ok(later) = ask().await;
        assert_eq!(*later, before + 1);
    }
}
