//! What is looked after by the hour or by the day.

use std::{error::Error, time::Duration};

/// Does `work`, now and after each `pause`, for ever. It returns of how many it is done; that, and where the database fails, is
/// logged: "`did` 3 `what`", "`what` can't be `did`".
pub(crate) async fn for_ever<F: Future<Output = sqlx::Result<u64>>>(
    pause: Duration,
    did: &'static str,
    what: &'static str,
    work: impl Fn() -> F,
) {
    loop {
        match work().await {
            Ok(0) => {}
            Ok(done) => tracing::info!("{did} {done} {what}"),
            Err(error) => {
                tracing::error!(error = &error as &dyn Error, "{what} can't be {did}");
            }
        }
        tokio::time::sleep(pause).await;
    }
}
