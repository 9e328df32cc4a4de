//! A panic is a reason like others: what else is fitted need not suffer from it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` comes to.
///
/// # Errors
/// It panicked: what it said, in words for whoever reads why there is no model.
pub(crate) fn caught<T>(of: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied());
        let said = said.unwrap_or("no reason given");
        format!("a defect of {of}, please report it: {said}")
    })
}
