//! Panics as reasons for refusals: a fit that panics is refused, and no other fit suffers from it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of `work`, or a reason, which names the `step`, where it panics.
///
/// # Errors
/// The panic's message as a reason why there is no model.
pub(crate) fn catch_defect<T>(step: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied());
        let message = message.unwrap_or("no reason given");
        format!("a defect of {step}, please report it: {message}")
    })
}
