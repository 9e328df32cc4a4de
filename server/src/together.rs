//! One answer for all who ask while it is made.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use tokio::sync::Mutex;

/// The newest answer, and up to which of those who asked it is for.
pub(crate) struct Together<T> {
    asked: AtomicU64,
    made: Mutex<Made<T>>,
}

struct Made<T> {
    upto: u64,
    answer: Option<Arc<T>>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self {
            upto: 0,
            answer: None,
        }
    }
}

impl<T> Default for Together<T> {
    fn default() -> Self {
        Self {
            asked: AtomicU64::default(),
            made: Mutex::default(),
        }
    }
}

impl<T> Together<T> {
    /// What `make` comes to: at most one is made at a time. Who comes while one is made waits for the next, which
    /// all of them get: so each answer is of after it was asked for, and two hundred who ask at once cost two.
    pub(crate) async fn get<E>(
        &self,
        make: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let mine = self.asked.fetch_add(1, SeqCst) + 1;
        let mut made = self.made.lock().await;
        if let Some(answer) = &made.answer
            && made.upto >= mine
        {
            return Ok(Arc::clone(answer));
        }
        // Whoever has asked by now has it.
        let upto = self.asked.load(SeqCst);
        let answer = Arc::new(make().await?);
        *made = Made {
            upto,
            answer: Some(Arc::clone(&answer)),
        };
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible, time::Duration};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn two_hundred_who_ask_at_once_cost_two_and_who_asks_later_gets_a_newer_one() {
        let (together, made) = (Together::default(), Cell::new(0));
        let ask = || {
            together.get(async || {
                tokio::time::sleep(Duration::from_millis(100)).await;
                made.set(made.get() + 1);
                Ok::<_, Infallible>(made.get())
            })
        };
        let all = futures_util::future::join_all((0..200).map(|_| ask())).await;
        assert!(made.get() <= 2, "{}", made.get());
        assert!(all.iter().all(Result::is_ok));
        let before = made.get();
        let Ok(later) = ask().await;
        assert_eq!(*later, before + 1);
    }
}
