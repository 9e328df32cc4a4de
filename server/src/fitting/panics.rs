//! Panics beside the fits' own threads.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;

use super::FittingError;

/// A panic fails the work, not the worker that all other jobs wait for.
pub(super) async fn catch_panic<T>(
    work: impl Future<Output = Result<T, FittingError>>,
) -> Result<T, FittingError> {
    let result = AssertUnwindSafe(work).catch_unwind().await;
    result.unwrap_or(Err(FittingError::Panicked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_failure_of_one_job() {
        let failed = catch_panic::<()>(async { panic!("a defect of a test's") }).await;
        assert!(matches!(failed, Err(FittingError::Panicked)));
        assert!(catch_panic(async { Ok(()) }).await.is_ok());
    }
}
